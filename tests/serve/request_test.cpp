#include "cax/serve/request.hpp"

#include <gtest/gtest.h>

namespace cax::serve {
namespace {

std::string error_of(std::string_view kind, std::string_view body) {
    auto const request = parse_request(kind, body);
    EXPECT_FALSE(request) << body;
    return request ? "" : request.error().message;
}

TEST(ServeRequest, ReadsEveryKind) {
    EXPECT_TRUE(parse_request("open", "{}"));
    auto const drag = parse_request("drag", R"({"session": "s", "sequence": 7, "step": 2, "edits": [
        {"tensor": "demand", "index": 3, "to": 0.5}, {"node": 4, "x": 1, "y": -2.5}]})");
    ASSERT_TRUE(drag) << drag.error().message;
    EXPECT_EQ(*drag, (Request{.kind = RequestKind::drag,
                              .session = "s",
                              .sequence = 7,
                              .step = 2,
                              .edits = {NumberEdit{"demand", 3, 0.5}, PlaceEdit{4, 1, -2.5}}}));
    auto const lock = parse_request("lock", R"({"session": "s", "sequence": 1, "step": 2, "action": 9})");
    ASSERT_TRUE(lock);
    EXPECT_EQ(lock->action, 9);
    for (char const* kind : {"unlock", "undo", "redo", "reset", "look", "explain"}) {
        EXPECT_TRUE(parse_request(kind, R"({"session": "s", "sequence": 1, "step": 2})")) << kind;
    }
    EXPECT_TRUE(parse_request("explain", R"({"session": "s", "sequence": 1, "step": 0, "whole": true})")->whole);
    EXPECT_EQ(parse_request("node", R"({"session": "s", "node": 3})")->node, 3);
    EXPECT_EQ(parse_request("save", R"({"session": "s", "as": "page"})")->as, SavedAs::page);
}

TEST(ServeRequest, NamesTheFieldAndTheValueThatMakeNoSense) {
    EXPECT_EQ(error_of("undo", R"({"session": "s", "sequence": 1})"), "step: missing");
    EXPECT_EQ(error_of("undo", R"({"session": "s", "sequence": -1, "step": 0})"),
              "sequence: not a whole number from 0");
    EXPECT_EQ(error_of("undo", R"({"session": 4, "sequence": 1, "step": 0})"), "session: not a string");
    EXPECT_EQ(error_of("undo", R"({"session": "s", "sequence": 1, "step": 0, "file": "/etc"})"), "file: unknown");
    EXPECT_EQ(error_of("undo", R"({"session": "s", "sequence": 1, "step": 99999999999})"),
              "step: 99999999999 is too large");
    EXPECT_EQ(
        error_of("drag", R"({"session": "s", "sequence": 1, "step": 0, "edits": [{"node": 1, "x": 1e300, "y": 0}]})"),
        "edits[0]: x: not a number of sensible size");
    EXPECT_EQ(error_of("drag", R"({"session": "s", "sequence": 1, "step": 0, "edits": []})"),
              "edits: not a list of edits");
    EXPECT_EQ(error_of("save", R"({"session": "s", "as": "root"})"),
              "as 'root' is not one of instance, explanation, page");
    EXPECT_EQ(error_of("open", "[1]"), "request: not an object");
    EXPECT_NE(error_of("destroy", "{}").find("request 'destroy' is not one of open, drag"), std::string::npos);
    EXPECT_NE(error_of("open", "{").find("not JSON"), std::string::npos);
    EXPECT_NE(error_of("open", std::string(most_request_bytes + 1, ' ')).find("more than 65536"), std::string::npos);
    std::string many = R"({"session": "s", "sequence": 1, "step": 0, "edits": [)";
    for (int i = 0; i < 65; ++i) many += std::string(i > 0 ? "," : "") + R"({"node": 1, "x": 1, "y": 1})";
    EXPECT_EQ(error_of("drag", many + "]}"), "edits: 65 are more than 64");
}

} // namespace
} // namespace cax::serve
