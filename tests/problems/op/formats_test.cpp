#include "data.hpp"
#include "support.hpp"

#include "cax/io/files.hpp"
#include "cax/problems/exchange.hpp"

#include <gmock/gmock.h>

namespace cax::op::test {
namespace {

using testing::HasSubstr;

TextFormat const& oplib() { return op_problem().exchange().text_formats()[0]; }

std::string const small_file =
    "NAME : three\r\nCOMMENT : a: b\r\nTYPE : OP\r\nDIMENSION: 4\r\nCOST_LIMIT : 25\r\n"
    "EDGE_WEIGHT_TYPE : EUC_2D\r\nNODE_COORD_SECTION\r\n1 0 0\r\n2 3 4\r\n3 6 8\r\n4 0 12\r\n"
    "NODE_SCORE_SECTION\r\n1 0\r\n2 1\r\n3 2\r\n4 4\r\nDEPOT_SECTION\r\n 1\r\n -1\r\nEOF\r\n";

Data read(std::string const& text) {
    auto const instance = oplib().read(text, {});
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        return {};
    }
    return dynamic_cast<Instance const&>(**instance).data();
}

std::string refusal_of(std::string const& text) {
    auto const instance = oplib().read(text, {});
    return instance ? "it was accepted" : instance.error().message;
}

std::string replaced(std::string text, std::string const& what, std::string const& by) {
    return text.replace(text.find(what), what.size(), by);
}

TEST(OplibFormat, ReadsHeaderAndSections) {
    EXPECT_EQ(read(small_file), three_customers());
    EXPECT_TRUE(oplib().recognises(small_file));
    EXPECT_FALSE(oplib().recognises("10 5 2\n1 2 3\n"));
    EXPECT_EQ(read(replaced(small_file, "EOF\r\n", "")), three_customers());
    EXPECT_EQ(read(replaced(small_file, "3 6 8", "3 6.0e0 +8.")), three_customers());
}

TEST(OplibFormat, PutsTheDepotFirstWhereverItStands) {
    std::string text = replaced(small_file, "DEPOT_SECTION\r\n 1", "DEPOT_SECTION\r\n 3");
    text = replaced(text, "1 0\r\n2 1\r\n3 2\r\n", "1 7\r\n2 1\r\n3 0\r\n");
    Data const data = read(text);
    EXPECT_EQ(data.locs, (std::vector<Point>{{6, 8}, {0, 0}, {3, 4}, {0, 12}}));
    EXPECT_EQ(data.prize, (std::vector<float>{0, 7, 1, 4}));
}

TEST(OplibFormat, NamesTheLineOrTheFieldThatIsWrong) {
    EXPECT_EQ(refusal_of(""), "DIMENSION is missing");
    EXPECT_EQ(refusal_of(replaced(small_file, "COST_LIMIT : 25\r\n", "")), "COST_LIMIT is missing");
    EXPECT_EQ(refusal_of(replaced(small_file, "EDGE_WEIGHT_TYPE : EUC_2D\r\n", "")), "EDGE_WEIGHT_TYPE is missing");
    EXPECT_EQ(refusal_of(replaced(small_file, "DEPOT_SECTION\r\n 1\r\n -1\r\n", "")), "DEPOT_SECTION is missing");
    EXPECT_EQ(refusal_of(replaced(small_file, "3 2\r\n", "")), "the score of node 3 is missing");
    EXPECT_EQ(refusal_of(replaced(small_file, "3 6 8\r\n", "")), "the coordinate of node 3 is missing");
    EXPECT_EQ(refusal_of(replaced(small_file, "3 6 8", "2 6 8")), "line 10: node 2 is listed twice");
    EXPECT_EQ(refusal_of(replaced(small_file, "3 6 8", "5 6 8")), "line 10: '5' is not a node (1 to 4)");
    EXPECT_EQ(refusal_of(replaced(small_file, "3 6 8", "0 6 8")), "line 10: '0' is not a node (1 to 4)");
    EXPECT_THAT(refusal_of(replaced(small_file, "3 6 8", "3 6")), HasSubstr("line 10: expected 3 columns"));
    EXPECT_EQ(refusal_of(replaced(small_file, "3 6 8", "3 6 nan")), "line 10: 'nan' is not a number");
    EXPECT_THAT(refusal_of(replaced(small_file, "3 2\r\n", "3 2 2\r\n")), HasSubstr("line 15: expected 2 columns"));
    EXPECT_THAT(refusal_of(replaced(small_file, "3 2\r\n", "3 -2\r\n")),
                HasSubstr("customer 2: prize is negative (-2)"));
    EXPECT_THAT(refusal_of(replaced(small_file, "1 0\r\n2 1", "1 6\r\n2 1")), HasSubstr("depot: prize is 6"));
    EXPECT_THAT(refusal_of(replaced(small_file, "DIMENSION: 4", "DIMENSION: 999999999999")),
                HasSubstr("line 4: DIMENSION: '999999999999' is not a whole number from 2 to 10000"));
    EXPECT_THAT(refusal_of(replaced(small_file, "LIMIT : 25", "LIMIT : x")), HasSubstr("line 5: COST_LIMIT 'x'"));
    EXPECT_THAT(refusal_of(replaced(small_file, "TYPE : OP", "TYPE : TSP")), HasSubstr("line 3: TYPE is 'TSP'"));
    EXPECT_THAT(refusal_of(replaced(small_file, "TYPE : OP", "TYPE : OP\nTYPE : OP")),
                HasSubstr("line 4: a second 'TYPE'"));
    EXPECT_THAT(refusal_of(replaced(small_file, "DIMENSION: 4\r\n", "")),
                HasSubstr("NODE_COORD_SECTION before DIMENSION"));
    EXPECT_THAT(refusal_of(replaced(small_file, "TYPE : OP", "hello")),
                HasSubstr("line 3: expected KEY : value, found 'hello'"));
    EXPECT_THAT(refusal_of(replaced(small_file, " -1\r\n", " 2\r\n -1\r\n")), HasSubstr("line 19: a second depot (2)"));
}

TEST(OplibFormat, SaysWhatItDoesNotSupport) {
    auto const euclidean = oplib().read(replaced(small_file, "EUC_2D", "GEO"), {});
    ASSERT_FALSE(euclidean);
    EXPECT_EQ(euclidean.error().code, ErrorCode::unsupported);
    EXPECT_EQ(euclidean.error().message, "line 6: EDGE_WEIGHT_TYPE 'GEO': only EUC_2D is supported");
    auto const matrix = oplib().read(replaced(small_file, "NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION"), {});
    ASSERT_FALSE(matrix);
    EXPECT_EQ(matrix.error().code, ErrorCode::unsupported);
    EXPECT_FALSE(oplib().read(small_file, {{"base", "0"}}));
}

TEST(OplibFormat, SurvivesEveryTruncationOfAFile) {
    std::size_t accepted = 0;
    for (std::size_t length = 0; length < small_file.size(); ++length) {
        auto const instance = oplib().read(std::string_view(small_file).substr(0, length), {});
        accepted += instance ? 1 : 0;
    }
    EXPECT_GT(accepted, 0); // after the depot's number nothing more is needed
    EXPECT_LT(accepted, 20);
}

TEST(OplibFormat, WritesWhatItReads) {
    Rng rng(9);
    std::vector<Data> cases{three_customers(), generated(20, 2)->data()};
    for (int i = 0; i < 100; ++i) cases.push_back(rough_data(1 + rng.below(10), rng));
    for (Data const& data : cases) {
        auto const text = oplib().write(*make(data));
        ASSERT_TRUE(text) << text.error().message;
        EXPECT_TRUE(oplib().recognises(*text));
        EXPECT_EQ(read(*text), data) << *text;
    }
}

InstancePtr benchmark(std::string const& name) {
    auto const text = io::read_text(cax::test::shared_path("benchmarks/oplib") / name);
    EXPECT_TRUE(text);
    auto const instance = oplib().read(*text, {});
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

TEST(OplibFormat, AcceptsTheOptimumWhoseLengthIsExactlyTheLimit) {
    CAX_REQUIRE_SHARED("benchmarks/oplib/line5.oplib");
    auto const instance = benchmark("line5.oplib");
    auto const report = instance->check(Routes{{{1, 2, 3}}});
    EXPECT_TRUE(report.valid());
    EXPECT_EQ(report.cost, 12);
    auto const state = instance->reset(); // rl4co's margin closes the last customer to the policy
    state->step(1);
    state->step(2);
    EXPECT_EQ(state->action_mask()[3], 0);
}

TEST(OplibFormat, AgreesWithTheOptimumUnderBothRoundings) {
    CAX_REQUIRE_SHARED("benchmarks/oplib/tiny7.oplib");
    auto const instance = benchmark("tiny7.oplib");
    Solution const best = Routes{{{3, 6, 2, 4}}};
    EXPECT_EQ(instance->check(best).cost, 14);
    EXPECT_TRUE(instance->check(best).valid());
    EXPECT_TRUE(instance->check(best, DistanceRule::nearest_integer).valid());
}

} // namespace
} // namespace cax::op::test
