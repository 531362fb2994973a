#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax {

void describe(OptionTable& table, CellChoice& choice) {
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

WalkOptions CellChoice::walk_options() const {
    WalkOptions options{.steps = first, .state = state_options()};
    if (!steps.empty()) options.steps = steps.back() + 1;
    return options;
}

Result<std::vector<std::size_t>> CellChoice::of(std::size_t decisions) const {
    if (!steps.empty() && steps.back() >= decisions) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("--step {}: the policy takes {} decisions", steps.back() + 1, decisions)};
    }
    if (!steps.empty()) return steps;
    std::vector<std::size_t> all(first == 0 ? decisions : std::min<std::size_t>(first, decisions));
    for (std::size_t step = 0; step < all.size(); ++step) all[step] = step;
    return all;
}

Result<std::vector<Cell>> CellChoice::of(std::span<Walk const> walks) const {
    std::vector<Cell> cells;
    for (Walk const& walk : walks) {
        auto const chosen = of(walk.cells.size());
        if (!chosen) {
            std::size_t const number = walk.cells.empty() ? 0 : walk.cells.front().instance;
            return chosen.error().within(fmt::format("instance {}", number));
        }
        for (std::size_t const step : *chosen) cells.push_back(walk.cells[step]);
    }
    return cells;
}

} // namespace cax
