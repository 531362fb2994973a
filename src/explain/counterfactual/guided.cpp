#include "cax/explain/guided.hpp"

#include "counterfactual/path_race.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <mutex>

namespace cax {
namespace {

/// Other allowed actions, the most probable first; or the one that is wanted.
std::vector<std::size_t> rivals_in_order(Decision const& decision, GuidedOptions const& options) {
    std::vector<std::size_t> rivals;
    for (std::size_t a = 0; a < decision.log_probs.size(); ++a) {
        bool const wanted = !options.search.towards || a == *options.search.towards;
        if (a != decision.action && decision.state->action_mask()[a] != 0 && wanted) rivals.push_back(a);
    }
    std::ranges::stable_sort(rivals, std::greater<>(), [&](std::size_t a) { return decision.log_probs[a]; });
    rivals.resize(std::min(rivals.size(), options.rivals));
    return rivals;
}

std::size_t count_movable(WhatIf const& what_if) {
    std::size_t count = 0;
    Features const& from = what_if.perturbation().from();
    for (std::size_t t = 0; t < from.size(); ++t) {
        for (std::size_t i = 0; i < from[t].values.size(); ++i) count += may_move(what_if, t, i) ? 1 : 0;
    }
    return count;
}

std::vector<MovePath> all_paths(WhatIf& what_if, GuidedOptions const& options) {
    PathOptions const which{options.single, options.everything, options.together};
    Decision const& decision = what_if.decision();
    std::vector<MovePath> paths;
    for (std::size_t const rival : rivals_in_order(decision, options)) {
        Features const slope = what_if.lead_gradient(rival);
        add_paths(what_if, slope, decision.log_probs[decision.action] - decision.log_probs[rival], which, paths);
    }
    add_rule_paths(what_if, paths);
    if (!options.single) add_shared_rule_paths(what_if, paths);
    add_opening_paths(what_if, paths);
    if (options.everything) add_missing(what_if, paths);
    // Who tries everything wants to know how little is enough; else what is found is to be readable.
    bool const whole = !options.everything && options.search.norm == Norm::l1;
    for (MovePath& path : paths) path.whole = whole;
    return paths;
}

} // namespace

Result<void> check_options(ProblemInfo const& info, GuidedOptions const& options) {
    if (auto ok = check_options(info, options.search); !ok) return ok;
    auto const refused = [](std::string message) {
        return Error{ErrorCode::invalid_value, "guided search: " + std::move(message)};
    };
    if (options.passes == 0) return refused("0 forward passes: at least one is needed");
    if (options.rivals == 0) return refused("0 rivals: at least one is needed");
    if (!(options.accuracy > 0 && options.accuracy < 1)) {
        return refused(fmt::format("accuracy {} is not between 0 and 1", options.accuracy));
    }
    return {};
}

Result<GuidedFlip> find_guided(Policy const& policy, Episode const& episode, std::size_t step, GuidedOptions const& options) {
    if (auto ok = check_options(episode.instance->problem().info(), options); !ok) return ok.error();
    if (step >= episode.decisions.size()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {}: the policy takes {} decisions here", step + 1, episode.decisions.size())};
    }
    Decision const& decision = episode.decisions[step];
    if (options.search.towards &&
        (*options.search.towards >= decision.log_probs.size() || *options.search.towards == decision.action)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("towards action {}: not another action", *options.search.towards)};
    }
    WhatIf what_if(policy, episode, step, options.search);
    GuidedFlip result;
    result.instance = decision.instance;
    result.step = decision.step;
    result.action = decision.action;
    result.entries = count_movable(what_if);
    PathRace(what_if, options, all_paths(what_if, options)).run(result);
    result.forward_passes = what_if.forward_passes();
    return result;
}

namespace {

using Boxes = std::vector<std::optional<Box>>;

/// The instance's own, or the problem's usual one if the generator knows none like it.
std::string generated_size(Instance const& instance) {
    Rng rng(0);
    if (instance.problem().generate(instance.size(), {}, rng)) return instance.size();
    return std::string(instance.problem().info().default_size);
}

Result<Boxes> measured_boxes(Problem const& problem, std::string const& size) {
    constexpr std::uint64_t seed = 0x626f786573;
    constexpr std::uint32_t instances = 32;
    Boxes boxes(problem.info().tensors.size());
    for (std::uint32_t n = 0; n < instances; ++n) {
        Rng rng(seed, n);
        auto const drawn = problem.generate(size, {}, rng);
        if (!drawn) return drawn.error();
        Features const features = (*drawn)->reset()->features();
        Adjustable const own = adjustable(**drawn);
        for (std::size_t t = 0; t < features.size(); ++t) {
            for (std::size_t i = 0; i < features[t].values.size(); ++i) {
                if (own[t][i] == 0) continue;
                double const value = features[t].values[i];
                if (!boxes[t]) boxes[t] = Box{value, value};
                boxes[t]->low = std::min(boxes[t]->low, value);
                boxes[t]->high = std::max(boxes[t]->high, value);
            }
        }
    }
    // What never varies is no range.
    for (auto& box : boxes) {
        if (box && box->low == box->high) box.reset();
    }
    return boxes;
}

} // namespace

Result<Boxes> generator_boxes(Instance const& instance) {
    static std::mutex mutex;
    static std::map<std::pair<std::string_view, std::string>, Boxes> known; // measured once
    std::scoped_lock const lock(mutex);
    std::pair key(instance.problem().info().name, instance.size());
    if (auto const found = known.find(key); found != known.end()) return found->second;
    auto boxes = measured_boxes(instance.problem(), generated_size(instance));
    if (boxes) known.emplace(std::move(key), *boxes);
    return boxes;
}

} // namespace cax
