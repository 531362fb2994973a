// Recorded noise of the published subset test, replayed sample by sample: does the decision survive in the same
// samples, are rates and sizes the same? Hidden nodes look alike, so their logits tie up to rounding: what such a tie
// decides is left out, and rates are compared with the interval that ties allow.
#include "published/golden.hpp"
#include "published/subset_replay.hpp"

#include "cax/explain/attribution.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/explain/masking.hpp"
#include "cax/problems/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax::parity {
namespace {

constexpr double clear_margin = 1e-4; ///< of recorded margins: the format's own limit
constexpr double clear_gap = 1e-3;    ///< of our gaps, where only single precision actions were recorded
constexpr double margin_tolerance = 1e-5;
constexpr double score_tolerance = 5e-3; ///< relative to the largest: gradients of unscaled inputs in single precision
constexpr double accepted_rate = 0.8 - 1e-6; ///< rates are float32

/// What our policy decides in every sample, by Replay::index.
struct Decided {
    std::vector<std::size_t> action;
    std::vector<double> gap;    ///< between the best two
    std::vector<double> margin; ///< of the base action to the best other
};

double lead_of(LogProbs const& log_probs, std::size_t action) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < log_probs.size(); ++a) {
        if (a != action) best = std::max(best, log_probs[a]);
    }
    return log_probs[action] - best;
}

Features noise_of(Replay const& replay, Features features, std::size_t at) {
    for (std::size_t t = 0; t < features.size(); ++t) {
        std::size_t const count = features[t].values.size();
        for (std::size_t i = 0; i < count; ++i) features[t].values[i] = replay.noise[t].as_double(at * count + i);
    }
    return features;
}

/// With the nodes behind the first k hidden, or all of them shown.
Decided decide(Policy const& policy, Replay const& replay, SubsetOptions const& options, bool hiding) {
    Decided decided;
    std::vector<Masking> maskings;
    for (auto const& state : replay.states) maskings.push_back(*Masking::make(*state, options));
    for (std::size_t k = 0; k < replay.sizes; ++k) {
        std::vector<Observation> observations;
        for (std::size_t i = 0; i < replay.samples * replay.batch(); ++i) {
            std::size_t const b = i % replay.batch();
            State const& state = *replay.states[b];
            std::size_t const at = k * replay.samples * replay.batch() + i;
            Features features = maskings[b].shaken(noise_of(replay, state.features(), at));
            NodeSet kept(maskings[b].nodes());
            for (std::size_t rank = 0; rank <= k; ++rank) kept[replay.orders[b][rank]] = 1;
            if (hiding) maskings[b].hide(features, kept);
            observations.push_back(state.observe(features));
        }
        // The published code decides by logits without clipping, which ties fewer of them.
        auto const log_probs = policy.log_probs(observations, LogProbKind::raw);
        for (std::size_t i = 0; i < log_probs.size(); ++i) {
            decided.action.push_back(most_probable(log_probs[i]));
            decided.gap.push_back(lead_of(log_probs[i], decided.action.back()));
            decided.margin.push_back(lead_of(log_probs[i], replay.base[i % replay.batch()]));
        }
    }
    return decided;
}

void compare_samples(ReferenceCheck& check, GoldenTensors& golden, ReferencePolicy const& contender,
                     Replay const& replay, Decided const& ours) {
    auto const actions =
        golden_values(check, golden, replay.prefix + (contender.is_double() ? "action64" : "action"), replay.block());
    auto const margins = golden_values(check, golden, replay.prefix + "base_margin64", replay.block());
    if (!actions || !margins) return;
    Ledger& ledger = check.ledger;
    for (std::size_t i = 0; i < ours.action.size(); ++i) {
        double const base = static_cast<double>(replay.base[i % replay.batch()]);
        std::string const where = fmt::format("{}action, entry {}", replay.prefix, i);
        if (std::abs((*margins)[i]) > clear_margin) {
            ledger.equal(ledger.count("samples"), where, (*actions)[i] == base ? 1 : 0,
                         static_cast<double>(ours.action[i]) == base ? 1 : 0);
        }
        if (contender.is_double()) {
            double const scale = std::isfinite((*margins)[i]) ? std::max(1.0, std::abs((*margins)[i])) : 1;
            ledger.close(ledger.difference("margins 64"), replay.prefix + "base_margin64", std::span(&(*margins)[i], 1),
                         std::span(&ours.margin[i], 1), Tolerance::relative(margin_tolerance, scale, 0));
        }
    }
}

/// Rates per size, and per instance the first size that is accepted (0 = none), where ties do not decide it.
void compare_rates(ReferenceCheck& check, GoldenTensors& golden, Replay const& replay, Decided const& ours) {
    auto const low = golden_values(check, golden, replay.prefix + "rate_low", replay.table());
    auto const high = golden_values(check, golden, replay.prefix + "rate_high", replay.table());
    if (!low || !high) return;
    Ledger& ledger = check.ledger;
    for (std::size_t b = 0; b < replay.batch(); ++b) {
        std::size_t size = 0;
        bool clear = true;
        for (std::size_t k = 0; k < replay.sizes && size == 0; ++k) {
            std::size_t preserved = 0;
            for (std::size_t m = 0; m < replay.samples; ++m) {
                preserved += ours.action[replay.index(k, m, b)] == replay.base[b] ? 1 : 0;
            }
            double const rate = static_cast<double>(preserved) / static_cast<double>(replay.samples);
            double const least = (*low)[k * replay.batch() + b];
            double const most = (*high)[k * replay.batch() + b];
            ledger.close(ledger.count("rates"), fmt::format("{}rate, k {}, instance {}", replay.prefix, k + 1, b),
                         (least + most) / 2, rate, (most - least) / 2 + 1e-6);
            clear = clear && (least >= accepted_rate) == (most >= accepted_rate);
            if (rate >= accepted_rate) size = k + 1;
        }
        if (!clear) continue;
        ledger.equal(ledger.count("sizes"), replay.prefix + fmt::format("subset_size, instance {}", b),
                     replay.accepted_sizes[b], static_cast<double>(size));
    }
}

