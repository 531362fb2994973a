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
    auto walks = walk(*policy_.policy, std::span(&instance_, 1), {.steps = settings_.steps});
    if (!walks) return walks.error().within(fmt::format("{} instance {}", policy_.entry.name, number_));
    walk_ = std::move(walks->front());
    // Random numbers are named by the cell's instance: its number in the study, not in this walk of one.
    for (Cell& cell : walk_.cells) cell.instance = number_;
    return {};
}

Json TaskWork::walk_json() const {
    return {{"steps", walk_.cells.size()}, {"finished", walk_.finished}, {"actions", walk_.actions()}};
}

Result<Json> TaskWork::run(std::string const& stage, std::size_t step) {
    if (stage == "multipliers") return multipliers_cell();
    if (stage == "attribution") return attribution_cell(step);
    if (stage == "wachter") return wachter_cell();
    if (stage == "gap") return gap_cell();
    if (stage == "truth/noise") return noise_truth_cell(step);
    if (stage == "truth/redraw") return redraw_truth_cell(step);
    if (stage == "judged/own") return judged_cell(policy_.policy, step);
    if (stage == "judged/sibling") return judged_cell(twins_.sibling, step);
    if (stage == "judged/untrained") return judged_cell(twins_.untrained, step);
    if (stage == "curve") return curve_cell(step);
    if (stage == "thumb") return thumb_cell(step);
    constexpr std::string_view subset = "subset/";
    if (stage.starts_with(subset)) return subset_cell(stage.substr(subset.size()), step);
    for (CounterfactualVariant const& variant : counterfactual_variants()) {
        if (stage != "counterfactual/" + variant.name) continue;
        return variant.relative ? relative_cell(step) : counterfactual_cell(variant, step);
    }
    return Error{ErrorCode::unsupported, "no stage " + stage};
}

namespace {

/// What stands behind the name of a source of multipliers.
MultiplierOptions multiplier_options(std::string_view source) {
    MultiplierOptions options;
    if (source == "proxy") options.backend = Backend::proxy;
    if (source == "subgrad") options.backend = Backend::subgrad;
    if (source == "lagrangian") options.backend = Backend::lagrangian;
    if (source == "lp-sum") options.aggregate = Aggregate::sum;
    if (source == "lp-max") options.aggregate = Aggregate::max;
    if (source == "lp-share") options.aggregate = Aggregate::share;
    if (source == "lp-least") options.vertex = DualVertex::least;
    options.dual_range = source == "lp";
    return options;
}

} // namespace

Result<std::vector<TaskWork::Source> const*> TaskWork::multipliers() {
    if (!sources_.empty()) return &sources_;
    std::vector<Source> sources;
    for (char const* name : {"proxy", "lp", "lp-sum", "lp-max", "lp-share", "lp-least", "subgrad", "lagrangian"}) {
        auto computed = compute_multipliers(*instance_, multiplier_options(name));
        // Not every problem has a Lagrangian relaxation: such a source then names nothing.
        bool const may_be_missing = sources.size() > 1;
        if (!computed && may_be_missing && computed.error().code == ErrorCode::unsupported) continue;
        if (!computed) return computed.error();
        sources.push_back({name, std::move(*computed)});
    }
    // The published code solves the batch's first instance alone and shares its duals.
    auto const first = generate(0);
    if (!first) return first.error();
    auto shared = compute_multipliers(**first, multiplier_options("lp-first"));
    if (!shared) return shared.error();
    sources.push_back({"lp-first", std::move(*shared)});
    sources_ = std::move(sources);
    return &sources_;
}

