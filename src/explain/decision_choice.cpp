#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax {

void describe(OptionTable& table, DecisionChoice& choice) {
    table
        .places("step", {&choice.steps, 1, "steps"}, "LIST",
                "Only these decisions, counted from 1, such as 3 or 3,5,8-12; all is the default")
        .without({"steps"});
    table.value("steps", choice.first, "T", "Only the first T decisions of each instance")
        .range(1, 1'000'000)
        .default_is("");
    table.choice("encode", choice.encode,
                 "What the encoder sees, where its inputs change during an episode (scheduling)");
}

RolloutOptions DecisionChoice::rollout_options() const {
    RolloutOptions options{.steps = first, .state = state_options()};
    if (!steps.empty()) options.steps = steps.back() + 1;
    return options;
}

Result<std::vector<std::size_t>> DecisionChoice::of(std::size_t decisions) const {
    if (!steps.empty() && steps.back() >= decisions) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("--step {}: the policy takes {} decisions", steps.back() + 1, decisions)};
    }
    if (!steps.empty()) return steps;
    std::vector<std::size_t> all(first == 0 ? decisions : std::min<std::size_t>(first, decisions));
    for (std::size_t step = 0; step < all.size(); ++step) all[step] = step;
    return all;
}

Result<std::vector<Decision>> DecisionChoice::of(std::span<Episode const> episodes) const {
    std::vector<Decision> decisions;
    for (Episode const& episode : episodes) {
        auto const chosen = of(episode.decisions.size());
        if (!chosen) {
            std::size_t const number = episode.decisions.empty() ? 0 : episode.decisions.front().instance;
            return chosen.error().within(fmt::format("instance {}", number));
        }
        for (std::size_t const step : *chosen) decisions.push_back(episode.decisions[step]);
    }
    return decisions;
}

} // namespace cax
