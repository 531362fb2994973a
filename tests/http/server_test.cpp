// `cax serve` over real sockets: who gets an answer, and how it ends.
#include "browser.hpp"

#include "cax/core/json.hpp"
#include "cax/http/server.hpp"

#include <csignal>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cax::test {
namespace {

TEST(Serve, AnswersAtTheAddressThatItPrints) {
    Serving const serving;
    EXPECT_EQ(serving.address(), fmt::format("http://127.0.0.1:{}/{}/", serving.port(), serving.token()));
    EXPECT_EQ(serving.token().size(), 32);
    std::string const page = serving.get("/" + serving.token() + "/");
    EXPECT_EQ(status_of(page), 200);
    EXPECT_NE(page.find("Content-Type: text/html; charset=utf-8"), std::string::npos);
    EXPECT_NE(page.find("cax/live/1"), std::string::npos);
    EXPECT_NE(page.find("connect-src 'self'"), std::string::npos);
    EXPECT_EQ(status_of(serving.get("/" + serving.token())), 200);
    std::string const opened = serving.ask("open", "{}");
    EXPECT_EQ(status_of(opened), 200);
    EXPECT_EQ(Json::parse(body_of(opened))["status"], "ok");
}

TEST(Serve, TurnsAwayWhoDoesNotKnowTheTokenOrComesFromElsewhere) {
    Serving const serving;
    std::string const good = "/" + serving.token() + "/";
    auto const status = [&](std::string const& path, std::string const& heads) {
        return status_of(answer_to(serving.port(), fmt::format("GET {} HTTP/1.1\r\n{}\r\n", path, heads)));
    };
    std::string const host = "Host: " + serving.host() + "\r\n";
    EXPECT_EQ(status(good, host), 200);
    EXPECT_EQ(status("/", host), 403);
    EXPECT_EQ(status("/api/open", host), 403);
    EXPECT_EQ(status("/0123456789abcdef0123456789abcdef/", host), 403);
    EXPECT_EQ(status("/favicon.ico", host), 403);
    EXPECT_EQ(status(good, ""), 403);
    EXPECT_EQ(status(good, "Host: evil.example\r\n"), 403);
    EXPECT_EQ(status(good, fmt::format("Host: evil.example:{}\r\n", serving.port())), 403);
    EXPECT_EQ(status(good, host + "Host: evil.example\r\n"), 403);
    EXPECT_EQ(status(good, host + "Origin: http://evil.example\r\n"), 403);
    EXPECT_EQ(status(good, host + "Origin: null\r\n"), 403);
    EXPECT_EQ(status(good, fmt::format("Host: localhost:{}\r\n", serving.port())), 200);
    EXPECT_EQ(status(good + "../../../../etc/passwd", host), 404);
    EXPECT_EQ(status(good + "api/open", host), 404); // by GET
    EXPECT_EQ(
        status_of(answer_to(serving.port(), fmt::format("PUT {} HTTP/1.1\r\n{}Content-Length: 0\r\n\r\n", good, host))),
        405);
}

TEST(Serve, UnpacksNothingAndTakesNothingButJson) {
    Serving const serving;
    auto const status = [&](std::string const& heads) {
        return status_of(
            answer_to(serving.port(), fmt::format("POST /{}/api/open HTTP/1.1\r\nHost: {}\r\n{}Content-Length: "
                                                  "2\r\n\r\n{{}}",
                                                  serving.token(), serving.host(), heads)));
    };
    EXPECT_EQ(status("Content-Type: application/json\r\n"), 200);
    EXPECT_EQ(status("Content-Type: text/plain\r\n"), 415);
    EXPECT_EQ(status(""), 415);
    EXPECT_EQ(status("Content-Type: application/json\r\nContent-Encoding: gzip\r\n"), 415);
}

TEST(Serve, SharesItsPortWithNobody) {
    Serving const serving;
    auto const second = http::Server::listen({.port = serving.port(), .token = "t"}, {});
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find(fmt::format("cannot listen at 127.0.0.1, port {}", serving.port())),
              std::string::npos)
        << second.error().message;
}

TEST(Serve, SaysWhatIsWrongWithARequest) {
    Serving const serving;
    std::string const answer = serving.ask("undo", R"({"session": 1})");
    EXPECT_EQ(status_of(answer), 400);
    EXPECT_EQ(Json::parse(body_of(answer))["words"], "session: not a string");
}

TEST(Serve, EndsCleanlyWhenItIsTold) {
    for (int const signal : {SIGINT, SIGTERM}) {
        Serving serving;
        EXPECT_EQ(status_of(serving.ask("open", "{}")), 200);
        EXPECT_EQ(serving.end(signal), 0);
        EXPECT_FALSE(Connection(serving.port()).open());
    }
}

} // namespace
} // namespace cax::test
