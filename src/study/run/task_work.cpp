// The task itself, and its shorter stages: multipliers, attribution, gap.
#include "run/task_work.hpp"

#include "cax/baselines/gap.hpp"
#include "cax/core/json.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/questions.hpp"
#include "cax/records/parts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::study {

std::uint64_t instance_seed(Settings const& settings, std::size_t policy_seed) { return settings.seed + policy_seed; }

Result<InstancePtr> TaskWork::generate(std::size_t number) const {
    if (!policy_.instances.empty()) return policy_.instances[number];
    // As `cax generate` does it, so that anyone can have the instances as a file.
    Rng rng(instance_seed(settings_, policy_.entry.seed), static_cast<std::uint32_t>(number));
    auto instance = policy_.problem->generate(policy_.entry.size, {}, rng);
    if (!instance) return instance.error().within(fmt::format("{} instance {}", policy_.entry.problem, number));
    return instance;
}

std::uint64_t TaskWork::seed_for(std::uint32_t purpose) const {
    constexpr std::uint32_t study_streams = 0x57d1;
    return Rng(settings_.seed, static_cast<std::uint32_t>(policy_.entry.seed), purpose, study_streams).next_u64();
}

Result<void> TaskWork::begin() {
    auto made = generate(number_);
    if (!made) return made.error();
    instance_ = std::move(*made);
    auto episodes = rollout(*policy_.policy, std::span(&instance_, 1), {.steps = settings_.steps});
    if (!episodes) return episodes.error().within(fmt::format("{} instance {}", policy_.entry.name, number_));
    episode_ = std::move(episodes->front());
    // Random numbers are named by the decision's instance: its number in the study, not in this episode of one.
    for (Decision& decision : episode_.decisions) decision.instance = number_;
    return {};
}

Json TaskWork::walk_json() const {
    return {{"steps", episode_.decisions.size()}, {"finished", episode_.finished}, {"actions", episode_.actions()}};
}

Result<Json> TaskWork::run(Stage const& stage, std::size_t step) {
    return std::visit([&](auto kind) { return decision(kind, step); }, stage);
}

Result<Json> TaskWork::decision(SingleStage stage, std::size_t step) {
    switch (stage) {
    case SingleStage::episode: break;
    case SingleStage::multipliers: return multipliers_cell();
    case SingleStage::attribution: return attribution_cell(step);
    case SingleStage::sampler: return sampler_cell(step);
    case SingleStage::wachter: return wachter_cell();
    case SingleStage::gap: return gap_cell();
    case SingleStage::curve: return curve_cell(step);
    case SingleStage::thumb: return thumb_cell(step);
    }
    return walk_json();
}

namespace {

/// What stands behind the name of a source of multipliers.
MultiplierOptions multiplier_options(Source source) {
    MultiplierOptions options;
    switch (source) {
    case Source::proxy: options.backend = Backend::proxy; break;
    case Source::lp: options.dual_range = true; break;
    case Source::lp_sum: options.aggregate = Aggregate::sum; break;
    case Source::lp_max: options.aggregate = Aggregate::max; break;
    case Source::lp_share: options.aggregate = Aggregate::share; break;
    case Source::lp_least: options.vertex = DualVertex::least; break;
    case Source::subgrad: options.backend = Backend::subgrad; break;
    case Source::lagrangian: options.backend = Backend::lagrangian; break;
    case Source::lp_first: break;
    }
    return options;
}

} // namespace

Result<TaskWork::MultiplierTable const*> TaskWork::multipliers() {
    if (!multipliers_.empty()) return &multipliers_;
    // The published code solves the batch's first instance alone and shares its duals.
    auto const first = generate(0);
    if (!first) return first.error();
    MultiplierTable found;
    for (auto const& [source, name, help] : names_of(Source{})) {
        Instance const& instance = source == Source::lp_first ? **first : *instance_;
        auto computed = compute_multipliers(instance, multiplier_options(source));
        // Not every problem has a Lagrangian relaxation: such a source then names nothing.
        bool const needed = source == Source::proxy || source == Source::lp || source == Source::lp_first;
        if (!computed && !needed && computed.error().code == ErrorCode::unsupported) continue;
        if (!computed) return computed.error();
        found.emplace(source, std::move(*computed));
    }
    multipliers_ = std::move(found);
    return &multipliers_;
}

