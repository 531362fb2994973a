#include "cax/explain/sensitivity.hpp"

#include "cax/problems/noise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>

namespace cax {
namespace {

/// Streams of their own, whatever else uses the seed: what is drawn, and which draw of a stratum is asked.
constexpr std::uint64_t sensitivity_stream = 0x73656e7369746976;
constexpr std::uint64_t stratum_stream = 0x7374726174756d73;

/// Wrong data, seen by the policy's eyes.
struct WrongData {
    Observation seen;
    double move = 0; ///< of the chosen action's log-probability, to first order
};

/// What the policy said to one of them, which stands for its whole stratum.
struct Shot {
    double weight = 0; ///< the stratum's part of all draws
    double distance = 0;
    double flip = 0; ///< 0 or 1
};

/// What the shots of one family at one size have shown.
struct ShotTally {
    std::vector<Shot> shots;
    std::size_t dropped = 0;
};

double mean_of(ShotTally const& tally, double Shot::*what) {
    double mean = 0;
    for (Shot const& shot : tally.shots) mean += shot.weight * (shot.*what);
    return mean;
}

/// Size by size.
std::vector<std::vector<StratumAnswer>> answers_of(std::vector<ShotTally> const& tallies, double Shot::*what) {
    std::vector<std::vector<StratumAnswer>> sizes(tallies.size());
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        for (Shot const& shot : tallies[i].shots) sizes[i].push_back({shot.weight, shot.*what});
    }
    return sizes;
}

double longer_side(SensitivityInterval const& interval, double value) {
    return std::max({interval.high - value, value - interval.low, 0.0});
}

double product(std::span<double const> gradient, std::span<double const> from, std::span<double const> to) {
    double sum = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) sum += gradient[i] * (to[i] - from[i]);
    return sum;
}

double first_order(GraphObservation const& gradient, GraphObservation const& from, GraphObservation const& to) {
    return product(gradient.depot, from.depot, to.depot) + product(gradient.context, from.context, to.context) +
           product(gradient.customers.values(), from.customers.values(), to.customers.values());
}

double first_order(ScheduleObservation const& gradient, ScheduleObservation const& from,
                   ScheduleObservation const& to) {
    return product(gradient.proc_times.values(), from.proc_times.values(), to.proc_times.values()) +
           product(gradient.num_eligible, from.num_eligible, to.num_eligible);
}

double first_order(TensorObservation const& gradient, TensorObservation const& from, TensorObservation const& to) {
    double sum = 0;
    for (auto const& [name, tensor] : gradient.tensors) {
        sum += product(tensor.to_doubles(), from.tensors.at(name).to_doubles(), to.tensors.at(name).to_doubles());
    }
    return sum;
}

class NoiseProbe {
public:
    NoiseProbe(Policy const& policy, Decision const& decision, SensitivityOptions const& options, std::size_t shots)
        : policy_(policy), cell_(decision), options_(options), pool_(options.pool), shots_(shots) {
        if (!policy.traits().differentiable && pool_ > 1) { // nothing to sort draws by
            pool_ = 1;
            shots_ *= 2;
        }
        if (pool_ == 1) return;
        std::vector<Observation> clean{policy.observe(*decision.state)};
        std::vector<std::vector<double>> weights{std::vector<double>(decision.log_probs.size())};
        weights.front()[decision.action] = 1;
        slope_ = std::move(policy.gradients(clean, weights).front().gradient);
        clean_ = std::move(clean.front());
    }

    /// Passes that this took before the first shot.
    [[nodiscard]] std::size_t passes() const { return slope_ ? 1 : 0; }

    /// Shots of one family at one size, all in one batch.
    [[nodiscard]] Result<ShotTally> tally(std::size_t family, std::size_t size) const {
        std::size_t const block = family * options_.sizes.size() + size;
        ShotTally tally;
        std::vector<WrongData> drawn;
        for (std::size_t draw = 0; draw < shots_ * pool_; ++draw) {
            Rng rng = stream(sensitivity_stream, block * shots_ * pool_ + draw);
            auto const state = disturbed(*cell_.state, family, options_.sizes[size], rng);
            if (!state && state.error().code != ErrorCode::invalid_value) return state.error();
            if (!state || (*state)->done() || nothing_allowed(**state)) {
                ++tally.dropped;
                continue;
            }
            drawn.push_back({policy_.observe(**state)});
            if (slope_) drawn.back().move = move_of(drawn.back().seen);
        }
        if (drawn.empty()) return tally;
        std::ranges::stable_sort(drawn, {}, &WrongData::move);
        std::size_t const strata = std::min(shots_, drawn.size());
        std::vector<Observation> asked;
        Rng choice = stream(stratum_stream, block);
        for (std::size_t h = 0; h < strata; ++h) {
            std::size_t const begin = h * drawn.size() / strata;
            std::size_t const many = (h + 1) * drawn.size() / strata - begin;
            asked.push_back(std::move(drawn[begin + choice.below(many)].seen));
            tally.shots.push_back({static_cast<double>(many) / static_cast<double>(drawn.size())});
        }
        std::vector<LogProbs> const answers = policy_.log_probs(asked);
        for (std::size_t h = 0; h < strata; ++h) {
            // Of probabilities in single precision the sum may be a little above 1, and so may their distance.
            tally.shots[h].distance = std::min(total_variation(cell_.log_probs, answers[h]), 1.0);
            tally.shots[h].flip = most_probable(answers[h]) != cell_.action ? 1 : 0;
        }
        return tally;
    }

private:
    [[nodiscard]] Rng stream(std::uint64_t purpose, std::size_t number) const {
        return Rng(options_.seed ^ purpose, static_cast<std::uint32_t>(options_.first_instance + cell_.instance),
                   static_cast<std::uint32_t>(cell_.step), static_cast<std::uint32_t>(number));
    }

