#include "cax/io/json_pieces.hpp"

#include "cax/core/json.hpp"

#include <gtest/gtest.h>

namespace cax::io {
namespace {

TEST(JsonPieces, OfAnObjectAreItsMembersInOrder) {
    auto const pieces = JsonPieces::cut(R"( {"a" : [1, {"b": "]"}], "": "\\\"}", "c":-2.5e3 , "d":null} )");
    ASSERT_TRUE(pieces) << pieces.error().message;
    auto const members = pieces->members(pieces->whole());
    ASSERT_TRUE(members) << members.error().message;
    ASSERT_EQ(members->size(), 4U);
    EXPECT_EQ((*members)[0].key, "a");
    EXPECT_EQ((*members)[0].piece.text, R"([1, {"b": "]"}])");
    EXPECT_EQ((*members)[1].piece.text, R"("\\\"}")");
    EXPECT_EQ((*members)[2].piece.text, "-2.5e3");
    EXPECT_EQ(*pieces->value((*members)[2].piece), -2500.0);
    EXPECT_EQ((*members)[3].piece.text, "null");
}

TEST(JsonPieces, OfAnObjectHaveTheLastValueOfAKeyThatOccursTwice) {
    std::string const text = R"({"a": 1, "b": 2, "a": 3})";
    auto const pieces = JsonPieces::cut(text);
    ASSERT_TRUE(pieces);
    EXPECT_EQ((**pieces->member(pieces->whole(), "a")).text, "3");
    EXPECT_EQ(*pieces->value(pieces->whole()), Json::parse(text));
    EXPECT_FALSE(pieces->member(pieces->whole(), "c")->has_value());
}

TEST(JsonPieces, OfAnObjectAreRefusedIfAValueThatIsReplacedIsBroken) {
    for (std::string const text : {R"({"a": 1x, "a": 3})", R"({"a": [1,], "b": 2, "a": 3})"}) {
        auto const pieces = JsonPieces::cut(text);
        ASSERT_TRUE(pieces) << text;
        EXPECT_FALSE(pieces->members(pieces->whole())) << text;
    }
}

TEST(JsonPieces, OfATextWithZeroBytesDoNotExist) {
    using namespace std::string_view_literals;
    for (std::string_view const text : {"9\0"sv, "{\"a\": 1\0x}"sv, "[1]\0"sv, "[\"\0\"]"sv}) {
        EXPECT_FALSE(JsonPieces::cut(text)) << text;
    }
}

TEST(JsonPieces, OfAListAreItsElements) {
    for (std::string const text : {"[]", "[ ]", "[1]", "[ [], {} , \"x,]\",3 ]", "\xEF\xBB\xBF[1,2]"}) {
        auto const pieces = JsonPieces::cut(text);
        ASSERT_TRUE(pieces) << text;
        Json again = Json::array();
        auto elements = pieces->elements(pieces->whole());
        for (auto piece = elements.next(); piece && *piece; piece = elements.next()) {
            again.push_back(*pieces->value(**piece));
        }
        EXPECT_EQ(again, Json::parse(text)) << text;
        EXPECT_EQ(*pieces->count(pieces->whole()), again.size());
    }
}

TEST(JsonPieces, CountAtLeastTheValuesInThem) {
    EXPECT_EQ(JsonPieces::cut("7")->whole().values, 1U);
    EXPECT_GE(JsonPieces::cut("[1,2,3]")->whole().values, 4U);
    EXPECT_LE(JsonPieces::cut("[1,2,3]")->whole().values, 5U);
}

TEST(JsonPieces, ThatNobodyAskedForAreReadStrictlyAllTheSame) {
    for (std::string const text : {"[1,]", "[1 2]", "[,1]", "[1", "[1}", "[01]", "[\"\\x\"]", "[nul]"}) {
        auto const pieces = JsonPieces::cut(text);
        bool const refused = !pieces || !pieces->count(pieces->whole());
        EXPECT_TRUE(refused) << text;
    }
    for (std::string const text :
         {"{\"a\":}", "{\"a\" 1}", "{a: 1}", "{\"a\":1,}", "{\"a\":1]", "{1:1}", "{\"a\":1 2}"}) {
        auto const pieces = JsonPieces::cut(text);
        bool const refused = !pieces || !pieces->members(pieces->whole());
        EXPECT_TRUE(refused) << text;
    }
}

TEST(JsonPieces, SayWhereTheyBreakInTheWholeText) {
    auto const pieces = JsonPieces::cut("{\"a\": 1,\n\"b\": [1, 2x]}");
    ASSERT_TRUE(pieces);
    auto const b = pieces->member(pieces->whole(), "b");
    ASSERT_TRUE(b && *b);
    EXPECT_EQ(pieces->value(**b).error().message, "not JSON at line 2, column 11");
    EXPECT_EQ(pieces->check(**b).error().message, "not JSON at line 2, column 11");
}

} // namespace
} // namespace cax::io
