#include "cax/core/json.hpp"
#include "cax/problems/registry.hpp"
#include "study_fixture.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cax::test {
namespace {

using study::Store;
using testing::HasSubstr;

class RunnerTest : public StudyTest {};

TEST_F(RunnerTest, RunsEveryStageOfEveryProblemAndFailsNowhere) {
    std::vector<std::string> names;
    for (Problem const* problem : all_problems()) names.emplace_back(problem->info().name);
    use(names);
    auto store = open("all");
    ASSERT_TRUE(store);
    auto const report = run(*store);
    EXPECT_EQ(report.failed, 0U) << *store->csv("failures");
    EXPECT_EQ(report.computed, *store->size());
    auto const status = study::status_of(*store, settings_);
    ASSERT_TRUE(status);
    EXPECT_EQ(study::missing_cells(*status), 0U);
    for (auto const& stage : *status) EXPECT_EQ(stage.done, stage.expected) << stage.problem << ' ' << stage.stage;
    EXPECT_EQ(run(*store).computed, 0U);
    EXPECT_THAT(tables(*store), HasSubstr("\"agreement\""));
}

TEST_F(RunnerTest, CountsPlansThatBreakRulesAndGivesThemNoGap) {
    use({"tsptw"}); // an untrained policy is late
    auto store = open("late");
    ASSERT_TRUE(store);
    EXPECT_EQ(run(*store).failed, 0U) << *store->csv("failures");
    Json const row = Json::parse(tables(*store)).at("tables").at("gaps").at("rows").at(0);
    EXPECT_EQ(row.at(1), "greedy");
    EXPECT_EQ(row.at(2), settings_.instances);
    EXPECT_EQ(row.at(3), settings_.instances) << "rules broken";
    EXPECT_TRUE(row.at(5).is_null()) << "mean gap";
}

TEST_F(RunnerTest, SaysTheSameForAnyNumberOfThreadsAndAnyOrder) {
    use({"op", "op", "fjsp"});
    std::string const one = tables_of_run("one", {.threads = 1});
    EXPECT_EQ(tables_of_run("two", {.threads = 2}), one);
    EXPECT_EQ(tables_of_run("elsewhere", {.threads = 2, .first_task = 5}), one);
}

TEST_F(RunnerTest, ShardsJoinedAreTheWholeStudy) {
    use({"op", "fjsp"});
    std::string const whole = tables_of_run("whole");
    std::vector<Store> stores;
    for (std::size_t i = 0; i < 5; ++i) {
        auto store = open("part" + std::to_string(i), {i, 5});
        ASSERT_TRUE(store);
        run(*store);
        stores.push_back(std::move(*store));
    }
    auto const refusal = [&](std::vector<Store const*> const& shards) {
        auto into = open("refused");
        auto const merged = study::merge(shards, settings_, *into);
        std::filesystem::remove(folder_ / "refused");
        return merged ? std::string("accepted") : merged.error().message;
    };
    Store const *a = stores.data(), *b = a + 1, *c = a + 2, *d = a + 3, *e = a + 4;
    EXPECT_THAT(refusal({a, b, d, e}), HasSubstr("shard 2/5 is missing"));
    EXPECT_THAT(refusal({a, b, c, d, b}), HasSubstr("shard 1/5 is there twice"));
    EXPECT_THAT(refusal({}), HasSubstr("no shards"));
    auto merged = open("merged");
    ASSERT_TRUE(merged);
    ASSERT_TRUE(study::merge(std::vector<Store const*>{e, c, a, d, b}, settings_, *merged));
    EXPECT_EQ(tables(*merged), whole);

    auto half = open("half", {0, 1});
    ASSERT_TRUE(half);
    EXPECT_THAT(refusal({&*half}), HasSubstr("lacks"));
    settings_.shots = 9;
    auto other = open("other", {1, 2});
    ASSERT_TRUE(other);
    EXPECT_THAT(refusal({a, &*other}), HasSubstr("shots is 9 there and 8 now"));
}

TEST_F(RunnerTest, GoesOnAfterAnyKillAndEndsWithTheSameTables) {
    use({"op", "fjsp"});
    std::string const undisturbed = tables_of_run("undisturbed");
    for (int kill_after_ms : {5, 40, 90, 150}) {
        pid_t const child = fork();
        if (child == 0) { // a process of its own, that somebody kills
            auto store = open("killed");
            if (store) run(*store, {.threads = 2});
            _exit(0);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(kill_after_ms));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    EXPECT_EQ(tables_of_run("killed"), undisturbed);
}

TEST_F(RunnerTest, ComputesAgainWhateverWasTakenOut) {
    use({"op"});
    std::string const undisturbed = tables_of_run("study");
    for (char const* where : {"stage = 'attribution' AND step = 1", "stage = 'walk'", "stage = 'gap'"}) {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder_ / "study").c_str(), &database), SQLITE_OK);
        std::string const sql = std::string("DELETE FROM cells WHERE ") + where;
        ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        ASSERT_GT(sqlite3_changes(database), 0);
        sqlite3_close(database);
        EXPECT_EQ(tables_of_run("study"), undisturbed) << where;
    }
}

