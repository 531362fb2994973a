#include "rl4co/golden.hpp"

#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"

#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace cax::parity {
namespace {

/// Whole episodes of a batch: what was given, what was done, and every state on the way.
struct RandomEpisodes {
    std::vector<InstancePtr> instances;
    Tensor actions;               ///< [B, T]
    NamedTensors states;          ///< each [T + 1, B, ...]
    std::optional<Tensor> reward; ///< [B]
};

Result<RandomEpisodes> read_episodes(GoldenTensors& golden, Problem const& problem) {
    RandomEpisodes episodes;
    auto instances = problem.exchange().from_tensors(golden.take_below("instance/"));
    if (!instances) return instances.error().within("instance");
    episodes.instances = std::move(*instances);
    std::size_t const batch = episodes.instances.size();
    Tensor const* actions = golden.find("actions");
    if (actions == nullptr || !is_batch(*actions, batch, 2)) {
        return Error{ErrorCode::file_malformed, fmt::format("actions: is not a table with {} rows", batch)};
    }
    episodes.actions = *actions;
    episodes.states = golden.take_below("states/");
    for (auto const& [key, tensor] : episodes.states) {
        Shape const& shape = tensor.shape();
        if (shape.size() < 2 || shape[0] != actions->shape()[1] + 1 || shape[1] != batch) {
            return Error{ErrorCode::file_malformed, fmt::format("states/{}: shape {} for {} steps of {} instances", key,
                                                                to_string(shape), actions->shape()[1], batch)};
        }
    }
    if (Tensor const* reward = golden.find("reward"); reward != nullptr && is_batch(*reward, batch, 1)) {
        episodes.reward = *reward;
    }
    return episodes;
}

void compare_moment(Ledger& ledger, std::string const& file, std::size_t t, RandomEpisodes const& episodes,
                    std::vector<StatePtr> const& states) {
    std::vector<NamedTensors> expected(states.size());
    for (auto const& [key, tensor] : episodes.states) {
        Tensor const moment = tensor.slice(t);
        for (std::size_t i = 0; i < states.size(); ++i) expected[i][key] = moment.slice(i);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        compare_state(ledger, fmt::format("{}, instance {}, moment {}, states/", file, i, t), expected[i], *states[i]);
    }
}

} // namespace

Result<void> check_random_episodes(std::filesystem::path const& file, Problem const& problem, Ledger& ledger) {
    auto tensors = io::read_safetensors(file);
    if (!tensors) return tensors.error();
    GoldenTensors golden(std::move(tensors->tensors));
    auto const episodes = read_episodes(golden, problem);
    if (!episodes) return episodes.error().within(file.string());
    std::string const name = file.filename().string();
    StateOptions const options{.allow_waiting = file.stem().string().ends_with("_wait")};

    std::vector<StatePtr> states;
    for (InstancePtr const& instance : episodes->instances) states.push_back(instance->reset(options));
    compare_moment(ledger, name, 0, *episodes, states);
    std::size_t const steps = episodes->actions.shape()[1];
    for (std::size_t t = 0; t < steps; ++t) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            std::int64_t const action = episodes->actions.as_int(i * steps + t);
            if (action < 0 || static_cast<std::size_t>(action) >= states[i]->action_mask().size()) {
                ledger.fail(fmt::format("{}, instance {}: action {} at step {} is out of range", name, i, action, t));
                return {};
            }
            states[i]->step(static_cast<std::size_t>(action));
        }
        compare_moment(ledger, name, t + 1, *episodes, states);
    }
    for (std::size_t i = 0; episodes->reward && i < states.size(); ++i) {
        double const expected = episodes->reward->as_double(i);
        double const ours = states[i]->done() ? reward_of(problem, states[i]->cost()) : std::nan("");
        // Sums of float32 distances: the reference's own rounding is what this tolerance is for.
        ledger.close(ledger.folder().rewards, fmt::format("{}, reward, instance {}", name, i), expected, ours,
                     1e-5 * std::abs(expected));
    }
    return {};
}

} // namespace cax::parity
