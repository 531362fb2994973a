// A world that does not cooperate: no room for output, files that are inputs and outputs at once, too little memory.
// Always exit code 2 and one line that says why; never a lost result, a lost input or a crash.
#include "workbench.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::test {
namespace {

class SurroundingsTest : public Workbench {
protected:
    void expect_refused(Ran const& ran, std::vector<std::string> const& words) const {
        EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
        EXPECT_TRUE(ran.err.starts_with("cax: ")) << ran.err;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
        for (std::string const& word : words) {
            EXPECT_NE(ran.err.find(word), std::string::npos) << "no '" << word << "' in: " << ran.err;
        }
    }

    /// One of every kind of command that prints.
    [[nodiscard]] std::vector<std::vector<std::string>> commands() const {
        std::string const op = policy("op");
        std::string const five = instances("op", "5", 1);
        cax_ok({"solve", op, five, "--json", "solved.json"});
        cax_ok({"explain", op, five, "--step", "0", "--shots", "8", "--json", "why.json"});
        return {{"--help"},
                {"--version"},
                {"solve", "--help"},
                {"solve", op, five},
                {"baseline", five, "--iterations", "10"},
                {"attribute", op, five, "--steps", "1"},
                {"counterfactual", op, five, "--steps", "1", "--shots", "8"},
                {"subset", op, five, "--steps", "1", "--k-max", "2", "--samples", "4"},
                {"explain", op, five, "--step", "0", "--shots", "8"},
                {"inspect", five},
                {"diff", "solved.json", "solved.json"},
                {"report", "why.json", "-o", "page.html"},
                {"generate", "op", "--size", "5", "-o", "new.json"}};
    }
};

TEST_F(SurroundingsTest, OutputOnAFullDeviceIsAnError) {
    for (auto const& arguments : commands()) {
        SCOPED_TRACE(arguments.front());
        expect_refused(cax(arguments, {.out = "/dev/full"}), {"standard output", "No space left on device"});
    }
}

TEST_F(SurroundingsTest, OutputToAClosedStreamIsAnError) {
    for (auto const& arguments : commands()) {
        SCOPED_TRACE(arguments.front());
        expect_refused(cax(arguments, {.close_out = true}), {"standard output"});
    }
}

TEST_F(SurroundingsTest, AClosedStreamDoesNotSpillIntoFiles) {
    std::string const op = policy("op");
    std::string const five = instances("op", "5", 1);
    EXPECT_EQ(cax({"solve", op, five, "--json", "out.json"}, {.close_out = true}).exit_code, 2);
    EXPECT_TRUE(json_of("out.json").contains("mean_cost")); // the file is whole all the same
}

TEST_F(SurroundingsTest, AStudysStatusIsNotLostEither) {
    std::string const op = policy("op", "5");
    write("s.json", R"({"instances": 1, "steps": 1, "shots": 4, "resamples": 5, "search_iterations": 10,
                        "subset": {"instances": 0}})");
    ASSERT_EQ(cax({"study", "--policy", op, "--settings", "s.json", "--shard", "0/2", "--db", "s.sqlite"}).exit_code,
              0);
    for (Surroundings const& lost : {Surroundings{.out = "/dev/full"}, Surroundings{.close_out = true}}) {
        expect_refused(cax({"study", "status", "--db", "s.sqlite"}, lost), {"standard output"});
    }
}

TEST_F(SurroundingsTest, InputsAreNeverWrittenOver) {
    std::string const op = policy("op");
    std::string const five = instances("op", "5", 1);
    std::string const policy_before = text_of(op);
    std::string const before = text_of(five);
    std::filesystem::create_symlink(path(five), path("link.json"));
    std::filesystem::create_hard_link(path(five), path("hard.json"));
    std::filesystem::create_directory(path("folder"));
    for (std::string const& same :
         {five, "./" + five, "folder/../" + five, std::string("link.json"), std::string("hard.json"), path(five)}) {
        for (char const* const option : {"--json", "--solutions"}) {
            expect_refused(cax({"solve", op, five, option, same}), {std::string(option) + " " + same, "INSTANCES"});
        }
        expect_refused(cax({"inspect", five, "--json", same}), {"--json"});
        expect_refused(cax({"baseline", five, "--json", same}), {"--json"});
        expect_refused(cax({"explain", op, five, "--html", same}), {"--html"});
    }
    expect_refused(cax({"solve", op, five, "--json", op}), {"--json", "POLICY"});
    cax_ok({"solve", op, five, "--json", "a.json"});
    expect_refused(cax({"diff", "a.json", "a.json", "--json", "a.json"}), {"--json"});
    expect_refused(cax({"report", "a.json", "-o", "a.json"}), {"--output"});
    EXPECT_EQ(text_of(five), before);
    EXPECT_EQ(text_of(op), policy_before);
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
}

