#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"

#include "cax/core/json.hpp"
#include "cax/http/server.hpp"
#include "cax/report/page.hpp"
#include "cax/serve/sessions.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace cax::cli {
namespace {

struct ServeCommand {
    ServeCommand() {
        inputs.selection.places = {0};
        request.parts = serve::live_options().parts;
        request.of<parts::Alternatives>().search_work = serve::live_search_work;
    }

    PolicyInputs inputs;
    ExplanationRequest request;
    std::string host = http::ServerOptions{}.host;
    std::uint64_t port = 0;
};

void describe(OptionTable& table, ServeCommand& command) {
    PolicyInputs& inputs = command.inputs;
    table.choose({"POLICY", "INSTANCES"}, inputs);
    table.find("INSTANCES")->name = "INSTANCE";
    table.value("port", command.port, "N", "Where to listen; 0 = any port that is free")
        .range(0, 65535)
        .not_a_setting();
    table
        .value("host", command.host, "ADDRESS",
               "The interface to listen at. Whoever can reach it and knows the printed address can ask")
        .not_a_setting();
    table.choose({"parts", "encode"}, command.request);
    table.find("parts")->default_is("all but subset, and regret for whole plans alone");
    table.group(common_group);
    table.choose({"policy-command", "instance", "seed", "threads", "precision", "keep-units", "allow-random", "read"}, inputs);
    table.find("instance")->help = "Which instance of the file, counted from 0";
}

serve::SessionOptions session_options(ServeCommand& command, Loaded const& loaded) {
    serve::SessionOptions options;
    options.explain = explain_options(command.request, command.inputs, loaded);
    options.state = command.request.decisions.state_options();
    Episode episode; // of which only the way its states are made is known yet
    episode.state = options.state;
    options.notes = app::notes_about(loaded, "", episode);
    options.keep_units = command.inputs.keep_units;
    options.head = std::make_shared<Json const>(
        result_of("explanation", "serve", command.inputs, loaded, table_of(command).json()));
    return options;
}

http::Response answered(serve::Sessions& sessions, http::Request const& request) {
    constexpr std::string_view api = "api/";
    if (request.post && request.path.starts_with(api)) {
        serve::Answer answer = sessions.answer(request.path.substr(api.size()), request.body);
        return {answer.understood ? 200 : 400, "application/json", std::move(answer.text)};
    }
    if (request.post || !request.path.empty()) return {404, "text/plain", "there is nothing here\n"};
    auto page = report::live_page();
    if (!page) return {500, "text/plain", page.error().message + "\n"};
    return {200, "text/html; charset=utf-8", *std::move(page)};
}

/// Ctrl-C and its like, turned into a byte that one can wait for. Whichever thread gets the signal: libraries have
/// threads of their own.
class Interruption {
public:
    Interruption() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0) return;
        struct sigaction action {};
        action.sa_handler = [](int) { wake(); };
        for (int const signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
    }
    static void wake() { [[maybe_unused]] auto const written = ::write(ends_[1], "", 1); }
    static void wait() {
        char byte = 0;
        while (::read(ends_[0], &byte, 1) < 0 && errno == EINTR) {
        }
    }

private:
    static inline std::array<int, 2> ends_{-1, -1};
};

void run(ServeCommand& command) {
    PolicyInputs& inputs = command.inputs;
    if (inputs.selection.places.size() != 1) fail("--instance: one instance is looked at; name one");
    auto const loaded = load(inputs);
    auto options = session_options(command, loaded);
    if (auto const page = report::live_page(); !page) fail(page.error().message);
    auto const sessions = must(
        serve::Sessions::make(*loaded.policy.policy, loaded.own_units.front(), std::move(options)), inputs.instances);

    Interruption const interruption;
    http::ServerOptions where;
    where.host = command.host;
    where.port = static_cast<int>(command.port);
    where.token = serve::unguessable(16);
    where.body_bytes = serve::most_request_bytes;
    auto const server =
        must(http::Server::listen(where, [&](http::Request const& request) { return answered(*sessions, request); }));
    fmt::print("{}\n", server->address());
    if (std::fflush(stdout) != 0) fail("standard output: cannot be written");
    std::thread waiting([&] {
        Interruption::wait();
        sessions->close();
        server->stop();
    });
    server->run();
    Interruption::wake(); // if it was not a signal that ended it
    waiting.join();
}

} // namespace

Command serve_command() {
    return make_command<ServeCommand>(
        {.name = "serve",
         .summary = "What if? The report of one instance, live in a browser",
         .paragraph =
             "Prints an address; open it in a browser. Drag a customer, an item, a window's end, a prize, a demand, a "
             "processing time: the policy's plan and all its probabilities follow the hand, and when it rests, the "
             "explanation of the decision that you look at. Insist on a decision, and see what the policy and a "
             "classical search make of it. Undo, start afresh, save what you have as an instance or as an explanation. "
             "Only this machine can reach it, and only with the whole address: it has a secret in it. Ctrl-C ends it.",
         .footer = R"(Examples:
  cax serve models/op-20-s0.safetensors city.json
  cax serve models/cvrptw-50-s0.safetensors days.npz --instance 3 --port 8080)"});
}

} // namespace cax::cli
