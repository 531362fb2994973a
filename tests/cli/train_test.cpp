#include "workbench.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace cax::test {
namespace {

/// A run of a second or less.
class Train : public Workbench {
protected:
    /// Options with their values; those given here replace the small ones.
    static std::vector<std::string> tiny(std::vector<std::string> const& more) {
        std::vector<std::string> const small{"--size",           "6",  "--instances", "128", "--batch",      "16",
                                             "--forced",         "3",  "--free",      "3",   "--embedding",  "16",
                                             "--layers",         "1",  "--heads",     "2",   "--validation", "4",
                                             "--validate-every", "64", "--seed",      "3"};
        std::vector<std::string> arguments{"train", "op"};
        for (std::size_t i = 0; i < small.size(); i += 2)
            if (std::ranges::find(more, small[i]) == more.end())
                arguments.insert(arguments.end(), {small[i], small[i + 1]});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    /// Starts a run and sends it this signal once the file is there; what waitpid says about its end.
    int signal_when_there(int signal, std::vector<std::string> arguments, std::string const& file) const {
        arguments.insert(arguments.begin(), CAX_BINARY);
        std::vector<char*> argv;
        for (std::string& word : arguments) argv.push_back(word.data());
        argv.push_back(nullptr);
        pid_t const child = fork();
        if (child == 0) {
            if (std::freopen("/dev/null", "w", stdout)) execv(argv[0], argv.data());
            _exit(127);
        }
        int status = 0;
        while (!std::filesystem::exists(file) && waitpid(child, &status, WNOHANG) == 0) usleep(1000);
        kill(child, signal);
        waitpid(child, &status, 0);
        EXPECT_TRUE(std::filesystem::exists(file)) << "the run ended without a checkpoint";
        return status;
    }
    void expect_error(std::vector<std::string> const& arguments, std::string const& word) const {
        Ran const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
        EXPECT_NE(ran.err.find(word), std::string::npos) << ran.err;
    }
};

TEST_F(Train, WritesAPolicyThatSolvesAndACurve) {
    Ran const ran = cax_ok(tiny({"-o", "op.safetensors", "--log", "curve.jsonl", "--half"}));
    EXPECT_NE(ran.out.find("done: best policy in op.safetensors"), std::string::npos) << ran.out;
    std::string const what = cax_ok({"inspect", "op.safetensors.checkpoint"}).out;
    EXPECT_NE(what.find("a checkpoint of training after 128 instances, in it a policy for op"), std::string::npos);
    cax_ok({"solve", "op.safetensors", instances("op", "6", 3)});
    std::istringstream lines(text_of("curve.jsonl"));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        Json const entry = Json::parse(line);
        EXPECT_EQ(entry["instances"], 64 * (count + 1));
        for (char const* const key : {"greedy", "best_of_many", "loss", "entropy", "learning_rate", "seconds"})
            EXPECT_TRUE(entry[key].is_number()) << key;
        EXPECT_FALSE(entry.contains("greedy_gap"));
    }
    EXPECT_EQ(count, 2U);
}

TEST_F(Train, GoesOnAfterAKillOrCtrlCToTheSameBytes) {
    auto const longer = [](std::vector<std::string> more) {
        more.insert(more.end(), {"--instances", "1600", "--checkpoint-seconds", "0"});
        return tiny(more);
    };
    cax_ok(longer({"-o", "whole.safetensors"}));
    for (int const signal : {SIGKILL, SIGINT}) {
        std::string const name = fmt::format("stopped-by-{}.safetensors", signal), output = path(name);
        int const status = signal_when_there(signal, longer({"-o", output}), output + ".checkpoint");
        EXPECT_EQ(WIFSIGNALED(status), signal == SIGKILL);
        Ran const ran = cax_ok(longer({"-o", output, "--resume"}));
        EXPECT_NE(ran.out.find("resuming"), std::string::npos) << ran.out;
        EXPECT_EQ(text_of(name), text_of("whole.safetensors"));
    }
}

TEST_F(Train, GoesOnWithTheSameSettingsAlone) {
    cax_ok(tiny({"-o", "op.safetensors"}));
    Ran const ran = cax_ok(tiny({"-o", "op.safetensors", "--resume"}));
    EXPECT_NE(ran.out.find("at 128 instances"), std::string::npos) << ran.out;
    expect_error(tiny({"-o", "op.safetensors", "--resume", "--lr", "0.1"}), "was written with other settings");
}

TEST_F(Train, MeasuresTheGapToBestKnownCosts) {
    std::string const file = instances("op", "6", 4);
    Json best = {{"problems", Json::object()}};
    std::string const set = file.substr(0, file.find('.'));
    for (int i = 0; i < 4; ++i) best["problems"][set]["instances"].push_back({{"cost", 100.0}, {"optimal", false}});
    write("best.json", best.dump());
    Ran const ran = cax_ok(
        tiny({"--validation-file", file, "--best-known", "best.json", "--log", "curve.jsonl", "-o", "p.safetensors"}));
    EXPECT_NE(ran.out.find("gap "), std::string::npos) << ran.out;
    std::string const curve = text_of("curve.jsonl");
    Json const entry = Json::parse(curve.substr(0, curve.find('\n')));
    EXPECT_GT(entry["greedy_gap"], 0.5); // nobody collects 100 from six customers
    EXPECT_LE(entry["greedy_gap"], 1.0);
    expect_error(tiny({"--validation-file", file}), "--best-known");
}

TEST_F(Train, StartsFromAPolicy) {
    cax_ok(tiny({"-o", "a.safetensors"}));
    cax_ok(tiny({"--from", "a.safetensors", "-o", "b.safetensors"}));
    EXPECT_NE(text_of("a.safetensors"), text_of("b.safetensors"));
    expect_error({"train", "cvrptw", "--from", path("a.safetensors"), "-o", "c.safetensors"}, "not for cvrptw");
}

TEST_F(Train, StopsWhenTheTimeIsUp) {
    Ran const ran = cax_ok(tiny({"--minutes", "0.005", "-o", "op.safetensors"}));
    EXPECT_NE(ran.out.find("done"), std::string::npos) << ran.out;
}

TEST_F(Train, SaysThatItDivergedAndWhereTheLastCheckpointIs) {
    std::vector<std::string> const reckless{"--lr",        "1e30", "--clip", "1e30",
                                            "--instances", "6400", "-o",     "op.safetensors"};
    Ran const early = cax(tiny(reckless));
    EXPECT_EQ(early.exit_code, 2);
    EXPECT_EQ(early.err.find("checkpoint"), std::string::npos) << "there is none yet: " << early.err;
    auto careful = reckless;
    careful.insert(careful.end(), {"--checkpoint-seconds", "0"});
    Ran const ran = cax(tiny(careful));
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_NE(ran.err.find("last checkpoint: op.safetensors.checkpoint"), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
}

TEST_F(Train, SaysWhatIsWrongWithItsOptions) {
    expect_error({"train", "chess"}, "chess");
    expect_error(tiny({"--batch", "0"}), "batch: 0");
    expect_error(tiny({"--minutes", "-1"}), "minutes");
    for (char const* const count : {"--batch", "--polish", "--imitate-iterations", "--seed"})
        expect_error(tiny({count, "-3"}), count);
    expect_error(tiny({"--average", "1.5"}), "average: 1.5");
    expect_error(tiny({"--clip", "nan"}), "--clip: 'nan'");
    expect_error(tiny({"--log", "no/such/folder.jsonl"}), "no/such/folder.jsonl");
    expect_error(tiny({"--curriculum", "20"}), "--curriculum 20");
    expect_error(tiny({"--curriculum", "5:1.5"}), "--curriculum 5:1.5");
    expect_error(tiny({"--validation", "0"}), "validation: 0");
    expect_error(tiny({"--forced", "0", "--free", "1"}), "fewer than two trajectories");
    expect_error({"train", "op", "--size", "6", "--instances", "0", "-o", "x.safetensors"}, "instances: 0");
    expect_error({"train", "op", "--size", "huge", "-o", "x.safetensors"}, "huge");
}

} // namespace
} // namespace cax::test
