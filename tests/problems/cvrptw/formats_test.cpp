#include "data.hpp"
#include "support.hpp"

#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/exchange.hpp"

#include <gmock/gmock.h>

namespace cax::cvrptw::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TextFormat const& solomon() { return cvrptw_problem().exchange().text_formats()[0]; }

std::string const small_file = "R3\r\n\r\nVEHICLE\r\nNUMBER     CAPACITY\r\n  25         10\r\n\r\nCUSTOMER\r\n"
                               "CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE TIME\r\n \r\n"
                               "    0      0         0          0          0       100          0\r\n"
                               "    1      3         4          3          8        20          2\r\n"
                               "    2      6         8          4          0        30          3\r\n"
                               "    3      0        10          5         40        60          4\r\n";

Data read(std::string const& text) {
    auto const instance = solomon().read(text, {});
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        return {};
    }
    return dynamic_cast<Instance const&>(**instance).data();
}

std::string refusal_of(std::string const& text) {
    auto const instance = solomon().read(text, {});
    return instance ? "it was accepted" : instance.error().message;
}

std::string replaced(std::string text, std::string const& what, std::string const& by) {
    return text.replace(text.find(what), what.size(), by);
}

TEST(SolomonFormat, ReadsNameCapacityAndRows) {
    Data expected = three_customers();
    expected.name = "R3";
    EXPECT_EQ(read(small_file), expected);
    EXPECT_TRUE(solomon().recognises(small_file));
    EXPECT_FALSE(solomon().recognises("10 5 2\n1 2 3\n"));
}

TEST(SolomonFormat, ReadsDecimalsAndThenKeepsWindowsAsFloats) {
    Data const data = read(replaced(small_file, "  8        20 ", "  8.5      20.25 "));
    EXPECT_FALSE(data.whole_windows);
    EXPECT_EQ(data.time_windows[1], (Window{8.5F, 20.25F}));
}

TEST(SolomonFormat, NamesTheLineThatIsWrong) {
    EXPECT_THAT(refusal_of(""), HasSubstr("the file ends where a name was expected"));
    EXPECT_THAT(refusal_of("R3\n"), HasSubstr("line 1: the file ends where VEHICLE was expected"));
    EXPECT_THAT(refusal_of("R3\n\nVEHICLES\n"), HasSubstr("line 3: expected VEHICLE, found 'VEHICLES'"));
    EXPECT_THAT(refusal_of(replaced(small_file, "25         10", "25         0")), HasSubstr("line 5: capacity is 0"));
    EXPECT_THAT(refusal_of(replaced(small_file, "25         10", "25")),
                HasSubstr("line 5: expected number and capacity"));
    EXPECT_THAT(refusal_of(replaced(small_file, "    2      6", "    7      6")), HasSubstr("line 12: node 7 where 2"));
    EXPECT_THAT(refusal_of(replaced(small_file, "60          4", "60          4  9")),
                HasSubstr("line 13: expected 7 columns"));
    EXPECT_THAT(refusal_of(replaced(small_file, "60          4", "60")), HasSubstr("line 13: expected 7 columns"));
    EXPECT_THAT(refusal_of(replaced(small_file, "60          4", "60         4x")),
                HasSubstr("line 13: '4x' is not a number"));
    EXPECT_THAT(refusal_of(replaced(small_file, "60          4", "60       1e999")),
                HasSubstr("line 13: '1e999' is not"));
    EXPECT_THAT(refusal_of(replaced(small_file, "60          4", "60        nan")), HasSubstr("line 13: 'nan' is not"));
    EXPECT_THAT(
        refusal_of(replaced(small_file, "0          0          0       100", "0          2          0       100")),
        HasSubstr("line 10: the depot has demand 2"));
    EXPECT_THAT(refusal_of(replaced(small_file, "0       100", "5       100")),
                HasSubstr("line 10: the depot opens at 5"));
    EXPECT_THAT(refusal_of(replaced(small_file, "40        60", "40        30")),
                HasSubstr("customer 3: window closes (30) before it opens (40)"));
    EXPECT_THAT(refusal_of(small_file.substr(0, small_file.find("    0"))),
                HasSubstr("the file ends before the depot"));
    auto const option = solomon().read(small_file, {{"base", "0"}});
    ASSERT_FALSE(option);
    EXPECT_THAT(option.error().message, HasSubstr("unknown option 'base'"));
}

