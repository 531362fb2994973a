// Recorded noise of the published subset test, replayed sample by sample: does the decision survive in the same
// samples, are rates and sizes the same? Hidden nodes look alike, so their logits tie up to rounding: what such a tie
// decides is left out, and rates are compared with the interval that ties allow.
#include "reference_golden.hpp"

#include "cax/explain/attribution.hpp"
#include "cax/explain/cells.hpp"
#include "cax/explain/masking.hpp"

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

/// One step of one call of the published test: its states, and the tensors recorded for it.
struct Replay {
    std::string prefix;                               ///< "bonferroni/run0/t1/"
    std::vector<std::shared_ptr<State const>> states; ///< one per instance of the call
    std::vector<std::size_t> base;                    ///< their actions
    std::vector<std::vector<std::size_t>> orders;     ///< their nodes
    std::size_t sizes = 0;
    std::size_t samples = 0;
    std::vector<Tensor> noise; ///< per feature tensor

    [[nodiscard]] std::size_t batch() const { return states.size(); }
    [[nodiscard]] std::size_t index(std::size_t k, std::size_t m, std::size_t b) const {
        return (k * samples + m) * batch() + b;
    }
    [[nodiscard]] Shape block() const { return {sizes, samples, batch()}; }
    [[nodiscard]] Shape table() const { return {sizes, batch()}; }
    [[nodiscard]] std::string at(std::size_t k, std::size_t b) const {
        return fmt::format("k {}, instance {}", k + 1, b);
    }
};

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
void compare_rates(ReferenceCheck& check, GoldenTensors& golden, Replay const& replay, Decided const& ours,
                   std::vector<double> const& recorded_sizes) {
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
            ledger.close(ledger.count("rates"), replay.prefix + "rate, " + replay.at(k, b), (least + most) / 2, rate,
                         (most - least) / 2 + 1e-6);
            clear = clear && (least >= accepted_rate) == (most >= accepted_rate);
            if (rate >= accepted_rate) size = k + 1;
        }
        if (!clear) continue;
        ledger.equal(ledger.count("sizes"), replay.prefix + fmt::format("subset_size, instance {}", b),
                     recorded_sizes[b], static_cast<double>(size));
    }
}

/// Equation 2 of the paper on the same noise: masked against unmasked, nothing cut off, every tensor hidden.
void compare_equation(ReferenceCheck& check, GoldenTensors& golden, ReferencePolicy const& contender,
                      Replay const& replay) {
    auto const masked = golden_values(check, golden, replay.prefix + "action_paper_masked", replay.block());
    auto const noisy = golden_values(check, golden, replay.prefix + "action_paper_noisy", replay.block());
    if (!masked || !noisy) return;
    SubsetOptions options;
    options.spent_are_nodes = true;
    options.missing_entries = true;
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

/// The scores that the published walk orders nodes by: masses of all families together.
void compare_node_scores(ReferenceCheck& check, GoldenTensors& golden, ReferencePolicy const& contender,
                         Replay const& replay, std::string const& run, std::size_t step) {
    std::size_t const nodes = replay.orders.front().size();
    Tensor const* recorded = golden.find(run + "/node_scores");
    if (recorded == nullptr || !is_batch(*recorded, replay.batch(), 3)) return;
    std::vector<Cell> cells;
    for (std::size_t b = 0; b < replay.batch(); ++b) {
        std::vector<Observation> const seen{replay.states[b]->observe()};
        cells.push_back({b, step, replay.states[b], replay.base[b], contender.policy->log_probs(seen).front()});
    }
    auto const attributions = attribute(*contender.policy, cells, AttributionOptions::published());
    if (!attributions) return check.ledger.fail(attributions.error().message);
    for (std::size_t b = 0; b < replay.batch(); ++b) {
        auto const scores = recorded->slice(b).slice(step).to_doubles();
        double const largest = *std::ranges::max_element(scores);
        if (scores.size() != nodes) return check.ledger.fail(run + "/node_scores: does not fit the order");
        check.ledger.close(check.ledger.difference("node scores"),
                           fmt::format("{}/node_scores, step {}, instance {}", run, step, b), scores,
                           (*attributions)[b].node_totals(), Tolerance::relative(score_tolerance, largest, 1e-12));
    }
}

Error wrong(std::string const& name, std::string_view what) {
    return {ErrorCode::file_malformed, fmt::format("{}: {}", name, what)};
}

/// The instances of run R: all of them, or for calls with a batch of one, instance R.
Result<std::vector<InstancePtr>> instances_of(std::vector<InstancePtr> const& all, std::string const& run,
                                              std::size_t batch) {
    if (batch == all.size()) return all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (batch == 1 && run == fmt::format("run{}", i)) return std::vector{all[i]};
    }
    return wrong(run, fmt::format("has a batch of {}, there are {} instances", batch, all.size()));
}