TEST_F(SurroundingsTest, FilesThatAFolderIsReadForAreInputs) {
    std::filesystem::create_directories(path("golden/op"));
    write("golden/op/trace.json", "{}");
    expect_refused(cax({"check-golden", "golden", "--json", "golden/op/trace.json"}), {"--json", "golden"});
    write("golden/tables.json", "{}");
    expect_refused(cax({"report", "golden", "-o", "golden/tables.json"}), {"--output"});
    EXPECT_EQ(text_of("golden/op/trace.json") + text_of("golden/tables.json"), "{}{}");
}

TEST_F(SurroundingsTest, TwoResultsDoNotShareAFile) {
    std::string const op = policy("op");
    std::string const five = instances("op", "5", 1);
    expect_refused(cax({"explain", op, five, "--html", "out", "--json", "out"}), {"--html", "--json"});
    expect_refused(cax({"solve", op, five, "--solutions", "out", "--json", "./out"}), {"--solutions", "--json"});
    std::filesystem::create_symlink("out", path("to-be")); // a link to what does not exist yet
    expect_refused(cax({"solve", op, five, "--solutions", "to-be", "--json", "out"}), {"--solutions", "--json"});
    EXPECT_FALSE(std::filesystem::exists(path("out")));
    cax_ok({"solve", op, five, "--solutions", "/dev/null", "--json", "/dev/null"});
}

TEST_F(SurroundingsTest, OutputFoldersAreLookedAtBeforeAnythingIsComputed) {
    std::string const op = policy("op");
    std::string const five = instances("op", "5", 1);
    std::filesystem::create_directory(path("folder"));
    for (char const* const bad : {"no/such/out.json", "folder", "op-policy.safetensors/out.json"}) {
        Ran const ran = cax({"solve", op, five, "--json", bad});
        expect_refused(ran, {"--json", bad});
        EXPECT_EQ(ran.out, "");
    }
    // A million years of training, if it were not refused at once.
    expect_refused(cax({"train", "op", "--instances", "1000000000000", "-o", "no/such/policy"}), {"no/such/policy"});
    expect_refused(cax({"train", "op", "--instances", "1000000000000", "-o", "p", "--checkpoint", "p"}),
                   {"--checkpoint"});
    expect_refused(cax({"study", "--policy", op, "--db", "s.sqlite", "-o", "op-policy.safetensors/x"}), {"--output"});
    std::filesystem::create_symlink("loop", path("loop"));
    expect_refused(cax({"solve", op, five, "--json", "loop"}), {"loop", "circle"});
}

TEST_F(SurroundingsTest, TooLittleMemoryIsAnErrorWhateverIsRead) {
    if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer has the memory";
    std::string numbers = "[0";
    for (int i = 0; i < 8'000'000; ++i) numbers += ",0";
    numbers += "]";
    write("list.json", numbers);
    write("result.json", R"({"schema": "cax/solve/1", "instances": )" + numbers + ", \"x\": {\"y\": " + numbers + "}}");
    write("instances.json", R"({"schema": "cax/instances/1", "problem": "op", "instances": )" + numbers + "}");
    std::string const op = policy("op");
    for (std::size_t const memory : {120'000U, 200'000U, 300'000U}) {
        Surroundings const poor{.memory_kb = memory};
        SCOPED_TRACE(memory);
        for (char const* const file : {"list.json", "instances.json"}) {
            expect_refused(cax({"inspect", file}, poor), {});
            expect_refused(cax({"solve", op, file}, poor), {});
        }
        expect_refused(cax({"diff", "result.json", "result.json"}, poor), {"memory"});
        expect_refused(cax({"report", "result.json", "-o", "page.html"}, poor), {"memory"});
    }
}

TEST_F(SurroundingsTest, ManyInstancesNeedLittleMoreThanThemselves) {
    if (!memory_can_be_limited) GTEST_SKIP() << "a sanitizer has the memory";
    // As a tree this file would take a quarter of a gigabyte.
    std::string const op = policy("op");
    cax_ok({"generate", "op", "--size", "20", "--count", "20000", "-o", "many.json"});
    ASSERT_GT(text_of("many.json").size(), 19'000'000U);
    Ran const ran = cax({"inspect", "many.json"}, {.memory_kb = 180'000});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(SurroundingsTest, DevicesAreNotRead) {
    Surroundings const poor{.memory_kb = memory_can_be_limited ? 200'000U : 0U};
    for (char const* const device : {"/dev/zero", "/dev/full", "/dev/null"}) {
        expect_refused(cax({"inspect", device}, poor), {device, "device"});
        expect_refused(cax({"solve", policy("op"), device}, poor), {device, "device"});
    }
}

} // namespace
} // namespace cax::test
