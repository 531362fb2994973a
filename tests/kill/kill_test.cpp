// SIGKILL at random moments: nothing is lost, nothing half-written. What a command writes is deterministic, so every
// file that is there after a kill must be, byte for byte, what it was before or what an undisturbed run leaves.
#include "victim.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sstream>

namespace cax::test {
namespace {

namespace fs = std::filesystem;

class KilledStudy : public Victim {
protected:
    KilledStudy() {
        policy("op", "6");
        write("tiny.json", R"({"instances": 2, "steps": 2, "shots": 8, "resamples": 50, "search_iterations": 50,
                               "subset": {"instances": 1, "k_max": 2}})");
    }
    static Words study(Words const& more) {
        Words words{"study", "--policy", "op-policy.safetensors", "--settings", "tiny.json"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// What does not depend on time: all but the store (pages in the order in which decisions were done) and run.json.
    [[nodiscard]] std::map<std::string, std::string> outputs(std::string const& folder) const {
        auto files = files_in(folder);
        std::erase_if(files, [](auto const& file) { return file.first.starts_with("study.sqlite"); });
        files.erase("run.json");
        return files;
    }
};

TEST_F(KilledStudy, GoesOnToTheSameBytesAndLeavesNoHalfFile) {
    run_whole(study({"-o", "whole"}));
    auto const whole = outputs("whole");
    ASSERT_TRUE(whole.contains("tables.json") && whole.contains("report.md"));
    int round = 0;
    for (int kills = 0; kills < kills_wanted();) {
        std::string const folder = fmt::format("out{}", round);
        fs::create_directories(path(folder));
        bool const killed = kill_once(study({"-o", folder}), folder);
        for (auto const& [name, bytes] : outputs(folder)) EXPECT_TRUE(bytes == whole.at(name)) << name;
        if (killed) {
            ++kills;
            continue;
        }
        EXPECT_EQ(outputs(folder), whole);
        ++round;
    }
    std::string const last = fmt::format("out{}", round);
    cax_ok(study({"-o", last}));
    EXPECT_EQ(outputs(last), whole);
}

TEST_F(KilledStudy, MergesToTheSameTablesOrNotAtAll) {
    cax_ok(study({"-o", "whole"}));
    for (std::string const i : {"0", "1"}) cax_ok(study({"--shard", i + "/2", "--db", "part" + i + ".sqlite"}));
    Words const merge{"study", "merge", "part0.sqlite", "part1.sqlite", "--db", "all.sqlite"};
    run_whole(merge);
    for (int kills = 0; kills < kills_wanted();) {
        fs::remove(path("all.sqlite"));
        kills += kill_once(merge) ? 1 : 0;
        if (!fs::exists(path("all.sqlite"))) cax_ok(merge);
        cax_ok({"study", "export", "--db", "all.sqlite", "-o", "merged"});
        ASSERT_EQ(text_of("merged/tables.json"), text_of("whole/tables.json"));
    }
}

class KilledTraining : public Victim {
protected:
    static Words train(std::string const& policy) {
        return {"train",
                "op",
                "--size",
                "6",
                "--instances",
                "640",
                "--batch",
                "16",
                "--forced",
                "3",
                "--free",
                "3",
                "--layers",
                "1",
                "--heads",
                "2",
                "--embedding",
                "16",
                "--seed",
                "3",
                "--resume",
                "-o",
                policy,
                "--validation",
                "4",
                "--log",
                policy + ".jsonl",
                "--validate-every",
                "64",
                "--checkpoint-seconds",
                "0"};
    }
    /// A checkpoint without what a clock says: its header as JSON, and the numbers.
    [[nodiscard]] std::pair<Json, std::string> state_of(std::string const& file) const {
        std::string const text = text_of(file);
        std::uint64_t length = 0;
        std::memcpy(&length, text.data(), sizeof length);
        Json header = Json::parse(text.substr(sizeof length, length));
        header["__metadata__"].erase("train.seconds");
        return {std::move(header), text.substr(sizeof length + length)};
    }
    /// The curve without what a clock says.
    [[nodiscard]] std::vector<Json> curve(std::string const& file) const {
        std::vector<Json> points;
        std::istringstream lines(text_of(file));
        for (std::string line; std::getline(lines, line);) {
            Json point = Json::parse(line, nullptr, false);
            EXPECT_FALSE(point.is_discarded()) << line;
            point.erase("seconds");
            point.erase("instances_per_second");
            points.push_back(std::move(point));
        }
        return points;
    }
};

TEST_F(KilledTraining, GoesOnToTheSamePolicyCheckpointAndCurve) {
    run_whole(train("whole"));
    auto const expect_same = [&](std::string const& policy) {
        EXPECT_TRUE(text_of(policy) == text_of("whole"));
        EXPECT_TRUE(state_of(policy + ".checkpoint") == state_of("whole.checkpoint"));
        EXPECT_EQ(curve(policy + ".jsonl"), curve("whole.jsonl"));
    };
    int round = 0;
    for (int kills = 0; kills < kills_wanted();) {
        std::string const policy = fmt::format("op{}", round);
        if (!kill_once(train(policy))) {
            expect_same(policy);
            ++round;
            continue;
        }
        ++kills;
        for (std::string const& file : {policy, policy + ".checkpoint"}) {
            if (fs::exists(path(file))) cax_ok({"inspect", file});
        }
    }
    std::string const last = fmt::format("op{}", round);
    cax_ok(train(last));
    expect_same(last);
}

class KilledWriting : public Victim {
protected:
    /// Runs `words`, which write `file`, and expects the old text or a `good` one, however early they end.
    void expect_old_or_new(Words const& words, std::string const& file, auto const& good) {
        run_whole(words);
        std::string const old = "the file that was there before\n";
        for (int kills = 0; kills < kills_wanted();) {
            write(file, old);
            bool const killed = kill_once(words);
            std::string const now = text_of(file);
            if (killed && now == old) {
                ++kills;
                continue;
            }
            kills += killed ? 1 : 0;
            ASSERT_TRUE(good(now)) << "half of " << file << ": " << now.size() << " bytes";
        }
    }
};

TEST_F(KilledWriting, OfResultsLeavesTheOldOrTheNewFile) {
    std::string const op = policy("op");
    std::string const many = instances("op", "8", 400);
    Words const solve{"solve", op, many, "--json", "solved.json"};
    cax_ok(solve);
    Json const whole = without_wall_time(json_of("solved.json"));
    expect_old_or_new(solve, "solved.json", [&](std::string const& text) {
        Json const now = Json::parse(text, nullptr, false);
        return !now.is_discarded() && without_wall_time(now) == whole;
    });
}

TEST_F(KilledWriting, OfExplanationsAndPagesLeavesTheOldOrTheNewFile) {
    std::string const op = policy("op");
    std::string const five = instances("op", "5", 1);
    Words const explain{"explain", op, five, "--step", "1", "--shots", "8", "--json", "why.json", "--html", "why.html"};
    cax_ok(explain);
    Json const whole = without_wall_time(json_of("why.json"));
    expect_old_or_new(explain, "why.json", [&](std::string const& text) {
        Json const now = Json::parse(text, nullptr, false);
        return !now.is_discarded() && without_wall_time(now) == whole;
    });
    auto const is_page = [](std::string const& text) {
        return text.starts_with("<!") && text.substr(text.find_last_not_of('\n') - 6, 7) == "</html>";
    };
    cax_ok(explain);
    ASSERT_TRUE(is_page(text_of("why.html")));
    expect_old_or_new(explain, "why.html", is_page);
    Words const report{"report", "why.json", "-o", "page.html"};
    cax_ok(report);
    std::string const page = text_of("page.html");
    expect_old_or_new(report, "page.html", [&](std::string const& text) { return text == page; });
}

class KilledExplanation : public Victim {
protected:
    /// Without what a clock says.
    [[nodiscard]] Json answer_of(std::string const& file) const {
        Json json = without_wall_time(json_of(file));
        json.erase("seconds");
        for (Json& step : json["steps"]) step.erase("seconds");
        return json;
    }
};

TEST_F(KilledExplanation, GoesOnToTheSameBytesAndTidiesUp) {
    for (std::string const problem : {"cvrptw", "fjsp"}) {
        std::string const size = small_size(problem);
        std::string const weights = policy(problem, size);
        std::string const file = instances(problem, size, 1);
        auto const explain = [&](std::string const& json) {
            return Words{"explain", weights,       file, "--shots", "8", "--threads",
                         "1",       "--reference", "4",  "--json",  json};
        };
        run_whole(explain(problem + "-whole.json"));
        Json const whole = answer_of(problem + "-whole.json");
        EXPECT_FALSE(fs::exists(path(problem + "-whole.json.partial")));
        int gone_on = 0;
        for (int round = 0; round < kills_wanted(); ++round) {
            std::string const json = fmt::format("{}{}.json", problem, round);
            for (int kills = 0; kills < 3 && kill_once(explain(json)); ++kills) {
            }
            Ran const ran = cax(explain(json));
            EXPECT_EQ(ran.exit_code, 0) << ran.err;
            gone_on += ran.err.find("goes on with") != std::string::npos ? 1 : 0;
            EXPECT_EQ(answer_of(json), whole);
            EXPECT_FALSE(fs::exists(path(json + ".partial")));
        }
        RecordProperty(problem + "_gone_on", gone_on);
    }
}

} // namespace
} // namespace cax::test