/// Orders [B, S, n] of one step, each a list of distinct nodes.
Result<std::vector<std::vector<std::size_t>>> read_orders(GoldenTensors& golden, std::string const& name,
                                                          std::size_t batch, std::size_t step, std::size_t nodes) {
    Tensor const* tensor = golden.find(name);
    if (tensor == nullptr || !is_batch(*tensor, batch, 3) || step >= tensor->shape()[1] ||
        tensor->shape()[2] != nodes) {
        return wrong(name, fmt::format("has no order of {} nodes for each of {} instances", nodes, batch));
    }
    std::vector<std::vector<std::size_t>> orders(batch);
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t i = 0; i < nodes; ++i) {
            auto const node = tensor->as_int((b * tensor->shape()[1] + step) * nodes + i);
            if (node < 0 || static_cast<std::size_t>(node) >= nodes) return wrong(name, fmt::format("node {}", node));
            orders[b].push_back(static_cast<std::size_t>(node));
        }
    }
    return orders;
}

Result<void> read_noise(GoldenTensors& golden, std::vector<TensorInfo> const& infos, Replay& replay) {
    Features const features = replay.states.front()->features();
    for (std::size_t t = 0; t < infos.size(); ++t) {
        std::string const name = replay.prefix + "noise/" + std::string(infos[t].name);
        Tensor const* noise = golden.find(name);
        if (noise == nullptr || noise->shape().size() != features[t].shape.size() + 3) {
            return wrong(name, "is not there, or not a batch of samples");
        }
        replay.sizes = noise->shape()[0];
        replay.samples = noise->shape()[1];
        Shape expected{replay.sizes, replay.samples, replay.batch()};
        expected.insert(expected.end(), features[t].shape.begin(), features[t].shape.end());
        if (noise->shape() != expected) {
            return wrong(name, fmt::format("shape {} instead of {}", to_string(noise->shape()), to_string(expected)));
        }
        replay.noise.push_back(*noise);
    }
    if (replay.sizes > replay.orders.front().size()) return wrong(replay.prefix, "has more sizes than nodes");
    return {};
}

Result<std::vector<std::size_t>> read_actions(GoldenTensors& golden, std::string const& name,
                                              std::vector<StatePtr> const& states) {
    Tensor const* tensor = golden.find(name);
    if (tensor == nullptr || tensor->shape() != Shape{states.size()}) return wrong(name, "is not a list of actions");
    std::vector<std::size_t> actions;
    for (std::size_t b = 0; b < states.size(); ++b) {
        auto const action = static_cast<std::size_t>(tensor->as_int(b));
        auto const mask = states[b]->action_mask();
        if (action >= mask.size() || mask[action] == 0) return wrong(name, fmt::format("{} is not allowed", action));
        actions.push_back(action);
    }
    return actions;
}

void compare_step(ReferenceCheck& check, GoldenTensors& golden, Replay const& replay, bool equation,
                  std::vector<double> const& recorded_sizes) {
    for (ReferencePolicy const& contender : check.policies) {
        Decided const ours = decide(*contender.policy, replay, SubsetOptions{}.as_published(), true);
        compare_samples(check, golden, contender, replay, ours);
        compare_rates(check, golden, replay, ours, recorded_sizes);
        if (equation && contender.is_double()) compare_equation(check, golden, contender, replay);
    }
}

/// All steps of one call under one sample size.
Result<void> compare_run(ReferenceCheck& check, GoldenTensors& golden, std::vector<InstancePtr> const& all,
                         std::string const& tag, std::string const& run) {
    std::string const name = fmt::format("{}/{}/subset_size", tag, run);
    Tensor const* sizes = golden.find(name);
    if (sizes == nullptr || sizes->shape().size() != 2) return wrong(name, "is not a table");
    std::size_t const batch = sizes->shape()[0];
    auto const instances = instances_of(all, run, batch);
    if (!instances) return instances.error();
    std::vector<StatePtr> states;
    for (InstancePtr const& instance : *instances) states.push_back(instance->reset());
    for (std::size_t step = 0; step < sizes->shape()[1]; ++step) {
        Replay replay;
        replay.prefix = fmt::format("{}/{}/t{}/", tag, run, step);
        for (StatePtr const& state : states) replay.states.emplace_back(state->clone());
        auto const base = read_actions(golden, replay.prefix + "base_action", states);
        if (!base) return base.error();
        replay.base = *base;
        std::size_t const nodes = Masking::make(*states.front(), SubsetOptions{}.as_published())->nodes();
        auto orders = read_orders(golden, run + "/order", batch, step, nodes);
        if (!orders) return orders.error();
        replay.orders = std::move(*orders);
        if (auto const read = read_noise(golden, check.problem.info().tensors, replay); !read) return read.error();
        std::vector<double> recorded_sizes;
        for (std::size_t b = 0; b < batch; ++b)
            recorded_sizes.push_back(sizes->as_double(b * sizes->shape()[1] + step));
        bool const once = tag == "single"; // equation and scores are the same for both sample sizes
        compare_step(check, golden, replay, once, recorded_sizes);
        if (once) compare_node_scores(check, golden, check.policies.front(), replay, run, step);
        for (std::size_t b = 0; b < batch; ++b) states[b]->step(replay.base[b]);
    }
    return {};
}

} // namespace

Result<void> compare_subset(ReferenceCheck& check, GoldenTensors& golden) {
    std::vector<InstancePtr> instances = check.instances;
    if (golden.any_below("instance/")) { // some sets have instances of their own
        auto own = check.problem.from_tensors(golden.take_below("instance/"));
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
