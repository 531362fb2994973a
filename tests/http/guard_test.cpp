#include "guard.hpp"

#include <gtest/gtest.h>

namespace cax::http {
namespace {

TEST(HttpGuard, KnowsItsOwnHost) {
    EXPECT_TRUE(is_our_host("127.0.0.1:8080", "127.0.0.1", 8080));
    EXPECT_TRUE(is_our_host("localhost:8080", "127.0.0.1", 8080));
    for (char const* other : {"127.0.0.1", "127.0.0.1:80", "evil.example:8080", "127.0.0.1.evil.example:8080", "",
                              ":8080", "localhost", "127.0.0.2:8080", "127.0.0.1:8080 "}) {
        EXPECT_FALSE(is_our_host(other, "127.0.0.1", 8080)) << other;
    }
    EXPECT_TRUE(is_our_host("192.168.1.7:80", "0.0.0.0", 80));
    EXPECT_FALSE(is_our_host("evil.example:80", "0.0.0.0", 80));
    EXPECT_TRUE(is_our_host("192.168.1.7:80", "192.168.1.7", 80));
    EXPECT_FALSE(is_our_host("localhost:80", "192.168.1.7", 80));
}

TEST(HttpGuard, TakesRequestsOfItsOwnPagesAndOfNoOthers) {
    EXPECT_TRUE(is_our_origin(std::nullopt, "127.0.0.1:80"));
    EXPECT_TRUE(is_our_origin("http://127.0.0.1:80", "127.0.0.1:80"));
    for (char const* other : {"null", "", "http://evil.example", "https://127.0.0.1:80", "http://127.0.0.1:81"}) {
        EXPECT_FALSE(is_our_origin(other, "127.0.0.1:80")) << other;
    }
}

TEST(HttpGuard, FindsWhatStandsBehindTheToken) {
    EXPECT_EQ(behind_token("/abc/", "abc"), "");
    EXPECT_EQ(behind_token("/abc", "abc"), "");
    EXPECT_EQ(behind_token("/abc/api/open", "abc"), "api/open");
    for (char const* other : {"/", "", "abc/", "/abd/", "/ab/", "/abcd/", "//abc/", "/ABC/"}) {
        EXPECT_FALSE(behind_token(other, "abc")) << other;
    }
}

TEST(HttpGuard, TakesLengthsThatAreNumbers) {
    EXPECT_TRUE(is_length("0", 10));
    EXPECT_TRUE(is_length("10", 10));
    for (char const* other : {"", "11", "-1", "+1", "1 ", "0x1", "99999999999999999999999"}) {
        EXPECT_FALSE(is_length(other, 10)) << other;
    }
}

TEST(HttpGuard, CountsTheHeadAndStopsAtItsEnd) {
    auto const ended = [](std::string_view text, std::size_t bytes, std::size_t lines) -> std::optional<bool> {
        Head head(bytes, lines);
        for (char const c : text) {
            if (!head.add(c)) return std::nullopt;
        }
        return head.ended();
    };
    EXPECT_EQ(ended("GET / HTTP/1.1\r\nHost: a\r\n\r\nbody\n\n\n", 27, 2), true);
    EXPECT_EQ(ended("GET / HTTP/1.1\r\nHost: a\r\n", 27, 2), false);
    EXPECT_EQ(ended("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 26, 2), std::nullopt);
    EXPECT_EQ(ended("GET / HTTP/1.1\r\nHost: a\r\nB: c\r\n\r\n", 99, 2), std::nullopt);
}

} // namespace
} // namespace cax::http
