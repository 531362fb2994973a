#include "cax/records/subset.hpp"

#include "cax/problems/presentation.hpp"
#include "cax/records/parts.hpp"

namespace cax::records {
namespace {

Json exact_json(ExactSubset const& exact) {
    return {{"size", exact.found ? Json(exact.nodes.size()) : Json(nullptr)},
            {"proven", exact.proven},
            {"size_at_least", exact.size_at_least},
            {"nodes", exact.nodes},
            {"empty_suffices", exact.empty_suffices},
            {"subsets_tested", exact.subsets_tested},
            {"forward_passes", exact.forward_passes},
            {"own", share_json(exact.own)},
            {"fresh", share_json(exact.fresh)}};
}

} // namespace

Json share_json(Preserved const& share) {
    return {{"rate", share.rate},
            {"lower_bound", share.lower_bound},
            {"hoeffding", share.hoeffding},
            {"samples", share.samples},
            {"preserved", share.preserved}};
}

Json subset_json(Subset const& subset, bool curve) {
    Json json = {{"instance", subset.instance},
                 {"step", subset.step},
                 {"action", subset.action},
                 {"forced", subset.forced},
                 {"accepted", subset.accepted},
                 {"size", subset.accepted ? Json(subset.size()) : Json(nullptr)},
                 {"nodes", subset.nodes},
                 {"nodes_in_all", subset.nodes_in_all},
                 {"margin", number(subset.margin)},
                 {"forward_passes", subset.forward_passes},
                 {"fixed_passes", subset.fixed_passes},
                 {"area_under_curve", curve ? number(subset.area_under_curve()) : Json(nullptr)}};
    json.update(share_json(subset.observed));
    if (subset.attempts > 0) json["attempts"] = subset.attempts;
    json["tests"] = Json::array();
    for (SizeTest const& test : subset.tests) {
        json["tests"].push_back({{"size", test.size}, {"samples", test.samples}, {"preserved", test.preserved}});
    }
    if (subset.exact) json["exact"] = exact_json(*subset.exact);
    return json;
}

Json subset_decision_json(Decision const& decision, Subset const& subset, bool curve) {
    Json json = subset_json(subset, curve);
    Instance const& instance = decision.state->instance();
    json["words"] = describe_action(*decision.state, decision.action);
    json["labels"] = Json::array();
    for (std::size_t const node : subset.nodes) {
        json["labels"].push_back(instance.problem().presentation().node_short(instance, node));
    }
    return json;
}

Json score_json(SubsetScore const& score) {
    Json json = {{"cells", score.decisions},
                 {"forced", score.forced},
                 {"accepted", score.accepted},
                 {"mean_size", score.mean_size},
                 {"median_size", score.median_size},
                 {"max_size", score.max_size},
                 {"mean_size_of_all", score.mean_size_of_all},
                 {"area_under_curve", number(score.area_under_curve)},
                 {"margin_accepted", number(score.margin_accepted)},
                 {"margin_rejected", number(score.margin_rejected)},
                 {"forward_passes", score.forward_passes},
                 {"fixed_passes", score.fixed_passes}};
    if (!score.exact) return json;
    SubsetScore::Exact const& exact = *score.exact;
    json["exact"] = {{"searched", exact.searched},
                     {"found", exact.found},
                     {"proven", exact.proven},
                     {"optimal", exact.optimal},
                     {"both", exact.both},
                     {"mean_size", exact.mean_size},
                     {"mean_walk_size", exact.mean_scan_size},
                     {"walk_missed", exact.scan_missed},
                     {"confirmed", exact.confirmed},
                     {"forward_passes", exact.forward_passes}};
    return json;
}

} // namespace cax::records
