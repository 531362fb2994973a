#include "subset/preservation.hpp"

#include "cax/explain/bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace cax {
namespace {

constexpr std::uint64_t noise_stream = 0x5b5e'7c0f'fee5'0001; ///< keeps these numbers apart from others of the seed
constexpr std::size_t no_decision = std::numeric_limits<std::size_t>::max();

/// A network that a shaken input drives out of the numbers has decided nothing.
std::size_t decision(LogProbs const& log_probs) {
    bool const broken = std::ranges::any_of(log_probs, [](double value) { return std::isnan(value); });
    return broken ? no_decision : most_probable(log_probs);
}

} // namespace

PolicyPreservation::PolicyPreservation(Policy const& policy, Decision const& decision, Masking masking,
                                       SubsetOptions const& options)
    : policy_(policy), cell_(decision), masking_(std::move(masking)), options_(options) {}

Features PolicyPreservation::shaken(std::size_t sample) const {
    Rng rng(options_.seed ^ noise_stream, static_cast<std::uint32_t>(cell_.instance),
            static_cast<std::uint32_t>(cell_.step), static_cast<std::uint32_t>(sample));
    return masking_.shaken(masking_.noise(rng));
}

std::vector<std::uint8_t> PolicyPreservation::ask(NodeSet const& kept, std::span<std::size_t const> samples) {
    std::vector<Observation> observations;
    std::vector<std::size_t> undecided; // samples whose own decision is still to be found
    std::vector<Features> drawn;
    for (std::size_t const sample : samples) drawn.push_back(shaken(sample));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (options_.fidelity.compare == Comparison::anchor || targets_.contains(samples[i])) continue;
        undecided.push_back(samples[i]);
        observations.push_back(policy_.observe(*cell_.state, drawn[i]));
    }
    for (Features& features : drawn) {
        masking_.hide(features, kept);
        observations.push_back(policy_.observe(*cell_.state, features));
    }
    auto const log_probs = policy_.log_probs(observations, options_.fidelity.log_prob);
    forward_passes_ += observations.size();
    for (std::size_t i = 0; i < undecided.size(); ++i) targets_[undecided[i]] = decision(log_probs[i]);

    std::vector<std::uint8_t> preserved;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        std::size_t const target =
            options_.fidelity.compare == Comparison::anchor ? cell_.action : targets_[samples[i]];
        std::size_t const decided = decision(log_probs[undecided.size() + i]);
        preserved.push_back(decided == target && decided != no_decision ? 1 : 0);
    }
    return preserved;
}

SubsetTest::SubsetTest(Preservation& preservation, SubsetRule const& rule, std::size_t first)
    : preservation_(preservation), rule_(rule), order_(rule.samples), losses_(rule.samples), first_(first) {
    std::iota(order_.begin(), order_.end(), first);
}

SizeTest SubsetTest::run(NodeSet const& kept, Effort effort) {
    assert(rule_.needed >= 1 && rule_.needed <= rule_.samples);
    SizeTest test;
    std::size_t const tolerated = rule_.samples - rule_.needed; // losses
    while (test.samples < rule_.samples) {
        std::size_t const lost = test.samples - test.preserved;
        bool const rejected = lost > tolerated;
        test.accepted = test.preserved >= rule_.needed;
        if (effort == Effort::verdict && (test.accepted || rejected)) break;
        if (effort == Effort::all_if_accepted && rejected) break;
        // As many as must be asked before anything can be decided: batches waste no forward pass.
        std::size_t batch = rule_.samples - test.samples;
        if (effort != Effort::all && !test.accepted) {
            batch = std::min({batch, rule_.needed - test.preserved, tolerated - lost + 1});
        }
        auto const asked = std::span<std::size_t const>(order_).subspan(test.samples, batch);
        auto const answers = preservation_.ask(kept, asked);
        for (std::size_t i = 0; i < batch; ++i) {
            if (answers[i] == 0) ++losses_[asked[i] - first_];
            test.preserved += answers[i];
        }
        test.samples += batch;
    }
    test.accepted = test.preserved >= rule_.needed;
    std::ranges::stable_sort(order_, std::greater{}, [&](std::size_t sample) { return losses_[sample - first_]; });
    return test;
}

NodeSet node_set(std::span<std::size_t const> nodes, std::size_t count) {
    NodeSet set(count);
    for (std::size_t const node : nodes) set[node] = 1;
    return set;
}

Preserved preserved_share(std::size_t preserved, std::size_t samples, double alpha) {
    return {.samples = samples,
            .preserved = preserved,
            .rate = samples == 0 ? 0 : static_cast<double>(preserved) / static_cast<double>(samples),
            .lower_bound = clopper_pearson_lower(preserved, samples, alpha),
            .hoeffding = hoeffding_lower(preserved, samples, alpha)};
}

} // namespace cax
