#include "run/one_number.hpp"

#include "cax/problems/changes.hpp"

#include <algorithm>
#include <cmath>

namespace cax::study {
namespace {

constexpr double growth = 4; ///< from one size to the next

/// One number in one direction, with what is known about it.
struct Candidate {
    std::size_t tensor = 0;
    std::size_t index = 0;
    double sign = 1;
    double reach = 0; ///< how far it may move
    double low = 0;   ///< the largest size tried below `high` that does not flip
    double high = 0;  ///< the smallest that does; 0 before one is known

    [[nodiscard]] double moved(double size) const { return std::min(size, reach); }
    [[nodiscard]] double middle() const { return std::sqrt(low * high); }
};

class OneNumberSearch {
public:
    OneNumberSearch(Policy const& policy, Episode const& episode, std::size_t step, OneNumberOptions const& options)
        : policy_(policy),
          episode_(episode),
          step_(step),
          options_(options),
          still_(zero_change(episode.instance->reset(options.search.state_options)->features())) {
        Features const from = episode.instance->reset(options.search.state_options)->features();
        Perturbation const limits(*episode.instance, from, adjustable(*episode.instance), options.search.perturbation);
        for (std::size_t t = 0; t < from.size(); ++t) {
            for (std::size_t i = 0; i < from[t].values.size(); ++i) {
                if (!limits.movable(t, i)) continue;
                ++result_.movable;
                auto const [low, high] = limits.limits(t, i);
                if (low < 0) candidates_.push_back({.tensor = t, .index = i, .sign = -1, .reach = -low});
                if (high > 0) candidates_.push_back({.tensor = t, .index = i, .sign = 1, .reach = high});
            }
        }
    }

    Result<OneNumberFlip> run() {
        if (auto ok = grow(); !ok) return ok.error();
        if (flipping_.empty()) return std::move(result_);
        for (std::size_t round = 0; round < options_.rounds; ++round) {
            if (auto ok = bisect(); !ok) return ok.error();
        }
        return describe(*std::ranges::min_element(flipping_, {}, &Candidate::high));
    }

private:
    /// Sizes from small to large, until one flips for some number.
    Result<void> grow() {
        if (candidates_.empty()) return {};
        double const farthest = std::ranges::max(candidates_, {}, &Candidate::reach).reach;
        double before = 0;
        for (std::size_t level = 1; level <= options_.levels && flipping_.empty(); ++level) {
            double const size = farthest / std::pow(growth, static_cast<double>(options_.levels - level));
            std::vector<Candidate> trying; // the others were at their end already
            std::ranges::copy_if(candidates_, std::back_inserter(trying),
                                 [&](Candidate const& candidate) { return candidate.reach > before; });
            auto const flips = flips_at(trying, [&](Candidate const& candidate) { return candidate.moved(size); });
            if (!flips) return flips.error();
            for (std::size_t k = 0; k < trying.size(); ++k) {
                if (!(*flips)[k]) continue;
                flipping_.push_back(trying[k]);
                flipping_.back().low = before;
                flipping_.back().high = trying[k].moved(size);
            }
            if (flipping_.empty()) result_.none_at = before = size;
        }
        return {};
    }

    /// Halves, on a scale of logarithms, what is not known about those that may still be the smallest.
    Result<void> bisect() {
        double const smallest = std::ranges::min(flipping_, {}, &Candidate::high).high;
        std::erase_if(flipping_, [&](Candidate const& each) { return each.low >= smallest && each.high > smallest; });
        for (Candidate& each : flipping_) {
            if (each.low == 0) each.low = each.high / growth; // below the smallest size nothing was tried
        }
        auto const flips = flips_at(flipping_, [](Candidate const& candidate) { return candidate.middle(); });
        if (!flips) return flips.error();
        for (std::size_t k = 0; k < flipping_.size(); ++k) {
            double const middle = flipping_[k].middle();
            ((*flips)[k] ? flipping_[k].high : flipping_[k].low) = middle;
        }
        return {};
    }

    [[nodiscard]] Features change(Candidate const& candidate, double size) const {
        Features moved = still_;
        moved[candidate.tensor].values[candidate.index] = candidate.sign * size;
        return moved;
    }

    /// Whether each, moved so far, flips the decision.
    template <class Size>
    Result<std::vector<bool>> flips_at(std::vector<Candidate> const& candidates, Size const& size) {
        CounterfactualOptions search = options_.search;
        search.shots = candidates.size();
        auto const outcomes = evaluate_shots(
            policy_, episode_, step_, [&](std::size_t k) { return change(candidates[k], size(candidates[k])); }, search);
        if (!outcomes) return outcomes.error();
        result_.tried += candidates.size();
        std::vector<bool> flips;
        for (ShotOutcome const& outcome : *outcomes) flips.push_back(outcome.feasible && outcome.flipped);
        return flips;
    }

    Result<OneNumberFlip> describe(Candidate const& winner) {
        CounterfactualOptions search = options_.search;
        search.shots = 1;
        auto const found = find_counterfactual(
            policy_, episode_, step_, [&](std::size_t) { return change(winner, winner.high); }, search);
        if (!found) return found.error();
        if (Flip const* const flip = found->best()) result_.flip = *flip;
        return std::move(result_);
    }

    Policy const& policy_;
    Episode const& episode_;
    std::size_t step_;
    OneNumberOptions const& options_;
    Features still_;
    std::vector<Candidate> candidates_;
    std::vector<Candidate> flipping_;
    OneNumberFlip result_;
};

} // namespace

Result<OneNumberFlip> find_one_number(Policy const& policy, Episode const& episode, std::size_t step,
                                      OneNumberOptions const& options) {
    if (auto ok = check_options(episode.instance->problem().info(), options.search); !ok) return ok.error();
    return OneNumberSearch(policy, episode, step, options).run();
}

} // namespace cax::study
