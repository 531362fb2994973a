// Curves of hidden data, and rules of thumb: explanations held against chance.
#include "judge/labels.hpp"
#include "tables/table_parts.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace cax::study {
namespace {

/// Mean probability while families are hidden (or shown again) in this order; `hidden` by set.
NodeCurve family_curve(std::vector<double> const& hidden, std::vector<std::size_t> const& order) {
    std::size_t gone = 0;
    std::size_t const everything = hidden.size() - 1;
    NodeCurve curve{.deletion = hidden[0], .insertion = hidden[everything]};
    for (std::size_t const family : order) {
        gone |= std::size_t{1} << family;
        curve.deletion += hidden[gone];
        curve.insertion += hidden[everything & ~gone];
    }
    auto const points = static_cast<double>(order.size() + 1);
    return {curve.deletion / points, curve.insertion / points};
}

NodeCurve mean_over_orders(std::vector<double> const& hidden, std::size_t families) {
    std::vector<std::size_t> order(families);
    std::iota(order.begin(), order.end(), std::size_t{0});
    NodeCurve sum;
    double count = 0;
    do {
        NodeCurve const one = family_curve(hidden, order);
        sum.deletion += one.deletion;
        sum.insertion += one.insertion;
        ++count;
    } while (std::ranges::next_permutation(order).found);
    return {sum.deletion / count, sum.insertion / count};
}

/// One decision: the order's curve and that of chance.
struct CurvePair {
    NodeCurve own;
    NodeCurve chance;
};
std::optional<CurvePair> curves_of(ProblemFindings const& problem, DecisionFinding const& decision, Method method,
                                   bool nodes) {
    if (nodes) {
        auto const own = decision.curves.find(method);
        auto const chance = decision.curves.find(Method::random_order);
        if (own == decision.curves.end() || chance == decision.curves.end()) return std::nullopt;
        return CurvePair{own->second, chance->second};
    }
    auto const whom = decision.sayings.find(Asked::own);
    if (decision.hidden.empty() || whom == decision.sayings.end()) return std::nullopt;
    auto const found = whom->second.find(method);
    if (found == whom->second.end()) return std::nullopt;
    std::vector<std::size_t> order(problem.families.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return found->second[k]; });
    return CurvePair{family_curve(decision.hidden, order), mean_over_orders(decision.hidden, order.size())};
}

} // namespace

Table curves_table(TableInput const& in) {
    Table table{.name = "curves",
                .title = "Deletion and insertion: probability of the decision as data are hidden or shown",
                .columns = {"problem", "of", "method", "decisions", "deletion", "random order", "deletion - random",
                            "low (instances)", "high (instances)", "insertion", "insertion, random",
                            "insertion - random", "insertion low", "insertion high"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        auto const clusters = clusters_of(problem);
        for (bool const nodes : {false, true}) {
            for (Method const method : judged_methods()) {
                std::vector<double> values[4]; // deletion, by chance, insertion, by chance
                std::vector<double> over[2];
                std::vector<std::size_t> cluster;
                for (std::size_t i = 0; i < problem.decisions.size(); ++i) {
                    auto const pair = curves_of(problem, problem.decisions[i], method, nodes);
                    if (!pair) continue;
                    values[0].push_back(pair->own.deletion);
                    values[1].push_back(pair->chance.deletion);
                    values[2].push_back(pair->own.insertion);
                    values[3].push_back(pair->chance.insertion);
                    over[0].push_back(pair->own.deletion - pair->chance.deletion);
                    over[1].push_back(pair->own.insertion - pair->chance.insertion);
                    cluster.push_back(clusters[i]);
                }
                if (cluster.empty()) continue;
                Difference const less = clustered_mean(over[0], cluster, bootstrap_of(in.settings));
                Difference const more = clustered_mean(over[1], cluster, bootstrap_of(in.settings));
                table.rows.push_back({problem.name, std::string(nodes ? "nodes" : "families"), name_value(method),
                                      count_value(cluster.size()), mean(values[0]), mean(values[1]), less.point,
                                      less.low, less.high, mean(values[2]), mean(values[3]), more.point, more.low,
                                      more.high});
            }
        }
    }
    table.notes = {"Hidden data are set to the mean over the nodes, mask and state as they are; the most important "
                   "first. Mean probability of the chosen action over the way: deletion should be below a random "
                   "order's, insertion above it. Families: every order's curve is known, so chance is the mean of all "
                   "orders; nodes: in fifths, against one random order; only methods that order nodes. Hiding leaves "
                   "the range that policies were trained on, which favours methods that hide in the same way "
                   "(occlusion)."};
    return table;
}

Table thumb_table(TableInput const& in) {
    Table table{.name = "thumb",
                .title = "Rules of thumb: which simple rule would have decided the same?",
                .columns = {"problem", "rule", "decisions", "agrees", "coin", "most frequent action", "agrees - coin",
                            "low (instances)", "high (instances)"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        auto const clusters = clusters_of(problem);
        std::map<std::size_t, std::map<std::size_t, std::size_t>> taken; // by policy and action
        std::vector<std::string> rules;
        for (DecisionFinding const& decision : problem.decisions) {
            if (decision.chosen) ++taken[decision.seed][*decision.chosen];
            if (rules.empty()) {
                for (auto const& [rule, finding] : decision.thumb) rules.push_back(rule);
            }
        }
        std::map<std::size_t, std::size_t> usual; // by policy
        for (auto const& [seed, actions] : taken) {
            usual[seed] = std::ranges::max_element(actions, {}, [](auto const& each) { return each.second; })->first;
        }
        for (std::string const& rule : rules) {
            std::vector<double> agrees;
            std::vector<double> coin;
            std::vector<double> constant;
            std::vector<double> over;
            std::vector<std::size_t> cluster;
            for (std::size_t i = 0; i < problem.decisions.size(); ++i) {
                DecisionFinding const& decision = problem.decisions[i];
                auto const found = decision.thumb.find(rule);
                if (found == decision.thumb.end()) continue;
                agrees.push_back(found->second.agrees ? 1 : 0);
                coin.push_back(found->second.chance);
                constant.push_back(decision.chosen == usual[decision.seed] ? 1 : 0);
                over.push_back(agrees.back() - coin.back());
                cluster.push_back(clusters[i]);
            }
            if (cluster.empty()) continue;
            Difference const beyond = clustered_mean(over, cluster, bootstrap_of(in.settings));
            table.rows.push_back({problem.name, rule, count_value(cluster.size()), mean(agrees), mean(coin),
                                  mean(constant), beyond.point, beyond.low, beyond.high});
        }
    }
    table.notes = {
        "Decisions with a choice. Agrees: the policy's action is among those that the rule likes best. Coin: "
        "how often an action drawn from the allowed ones would be. Most frequent action: always that number, "
        "whatever the instance. To act like a rule is not to follow it."};
    return table;
}

} // namespace cax::study