    /// A choice that becomes forbidden has lost more than all others.
    [[nodiscard]] double move_of(Observation const& seen) const {
        if (action_mask(seen)[cell_.action] == 0) return -std::numeric_limits<double>::infinity();
        double const move = std::visit(
            [&]<class Seen>(Seen const& now) {
                return first_order(std::get<Seen>(*slope_), std::get<Seen>(clean_), now);
            },
            seen);
        return std::isfinite(move) ? move : 0; // of a gradient that is none
    }

    Policy const& policy_;
    Decision const& cell_;
    SensitivityOptions const& options_;
    std::size_t pool_;
    std::size_t shots_;
    Observation clean_;
    std::optional<Observation> slope_; ///< of the chosen action's log-probability
};

/// Sizes count alike, whatever was dropped of each; one without any shot does not count.
FamilySensitivity summary_of(std::vector<ShotTally> const& tallies) {
    FamilySensitivity result;
    double sizes = 0;
    for (ShotTally const& tally : tallies) {
        result.dropped += tally.dropped;
        result.asked += tally.shots.size();
        double const rate = mean_of(tally, &Shot::flip);
        result.flip_rate_by_size.push_back(rate);
        if (tally.shots.empty()) continue;
        result.score += mean_of(tally, &Shot::distance);
        result.flip_rate += rate;
        ++sizes;
    }
    if (sizes > 0) {
        result.score /= sizes;
        result.flip_rate /= sizes;
    }
    result.score_interval = mean_interval(answers_of(tallies, &Shot::distance));
    result.flip_interval = rate_interval(answers_of(tallies, &Shot::flip));
    result.error = longer_side(result.score_interval, result.score);
    result.flip_error = longer_side(result.flip_interval, result.flip_rate);
    return result;
}

} // namespace

std::string_view name_of(SensitivityStatus status) {
    switch (status) {
    case SensitivityStatus::computed: return "computed";
    case SensitivityStatus::no_choice: return "no_choice";
    case SensitivityStatus::unsupported: return "unsupported";
    }
    return "";
}

Result<void> check_options(SensitivityOptions const& options) {
    auto const refused = [](std::string message) {
        return Error{ErrorCode::invalid_value, "sensitivity: " + std::move(message)};
    };
    constexpr std::size_t most = 1'000'000;
    if (options.sizes.empty()) return refused("no size of noise");
    if (options.sizes.size() > 100) return refused(fmt::format("{} sizes: at most 100", options.sizes.size()));
    for (double const size : options.sizes) {
        if (!(size > 0 && size <= 1000)) return refused(fmt::format("size {} is not between 0 and 1000", size));
    }
    if (options.shots > most) return refused(fmt::format("{} shots: expected at most {}", options.shots, most));
    std::size_t const shots = options.shots > 0 ? options.shots : usual_shots(1);
    if (options.pool == 0 || options.pool > most / shots) {
        return refused(
            fmt::format("{} draws for each of {} shots: expected 1 to {} in all", options.pool, shots, most));
    }
    return {};
}

std::size_t usual_shots(std::size_t families) {
    return std::max<std::size_t>(18 / std::max<std::size_t>(families, 1), 1);
}

double total_variation(LogProbs const& p, LogProbs const& q) {
    assert(p.size() == q.size());
    double sum = 0;
    for (std::size_t a = 0; a < p.size(); ++a) sum += std::fabs(std::exp(p[a]) - std::exp(q[a]));
    return sum / 2;
}

std::vector<double> Sensitivity::shares() const {
    std::vector<double> shares;
    for (FamilySensitivity const& family : families) shares.push_back(family.share);
    return shares;
}

Result<Sensitivity> sensitivity(Policy const& policy, Decision const& decision, SensitivityOptions const& options) {
    if (auto const ok = check_options(options); !ok) return ok.error();
    Problem const& problem = decision.state->instance().problem();
    Sensitivity result;
    result.instance = decision.instance;
    result.step = decision.step;
    result.action = decision.action;
    result.sizes = options.sizes;
    result.shots = options.shots > 0 ? options.shots : usual_shots(problem.info().families.size());
    result.pool = options.pool;
    if (!decision.runner_up()) {
        result.status = SensitivityStatus::no_choice;
        return result;
    }
    NoiseProbe const probe(policy, decision, options, result.shots);
    result.forward_passes = probe.passes();
    double total = 0;
    for (std::size_t k = 0; k < problem.info().families.size(); ++k) {
        std::vector<ShotTally> tallies;
        for (std::size_t size = 0; size < options.sizes.size(); ++size) {
            auto tally = probe.tally(k, size);
            if (!tally && tally.error().code == ErrorCode::unsupported) {
                result.status = SensitivityStatus::unsupported;
                result.families.clear();
                result.forward_passes = 0;
                return result;
            }
            if (!tally) return tally.error();
            result.forward_passes += tally->shots.size();
            tallies.push_back(*std::move(tally));
        }
        result.families.push_back(summary_of(tallies));
        total += result.families.back().score;
    }
    for (FamilySensitivity& family : result.families) family.share = total > 0 ? family.score / total : 0;
    return result;
}

} // namespace cax
