#include "cax/serve/sessions.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace cax::serve {

std::string unguessable(std::size_t bytes) {
    std::random_device device; // the system's, on every system that cax is built for
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += fmt::format("{:02x}", device() & 0xFFU);
    return text;
}

Result<std::unique_ptr<Sessions>> Sessions::make(Policy const& policy, InstancePtr instance, SessionOptions options) {
    std::unique_ptr<Sessions> sessions(new Sessions(policy, std::move(instance), std::move(options)));
    auto const first = Session::make(policy, sessions->instance_, sessions->options_); // can it be planned at all?
    if (!first) return first.error();
    return sessions;
}

Result<Sessions::Open> Sessions::open() {
    auto session = Session::make(policy_, instance_, options_);
    if (!session) return session.error();
    std::scoped_lock const lock(mutex_);
    open_.push_front({unguessable(16), *std::move(session)});
    if (closed_) open_.front().session->close();
    if (open_.size() > most_sessions) {
        open_.back().session->close();
        open_.pop_back();
    }
    return open_.front();
}

std::shared_ptr<Session> Sessions::find(std::string const& name) {
    std::scoped_lock const lock(mutex_);
    auto const at = std::ranges::find(open_, name, &Open::name);
    if (at == open_.end()) return nullptr;
    open_.splice(open_.begin(), open_, at);
    return at->session;
}

Answer Sessions::answer(std::string_view kind, std::string_view body) {
    auto const dump = [](Json const& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
    auto const request = parse_request(kind, body);
    if (!request) return {false, dump({{"status", "malformed"}, {"words", request.error().message}})};
    if (request->kind != RequestKind::open) {
        auto const session = find(request->session);
        if (session) return {true, dump(session->answer(*request))};
        return {true, dump({{"status", "closed"}, {"words", "this session is closed; load the page again"}})};
    }
    try {
        auto const opened = open();
        if (!opened) return {true, dump({{"status", "failed"}, {"words", opened.error().message}})};
        Json json = opened->session->answer(*request);
        json["session"] = opened->name;
        return {true, dump(json)};
    } catch (PolicyFailure const& failure) {
        return {true, dump({{"status", "failed"}, {"words", failure.error().message}})};
    }
}

void Sessions::close() {
    std::scoped_lock const lock(mutex_);
    closed_ = true;
    for (Open const& each : open_) each.session->close();
}

} // namespace cax::serve
