// What the questions about one decision are worth, on the policies in models/: how well two independent runs of
// `sensitivity` agree about what is unusual; what `swap` names, and whether it says anything about the weights; how
// good the prices of `alternatives` are; how small guided changes are, against the sampler's; what each question costs.
// Figures, not timings of single calls: one table per question.
//
//   decision_figures sensitivity|swap|prices|cost PROBLEM [count] [seed]
//   decision_figures coverage PROBLEM [count] [seed] [plain samples]   of the intervals of sensitivity
//   decision_figures guided PROBLEM [count] [seed] [stream of the instances]
//   decision_figures optimum PROBLEM [count] [seed] INSTANCES COSTS   first decisions against optima: a cost and a
//   first action a line
#include "decision_figures.hpp"
#include "decision_tools.hpp"

#include "cax/explain/alternatives.hpp"
#include "cax/explain/sensitivity_reference.hpp"
#include "cax/explain/thumb.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>

namespace {

using namespace cax;

using namespace figures;

void sensitivity_figures(Problem const& problem, std::size_t count, std::size_t seed) {
    auto const policy = shipped(problem, seed);
    double const start = cpu_seconds();
    std::vector<ReferenceTable> tables;
    for (std::uint64_t run = 0; run < 2; ++run) {
        ReferenceOptions options;
        options.threads = 1;
        options.sensitivity.seed = run;
        tables.push_back(must(sensitivity_reference(problem, *policy, options)));
    }
    double const table_seconds = (cpu_seconds() - start) / 2;
    auto const episodes = fresh_walks(problem, *policy, count / 3 + 1);
    auto const decisions = some_decisions(episodes, count);
    std::size_t const families = problem.info().families.size();
    std::vector<std::vector<std::size_t>> unusual(2);
    std::vector<std::vector<std::size_t>> largest(2);
    std::vector<double> percentiles;
    std::vector<std::size_t> dropped(families);
    std::vector<double> flip_rate(families);
    std::size_t passes = 0;
    double const begin = cpu_seconds();
    for (auto const& [episode, step] : decisions) {
        for (std::uint64_t run = 0; run < 2; ++run) {
            Sensitivity const result = must(sensitivity(*policy, episode->decisions[step], {.seed = 100 + run}));
            auto const shares = result.shares();
            auto const ranks = tables[run].percentiles(shares);
            percentiles.insert(percentiles.end(), ranks.begin(), ranks.end());
            unusual[run].push_back(*unusual_family(ranks));
            largest[run].push_back(*unusual_family(shares));
            passes += result.forward_passes;
            for (std::size_t k = 0; k < families; ++k) {
                dropped[k] += result.families[k].dropped;
                flip_rate[k] += result.families[k].flip_rate / 2 / static_cast<double>(decisions.size());
            }
        }
    }
    double const each = (cpu_seconds() - begin) / 2 / static_cast<double>(decisions.size());
    std::vector<double> named(families);
    for (std::size_t const k : unusual[0]) named[k] += 1.0 / static_cast<double>(unusual[0].size());
    fmt::print("{} s{}: {} fresh decisions, tables of {} decisions\n", problem.info().name, seed, decisions.size(),
               tables[0].shares.size());
    std::vector<std::size_t> instances;
    for (auto const& [episode, step] : decisions) instances.push_back(episode->decisions[step].instance);
    auto const print = [&](char const* what, std::vector<std::vector<std::size_t>> const& runs) {
        Interval const found = clustered_kappa(runs[0], runs[1], instances, families);
        fmt::print("  kappa of the {}, two runs: {:.3f} ({:.2f} to {:.2f})\n", what, found.value, found.low,
                   found.high);
    };
    print("unusual family", unusual);
    print("largest share", largest);
    fmt::print("  percentiles of fresh decisions below 0.25, 0.5, 0.75:");
    for (double const level : {0.25, 0.5, 0.75}) {
        auto const below = std::ranges::count_if(percentiles, [&](double q) { return q < level; });
        fmt::print(" {:.3f}", static_cast<double>(below) / static_cast<double>(percentiles.size()));
    }
    fmt::print(" (out of sample, {} values)\n", percentiles.size());
    for (std::size_t k = 0; k < families; ++k) {
        fmt::print("  {:<12} unusual in {:.2f}, flip rate {:.3f}, shots dropped {}\n", problem.info().families[k],
                   named[k], flip_rate[k], dropped[k]);
    }
    fmt::print("  {:.1f} passes and {:.1f} ms per decision; a table takes {:.1f} s\n",
               static_cast<double>(passes) / 2 / static_cast<double>(decisions.size()), 1e3 * each, table_seconds);
}

void price_figures(Problem const& problem, std::size_t count, std::size_t seed) {
    auto const policy = shipped(problem, seed);
    auto const episodes = fresh_walks(problem, *policy, count);
    std::map<std::string_view, std::size_t> statuses;
    std::size_t decisions = 0;
    std::size_t regretted = 0;
    std::size_t optimal = 0;
    double worst = 0;
    double const start = cpu_seconds();
    std::vector<double> rates;
    for (Episode const& each : episodes) {
        for (Alternatives const& step : must(alternatives(*policy, each))) {
            ++decisions;
            ++statuses[name_of(step.all[step.chosen].status)];
            if (auto const regret = step.all[step.chosen].regret) {
                ++regretted;
                optimal += *regret < 1e-9 ? 1 : 0;
                worst = std::max(worst, *regret);
            }
        }
        ThumbStory const story = thumb_story(each);
        if (auto const best = story.best()) rates.push_back(story.rules[*best].rate());
    }
    fmt::print("{} s{}: {} instances, {} decisions, {:.2f} s\n", problem.info().name, seed, episodes.size(), decisions,
               cpu_seconds() - start);
    fmt::print("  status of the chosen action: {}\n", statuses);
    fmt::print("  regret known in {}, chosen action optimal in {}, largest regret {:.4g}\n", regretted, optimal, worst);
    fmt::print("  best rule of thumb agrees in {:.2f} of decisions (median over plans)\n", median(rates));
}

/// The prices of first decisions: nothing has been decided, so the best of them is the optimum.
void optimum_figures(Problem const& problem, std::size_t count, std::size_t seed, char const* file, char const* costs,
                     std::uint64_t work) {
    auto const policy = shipped(problem, seed);
    auto instances = must(io::read_instances(file, &problem)).instances;
    instances.resize(std::min(instances.size(), count));
    std::ifstream in(costs);
    std::vector<double> chosen_gaps;
    std::vector<double> best_gaps;
    std::vector<double> policy_gaps;
    std::vector<double> search_gaps;
    std::size_t equal = 0;
    std::size_t proved = 0;
    double const start = cpu_seconds();
    for (InstancePtr const& instance : instances) {
        double optimum = 0;
        std::size_t first = 0;
        in >> optimum >> first;
        auto const episodes = must(rollout(*policy, std::vector{instance}, {.steps = 1}));
        Alternatives const prices = must(alternatives(*policy, episodes.front().decisions.front(), {}));
        double const sign = problem.info().objective == Objective::minimise ? 1 : -1;
        auto const gap = [&](double cost) { return 100 * sign * (cost - optimum) / optimum; };
        // The search itself, where an optimal solution begins.
        PricingOptions const defaults;
        std::vector<std::size_t> const actions{first};
        auto const own = must(completions_of(*instance, {.prefix = {},
                                                         .actions = actions,
                                                         .known = {},
                                                         .prove = true,
                                                         .proof_work = defaults.proof_work,
                                                         .search_work = defaults.search_work,
                                                         .opening_work = work > 0 ? work : defaults.opening_work}));
        search_gaps.push_back(gap(own.front().cost));
        double best = std::numeric_limits<double>::infinity();
        for (Alternative const& each : prices.all) {
            if (each.cost) best = std::min(best, gap(*each.cost));
        }
        Alternative const& chosen = prices.all[prices.chosen];
        chosen_gaps.push_back(gap(*chosen.cost));
        policy_gaps.push_back(gap(*chosen.policy_cost));
        best_gaps.push_back(best);
        equal += std::abs(best) < 1e-4 ? 1 : 0;
        proved += prices.best_cost ? 1 : 0;
    }
    fmt::print("{} s{}: {} first decisions, {:.2f} s\n", problem.info().name, seed, instances.size(),
               cpu_seconds() - start);
    fmt::print(
        "  gap to the optimum in %, median and worst: best priced {:.3f} {:.3f}, chosen {:.3f} {:.3f}, policy's own "
        "{:.3f} {:.3f}\n",
        median(best_gaps), *std::ranges::max_element(best_gaps), median(chosen_gaps),
        *std::ranges::max_element(chosen_gaps), median(policy_gaps), *std::ranges::max_element(policy_gaps));
    fmt::print("  search where an optimal solution begins: median {:.3f}, worst {:.3f}\n", median(search_gaps),
               *std::ranges::max_element(search_gaps));
    fmt::print("  best priced is the optimum in {}, proved for all actions in {}\n", equal, proved);
}

} // namespace

