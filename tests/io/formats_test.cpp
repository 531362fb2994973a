// Small hand-made files in the formats of others, whose solutions can be worked out on paper.
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"
#include "data.hpp"
#include "reasons.hpp"

namespace cax::io {
namespace {

InstancePtr read_one(std::string const& name, Options const& options = {}) {
    auto const file = read_instances(test::data_path("formats") / name, nullptr, options);
    EXPECT_TRUE(file) << file.error().message;
    return file ? file->instances.at(0) : nullptr;
}

TEST(SolomonFiles, AreReadWithEitherLineEnd) {
    auto const unix_ends = read_one("square4.txt");
    auto const dos_ends = read_one("square4.crlf.txt");
    ASSERT_TRUE(unix_ends != nullptr && dos_ends != nullptr);
    EXPECT_EQ(unix_ends->name(), "square4");
    EXPECT_EQ(unix_ends->size(), "4");
    EXPECT_EQ(to_json(*unix_ends), to_json(*dos_ends));
}

TEST(SolomonFiles, AreSolvedByTheirSolFile) {
    auto const instance = read_one("square4.txt");
    ASSERT_NE(instance, nullptr);
    auto const sol = parse_sol(*read_text(test::data_path("formats/square4.sol")));
    ASSERT_TRUE(sol) << sol.error().message;
    auto const report = instance->check(sol->routes);
    EXPECT_TRUE(report.valid()) << reasons(report);
    EXPECT_DOUBLE_EQ(report.cost, *sol->cost);
}

TEST(SolomonFiles, DivideDemandByCapacity) {
    auto const instance = read_one("square4.txt");
    ASSERT_NE(instance, nullptr);
    auto const together = instance->check(Routes{{{1, 2}, {3, 4}}}); // 5 + 6 > 10
    EXPECT_NE(reasons(together).find("capacity"), std::string::npos) << reasons(together);
    auto const state = instance->reset();
    auto const mask = state->action_mask();
    EXPECT_EQ(std::vector<std::uint8_t>(mask.begin() + 1, mask.end()), (std::vector<std::uint8_t>{1, 1, 1, 1}));
}

TEST(SolomonFiles, KeepWindowsAndServiceTimes) {
    auto const instance = read_one("square4.txt");
    ASSERT_NE(instance, nullptr);
    // Customer 3 opens at 30; served until 32, customer 1 is 6 away, then customer 2 (closes at 20) is late.
    auto const report = instance->check(Routes{{{3, 1}, {2}, {4}}});
    EXPECT_TRUE(report.valid()) << reasons(report);
    EXPECT_DOUBLE_EQ(report.cost, 5 + 6 + 5 + 20 + 20);
    EXPECT_FALSE(instance->check(Routes{{{1}, {3}, {4, 2}}}).valid());
}

TEST(OplibFiles, AreReadAndChecked) {
    auto const instance = read_one("cross5.oplib");
    ASSERT_NE(instance, nullptr);
    EXPECT_EQ(instance->name(), "cross5");
    EXPECT_EQ(instance->size(), "4");
    auto const best = instance->check(Routes{{{4, 1}}}); // 5 + 8 + 5 = 18, exactly the limit
    EXPECT_TRUE(best.valid()) << reasons(best);
    EXPECT_DOUBLE_EQ(best.cost, 10);
    EXPECT_FALSE(instance->check(Routes{{{3, 1}}}).valid()); // 5 + 10 + 5
}

TEST(FjsFiles, MayCountMachinesFromZeroOrOne) {
    auto const one = read_one("two-jobs.fjs");
    auto const zero = read_one("two-jobs.zero-based.fjs");
    ASSERT_TRUE(one != nullptr && zero != nullptr);
    EXPECT_EQ(one->size(), "2x3");
    EXPECT_EQ(to_json(*one).at("jobs"), to_json(*zero).at("jobs"));
}

TEST(FjsFiles, AreChecked) {
    auto const instance = read_one("two-jobs.fjs");
    ASSERT_NE(instance, nullptr);
    // Job 1: machine 1 for 4, then machine 2 for 3. Job 2: machine 3 for 2, then machine 2 for 6 (its only one).
    auto const report = instance->check(Schedule{{{0, 0, 0}, {1, 1, 8}, {2, 2, 0}, {3, 1, 2}}});
    EXPECT_TRUE(report.valid()) << reasons(report);
    EXPECT_DOUBLE_EQ(report.cost, 11);
    EXPECT_FALSE(instance->check(Schedule{{{0, 0, 0}, {1, 1, 7}, {2, 2, 0}, {3, 1, 2}}}).valid());
}

TEST(FjsFiles, ThatAreDamagedSayInWhichLine) {
    auto const file = parse_instances(std::as_bytes(std::span(std::string_view("2 3\n1 1 1 4\n1 1 x 4\n"))));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().message.find("fjs: line 3: "), 0U) << file.error().message;
}

TEST(FjsFiles, ObeyTheNumberingAskedFor) {
    EXPECT_FALSE(read_instances(test::data_path("formats/two-jobs.fjs"), nullptr, {{"machines-from", "0"}}));
    EXPECT_NE(read_one("two-jobs.fjs", {{"machines-from", "1"}}), nullptr);
    auto const unknown = read_instances(test::data_path("formats/two-jobs.fjs"), nullptr, {{"machine-from", "1"}});
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("machine-from"), std::string::npos) << unknown.error().message;
}

} // namespace
} // namespace cax::io
