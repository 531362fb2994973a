#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"

#include "data.hpp"
#include "shops.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cax::test {
namespace {

TextFormat const& fjs() { return fjsp_problem().exchange().text_formats()[0]; }

fjsp::Data data_of(InstancePtr const& instance) { return dynamic_cast<fjsp::Instance const&>(*instance).data(); }

fjsp::Data data_in(std::string_view text, Options const& options = {}) {
    auto const instance = fjs().read(text, options);
    EXPECT_TRUE(instance) << instance.error().message;
    return instance ? data_of(*instance) : fjsp::Data{};
}

std::string refusal(std::string_view text, Options const& options = {}) {
    auto const instance = fjs().read(text, options);
    return instance ? "accepted" : instance.error().message;
}

std::string shared_text(std::string const& name) {
    auto const text = io::read_text(shared_path(name));
    EXPECT_TRUE(text) << text.error().message;
    return text ? *text : std::string();
}

TEST(FjsFormat, ReadsOperationsWithTheirAlternatives) {
    auto const data = data_in("2 3 1.5\n2 2 1 5 3 4 1 2 2.5\n1 1 3 7\n");
    EXPECT_EQ(data.machines, 3U);
    EXPECT_EQ(data.padded_operations, 3U);
    EXPECT_EQ(data.jobs, (std::vector<fjsp::Job>{{{{0, 5}, {2, 4}}, {{1, 2.5F}}}, {{{2, 7}}}}));
}

TEST(FjsFormat, DoesNotMindBlankLinesTabsAndOtherLineEnds) {
    auto const plain = data_in("1 2\n2 1 1 5 1 2 4\n");
    EXPECT_EQ(data_in("\r\n  1\t2 \r\n\r\n 2  1 1 5 1 2 4 \r\n\r\n"), plain);
    EXPECT_EQ(data_in("1 2\n2 1 1 5 1 2 4"), plain);
}

TEST(FjsFormat, FindsOutWhetherMachinesCountFromZero) {
    EXPECT_EQ(data_in("1 2\n2 1 0 5 1 1 4\n"), data_in("1 2\n2 1 1 5 1 2 4\n"));
    // Neither machine 0 nor machine 3 occurs: the standard counts from 1, but it can be told otherwise.
    EXPECT_EQ(data_in("1 3\n1 1 2 5\n").jobs[0][0][0].machine, 1U);
    EXPECT_EQ(data_in("1 3\n1 1 2 5\n", {{"machines-from", "0"}}).jobs[0][0][0].machine, 2U);
}

TEST(FjsFormat, RefusesMachinesThatContradictEachOther) {
    EXPECT_EQ(refusal("2 2\n1 1 0 5\n1 1 2 4\n"), "line 3: machine 2 does not exist: there are 2, counted from 0");
    EXPECT_EQ(refusal("1 2\n\n1 1 3 5\n"), "line 3: machine 3 does not exist: there are 2, counted from 1");
    EXPECT_EQ(refusal("1 2\n1 1 0 5\n", {{"machines-from", "1"}}),
              "line 2: machine 0 does not exist: there are 2, counted from 1");
}

TEST(FjsFormat, PadsAsAskedFor) {
    char const* const text = "2 1\n2 1 1 5 1 1 4\n1 1 1 3\n";
    EXPECT_EQ(data_in(text).padded_operations, 3U);
    EXPECT_EQ(data_in(text, {{"pad-to", "none"}}).padded_operations, 3U);
    EXPECT_EQ(data_in(text, {{"pad-to", "max"}}).padded_operations, 4U);
    EXPECT_EQ(data_in(text, {{"pad-to", "60"}}).padded_operations, 60U);
    EXPECT_EQ(refusal(text, {{"pad-to", "2"}}), "padded_operations (2) is less than the number of operations (3)");
    EXPECT_EQ(refusal(text, {{"pad-to", "most"}}),
              "pad-to: 'most' is not a whole number from 1 to 10000, nor none or max");
    EXPECT_EQ(refusal(text, {{"machines-from", "2"}}), "machines-from: '2' is not a whole number from 0 to 1");
    EXPECT_NE(refusal(text, {{"base", "1"}}).find("unknown option 'base'"), std::string::npos);
}

TEST(FjsFormat, NamesTheLineThatIsWrong) {
    EXPECT_EQ(refusal(""), "line 0: the file ends where the numbers of jobs and machines was expected");
    EXPECT_EQ(refusal("1 2 3 4\n"), "line 1: expected 2 or 3 numbers, found 4 words");
    EXPECT_EQ(refusal("jobs machines\n"), "line 1: number of jobs: 'jobs' is not a number");
    EXPECT_EQ(refusal("1.5 2\n"), "line 1: number of jobs is 1.5, not a whole number from 0");
    EXPECT_EQ(refusal("0 2\n"), "line 1: there is no job or no machine");
    EXPECT_EQ(refusal("2 2\n1 1 1 5\n"), "line 2: the file ends where job 2 of 2 was expected");
    EXPECT_EQ(refusal("1 2\n1 1 1 5\n\n7\n"), "line 4: a line after the last of 1 jobs");
    EXPECT_EQ(refusal("1 2\n0\n"), "line 2: number of operations is 0");
    EXPECT_EQ(refusal("1 2\n999999999 1 1 5\n"),
              "line 2: number of operations is 999999999, but only 3 numbers follow");
    EXPECT_EQ(refusal("1 2\n1 2 1 5\n"), "line 2: number of machines of an operation is 2, but only 2 numbers follow");
    EXPECT_EQ(refusal("1 2\n1 1 1 5 6\n"), "line 2: 1 numbers too many after the last operation");
    EXPECT_EQ(refusal("1 2\n2 1 1 5 1 1\n"), "line 2: number of operations is 2, but only 5 numbers follow");
    EXPECT_EQ(refusal("1 2\n2 2 1 5 2 6 1\n"),
              "line 2: number of machines of an operation is 1, but only 0 numbers follow");
    EXPECT_EQ(refusal("1 4\n3 4 1 5 2 6 3 7 4 8\n"),
              "line 2: the line ends where number of machines of an operation was expected");
    EXPECT_EQ(refusal("1 2\n1 1 1 x\n"), "line 2: time: 'x' is not a number");
    EXPECT_EQ(refusal("1 2\n1 1 1 0\n"), "job 1, operation 1: time 0 on machine index 0 is not a positive number");
    EXPECT_EQ(refusal("1 2\n1 2 1 4 1 4\n"), "job 1, operation 1: machine index 0 is listed twice");
    EXPECT_EQ(refusal("1 99999999\n1 1 1 4\n"), "machines (99999999) exceeds 10000");
}

TEST(FjsFormat, RecognisesItsOwnAndNothingElse) {
    EXPECT_TRUE(fjs().recognises("1 2\n1 1 1 5\n"));
    EXPECT_FALSE(fjs().recognises(""));
    EXPECT_FALSE(fjs().recognises("1 2\n"));
    EXPECT_FALSE(fjs().recognises("{\"machines\": 2}"));
    EXPECT_FALSE(fjs().recognises("C101\n\nVEHICLE\nNUMBER CAPACITY\n25 200\n"));
}

RC_GTEST_PROP(FjsFormatProperty, SurvivesAnyBytes, ()) {
    auto const text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789999  \n\n\t.-+e\rx\xFF") + '\0'));
    auto const instance = fjs().read(text, {});
    RC_ASSERT(fjs().recognises(text) || !instance.has_value());
}

TEST(FjsFormat, WritesWhatItReads) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        auto const instance = random_shop(seed, seed % 2 == 1);
        auto const text = fjs().write(*instance);
        ASSERT_TRUE(text) << text.error().message;
        ASSERT_TRUE(fjs().recognises(*text));
        auto const again =
            data_in(*text, {{"machines-from", "1"}, {"pad-to", std::to_string(instance->padded_operation_count())}});
        ASSERT_EQ(again, instance->data());
    }
    EXPECT_EQ(*fjs().write(*make_shop(two_machines_three_jobs())),
              "3 2 1.4\n2 2 1 3 2 5 1 1 2\n1 1 2 4\n2 1 1 1 2 1 6 2 2\n");
}