/// Equation 2 of the paper on the same noise: masked against unmasked, nothing cut off, every tensor hidden.
void compare_equation(ReferenceCheck& check, GoldenTensors& golden, ReferencePolicy const& contender,
                      Replay const& replay) {
    auto const masked = golden_values(check, golden, replay.prefix + "action_paper_masked", replay.block());
    auto const noisy = golden_values(check, golden, replay.prefix + "action_paper_noisy", replay.block());
    if (!masked || !noisy) return;
    SubsetOptions options;
    options.fidelity.spent_are_nodes = true;
    options.fidelity.missing_entries = true;
    Ledger& ledger = check.ledger;
    for (bool const hiding : {true, false}) {
        Decided const ours = decide(*contender.policy, replay, options, hiding);
        auto const& recorded = hiding ? *masked : *noisy;
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            if (!(ours.gap[i] > clear_gap)) continue;
            ledger.equal(
                ledger.count("samples, equation 2"),
                fmt::format("{}{}, entry {}", replay.prefix, hiding ? "action_paper_masked" : "action_paper_noisy", i),
                recorded[i], static_cast<double>(ours.action[i]));
        }
    }
}

/// The scores that the published episode orders nodes by: masses of all families together.
void compare_node_scores(ReferenceCheck& check, GoldenTensors& golden, ReferencePolicy const& contender,
                         Replay const& replay, std::string const& run) {
    std::size_t const nodes = replay.orders.front().size();
    Tensor const* recorded = golden.find(run + "/node_scores");
    if (recorded == nullptr) return;
    if (!is_batch(*recorded, replay.batch(), 3) || replay.step >= recorded->shape()[1] ||
        recorded->shape()[2] != nodes) {
        return check.ledger.fail(run + "/node_scores: does not fit the order");
    }
    std::vector<Decision> decisions;
    for (std::size_t b = 0; b < replay.batch(); ++b) {
        std::vector<Observation> const seen{replay.states[b]->observe()};
        decisions.push_back({b, replay.step, replay.states[b], replay.base[b], contender.policy->log_probs(seen).front()});
    }
    auto const attributions =
        attribute(*contender.policy, decisions, AttributionOptions{.fidelity = AttributionFidelity::published()});
    if (!attributions) return check.ledger.fail(attributions.error().message);
    for (std::size_t b = 0; b < replay.batch(); ++b) {
        auto const scores = recorded->slice(b).slice(replay.step).to_doubles();
        double const largest = *std::ranges::max_element(scores);
        check.ledger.close(check.ledger.difference("node scores"),
                           fmt::format("{}/node_scores, step {}, instance {}", run, replay.step, b), scores,
                           (*attributions)[b].node_totals(), Tolerance::relative(score_tolerance, largest, 1e-12));
    }
}

void compare_step(ReferenceCheck& check, GoldenTensors& golden, Replay const& replay, bool equation) {
    for (ReferencePolicy const& contender : check.policies) {
        Decided const ours =
            decide(*contender.policy, replay, SubsetOptions{.fidelity = SubsetFidelity::published()}, true);
        compare_samples(check, golden, contender, replay, ours);
        compare_rates(check, golden, replay, ours);
        if (equation && contender.is_double()) compare_equation(check, golden, contender, replay);
    }
}

/// All steps of one call under one sample size.
Result<void> compare_run(ReferenceCheck& check, GoldenTensors& golden, std::vector<InstancePtr> const& all,
                         std::string const& tag, std::string const& run) {
    auto const replays = read_replays(golden, check.problem, all, tag, run);
    if (!replays) return replays.error();
    for (Replay const& replay : *replays) {
        bool const once = tag == "single"; // equation and scores are the same for both sample sizes
        compare_step(check, golden, replay, once);
        if (once) compare_node_scores(check, golden, check.policies.front(), replay, run);
    }
    return {};
}

} // namespace

Result<void> compare_subset(ReferenceCheck& check, GoldenTensors& golden) {
    std::vector<InstancePtr> instances = check.instances;
    if (golden.any_below("instance/")) { // some sets have instances of their own
        auto own = check.problem.exchange().from_tensors(golden.take_below("instance/"));
        if (!own) return own.error().within("instance");
        instances = std::move(*own);
    }
    for (std::string const tag : {"bonferroni", "single"}) {
        for (std::string const& key : golden.keys_below(tag + "/")) {
            std::size_t const end = key.find("/subset_size");
            if (end == std::string::npos) continue;
            if (auto const done = compare_run(check, golden, instances, tag, key.substr(0, end)); !done) return done;
        }
    }
    return {};
}

} // namespace cax::parity