TEST(SolomonFormat, SurvivesEveryTruncationOfAFile) {
    std::size_t accepted = 0;
    for (std::size_t length = 0; length < small_file.size(); ++length) {
        auto const instance = solomon().read(std::string_view(small_file).substr(0, length), {});
        accepted += instance ? 1 : 0;
    }
    EXPECT_GT(accepted, 0); // cut between rows, it is a smaller instance
    EXPECT_LT(accepted, 20);
}

TEST(SolomonFormat, WritesWhatItReads) {
    Rng rng(9);
    std::vector<Data> cases{three_customers(), generated(50, 2)->data()};
    for (int i = 0; i < 100; ++i) cases.push_back(rough_data(1 + rng.below(10), rng));
    for (Data const& data : cases) {
        auto const text = solomon().write(*make(data));
        ASSERT_TRUE(text) << text.error().message;
        EXPECT_TRUE(solomon().recognises(*text));
        Data const back = read(*text);
        Data expected = data;
        expected.whole_windows = back.whole_windows; // whole numbers look alike in this format
        EXPECT_EQ(back, expected) << *text;
        EXPECT_TRUE(back.whole_windows || !data.whole_windows);
    }
}

TEST(SolomonFormat, KeepsANameOnOneLine) {
    Data data = three_customers();
    data.name = "two\nlines";
    auto const text = solomon().write(*make(data));
    ASSERT_TRUE(text);
    EXPECT_EQ(read(*text).name, "two lines");
}

struct Benchmark {
    InstanceHandle instance;
    io::SolFile solution;
};

Benchmark benchmark(std::string const& name) {
    auto const folder = cax::test::shared_path("benchmarks/solomon");
    auto const text = io::read_text(folder / (name + ".txt"));
    auto const sol = io::read_text(folder / (name + ".sol"));
    EXPECT_TRUE(text && sol);
    auto const instance = solomon().read(*text, {});
    EXPECT_TRUE(instance) << instance.error().message;
    auto const solution = io::parse_sol(*sol);
    EXPECT_TRUE(solution) << solution.error().message;
    return {std::dynamic_pointer_cast<Instance const>(*instance), *solution};
}

TEST(SolomonFormat, AgreesWithPublishedSolutions) {
    CAX_REQUIRE_SHARED("benchmarks/solomon");
    for (std::string const name : {"C101", "C201", "R101", "R201", "RC101", "RC201"}) {
        auto const [instance, solution] = benchmark(name);
        EXPECT_EQ(instance->customers(), 100);
        auto const report = instance->check(solution.routes, DistanceRule::truncated_to_tenth);
        EXPECT_THAT(report.violations, IsEmpty()) << name;
        EXPECT_NEAR(report.cost, solution.cost.value_or(0), 1e-6) << name;
    }
}

TEST(SolomonFormat, SeesThatAPublishedSolutionIsLateByTheExactClock) {
    CAX_REQUIRE_SHARED("benchmarks/solomon");
    for (std::string const name : {"C101", "C201", "R101", "R201", "RC201"}) {
        auto const [instance, solution] = benchmark(name);
        EXPECT_THAT(instance->check(solution.routes).violations, IsEmpty()) << name;
    }
    auto const [instance, solution] = benchmark("RC101");
    auto const report = instance->check(solution.routes);
    ASSERT_EQ(report.violations.size(), 1);
    EXPECT_THAT(report.violations[0], HasSubstr("after its window closed"));
    EXPECT_NEAR(report.cost, 1623.557, 1e-3);
}

} // namespace
} // namespace cax::cvrptw::test