Result<Json> TaskWork::multipliers_cell() {
    auto const sources = multipliers();
    if (!sources) return sources.error();
    Json lambda = Json::object();
    Json gaps = Json::object();
    for (Source const& source : **sources) {
        Json& entry = lambda[source.name] = Json::object();
        for (std::size_t k = 0; k < source.multipliers.families.size(); ++k) {
            FamilyMultiplier const& family = source.multipliers.families[k];
            std::string const name(info().families[k]);
            entry[name] = records::number(family.value);
            if (family.status != FamilyStatus::computed) gaps[source.name][name] = name_of(family.status);
        }
    }
    std::vector<double> entries(info().families.size());
    Features const features = instance_->reset()->features();
    for (std::size_t t = 0; t < features.size(); ++t) {
        entries[info().tensors[t].family] += static_cast<double>(features[t].values.size());
    }
    Json json = {
        {"lambda", std::move(lambda)}, {"status", std::move(gaps)}, {"entries", records::by_family(info(), entries)}};
    if (auto const& lp = (**sources)[1].multipliers.lp) json["lp_objective"] = lp->objective;
    return json;
}

namespace {

/// The paper's reading, each difference of the published code by itself, and all of them.
AttributionOptions attribution_options(std::string_view kind) {
    AttributionOptions options;
    if (kind == "node") options.fidelity.mass = MassKind::node;
    if (kind == "raw") options.fidelity.log_prob = LogProbKind::raw;
    if (kind == "spent") options.fidelity.keep_spent_nodes = true;
    if (kind == "published") options.fidelity = AttributionFidelity::published();
    options.threads = 1;
    return options;
}

} // namespace

Result<std::vector<CellAttribution> const*> TaskWork::attribution(std::string const& kind) {
    auto found = attributions_.find(kind);
    if (found == attributions_.end()) {
        auto computed = attribute(*policy_.policy, walk_.cells, attribution_options(kind));
        if (!computed) return computed.error();
        found = attributions_.emplace(kind, std::move(*computed)).first;
    }
    return &found->second;
}

Result<Json> TaskWork::attribution_cell(std::size_t step) {
    auto const sources = multipliers();
    if (!sources) return sources.error();
    Cell const& cell = walk_.cells[step];
    Json json = {{"action", cell.action},
                 {"probability", std::exp(cell.log_probs[cell.action])},
                 {"margin", records::number(cell.margin())}};
    Json mass = Json::object();
    Json top = Json::object();
    for (char const* kind : {"paper", "node", "raw", "spent", "published"}) {
        auto const all = attribution(kind);
        if (!all) return all.error();
        CellAttribution const& here = (**all)[step];
        mass[kind] = records::by_family(info(), here.mass);
        bool const paper = std::string_view(kind) == "paper";
        bool const published = std::string_view(kind) == "published";
        if (paper) json["status"] = name_of(here.status);
        for (Source const& source : **sources) {
            bool const headline = source.name == "proxy" || source.name == "lp" || source.name == "subgrad";
            if (!paper && !published && !headline) continue;
            FamilyScores const scores = family_scores(here, source.multipliers);
            std::string const name = paper ? source.name : source.name + "/" + kind;
            top[name] =
                published ? Json(info().families[scores.top_or_first()]) : records::family_name(info(), scores.top);
        }
        if (!paper) continue;
        auto const unique = dual_unique(here, (**sources)[1].multipliers);
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
    std::pair<char const*, DecodeMode> const modes[] = {{"greedy", DecodeMode::greedy},
                                                        {"multistart", DecodeMode::multistart}};
    for (auto const& [name, mode] : modes) {
        auto const episodes = decode(*policy_.policy, std::span(&instance_, 1),
                                     {.mode = mode, .seed = seed_for(5) + number_, .threads = 1});
        if (!episodes) return episodes.error();
        auto const solution = instance_->solution_of(episodes->front().actions);
        if (!solution) return solution.error();
        CheckReport const report = instance_->check(*solution);
        if (!report.valid() && info().may_be_unsolvable) { // policies of such problems may break rules, at a price
            json["decode"][name] = {{"cost", report.cost}, {"gap", nullptr}, {"breaks", report.violations.front()}};
            continue;
        }
        if (!report.valid()) return Error{ErrorCode::mismatch, std::string(name) + ": " + report.violations.front()};
        auto const gap = optimality_gap(info().objective, report.cost, best->cost);
        if (!gap) return gap.error();
        json["decode"][name] = {{"cost", report.cost}, {"gap", *gap}};
    }
    return json;
}

} // namespace cax::study
