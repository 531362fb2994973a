#include "cax/explain/sensitivity.hpp"

#include "cax/problems/noise.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace cax {
namespace {

/// Streams of its own, whatever else uses the seed.
constexpr std::uint64_t sensitivity_stream = 0x73656e7369746976;

/// What the shots of one family at one size have shown.
struct ShotTally {
    std::vector<double> distances;
    std::size_t flips = 0;
    std::size_t dropped = 0;
};

double mean_of(std::vector<double> const& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of a mean, squared. One shot says nothing about its error.
double squared_error(std::vector<double> const& values) {
    if (values.size() < 2) return 0;
    double const mean = mean_of(values);
    double squares = 0;
    for (double const value : values) squares += (value - mean) * (value - mean);
    auto const n = static_cast<double>(values.size());
    return squares / (n - 1) / n;
}

class NoiseProbe {
public:
    NoiseProbe(Policy const& policy, Cell const& cell, SensitivityOptions const& options)
        : policy_(policy), cell_(cell), options_(options) {}

    /// Shots of one family at one size, all in one batch.
    [[nodiscard]] Result<ShotTally> tally(std::size_t family, std::size_t size) const {
        ShotTally tally;
        std::vector<Observation> seen;
        for (std::size_t shot = 0; shot < options_.shots; ++shot) {
            std::size_t const number = (family * options_.sizes.size() + size) * options_.shots + shot;
            Rng rng(options_.seed ^ sensitivity_stream,
                    static_cast<std::uint32_t>(options_.first_instance + cell_.instance),
                    static_cast<std::uint32_t>(cell_.step), static_cast<std::uint32_t>(number));
            auto const state = disturbed(*cell_.state, family, options_.sizes[size], rng);
            if (!state && state.error().code != ErrorCode::invalid_value) return state.error();
            if (!state || (*state)->done() || nothing_allowed(**state)) {
                ++tally.dropped;
                continue;
            }
            seen.push_back(policy_.observe(**state));
        }
        if (seen.empty()) return tally;
        for (LogProbs const& log_probs : policy_.log_probs(seen)) {
            tally.distances.push_back(total_variation(cell_.log_probs, log_probs));
            if (most_probable(log_probs) != cell_.action) ++tally.flips;
        }
        return tally;
    }

private:
    Policy const& policy_;
    Cell const& cell_;
    SensitivityOptions const& options_;
};

/// Sizes count alike, whatever was dropped of each; one without any shot does not count.
FamilySensitivity summary_of(std::vector<ShotTally> const& tallies) {
    FamilySensitivity result;
    double sizes = 0;
    double score_error = 0;
    double flip_error = 0;
    for (ShotTally const& tally : tallies) {
        result.dropped += tally.dropped;
        result.asked += tally.distances.size();
        result.flip_rate_by_size.push_back(0);
        if (tally.distances.empty()) continue;
        auto const n = static_cast<double>(tally.distances.size());
        double const rate = static_cast<double>(tally.flips) / n;
        result.flip_rate_by_size.back() = rate;
        result.score += mean_of(tally.distances);
        result.flip_rate += rate;
        score_error += squared_error(tally.distances);
        flip_error += rate * (1 - rate) / n;
        ++sizes;
    }
    if (sizes == 0) return result;
    result.score /= sizes;
    result.flip_rate /= sizes;
    result.error = std::sqrt(score_error) / sizes;
    result.flip_error = std::sqrt(flip_error) / sizes;
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
    if (options.shots == 0 || options.shots > most) {
        return refused(fmt::format("{} shots: expected 1 to {}", options.shots, most));
    }
    return {};
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

Result<Sensitivity> sensitivity(Policy const& policy, Cell const& cell, SensitivityOptions const& options) {
    if (auto const ok = check_options(options); !ok) return ok.error();
    Problem const& problem = cell.state->instance().problem();
    Sensitivity result;
    result.instance = cell.instance;
    result.step = cell.step;
    result.action = cell.action;
    result.sizes = options.sizes;
    result.shots = options.shots;
    if (!cell.runner_up()) {
        result.status = SensitivityStatus::no_choice;
        return result;
    }
    NoiseProbe const probe(policy, cell, options);
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
            result.forward_passes += tally->distances.size();
            tallies.push_back(*std::move(tally));
        }
        result.families.push_back(summary_of(tallies));
        total += result.families.back().score;
    }
    for (FamilySensitivity& family : result.families) family.share = total > 0 ? family.score / total : 0;
    return result;
}

} // namespace cax
