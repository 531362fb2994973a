// Public benchmark files with the solutions and costs that are known for them.
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/exchange.hpp"
#include "data.hpp"
#include "reasons.hpp"

namespace cax::io {
namespace {

InstancePtr read_one(std::filesystem::path const& path) {
    auto const file = read_instances(path);
    EXPECT_TRUE(file) << file.error().message;
    return file ? file->instances.at(0) : nullptr;
}

struct Solomon {
    char const* name;
    double truncated;
    double unrounded;
};
// RC101's solution misses a window unless distances are truncated.
constexpr Solomon solomon[] = {{"C101", 827.3, 828.937},   {"C201", 589.1, 591.557},    {"R101", 1637.7, 1642.877},
                               {"R201", 1143.2, 1147.820}, {"RC101", 1619.8, 1623.557}, {"RC201", 1261.8, 1265.556}};

TEST(SolomonBenchmarks, SolutionsHoldUnderTruncatedDistances) {
    CAX_REQUIRE_SHARED("benchmarks/solomon");
    for (Solomon const& expected : solomon) {
        auto const stem = test::shared_path("benchmarks/solomon") / expected.name;
        auto const instance = read_one(stem.string() + ".txt");
        ASSERT_NE(instance, nullptr);
        EXPECT_EQ(instance->name(), expected.name);
        EXPECT_EQ(instance->size(), "100");
        auto const sol = parse_sol(*read_text(stem.string() + ".sol"));
        ASSERT_TRUE(sol) << sol.error().message;
        EXPECT_EQ(sol->cost, expected.truncated);
        auto const report = instance->check(sol->routes, DistanceRule::truncated_to_tenth);
        EXPECT_TRUE(report.valid()) << expected.name << ": " << reasons(report);
        EXPECT_NEAR(report.cost, expected.truncated, 0.05);
        auto const again = parse_sol(format_sol(*sol));
        ASSERT_TRUE(again);
        EXPECT_EQ(again->routes, sol->routes);
    }
}

TEST(SolomonBenchmarks, OnlyRc101IsLateWithoutRounding) {
    CAX_REQUIRE_SHARED("benchmarks/solomon");
    for (Solomon const& expected : solomon) {
        auto const stem = test::shared_path("benchmarks/solomon") / expected.name;
        auto const instance = read_one(stem.string() + ".txt");
        ASSERT_NE(instance, nullptr);
        auto const sol = parse_sol(*read_text(stem.string() + ".sol"));
        ASSERT_TRUE(sol) << sol.error().message;
        auto const report = instance->check(sol->routes);
        if (std::string_view(expected.name) == "RC101") {
            ASSERT_EQ(report.violations.size(), 1U) << reasons(report);
            EXPECT_NE(report.violations[0].find("window"), std::string::npos) << reasons(report);
        } else {
            EXPECT_TRUE(report.valid()) << expected.name << ": " << reasons(report);
            EXPECT_NEAR(report.cost, expected.unrounded, 0.001);
        }
    }
}

TEST(SolomonBenchmarks, OptimaOfTheShorterVersionsHoldInBothConventions) {
    CAX_REQUIRE_SHARED("benchmarks/solomon");
    auto const optima = parse_json(*read_text(test::shared_path("benchmarks/solomon/optima_25_50.json")));
    ASSERT_TRUE(optima) << optima.error().message;
    EXPECT_EQ(optima->size(), 12U);
    for (auto const& [name, entry] : optima->items()) {
        auto const instance = read_one(test::shared_path("benchmarks/solomon/" + name + ".txt"));
        ASSERT_NE(instance, nullptr);
        for (auto const& [key, rule, tolerance] : {std::tuple{"truncated", DistanceRule::truncated_to_tenth, 1e-6},
                                                   std::tuple{"unrounded", DistanceRule::exact, 1e-6}}) {
            auto const solution = solution_from_json(*instance, entry.at(key));
            ASSERT_TRUE(solution) << solution.error().message;
            auto const report = instance->check(*solution, rule);
            EXPECT_TRUE(report.valid()) << name << ": " << reasons(report);
            EXPECT_NEAR(report.cost, entry.at(key).at("cost").get<double>(), tolerance) << name;
        }
    }
}

TEST(OplibBenchmarks, OptimalToursHold) {
    CAX_REQUIRE_SHARED("benchmarks/oplib");
    auto const tiny = read_one(test::shared_path("benchmarks/oplib/tiny7.oplib"));
    ASSERT_NE(tiny, nullptr);
    EXPECT_EQ(tiny->name(), "tiny7");
    for (DistanceRule const rule : {DistanceRule::exact, DistanceRule::nearest_integer}) {
        auto const report = tiny->check(Routes{{{3, 6, 2, 4}}}, rule); // nodes 4-7-3-5 of the file, which counts from 1
        EXPECT_TRUE(report.valid()) << reasons(report);
        EXPECT_DOUBLE_EQ(report.cost, 14);
    }
    auto const line = read_one(test::shared_path("benchmarks/oplib/line5.oplib"));
    ASSERT_NE(line, nullptr);
    auto const report = line->check(Routes{{{1, 2, 3}}}); // its length is exactly the limit
    EXPECT_TRUE(report.valid()) << reasons(report);
    EXPECT_DOUBLE_EQ(report.cost, 12);
    EXPECT_FALSE(line->check(Routes{{{1, 2, 3, 4}}}).valid());
    EXPECT_FALSE(tiny->check(Routes{{{5}}}).valid());
}

TEST(BrandimarteBenchmarks, ReadAlikeWhetherMachinesCountFromZeroOrOne) {
    CAX_REQUIRE_SHARED("benchmarks/fjsp");
    struct Expected {
        int number;
        std::size_t operations;
    };
    for (Expected const& expected : {Expected{1, 55}, Expected{2, 58}, Expected{3, 150}}) {
        auto const digit = std::to_string(expected.number);
        auto const one = read_one(test::shared_path("benchmarks/fjsp/Mk0" + digit + ".fjs"));
        auto const zero = read_one(test::shared_path("benchmarks/fjsp/mk0" + digit + ".zero-based.txt"));
        ASSERT_NE(one, nullptr);
        ASSERT_NE(zero, nullptr);
        EXPECT_EQ(to_json(*one).at("jobs"), to_json(*zero).at("jobs"));
        EXPECT_EQ(to_json(*one).at("machines"), to_json(*zero).at("machines"));
        std::size_t operations = 0;
        Json const json = to_json(*one);
        for (auto const& job : json.at("jobs")) operations += job.size();
        EXPECT_EQ(operations, expected.operations);
    }
}

} // namespace
} // namespace cax::io
