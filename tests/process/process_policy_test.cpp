// Policies at the other end of a pipe: a good one in Python, and every way in which one can go wrong. Nothing may hang,
// and nothing may be left behind.
#include "cax/process/process_policy.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>

namespace cax {
namespace {

std::vector<InstancePtr> op_instances(std::size_t count) {
    std::vector<InstancePtr> instances;
    for (std::size_t i = 0; i < count; ++i) {
        Rng rng(i + 1);
        instances.push_back(*find_problem("op")->generate("20", {}, rng));
    }
    return instances;
}

bool no_child_is_left() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

/// The process whose number is in the file has ended, collected by whoever inherited it or not. A signal that is on its
/// way gets a moment.
bool is_gone(std::string const& id_file) {
    std::string id;
    std::ifstream(id_file) >> id;
    for (int attempt = 0; attempt < 200 && !id.empty(); ++attempt) {
        std::string number, name, state;
        std::ifstream("/proc/" + id + "/stat") >> number >> name >> state;
        if (state.empty() || state == "Z") return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The formula of examples/policies/prize_per_distance.py.
class PrizePerDistance final : public TensorScorer {
public:
    std::vector<double> scores(TensorBatch const& batch) override {
        auto const locs = batch.tensors.at("locs").to_doubles();
        auto const prize = batch.tensors.at("prize").to_doubles();
        std::vector<double> result;
        for (std::size_t b = 0; b < batch.states; ++b) {
            std::size_t const first = b * batch.actions;
            auto const here = first + static_cast<std::size_t>(batch.tensors.at("current_node").as_int(b));
            for (std::size_t a = 0; a < batch.actions; ++a) {
                double const x = locs[2 * (first + a)] - locs[2 * here],
                             y = locs[2 * (first + a) + 1] - locs[2 * here + 1];
                result.push_back(10 * prize[first + a] - 5 * std::sqrt(x * x + y * y));
            }
        }
        return result;
    }
    ScoreGradient differentiate(TensorBatch const&, Cotangents const&) override { return {}; }
};

TEST(ProcessPolicy, DecidesWhatTheSameFormulaInHereDecides) {
    auto const own = make_tensor_policy(std::make_unique<PrizePerDistance>(), {.problem = "op"});
    auto const policy = make_process_policy({.command = CAX_PYTHON " " CAX_EXAMPLES "/prize_per_distance.py"});
    ASSERT_TRUE(policy) << policy.error().message;
    EXPECT_EQ((*policy)->info().problem, "op");
    EXPECT_EQ((*policy)->info().network, "prize per distance");
    EXPECT_TRUE((*policy)->traits().batch_invariant);
    EXPECT_FALSE((*policy)->traits().differentiable);
    auto const instances = op_instances(12);
    auto const theirs = decode(**policy, instances, {.threads = 2});
    auto const ours = decode(**own, instances, {.threads = 2});
    ASSERT_TRUE(theirs && ours);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        EXPECT_EQ((*theirs)[i].actions, (*ours)[i].actions);
        for (std::size_t t = 0; t < (*ours)[i].log_probs.size(); ++t) {
            EXPECT_NEAR((*theirs)[i].log_probs[t], (*ours)[i].log_probs[t], 1e-12);
        }
    }
}

TEST(ProcessPolicy, LeavesNothingBehind) {
    {
        auto const policy = make_process_policy({.command = CAX_PYTHON " " CAX_EXAMPLES "/prize_per_distance.py"});
        ASSERT_TRUE(policy);
        EXPECT_FALSE(no_child_is_left());
    }
    EXPECT_TRUE(no_child_is_left());
}

/// What a command that does not even say hello is told.
std::string start_error(std::string const& command, double seconds = 20) {
    auto const policy = make_process_policy({.command = command, .start_seconds = seconds});
    EXPECT_TRUE(policy || no_child_is_left());
    return policy ? "" : policy.error().message;
}

TEST(ProcessPolicy, SaysWhyItDidNotStart) {
    EXPECT_EQ(start_error("exit 3"), "policy 'exit 3': it has ended with exit code 3");
    EXPECT_EQ(start_error("kill -9 $$"), "policy 'kill -9 $$': it was ended by signal 9");
    EXPECT_EQ(
        start_error("echo Hello, world; cat"),
        "policy 'echo Hello, world; cat': \"Hello, w\" where the length of a frame was expected; printing belongs on "
        "standard error");
    EXPECT_EQ(start_error("printf '\\020\\0\\0\\0\\0\\0\\0\\0nothing tensor-like here'").substr(0, 20),
              "policy 'printf '\\020");
    auto const start = std::chrono::steady_clock::now();
    EXPECT_EQ(start_error("sleep 30", 0.2), "policy 'sleep 30': it has not answered for 0.2 seconds");
    EXPECT_LT(seconds_since(start), 10);
}

TEST(ProcessPolicy, RefusesFirstFramesThatSayNothing) {
    auto const hello = [](std::string const& metadata) {
        std::string const header = "{\"__metadata__\":" + metadata + "}";
        auto const le64 = [](std::size_t n) {
            std::string text;
            for (int i = 0; i < 8; ++i)
                text += "\\" + std::string(1, '0') + std::to_string((n >> (8 * i) & 255) / 64) +
                        std::to_string((n >> (8 * i) & 255) / 8 % 8) + std::to_string((n >> (8 * i) & 255) % 8);
            return text;
        };
        std::string const command = "printf '%b' '" + le64(8 + header.size()) + le64(header.size()) + header + "'; cat";
        std::string const message = start_error(command);
        return message.substr(std::min(message.find("first frame"), message.size()));
    };
    EXPECT_EQ(hello("{}"), "first frame: cax: \"\", expected \"policy/1\"");
    EXPECT_EQ(hello(R"({"cax":"policy/2"})"), "first frame: cax: \"policy/2\", expected \"policy/1\"");
    EXPECT_EQ(hello(R"({"cax":"policy/1","problem":"go"})").substr(0, 56),
              "first frame: problem: \"go\" is not a problem of cax (cvrp");
    EXPECT_EQ(hello(R"({"cax":"policy/1","problem":"op","batch_invariant":"1"})"),
              "first frame: batch_invariant: \"1\", expected true or false");
    EXPECT_EQ(hello(R"({"cax":"policy/1","problem":"op","batch":"0"})"),
              "first frame: batch: \"0\", expected a number from 1 to 65536");
    EXPECT_EQ(hello(R"({"cax":"policy/1","problem":"op","scores":"odds"})"),
              "first frame: scores 'odds' is not one of logits, log_probs");
    EXPECT_EQ(hello(R"({"cax":"policy/1","problem":"op","reads":"locs,lox"})").substr(0, 48),
              "first frame: reads: \"lox\" is not a tensor of op ");
    EXPECT_EQ(hello(R"({"cax":"policy/1","problem":"op"})"), "");
}

class BadPolicy : public testing::TestWithParam<std::pair<char const*, char const*>> {};

TEST_P(BadPolicy, IsAnErrorThatSaysSoAndStaysOne) {
    auto const [mode, sentence] = GetParam();
    auto const start = std::chrono::steady_clock::now();
    std::string const id_file = testing::TempDir() + "cax_bad_policy_" + mode;
    {
        auto const policy = make_process_policy(
            {.command = std::string(CAX_PYTHON " " CAX_BAD_POLICY " ") + mode + " " + id_file, .answer_seconds = 3});
        ASSERT_TRUE(policy) << policy.error().message;
        std::vector<Observation> const seen{(*policy)->observe(*op_instances(1)[0]->reset())};
        EXPECT_EQ((*policy)->log_probs(seen).front().size(), 21);
        std::string first, second;
        for (std::string* const message : {&first, &second}) {
            try {
                (void)(*policy)->log_probs(seen);
                (void)(*policy)->log_probs(seen);
            } catch (PolicyFailure const& failure) {
                *message = failure.error().message;
            }
        }
        EXPECT_NE(first.find(sentence), std::string::npos) << first;
        EXPECT_EQ(first, second);
    }
    EXPECT_LT(seconds_since(start), 20);
    EXPECT_TRUE(no_child_is_left());
    EXPECT_TRUE(is_gone(id_file)); // not only the shell that had started it
}

INSTANTIATE_TEST_SUITE_P(
    Modes, BadPolicy,
    testing::Values(
        std::pair{"crash", "it has ended with exit code 7"}, std::pair{"signal", "it was ended by signal 9"},
        std::pair{"slow", "it has not answered for 3 seconds"}, std::pair{"deaf", "it has not answered for 3 seconds"},
        std::pair{"shape", "scores has shape [1, 22], expected [1, 21]"},
        std::pair{"empty", "its answer has no tensor named scores"}, std::pair{"garbage", "its answer: "},
        std::pair{"half", "it has ended with exit code 0"},
        std::pair{"chatty", "it has written something that is not an answer; printing belongs on standard error"},
        std::pair{"text", "\"Loading \" where the length of a frame was expected"},
        std::pair{"error", "it says: CUDA is?out of memory"}),
    [](auto const& each) { return std::string(each.param.first); });

TEST(ProcessPolicy, IsNotBelievedWhatIsNoNumber) {
    auto const policy = make_process_policy({.command = CAX_PYTHON " " CAX_BAD_POLICY " nan"});
    ASSERT_TRUE(policy);
    std::vector<Observation> const seen{(*policy)->observe(*op_instances(1)[0]->reset())};
    (void)(*policy)->log_probs(seen);
    EXPECT_THROW((void)(*policy)->log_probs(seen), PolicyFailure);
}

} // namespace
} // namespace cax
