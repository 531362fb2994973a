#include "cax/core/json.hpp"

#include "cax/io/solutions.hpp"

#include <gtest/gtest.h>

namespace cax::io {
namespace {

std::string json_refusal(std::string_view text) {
    auto const json = parse_json(text);
    return json ? "accepted" : json.error().message;
}

TEST(JsonText, IsReadWithKeysInTheirOrder) {
    auto const json = parse_json(R"({"b": 1, "a": [true, null, "x", 2.5]})");
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(json->dump(), R"({"b":1,"a":[true,null,"x",2.5]})");
}

TEST(JsonText, SaysWhereItBreaks) {
    EXPECT_EQ(json_refusal("{\"a\": 1,\n \"b\" 2}"), "not JSON at line 2, column 6");
    EXPECT_EQ(json_refusal(""), "not JSON at line 1, column 0");
    EXPECT_EQ(json_refusal("{\"a\":\n\n"), "not JSON at line 3, column 0");
    EXPECT_EQ(json_refusal("{} x"), "not JSON at line 1, column 4");
    EXPECT_EQ(json_refusal("[1 2]"), "not JSON at line 1, column 4");
    EXPECT_EQ(json_refusal("[}"), "not JSON at line 1, column 2");
    EXPECT_EQ(json_refusal("\"abc"), "not JSON at line 1, column 4");
}

TEST(JsonText, IsRefusedWithAReasonWhereMistakesAreCommon) {
    EXPECT_EQ(json_refusal("[\n NaN]"),
              "not JSON at line 2, column 2: NaN is no number of JSON, though Python writes it");
    EXPECT_EQ(json_refusal("-Infinity"),
              "not JSON at line 1, column 2: -Infinity is no number of JSON, though Python writes it");
    EXPECT_EQ(json_refusal("\"\xFF\""), "not JSON at line 1, column 2: this byte is not UTF-8");
    EXPECT_EQ(json_refusal(std::string("\xFF\xFE{\0}\0", 6)),
              "not JSON at line 1, column 1: it is UTF-16; save it as UTF-8");
    EXPECT_EQ(json_refusal("[1, 1e999]"), "not JSON at line 1, column 9: the number 1e999 is out of range");
}

TEST(JsonText, MayNestAHundredLevelsAndNoMore) {
    auto const nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_EQ(json_refusal(nested(100)), "accepted");
    EXPECT_EQ(json_refusal(nested(101)), "JSON nested deeper than 100 levels");
    EXPECT_EQ(json_refusal(std::string(1'000'000, '[')), "JSON nested deeper than 100 levels");
    EXPECT_EQ(json_refusal('"' + std::string(1000, '[') + '"'), "accepted");
    EXPECT_EQ(json_refusal(R"("\"[[[")"), "accepted");
}

TEST(JsonText, MayNotHoldObjectsOfThousandsOfKeys) {
    std::string text;
    for (int i = 0; i < 4096; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
    EXPECT_EQ(json_refusal("{" + text + "}"), "accepted");
    EXPECT_EQ(json_refusal("{" + text + ",\"more\":0}"), "a JSON object with more than 4096 keys");
    EXPECT_EQ(json_refusal("[{" + text + "},{" + text + "}]"), "accepted");
}

} // namespace
} // namespace cax::io