int main(int argc, char** argv) {
    std::string_view const what = argc > 1 ? argv[1] : "";
    Problem const* problem = argc > 2 ? find_problem(argv[2]) : nullptr;
    std::size_t const count = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 120;
    std::size_t const seed = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 0;
    if (problem != nullptr && what == "sensitivity") {
        sensitivity_figures(*problem, count, seed);
    } else if (problem != nullptr && what == "swap") {
        figures::swap_figures(*problem, count, seed);
    } else if (problem != nullptr && what == "cost") {
        figures::cost_figures(*problem, count, seed);
    } else if (problem != nullptr && what == "guided") {
        auto const stream = argc > 5 ? static_cast<std::uint32_t>(std::strtoul(argv[5], nullptr, 10)) : fresh_stream;
        figures::guided_figures(*problem, count, seed, stream);
    } else if (problem != nullptr && what == "coverage") {
        figures::coverage_figures(*problem, count, seed, argc > 5 ? std::strtoul(argv[5], nullptr, 10) : 2000);
    } else if (problem != nullptr && what == "prices") {
        price_figures(*problem, count, seed);
    } else if (problem != nullptr && what == "optimum" && argc > 6) {
        optimum_figures(*problem, count, seed, argv[5], argv[6], argc > 7 ? std::strtoull(argv[7], nullptr, 10) : 0);
    } else {
        fmt::print(stderr,
                   "usage: {} sensitivity|coverage|swap|prices|guided|cost|optimum PROBLEM [count] [seed] [INSTANCES COSTS]\n",
                   argv[0]);
        return 2;
    }
}