TEST(FjsFormat, ReadsBrandimartesFilesFromBothCollectionsAlike) {
    CAX_REQUIRE_SHARED("benchmarks/fjsp/Mk01.fjs");
    std::size_t const operations[] = {55, 58, 150};
    for (std::size_t i = 0; i < 3; ++i) {
        std::string const number = std::to_string(i + 1);
        auto const one_based = shared_text("benchmarks/fjsp/Mk0" + number + ".fjs");
        auto const zero_based = shared_text("benchmarks/fjsp/mk0" + number + ".zero-based.txt");
        EXPECT_TRUE(fjs().recognises(one_based));
        EXPECT_TRUE(fjs().recognises(zero_based));
        auto const data = data_in(one_based);
        EXPECT_EQ(data, data_in(zero_based));
        EXPECT_EQ(data.padded_operations, operations[i]);
    }
}

TEST(FjsFormat, ReadsWhatRl4coWroteFromItsInstances) {
    CAX_REQUIRE_SHARED("rl4co-golden/fjsp/trace.safetensors");
    auto const file = io::read_safetensors(shared_path("rl4co-golden/fjsp/trace.safetensors"));
    ASSERT_TRUE(file) << file.error().message;
    NamedTensors arrays;
    for (char const* name : {"start_op_per_job", "end_op_per_job", "proc_times", "pad_mask"}) {
        arrays[name] = file->tensors.at(std::string("instance/") + name);
    }
    auto const instances = fjsp_problem().exchange().from_tensors(arrays);
    ASSERT_TRUE(instances) << instances.error().message;
    for (std::size_t i = 0; i < 2; ++i) {
        auto const text = shared_text("rl4co-golden/fjsp/instance" + std::to_string(i) + ".fjs");
        EXPECT_EQ(data_in(text, {{"pad-to", "60"}}), data_of((*instances)[i]));
    }
}

} // namespace
} // namespace cax::test
