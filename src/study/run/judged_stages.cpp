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
    void add(std::string const& method, std::vector<double> const& scores) {
        if (!finite(scores)) return refuse(method, not_finite); // what a policy that looks ahead may not do has no lead
        json_["scores"][method] = records::by_family(info_, scores);
    }
    void refuse(std::string const& method, std::string_view status) { json_["status"][method] = status; }
    void add(std::string const& method, CellAttribution const& attribution) {
        if (attribution.status == AttributionStatus::computed)
            add(method, attribution.mass);
        else
            refuse(method, name_of(attribution.status));
    }
    void add(std::string const& method, FamilyScores const& scores) {
        std::vector<double> values;
        for (auto const& value : scores.values) values.push_back(value.value_or(0));
        if (scores.status == ScoreStatus::computed)
            add(method, values);
        else
            refuse(method, name_of(scores.status));
    }
    void add(std::string const& method, Sensitivity const& found) {
        std::vector<double> values;
        for (FamilySensitivity const& family : found.families) values.push_back(family.score);
        if (found.status == SensitivityStatus::computed)
            add(method, values);
        else
            refuse(method, name_of(found.status));
    }
    void add(std::string const& method, Swap const& found) {
        if (found.status != SwapStatus::computed) return refuse(method, name_of(found.status));
        if (!finite(found.phi) || !finite(found.single)) return refuse(method, not_finite);
        add(method, found.phi);
        json_[method] = {{"other", records::count(found.other)},
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

Result<Json> TaskWork::judged_cell(Policy const* policy, std::size_t step) {
    if (policy == nullptr) return Error{ErrorCode::unsupported, "there is no such twin of this policy"};
    SayingsRecord sayings(info());
    Cell cell = walk_.cells[step];
    if (!cell.runner_up()) {
        sayings.refuse("all", "no_choice");
        return sayings.take();
    }
    // Twins are asked about the same action, and the same pair of actions.
    auto const own = swap(*policy_.policy, cell);
    if (!own) return own.error();
    if (policy != policy_.policy) {
        Observation const seen = policy->observe(*cell.state);
        if (auto const ok = policy->accepts(seen); !ok) return ok.error();
        cell.log_probs = policy->log_probs(std::span(&seen, 1)).front();
        if (!std::isfinite(cell.log_probs[cell.action])) {
            sayings.refuse("all", "not_allowed"); // one policy looks ahead and the other does not
            return sayings.take();
        }
    }
    auto const sources = multipliers();
    if (!sources) return sources.error();
    for (AttributionMethod const method :
         {AttributionMethod::gradient, AttributionMethod::integrated, AttributionMethod::occlusion}) {
        auto const found = attribute(*policy, std::span(&cell, 1), judged_attribution(method));
        if (!found) return found.error();
        if (method == AttributionMethod::gradient) {
            for (std::size_t source : {0, 1}) { // proxy, lp
                sayings.add((**sources)[source].name, family_scores(found->front(), (**sources)[source].multipliers));
            }
        } else {
            sayings.add(std::string(cax::name_of(method)), found->front());
        }
    }
    if (policy == policy_.policy || !own->other) {
        sayings.add("swap", *own);
    } else if (!std::isfinite(cell.log_probs[*own->other])) {
        sayings.refuse("swap", "not_allowed");
    } else {
        auto const pair = swap(*policy, cell, {.other = own->other});
        if (!pair) return pair.error();
        sayings.add("swap", *pair);
    }
    for (std::uint32_t again : {0U, 1U}) {
        SensitivityOptions options;
        options.shots = settings_.judge.shots;
        options.seed = seed_for(30 + again);
        auto const found = sensitivity(*policy, cell, options);
        if (!found) return found.error();
        sayings.add(again == 0 ? "sensitivity" : "sensitivity, again", *found);
        if (policy != policy_.policy) break;
    }
    return sayings.take();
}

Json TaskWork::thumb_cell(std::size_t step) const {
    Thumb const found = thumb(walk_.cells[step]);
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
