// What a browser, or whoever found the port, may send to a live page: the request as bytes, and a session that is asked
// whatever bytes make sense.
#include "../serve/what_if.hpp"
#include "targets.hpp"

#include "cax/serve/sessions.hpp"

namespace cax::fuzz {
namespace {

using serve::RequestKind;

/// The first byte chooses the kind, the rest is the body.
std::string_view chosen_kind(Dial& dial) {
    auto const kinds = names_of(RequestKind{});
    return kinds[dial.below(kinds.size())].name;
}

std::string numbered(RequestKind kind, std::string_view body) {
    auto const kinds = names_of(RequestKind{});
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i].value == kind) return static_cast<char>(i) + std::string(body);
    }
    return {};
}

std::vector<std::string> requests(std::string const& session) {
    std::string const head = R"({"session": ")" + session + R"(", "sequence": 1, "step": 1)";
    std::vector<std::string> seeds{
        numbered(RequestKind::open, "{}"),
        numbered(RequestKind::drag, head + R"(, "edits": [{"node": 2, "x": 0.5, "y": 0.25}]})"),
        numbered(RequestKind::edit, head + R"(, "edits": [{"tensor": "prize", "index": 2, "to": 0.5}]})"),
        numbered(RequestKind::edit, head + R"(, "edits": [{"tensor": "max_length", "index": 0, "to": 3}]})"),
        numbered(RequestKind::lock, head + R"(, "action": 3})"),
        numbered(RequestKind::explain, head + R"(, "whole": false})"),
        numbered(RequestKind::node, R"({"session": ")" + session + R"(", "node": 3})"),
        numbered(RequestKind::save, R"({"session": ")" + session + R"(", "as": "instance"})")};
    for (RequestKind const kind :
         {RequestKind::unlock, RequestKind::undo, RequestKind::redo, RequestKind::reset, RequestKind::look}) {
        seeds.push_back(numbered(kind, head + "}"));
    }
    return seeds;
}

} // namespace

void run_live_request(Bytes bytes) {
    Dial dial(bytes);
    std::string_view const kind = chosen_kind(dial);
    auto const request = serve::parse_request(kind, text_of(dial.rest()));
    if (!request) return expect_readable(request.error());
    require(name_of(request->kind) == kind, "a request of another kind");
    require(request->edits.size() <= serve::most_edits, "more edits than there may be");
}

std::vector<std::string> live_request_seeds() { return requests("s"); }

/// A request that makes sense is answered, whatever it asks for. One policy and one instance for all; a session for
/// each.
void run_live_session(Bytes bytes) {
    static auto const policy = test::what_if_policy("op");
    static auto const instance = test::what_if_instance("op");
    Dial dial(bytes);
    auto request = serve::parse_request(chosen_kind(dial), text_of(dial.rest()));
    if (!request) return expect_readable(request.error());
    if (request->kind == RequestKind::explain) request->kind = RequestKind::look; // long, and without further input
    request->sequence = 1;
    auto const session = serve::Session::make(*policy, instance, test::what_if_options());
    require(session.has_value(), "no session");
    Json const answer = (*session)->answer(*request);
    std::string const status = answer.value("status", "");
    require(status == "ok" || status == "refused", "an answer that is " + status);
    if (status == "refused") expect_readable(answer.value("words", ""));
    Json const after = (*session)->answer({.kind = RequestKind::look, .sequence = 2});
    require(after["status"] == "ok", "a session that cannot go on");
}

std::vector<std::string> live_session_seeds() { return requests("s"); }

} // namespace cax::fuzz
