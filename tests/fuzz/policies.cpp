// Files of weights: policies, and checkpoints of training.
#include "samples.hpp"
#include "targets.hpp"

#include "cax/core/json.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/registry.hpp"
#include "cax/train/trainer.hpp"
#include "random_policy.hpp"

#include <cstring>

namespace cax::fuzz {
namespace {

std::string file_text(std::vector<std::byte> const& bytes) { return std::string(text_of(bytes)); }

/// A policy so small that its file is a few kilobytes.
std::string small_policy(Problem const& problem) {
    return file_text(io::format_safetensors(test::random_policy(
        problem.info().name, {.embed_dim = 4, .layers = 1, .heads = 1, .normalization = "instance"}, 1)));
}

/// Builds the policy and asks it about two states of the problem it says it is for.
void use_policy(TensorFile const& file) {
    auto const policy = make_policy(file, {.threads = 1});
    if (!policy) return expect_readable(policy.error());
    Problem const* problem = find_problem((*policy)->info().problem);
    require(problem != nullptr, "a policy for no problem");
    auto const observation = some_instances(*problem)[0]->reset()->observe();
    if (auto const accepted = (*policy)->accepts(observation); !accepted) return expect_readable(accepted.error());
    auto const answers = (*policy)->log_probs(std::vector{observation, observation});
    require(answers.at(0).size() == action_count(observation), "a distribution of another size");
    require(std::memcmp(answers[0].data(), answers[1].data(), answers[0].size() * sizeof answers[0][0]) == 0,
            "two answers to one question");
}

} // namespace

void run_policy(Bytes bytes) {
    auto const file = io::parse_safetensors(bytes);
    if (!file) return expect_readable(file.error());
    use_policy(*file);
}

std::vector<std::string> policy_seeds() {
    std::vector<std::string> seeds;
    for (Problem const* problem : all_problems()) seeds.push_back(small_policy(*problem));
    return seeds;
}

void run_checkpoint(Bytes bytes) {
    auto const file = io::parse_safetensors(bytes);
    if (!file) return expect_readable(file.error());
    auto const state = train::from_checkpoint(*file, Json("the same settings"));
    if (!state) return expect_readable(state.error());
    auto const again =
        train::from_checkpoint(train::to_checkpoint(*state, Json("the same settings")), Json("the same settings"));
    require(again.has_value(), "a checkpoint that cannot be written again");
}

std::vector<std::string> checkpoint_seeds() {
    Problem const& problem = *find_problem("op");
    train::TrainSettings settings;
    settings.size = "3";
    auto const state = train::initial_state(problem, settings, {.embed_dim = 4, .layers = 1, .heads = 1});
    require(state.has_value(), state ? "" : state.error().message);
    return {file_text(io::format_safetensors(train::to_checkpoint(*state, Json("the same settings"))))};
}

} // namespace cax::fuzz
