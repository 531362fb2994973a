// Deletion and insertion: what becomes of the probability of the chosen action as data are hidden (set to the mean over
// the nodes), the most important first, or shown again in that order. Once for families, where the probabilities of all
// sets of hidden families hold every method's curve; and once for nodes, for methods that order them.
#include "run/task_work.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/masking.hpp"
#include "cax/explain/subset.hpp"
#include "cax/records/parts.hpp"

#include <cmath>

namespace cax::study {
namespace {

constexpr std::size_t most_curved_families = 6;
constexpr std::size_t curve_parts = 5;

/// Probability of the chosen action for each of these features, mask and state as they are.
std::vector<double> probabilities(Policy const& policy, Decision const& decision, std::vector<Features> const& shown) {
    std::vector<Observation> seen;
    for (Features const& features : shown) seen.push_back(policy.observe(*decision.state, features));
    std::vector<double> found;
    for (LogProbs const& log_probs : policy.log_probs(seen)) found.push_back(std::exp(log_probs[decision.action]));
    return found;
}

/// Hidden prefixes of the order, then shown prefixes, in fifths.
std::vector<Features> along(Masking const& masking, Features const& clean, std::vector<std::size_t> const& order) {
    std::vector<Features> steps;
    for (bool const showing : {false, true}) {
        for (std::size_t part = 0; part <= curve_parts; ++part) {
            NodeSet kept(masking.nodes(), showing ? 0 : 1);
            for (std::size_t i = 0; i < order.size() * part / curve_parts; ++i) kept[order[i]] = showing ? 1 : 0;
            steps.push_back(clean);
            masking.hide(steps.back(), kept);
        }
    }
    return steps;
}

double mean_of_part(std::vector<double> const& values, std::size_t first) {
    double sum = 0;
    for (std::size_t i = 0; i <= curve_parts; ++i) sum += values[first + i];
    return sum / static_cast<double>(curve_parts + 1);
}

} // namespace

Result<Json> TaskWork::curve_cell(std::size_t step) {
    Decision const& decision = episode_.decisions[step];
    Json json = {{"families", Json::array()}, {"nodes", Json::object()}};
    if (!decision.runner_up()) return json;
    SubsetOptions hiding;
    hiding.baseline = MaskingBaseline::mean;
    hiding.sigma = settings_.subset.sigma;
    auto const masking = Masking::make(*decision.state, hiding);
    if (!masking) return masking.error();
    Features const clean = decision.state->features();
    Features hidden = clean;
    masking->hide(hidden, NodeSet(masking->nodes(), 0));
    std::size_t const families = info().families.size();
    std::vector<Features> sets;
    for (std::size_t set = 0; families <= most_curved_families && set < std::size_t{1} << families; ++set) {
        sets.push_back(clean);
        for (std::size_t t = 0; t < clean.size(); ++t) {
            if ((set >> info().tensors[t].family & 1) != 0) sets.back()[t] = hidden[t];
        }
    }
    json["families"] = probabilities(*policy_.policy, decision, sets);

    auto const sources = multipliers();
    if (!sources) return sources.error();
    Multipliers const& lp = (*sources)->at(Source::lp);
    std::vector<std::pair<Method, std::vector<std::size_t>>> orders;
    auto const& candidates = masking->candidates();
    for (AttributionMethod const method :
         {AttributionMethod::gradient, AttributionMethod::integrated, AttributionMethod::occlusion}) {
        AttributionOptions options = judged_attribution(method);
        options.nodes = true;
        auto const found = attribute(*policy_.policy, std::span(&decision, 1), options);
        if (!found) return found.error();
        DecisionAttribution const& here = found->front();
        if (here.status != AttributionStatus::computed) continue;
        bool const gradient = method == AttributionMethod::gradient;
        orders.emplace_back(gradient                                  ? Method::proxy
                            : method == AttributionMethod::integrated ? Method::integrated
                                                                      : Method::occlusion,
                            order_by_scores(candidates, here.node_totals()));
        FamilyScores const priced = family_scores(here, lp);
        if (!gradient || priced.status != ScoreStatus::computed) continue;
        DecisionAttribution scaled = here;
        for (std::size_t k = 0; k < families; ++k) {
            for (double& score : scaled.nodes[k]) score *= lp.families[k].value.value_or(0);
        }
        orders.emplace_back(Method::lp, order_by_scores(candidates, scaled.node_totals()));
    }
    orders.emplace_back(Method::random_order, random_order(candidates, decision, seed_for(40)));
    for (auto const& [method, order] : orders) {
        auto const values = probabilities(*policy_.policy, decision, along(*masking, clean, order));
        json["nodes"][std::string(name_of(method))] = {{"deletion", mean_of_part(values, 0)},
                                                       {"insertion", mean_of_part(values, curve_parts + 1)}};
    }
    return json;
}

} // namespace cax::study
