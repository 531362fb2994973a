#include "cax/study/plan.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cax::study {

std::vector<Task> tasks_of(StoreHeader const& header, Settings const& settings) {
    std::vector<Task> tasks;
    std::size_t number = 0;
    std::vector<std::size_t> counts;
    for (PolicyEntry const& p : header.policies) counts.push_back(instances_of(settings, p.problem));
    std::size_t const most = counts.empty() ? 0 : *std::ranges::max_element(counts);
    for (std::size_t instance = 0; instance < most; ++instance) {
        for (std::size_t policy = 0; policy < header.policies.size(); ++policy) {
            if (instance >= counts[policy]) continue;
            if (number++ % header.shard.count == header.shard.index) tasks.push_back({policy, instance});
        }
    }
    return tasks;
}

std::span<CounterfactualVariant const> counterfactual_variants() {
    static std::vector<CounterfactualVariant> const variants{
        {.search = Search::replay, .prefix = true},
        {.search = Search::frozen, .fidelity = {.state = StateMode::frozen}, .prefix = true},
        {.search = Search::truncate, .fidelity = {.state = StateMode::frozen, .truncate = true}},
        {.search = Search::envelope, .fidelity = {.envelope = Envelope::published}},
        // Decided by the policy's own, clipped logits, as every variant: clipping decides ties alone.
        {.search = Search::published,
         .fidelity = {.state = StateMode::frozen, .envelope = Envelope::published, .truncate = true}},
        {.search = Search::joint, .joint = true},
        {.search = Search::relative, .relative = true},
        {.search = Search::guided, .method = SearchMethod::guided},
        {.search = Search::one_number, .method = SearchMethod::one_number},
    };
    return variants;
}

CounterfactualVariant const& variant_of(Search search) {
    return *std::ranges::find(counterfactual_variants(), search, &CounterfactualVariant::search);
}

namespace {

/// Place of a policy among those of its problem.
std::size_t place_among_siblings(StoreHeader const& header, std::size_t policy) {
    return static_cast<std::size_t>(
        std::count_if(header.policies.begin(), header.policies.begin() + static_cast<std::ptrdiff_t>(policy),
                      [&](PolicyEntry const& p) { return p.problem == header.policies[policy].problem; }));
}

bool has_siblings(StoreHeader const& header, std::size_t policy) {
    return std::ranges::count(header.policies, header.policies[policy].problem, &PolicyEntry::problem) > 1;
}

} // namespace

std::vector<Stage> stages_of(StoreHeader const& header, Settings const& settings, Task const& task) {
    std::vector<Stage> stages{SingleStage::multipliers, SingleStage::attribution, SingleStage::sampler};
    for (CounterfactualVariant const& variant : counterfactual_variants()) {
        bool const asked = variant.method != SearchMethod::one_number || task.instance < settings.one_number.instances;
        if (asked) stages.emplace_back(variant.search);
    }
    stages.emplace_back(SingleStage::wachter);
    bool const with_subsets = place_among_siblings(header, task.policy) < settings.subset.policies &&
                              task.instance < settings.subset.instances;
    if (with_subsets) {
        for (Named<SubsetVariant> const& rule : names_of(SubsetVariant{})) stages.emplace_back(rule.value);
    }
    stages.emplace_back(SingleStage::gap);
    if (task.instance >= settings.judge.instances) return stages;
    stages.insert(stages.end(), {Intervention::noise, Intervention::redraw, Asked::own, Asked::untrained});
    if (has_siblings(header, task.policy)) stages.emplace_back(Asked::sibling);
    if (task.instance < settings.judge.curves) stages.emplace_back(SingleStage::curve);
    stages.emplace_back(SingleStage::thumb);
    return stages;
}

Result<std::vector<StageStatus>> status_of(Store const& store, Settings const& settings) {
    auto const rows = store.rows();
    if (!rows) return rows.error();
    struct Done {
        std::size_t decisions = 0;
        std::size_t failed = 0;
        std::size_t steps = 0; ///< of a episode
    };
    std::map<std::tuple<std::string, std::size_t, std::size_t, std::string>, Done> done;
    for (CellRow const& row : *rows) {
        Done& entry = done[{row.key.problem, row.key.seed, row.key.instance, row.key.stage}];
        ++entry.decisions;
        Json const json = Json::parse(row.result, nullptr, false);
        if (json.is_object() && json.contains("failed")) ++entry.failed;
        if (row.key.stage != stage_name(walk_stage) || !json.is_object() || json.contains("failed")) continue;
        auto const steps = json.find("steps");
        if (steps == json.end() || !steps->is_number_unsigned()) {
            return Error{ErrorCode::file_malformed,
                         fmt::format("cell {} seed {} instance {} {}: steps: not a count", row.key.problem,
                                     row.key.seed, row.key.instance, row.key.stage)};
        }
        entry.steps = steps->get<std::size_t>();
    }
    std::vector<StageStatus> status;
    auto const entry_of = [&](PolicyEntry const& p, std::string const& stage) -> StageStatus& {
        auto const found = std::ranges::find_if(status, [&](StageStatus const& s) {
            return s.problem == p.problem && s.seed == p.seed && s.stage == stage;
        });
        if (found != status.end()) return *found;
        return status.emplace_back(StageStatus{p.problem, p.seed, stage});
    };
    StoreHeader const& header = store.header();
    for (Task const& task : tasks_of(header, settings)) {
        PolicyEntry const& p = header.policies[task.policy];
        auto const of_stage = [&](Stage const& stage) {
            return done[{p.problem, p.seed, task.instance, stage_name(stage)}];
        };
        Done const episode = of_stage(walk_stage);
        std::size_t const steps = episode.decisions > 0 ? episode.steps : settings.steps;
        auto const add = [&](Stage const& stage, std::size_t expected) {
            Done const decisions = of_stage(stage);
            StageStatus& entry = entry_of(p, stage_name(stage));
            entry.done += decisions.decisions;
            entry.failed += decisions.failed;
            entry.expected += expected;
        };
        add(walk_stage, 1);
        for (Stage const& stage : stages_of(header, settings, task)) add(stage, is_whole_instance(stage) ? 1 : steps);
    }
    return status;
}

std::size_t missing_cells(std::vector<StageStatus> const& status) {
    std::size_t missing = 0;
    for (StageStatus const& s : status) missing += s.expected - std::min(s.expected, s.done);
    return missing;
}

Result<Settings> settings_of(Store const& store) {
    return settings_from_json(Json::parse(store.header().settings, nullptr, false));
}

} // namespace cax::study