Result<Json> TaskWork::multipliers_cell() {
    auto const sources = multipliers();
    if (!sources) return sources.error();
    Json lambda = Json::object();
    Json gaps = Json::object();
    for (auto const& [source, multipliers] : **sources) {
        std::string const source_name(name_of(source));
        Json& entry = lambda[source_name] = Json::object();
        for (std::size_t k = 0; k < multipliers.families.size(); ++k) {
            FamilyMultiplier const& family = multipliers.families[k];
            std::string const name(info().families[k]);
            entry[name] = records::number(family.value);
            if (family.status != FamilyStatus::computed) gaps[source_name][name] = name_of(family.status);
        }
    }
    std::vector<double> entries(info().families.size());
    Features const features = instance_->reset()->features();
    for (std::size_t t = 0; t < features.size(); ++t) {
        entries[info().tensors[t].family] += static_cast<double>(features[t].values.size());
    }
    Json json = {
        {"lambda", std::move(lambda)}, {"status", std::move(gaps)}, {"entries", records::by_family(info(), entries)}};
    if (auto const& lp = (*sources)->at(Source::lp).lp) json["lp_objective"] = lp->objective;
    return json;
}

namespace {

AttributionOptions attribution_options(MassReading reading) {
    AttributionOptions options;
    switch (reading) {
    case MassReading::paper: break;
    case MassReading::node: options.fidelity.mass = MassKind::node; break;
    case MassReading::raw: options.fidelity.log_prob = LogProbKind::raw; break;
    case MassReading::spent: options.fidelity.keep_spent_nodes = true; break;
    case MassReading::published: options.fidelity = AttributionFidelity::published(); break;
    }
    options.threads = 1;
    return options;
}

} // namespace

Result<std::vector<DecisionAttribution> const*> TaskWork::attribution(MassReading reading) {
    auto found = attributions_.find(reading);
    if (found == attributions_.end()) {
        auto computed = attribute(*policy_.policy, episode_.decisions, attribution_options(reading));
        if (!computed) return computed.error();
        found = attributions_.emplace(reading, std::move(*computed)).first;
    }
    return &found->second;
}

Result<Json> TaskWork::attribution_cell(std::size_t step) {
    auto const sources = multipliers();
    if (!sources) return sources.error();
    Decision const& decision = episode_.decisions[step];
    Json json = {{"action", decision.action},
                 {"probability", std::exp(decision.log_probs[decision.action])},
                 {"margin", records::number(decision.margin())}};
    Json mass = Json::object();
    Json top = Json::object();
    for (auto const& [reading, name, help] : names_of(MassReading{})) {
        auto const all = attribution(reading);
        if (!all) return all.error();
        DecisionAttribution const& here = (**all)[step];
        mass[std::string(name)] = records::by_family(info(), here.mass);
        bool const paper = reading == MassReading::paper;
        bool const published = reading == MassReading::published;
        if (paper) json["status"] = name_of(here.status);
        for (auto const& [source, multipliers] : **sources) {
            bool const headline = source == Source::proxy || source == Source::lp || source == Source::subgrad;
            if (!paper && !published && !headline) continue;
            FamilyScores const scores = family_scores(here, multipliers);
            top[attributor_name({source, reading})] =
                published ? Json(info().families[scores.top_or_first()]) : records::family_name(info(), scores.top);
        }
        if (!paper) continue;
        auto const unique = dual_unique(here, (*sources)->at(Source::lp));
        json["dual"] = unique ? Json(name_of(*unique)) : Json(nullptr);
    }
    json["mass"] = std::move(mass);
    json["top"] = std::move(top);
    return json;
}

Result<Json> TaskWork::gap_cell() {
    SearchOptions search;
    search.seconds = 1e9; // iterations alone, so that the machine does not matter
    search.iterations = settings_.search_iterations;
    search.seed = seed_for(4);
    auto const best = cax::search(*instance_, search);
    if (!best) return best.error();
    Json json = {{"best_known", best->cost}, {"optimal", best->optimal}, {"decode", Json::object()}};
    for (DecodeMode const mode : {DecodeMode::greedy, DecodeMode::multistart}) {
        std::string const name(name_of(mode));
        auto const solved = solve(*policy_.policy, std::span(&instance_, 1),
                                  {.mode = mode, .seed = seed_for(5) + number_, .threads = 1});
        if (!solved) return solved.error();
        CheckReport const& report = solved->front().report;
        if (!report.valid() && info().may_be_unsolvable) { // policies of such problems may break rules, at a price
            json["decode"][name] = {{"cost", report.cost}, {"gap", nullptr}, {"breaks", report.violations.front()}};
            continue;
        }
        if (!report.valid()) return Error{ErrorCode::mismatch, name + ": " + report.violations.front()};
        auto const gap = optimality_gap(info().objective, report.cost, best->cost);
        if (!gap) return gap.error();
        json["decode"][name] = {{"cost", report.cost}, {"gap", *gap}};
    }
    return json;
}

} // namespace cax::study
