// What every method says of a decision, in numbers per family: asked of the policy itself, of another trained one and
// of a network with random weights, about the same state and the same action. And which rules of thumb say the same.
#include "run/task_work.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/sensitivity.hpp"
#include "cax/explain/thumb.hpp"
#include "cax/records/parts.hpp"

#include <algorithm>
#include <cmath>

namespace cax::study {
namespace {

/// Scores of the methods that have any, and why the others have none.
class SayingsRecord {
public:
    explicit SayingsRecord(ProblemInfo const& info) : info_(info) {}
    void add(Method method, std::vector<double> const& scores) {
        if (!finite(scores)) return refuse(method, not_finite); // what a policy that looks ahead may not do has no lead
        json_["scores"][std::string(name_of(method))] = records::by_family(info_, scores);
    }
    void refuse(Method method, std::string_view status) { json_["status"][std::string(name_of(method))] = status; }
    /// No method has anything to say.
    void refuse_all(std::string_view status) { json_["status"]["all"] = status; }
    void add(Method method, DecisionAttribution const& attribution) {
        if (attribution.status == AttributionStatus::computed)
            add(method, attribution.mass);
        else
            refuse(method, name_of(attribution.status));
    }
    void add(Method method, FamilyScores const& scores) {
        std::vector<double> values;
        for (auto const& value : scores.values) values.push_back(value.value_or(0));
        if (scores.status == ScoreStatus::computed)
            add(method, values);
        else
            refuse(method, name_of(scores.status));
    }
    void add(Method method, Sensitivity const& found) {
        std::vector<double> values;
        for (FamilySensitivity const& family : found.families) values.push_back(family.score);
        if (found.status == SensitivityStatus::computed)
            add(method, values);
        else
            refuse(method, name_of(found.status));
    }
    void add(Method method, Swap const& found) {
        if (found.status != SwapStatus::computed) return refuse(method, name_of(found.status));
        if (!finite(found.phi) || !finite(found.single)) return refuse(method, not_finite);
        add(method, found.phi);
        json_[std::string(name_of(method))] = {{"other", records::count(found.other)},
                                               {"margin", found.margin},
                                               {"full", found.full},
                                               {"single", records::by_family(info_, found.single)}};
    }
    Json take() { return std::move(json_); }

private:
    static constexpr std::string_view not_finite = "not_finite";
    static bool finite(std::vector<double> const& values) {
        return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
    }

    ProblemInfo const& info_;
    Json json_ = {{"scores", Json::object()}, {"status", Json::object()}};
};

} // namespace

AttributionOptions TaskWork::judged_attribution(AttributionMethod method) const {
    AttributionOptions options;
    options.method = method;
    options.baseline = MaskingBaseline::mean;
    options.points = settings_.judge.points;
    options.nodes = false;
    options.threads = 1;
    return options;
}

Result<Json> TaskWork::decision(Asked asked, std::size_t step) {
    switch (asked) {
    case Asked::own: break;
    case Asked::sibling: return judged_cell(twins_.sibling, step);
    case Asked::untrained: return judged_cell(twins_.untrained, step);
    }
    return judged_cell(policy_.policy, step);
}

Result<Json> TaskWork::judged_cell(Policy const* policy, std::size_t step) {
    if (policy == nullptr) return Error{ErrorCode::unsupported, "there is no such twin of this policy"};
    SayingsRecord sayings(info());
    Decision decision = episode_.decisions[step];
    if (!decision.runner_up()) {
        sayings.refuse_all("no_choice");
        return sayings.take();
    }
    // Twins are asked about the same action, and the same pair of actions.
    auto const own = swap(*policy_.policy, decision);
    if (!own) return own.error();
    if (policy != policy_.policy) {
        Observation const seen = policy->observe(*decision.state);
        if (auto const ok = policy->accepts(seen); !ok) return ok.error();
        decision.log_probs = policy->log_probs(std::span(&seen, 1)).front();
        if (!std::isfinite(decision.log_probs[decision.action])) {
            sayings.refuse_all("not_allowed"); // one policy looks ahead and the other does not
            return sayings.take();
        }
    }
    auto const sources = multipliers();
    if (!sources) return sources.error();
    for (AttributionMethod const method :
         {AttributionMethod::gradient, AttributionMethod::integrated, AttributionMethod::occlusion}) {
        auto const found = attribute(*policy, std::span(&decision, 1), judged_attribution(method));
        if (!found) return found.error();
        if (method == AttributionMethod::gradient) {
            sayings.add(Method::proxy, family_scores(found->front(), (*sources)->at(Source::proxy)));
            sayings.add(Method::lp, family_scores(found->front(), (*sources)->at(Source::lp)));
        } else {
            sayings.add(method == AttributionMethod::integrated ? Method::integrated : Method::occlusion,
                        found->front());
        }
    }
    if (policy == policy_.policy || !own->other) {
        sayings.add(Method::swap, *own);
    } else if (!std::isfinite(decision.log_probs[*own->other])) {
        sayings.refuse(Method::swap, "not_allowed");
    } else {
        auto const pair = swap(*policy, decision, {.other = own->other});
        if (!pair) return pair.error();
        sayings.add(Method::swap, *pair);
    }
    for (std::uint32_t again : {0U, 1U}) {
        SensitivityOptions options;
        options.shots = settings_.judge.shots;
        options.seed = seed_for(30 + again);
        auto const found = sensitivity(*policy, decision, options);
        if (!found) return found.error();
        sayings.add(again == 0 ? Method::sensitivity : Method::sensitivity_again, *found);
        if (policy != policy_.policy) break;
    }
    return sayings.take();
}

Json TaskWork::thumb_cell(std::size_t step) const {
    Thumb const found = thumb(episode_.decisions[step]);
    Json json = {{"choice", found.choice}, {"action", found.action}, {"rules", Json::object()}};
    auto const rules = rules_of_thumb(*policy_.problem);
    for (std::size_t r = 0; r < found.rules.size(); ++r) {
        ThumbVerdict const& verdict = found.rules[r];
        json["rules"][std::string(rules[r].name)] = {{"agrees", verdict.agrees},
                                                     {"choice", verdict.choice},
                                                     {"equal", verdict.equal},
                                                     {"allowed", verdict.allowed}};
    }
    return json;
}

} // namespace cax::study
