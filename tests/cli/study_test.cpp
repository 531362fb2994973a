#include "data.hpp"
#include "workbench.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace cax::test {
namespace {

using testing::HasSubstr;

class StudyCommand : public Workbench {
protected:
    StudyCommand() {
        write("tiny.json", R"({"instances": 2, "steps": 2, "shots": 8, "resamples": 50, "search_iterations": 50,
                               "subset": {"instances": 1, "k_max": 2},
                               "judge": {"noise": 1, "redraws": 1, "shots": 1, "points": 2}})");
    }
    std::vector<std::string> study(std::vector<std::string> const& more) const {
        std::vector<std::string> words{"study", "--policy", "op-policy.safetensors", "--settings", "tiny.json"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(StudyCommand, WritesTablesReportCsvAndFiguresForAShippedPolicy) {
    std::string const shipped = data_path("../../models/op-20-s0.safetensors").string();
    auto const ran = cax_ok({"study", "--policy", shipped, "--settings", "tiny.json", "--quick", "-o", "out"});
    EXPECT_THAT(ran.out, HasSubstr("Does lp beat proxy?"));
    Json const tables = json_of("out/tables.json");
    EXPECT_EQ(tables["schema"], "cax/study/1");
    EXPECT_TRUE(tables["wall_seconds"].is_null());
    EXPECT_EQ(tables["settings"]["shots"], 8);
    EXPECT_EQ(tables["settings"]["certify_work"], 2000); // --quick's, which the file leaves alone
    EXPECT_EQ(tables["policies"][0]["problem"], "op");
    EXPECT_EQ(tables["policies"][0]["path"], "op-20-s0.safetensors");
    EXPECT_EQ(tables["tables"]["coverage"]["rows"][0][2], 4); // decisions: 2 instances x 2 steps
    for (char const* table :
         {"agreement", "difference", "stability", "published", "subsets", "gaps", "wachter", "explanations", "truths",
          "relative", "sanity", "exchange", "curves", "thumb", "regimes"}) {
        EXPECT_FALSE(tables["tables"][table]["rows"].empty()) << table;
        EXPECT_FALSE(text_of(std::string("out/csv/") + table + ".csv").empty()) << table;
    }
    EXPECT_THAT(text_of("out/report.md"), HasSubstr("## At a glance"));
    EXPECT_FALSE(text_of("out/csv/cells/counterfactuals.csv").empty());
    EXPECT_EQ(json_of("out/run.json")["schema"], "cax/study-run/1");
    if (std::system("command -v gnuplot >/dev/null") != 0) return;
    EXPECT_THAT(text_of("out/figures/agreement.svg"), HasSubstr("<svg"));
    EXPECT_THAT(text_of("out/figures/agreement.png"), HasSubstr("PNG"));
}

TEST_F(StudyCommand, GoesOnSaysHowFarItIsAndExportsTheSameTables) {
    policy("op", "8");
    auto const nothing = cax({"study", "status", "-o", "out"});
    EXPECT_EQ(nothing.exit_code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("study.sqlite: no such file"));
    cax_ok(study({"-o", "out"}));
    std::string const tables = text_of("out/tables.json");
    EXPECT_THAT(cax_ok({"study", "status", "-o", "out"}).out, HasSubstr("complete"));
    EXPECT_THAT(cax_ok(study({"-o", "out", "--threads", "1"})).out, HasSubstr("0 cells computed"));
    EXPECT_EQ(text_of("out/tables.json"), tables);
    cax_ok({"study", "export", "--db", "out/study.sqlite", "-o", "again"});
    EXPECT_EQ(text_of("again/tables.json"), tables);
    EXPECT_EQ(text_of("again/report.md"), text_of("out/report.md"));
}

TEST_F(StudyCommand, ShardsMergeIntoTheSameTables) {
    policy("op", "8");
    cax_ok(study({"-o", "whole"}));
    for (std::string const i : {"0", "1"}) {
        auto const ran = cax_ok(study({"--shard", i + "/2", "--db", "part" + i + ".sqlite"}));
        EXPECT_THAT(ran.out, HasSubstr("cax study merge"));
    }
    auto const missing = cax({"study", "merge", "part0.sqlite", "--db", "bad.sqlite"});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_THAT(missing.err, HasSubstr("shard 1/2 is missing"));
    EXPECT_FALSE(std::filesystem::exists(path("bad.sqlite")));
    cax_ok({"study", "merge", "part1.sqlite", "part0.sqlite", "--db", "all.sqlite"});
    cax_ok({"study", "export", "--db", "all.sqlite", "-o", "merged"});
    EXPECT_EQ(text_of("merged/tables.json"), text_of("whole/tables.json"));
    auto const twice = cax({"study", "merge", "part1.sqlite", "part0.sqlite", "--db", "all.sqlite"});
    EXPECT_THAT(twice.err, HasSubstr("is there already"));
    auto const none = cax({"study", "export", "--db", "part9.sqlite", "-o", "x"});
    EXPECT_THAT(none.err, HasSubstr("part9.sqlite: no such file"));
    auto const part = cax({"study", "export", "--db", "part1.sqlite", "-o", "x"});
    EXPECT_EQ(part.exit_code, 2);
    EXPECT_THAT(part.err, HasSubstr("shard 1/2 of a study: merge all 2 of them first"));
}

TEST_F(StudyCommand, ArraysOfACluster) {
    policy("op", "8");
    ::setenv("SLURM_ARRAY_TASK_ID", "1", 1);
    auto const refused = cax(study({"--shard", "auto", "--db", "auto.sqlite"}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("SLURM_ARRAY_TASK_MIN is not set"));
    EXPECT_THAT(cax_ok(study({"--shard", "auto/3", "--db", "part1.sqlite"})).out, HasSubstr("shard 1/3 is done"));
    ::unsetenv("SLURM_ARRAY_TASK_ID");

    auto const one = cax({"study", "status", "part1.sqlite", "--json", "status.json"});
    EXPECT_EQ(one.exit_code, 1);
    EXPECT_THAT(one.out, HasSubstr("2 shards not begun"));
    Json const status = json_of("status.json");
    EXPECT_EQ(status["schema"], "cax/study-status/1");
    EXPECT_EQ(status["absent_shards"], Json({0, 2}));
    EXPECT_EQ(status["missing"], 0);
    cax_ok(study({"--shard", "0/3", "--db", "part0.sqlite"}));
    auto const two = cax({"study", "status", "part0.sqlite", "part1.sqlite"});
    EXPECT_THAT(two.out, HasSubstr("1 of 3 shards are not there: 2"));
    cax_ok(study({"--shard", "2/3", "--db", "part2.sqlite"}));
    EXPECT_THAT(cax_ok({"study", "status", "part0.sqlite", "part1.sqlite", "part2.sqlite"}).out, HasSubstr("complete"));
    auto const twice = cax({"study", "status", "part0.sqlite", "part0.sqlite"});
    EXPECT_EQ(twice.exit_code, 2);
    EXPECT_THAT(twice.err, HasSubstr("shard 0/3 is there twice"));

    cax_ok({"study", "copy", "part0.sqlite", "copy.sqlite"});
    EXPECT_THAT(cax_ok(study({"--shard", "0/3", "--db", "copy.sqlite"})).out, HasSubstr("0 cells computed"));
    EXPECT_EQ(cax({"study", "copy", "part0.sqlite", "copy.sqlite"}).exit_code, 2); // it is there
}

TEST_F(StudyCommand, OnesOwnInstancesAreThoseThatAreAskedAbout) {
    policy("op", "8");
    cax_ok({"generate", "op", "--size", "8", "--count", "2", "--seed", "0", "-o", "mine.json"});
    std::string const other = instances("op", "6", 3);
    cax_ok(study({"-o", "generated"}));
    cax_ok(study({"-o", "given", "--instances", "mine.json"}));
    Json const generated = json_of("generated/tables.json");
    Json const given = json_of("given/tables.json");
    EXPECT_EQ(given["tables"], generated["tables"]); // the same instances, by whatever way they came
    EXPECT_THAT(given["settings"]["files"]["op"].get<std::string>(), HasSubstr("2:"));
    cax_ok(study({"-o", "more", "--instances", "mine.json", "--instances", other}));
    EXPECT_EQ(json_of("more/tables.json")["tables"]["coverage"]["rows"][0][2], 10); // 5 instances x 2 steps
    auto const refused = [&](std::vector<std::string> const& words) {
        auto const ran = cax(words);
        EXPECT_EQ(ran.exit_code, 2) << ran.out;
        return ran.err;
    };
    EXPECT_THAT(refused(study({"-o", "given", "--instances", other})), HasSubstr("files.op is"));
    EXPECT_THAT(refused(study({"-o", "x", "--instances", instances("fjsp", "4x3", 1)})),
                HasSubstr("no policy is for fjsp"));
    EXPECT_THAT(refused(study({"-o", "x", "--instances", "nothing.json"})), HasSubstr("nothing.json"));
    write("typed.json", R"({"files": {"op": "2:abc"}})");
    EXPECT_THAT(refused({"study", "--policy", "op-policy.safetensors", "--settings", "typed.json"}),
                HasSubstr("--instances"));
}

TEST_F(StudyCommand, ThePublishedReadingHasAnAnswerOfEverySource) {
    policy("op", "8");
    cax_ok(study({"-o", "out", "--published"}));
    Json const tables = json_of("out/tables.json");
    EXPECT_EQ(tables["reading"], "published");
    auto const attributions = text_of("out/csv/cells/attributions.csv");
    for (char const* source :
         {"proxy", "lp-first", "lp-share", "lp-least", "lp-sum", "lp-max", "subgrad", "lagrangian"})
        EXPECT_THAT(attributions, HasSubstr(fmt::format(",{}/published,", source)));
    // The published rule names a family for every decision, so that aggregates can be compared on all of them.
    for (Json const& row : tables["tables"]["aggregation"]["rows"]) EXPECT_TRUE(row[2].is_number()) << row;
}

TEST_F(StudyCommand, RefusesToMixSettingsAndPolicies) {
    policy("op", "8");
    cax_ok(study({"-o", "out"}));
    auto const refused = [&](std::vector<std::string> const& words) {
        auto const ran = cax(words);
        EXPECT_EQ(ran.exit_code, 2) << ran.out;
        return ran.err;
    };
    EXPECT_THAT(refused(study({"-o", "out", "--seed", "1"})), HasSubstr("seed is 0 there and 1 now"));
    EXPECT_THAT(refused(study({"-o", "out", "--shard", "0/2"})), HasSubstr("holds shard 0/1, not 0/2"));
    std::string const shipped = data_path("../../models/op-20-s0.safetensors").string();
    EXPECT_THAT(refused({"study", "--policy", shipped, "--settings", "tiny.json", "-o", "out"}),
                HasSubstr("another op policy of seed 0"));
}

TEST_F(StudyCommand, ErrorsNameWhatIsWrong) {
    policy("op", "8");
    auto const message = [&](std::vector<std::string> const& words) {
        auto const ran = cax(words);
        EXPECT_EQ(ran.exit_code, 2) << ran.out;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
        return ran.err;
    };
    EXPECT_THAT(message({"study", "--models", "nowhere"}), HasSubstr("nowhere: no .safetensors policies"));
    EXPECT_THAT(message(study({"--shard", "2/2"})), HasSubstr("shard: '2/2'"));
    EXPECT_THAT(message(study({"--db", "no/such/folder.sqlite"})), HasSubstr("cannot be opened"));
    write("bad.json", R"({"shots": 0})");
    EXPECT_THAT(message({"study", "--policy", "op-policy.safetensors", "--settings", "bad.json"}),
                HasSubstr("bad.json: shots: 0"));
    write("sizes.json", R"({"sizes": {"fjsp": "4x3"}})");
    EXPECT_THAT(message({"study", "--policy", "op-policy.safetensors", "--settings", "sizes.json"}),
                HasSubstr("sizes.fjsp: no policy"));
    write("text.sqlite",
          "this is a text file and no database, and it is long enough to be looked at as one, I think.....");
    EXPECT_THAT(message(study({"--db", "text.sqlite"})), HasSubstr("not an SQLite file"));
    policy("op"); // a file that says no size
    EXPECT_THAT(message({"study", "--policy", "op-policy.safetensors"}),
                AllOf(HasSubstr("op-policy.safetensors: does not say"), HasSubstr("sizes.op")));
    write("huge.json", R"({"sizes": {"op": "many"}})");
    EXPECT_THAT(message({"study", "--policy", "op-policy.safetensors", "--settings", "huge.json"}), HasSubstr("many"));
}

} // namespace
} // namespace cax::test