TEST_F(RunnerTest, ADamagedCellIsAnErrorThatNamesIt) {
    use({"op"});
    std::pair<char const*, char const*> const damages[] = {
        {"UPDATE cells SET result = '{\"steps\":\"many\"}' WHERE stage = 'walk'", "steps: not a count"},
        {"UPDATE cells SET result = '{\"flip\":true,\"family\":\"prize\",\"certificate\":{\"instance\":{}}}' "
         "WHERE stage = 'counterfactual/replay'",
         "verdict"}};
    for (auto const& [sql, word] : damages) {
        std::string const name = word;
        auto store = open(name);
        ASSERT_TRUE(store);
        run(*store);
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder_ / name).c_str(), &database), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
        sqlite3_close(database);
        auto const made = study::make_tables(*store, settings_);
        ASSERT_FALSE(made);
        EXPECT_THAT(made.error().message, HasSubstr("cell op seed 0 instance 0"));
        EXPECT_THAT(made.error().message, HasSubstr(word));
    }
}

TEST_F(RunnerTest, TwoProcessesOnOneStoreGiveTheSameTables) {
    use({"op", "op"});
    std::string const alone = tables_of_run("alone");
    std::vector<pid_t> children;
    for (std::size_t p = 0; p < 2; ++p) {
        children.push_back(fork());
        if (children.back() == 0) {
            auto store = open("shared");
            EXPECT_TRUE(store) << store.error().message;
            bool const fine = store && study::status_of(*store, settings_);
            if (fine) run(*store, {.threads = 1, .first_task = 3 * p});
            _exit(fine && !HasFailure() ? 0 : 1);
        }
    }
    for (pid_t const child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    auto store = open("shared");
    ASSERT_TRUE(store);
    EXPECT_EQ(run(*store).computed, 0U);
    EXPECT_EQ(tables(*store), alone);
}

TEST_F(RunnerTest, AFullDiskEndsTheRunAndTheNextOneGoesOn) {
    use({"op"});
    std::string const undisturbed = tables_of_run("undisturbed");
    auto store = open("full");
    ASSERT_TRUE(store);
    std::size_t kept = 0;
    for (int attempt = 0; attempt < 2; ++attempt) {
        store->limit_pages(attempt == 0 ? 12 : 1'000'000);
        auto const report = run_result(*store);
        if (attempt == 0) {
            ASSERT_FALSE(report);
            EXPECT_THAT(report.error().message, HasSubstr("disk is full"));
            kept = *store->size();
        } else {
            ASSERT_TRUE(report);
            EXPECT_EQ(report->computed + kept, *store->size());
        }
    }
    EXPECT_EQ(tables(*store), undisturbed);
}

TEST_F(RunnerTest, UnfinishedStudiesHaveNoTables) {
    use({"op"});
    auto store = open("empty");
    ASSERT_TRUE(store);
    auto const made = study::make_tables(*store, settings_);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("cells are missing"));
}

TEST_F(RunnerTest, FailedCellsAreRecordedCountedAndSurvived) {
    use({"op"});
    settings_.sizes["op"] = "8";
    auto store = open("failed");
    ASSERT_TRUE(store);
    // Somebody else's process could not compute this one.
    ASSERT_TRUE(store->insert(std::vector{study::CellRow{{"op", 0, 1, 0, "attribution"}, R"({"failed":"no luck"})"}}));
    run(*store);
    EXPECT_THAT(tables(*store), HasSubstr("no luck"));
}

} // namespace
} // namespace cax::test
