#include "decision_figures.hpp"
#include "decision_tools.hpp"
#include "random_policy.hpp"

#include "cax/explain/perturbation.hpp"
#include "cax/explain/swap.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <fmt/ranges.h>
#include <map>

namespace cax::figures {
namespace {

/// The shape of the networks in models/.
test::RandomPolicy shipped_shape() {
    return {.embed_dim = 128, .layers = 3, .heads = 8, .normalization = "batch", .graph_context = true};
}

std::unique_ptr<Policy> random_weights(Problem const& problem, std::uint64_t seed) {
    return must(make_policy(test::random_policy(problem.info().name, shipped_shape(), seed), {.threads = 1}));
}

/// What another policy says about the same two actions in the same state; nothing where it cannot be asked.
std::optional<std::size_t> top_of(Policy const& policy, Decision const& decision, std::size_t other) {
    Decision own = decision;
    std::vector<Observation> const seen{policy.observe(*decision.state)};
    own.log_probs = policy.log_probs(seen).front();
    return must(swap(policy, own, {.other = other})).top();
}

struct Named {
    std::vector<std::size_t> here;
    std::vector<std::size_t> there;
    std::vector<std::size_t> instances;
};

void compare(std::string const& whose, Policy const& policy, std::vector<std::pair<Decision const*, Swap>> const& all,
             std::size_t families) {
    Named named;
    for (auto const& [decision, found] : all) {
        auto const top = top_of(policy, *decision, *found.other);
        if (!top) continue;
        named.here.push_back(*found.top());
        named.there.push_back(*top);
        named.instances.push_back(decision->instance);
    }
    Interval const k = clustered_kappa(named.here, named.there, named.instances, families);
    fmt::print("  kappa against {}: {:.3f} ({:.2f} to {:.2f}) on {}\n", whose, k.value, k.low, k.high,
               named.here.size());
}

double quantile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

/// Do the nodes of two actions change places if everything that belongs to them does, in the instance itself, with all
/// that follows from it? Then the lead of the one over the other is the lead of the other over the one. Job shops: the
/// actions are one more than job x machines + machine.
void relabelling_figures(Policy const& policy, std::vector<Episode> const& episodes, std::size_t count) {
    std::vector<double> defects;
    std::size_t turned = 0;
    for (auto const& [episode, step] : some_decisions(episodes, count)) {
        Decision const& decision = episode->decisions[step];
        Instance const& instance = *episode->instance;
        Presentation const& words = instance.problem().presentation();
        std::size_t const a = decision.action;
        std::size_t const b = *decision.runner_up();
        auto const mine = words.node_of(*decision.state, a);
        auto const theirs = words.node_of(*decision.state, b);
        if (!mine || !theirs || mine == theirs) continue;
        Features const from = instance.reset()->features();
        Features change = zero_change(from);
        std::size_t const operations = from[0].shape[1];
        std::size_t const machines = from[0].shape[0];
        for (std::size_t m = 0; m < machines; ++m) {
            double const by = from[0].values[m * operations + *theirs] - from[0].values[m * operations + *mine];
            change[0].values[m * operations + *mine] = by;
            change[0].values[m * operations + *theirs] = -by;
        }
        auto const exchanged = changed(instance, change, ChangeKind::primitive);
        if (!exchanged) continue;
        auto const prefix = episode->actions();
        auto const state = replay_actions(**exchanged, std::span(prefix).first(step));
        if (!state || (*state)->done()) continue;
        std::size_t const a_there = 1 + (b - 1) / machines * machines + (a - 1) % machines;
        std::size_t const b_there = 1 + (a - 1) / machines * machines + (b - 1) % machines;
        auto const mask = (*state)->action_mask();
        if (mask[a_there] == 0 || mask[b_there] == 0) continue;
        std::vector<Observation> const seen{policy.observe(**state)};
        LogProbs const now = policy.log_probs(seen).front();
        double const lead = decision.log_probs[a] - decision.log_probs[b];
        double const after = now[a_there] - now[b_there];
        defects.push_back(std::fabs(after - lead) / (1 + std::fabs(lead)));
        turned += after < 0 ? 1 : 0;
    }
    fmt::print("  operations exchanged in the instance: the lead moves by {:.3g} in the median, {:.3g} at the ninth "
               "decile (parts of 1 + lead); turns round in {} of {}\n",
               quantile(defects, 0.5), quantile(defects, 0.9), turned, defects.size());
}

} // namespace

void swap_figures(Problem const& problem, std::size_t count, std::size_t seed) {
    auto const policy = shipped(problem, seed);
    double const start = cpu_seconds();
    auto const episodes = fresh_walks(problem, *policy, count / 2 + 1);
    std::size_t const families = problem.info().families.size();
    std::vector<std::pair<Decision const*, Swap>> all;
    std::map<std::string_view, std::size_t> statuses;
    std::vector<double> defects;
    std::vector<double> tops(families);
    double worst_sum = 0;
    std::size_t turned = 0;
    std::size_t passes = 0;
    double spent = 0;
    for (auto const& [episode, step] : some_decisions(episodes, 3 * episodes.size())) {
        if (all.size() == count) break;
        Decision const& decision = episode->decisions[step];
        double const begin = cpu_seconds();
        Swap const found = must(swap(*policy, decision));
        spent += cpu_seconds() - begin;
        passes += found.forward_passes;
        ++statuses[name_of(found.status)];
        if (found.other) defects.push_back(std::fabs(found.full + found.margin) / (1 + std::fabs(found.margin)));
        if (found.status != SwapStatus::computed) continue;
        double sum = 0;
        for (double const phi : found.phi) sum += phi;
        worst_sum = std::max(worst_sum, std::fabs(sum - found.margin) / (1 + std::fabs(found.margin)));
        if (!found.top()) continue; // nothing speaks for the choice
        tops[*found.top()] += 1;
        turned += found.single[*found.top()] < 0 ? 1 : 0;
        all.emplace_back(&decision, found);
    }
    fmt::print("{} s{}: swap on {} decisions, instances of seed 20000\n", problem.info().name, seed, all.size());
    fmt::print("  statuses: {}\n", statuses);
    fmt::print("  everything exchanged: lead + lead before, parts of 1 + lead: median {:.2g}, largest {:.2g}\n",
               quantile(defects, 0.5), quantile(defects, 1));
    if (all.empty()) {
        relabelling_figures(*policy, episodes, count);
        return;
    }
    auto const n = static_cast<double>(all.size());
    fmt::print("  largest |sum of phi - lead| / (1 + lead): {:.2g}\n", worst_sum);
    for (std::size_t k = 0; k < families; ++k) {
        fmt::print("  {:<12} on top in {:.3f}\n", problem.info().families[k], tops[k] / n);
    }
    fmt::print("  exchanging the top family alone turns the lead round in {:.3f}\n", static_cast<double>(turned) / n);
    fmt::print("  {:.1f} passes and {:.2f} ms per decision\n", static_cast<double>(passes) / n, 1e3 * spent / n);
    for (std::uint64_t other = 1; other <= 2; ++other) {
        compare(fmt::format("random weights, seed {}", other), *random_weights(problem, other), all, families);
    }
    for (std::size_t other = 0; other < 3; ++other) {
        if (other != seed) compare(fmt::format("trained seed {}", other), *shipped(problem, other), all, families);
    }
    fmt::print("  {:.0f} s of one core\n", cpu_seconds() - start);
}

} // namespace cax::figures
