// The stages that change instances: counterfactuals in all their variants, and Wachter's.
#include "run/one_number.hpp"
#include "run/sampler_prediction.hpp"
#include "run/task_work.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/guided.hpp"
#include "cax/records/counterfactual.hpp"
#include "cax/records/parts.hpp"

namespace cax::study {
namespace {

/// How many entries each family has: what masses per dimension are divided by.
std::vector<double> family_dimensions(ProblemInfo const& info, Features const& change) {
    std::vector<double> dimensions(info.families.size());
    for (std::size_t t = 0; t < change.size(); ++t) {
        dimensions[info.tensors[t].family] += static_cast<double>(change[t].values.size());
    }
    return dimensions;
}

Features scaled(Features change, std::vector<double> const& scales) {
    for (std::size_t t = 0; t < change.size(); ++t) {
        for (double& value : change[t].values) value /= scales[t];
    }
    return change;
}

/// |zeta| per family under every norm, in the tensors' units and in units of their spread.
Json masses_json(ProblemInfo const& info, Instance const& instance, Features const& change) {
    Features const relative = scaled(change, tensor_scales(instance));
    Json json = Json::object();
    for (Norm const norm : {Norm::l1, Norm::l2, Norm::linf}) {
        json[unit_name({norm, false})] = records::by_family(info, family_masses(info, change, norm));
        json[unit_name({norm, true})] = records::by_family(info, family_masses(info, relative, norm));
    }
    return json;
}

Json judged_flip(ProblemInfo const& info, Instance const& instance, std::size_t action, Flip const& flip) {
    Json json{{"flip", true}, {"action", action}};
    json.update(records::flip_json(info, flip));
    json["masses"] = masses_json(info, instance, flip.change);
    json["dimensions"] = records::by_family(info, family_dimensions(info, flip.change));
    return json;
}

} // namespace

CounterfactualOptions TaskWork::counterfactual_options() const {
    CounterfactualOptions options;
    options.shots = settings_.shots;
    options.perturbation.seed = seed_for(1);
    return options;
}

Result<Certificate> TaskWork::certified(std::size_t step, Flip const& flip, Certification mode) const {
    CertificationOptions options;
    options.mode = mode;
    // Only budgets that do not depend on the machine: the same decision on any computer.
    options.certifier.work = settings_.certify_work;
    options.certifier.seconds = 0;
    options.certifier.seed = counterfactual_options().perturbation.seed;
    return certify(*policy_.policy, episode_, step, flip, options);
}

Result<Json> TaskWork::decision(Search search, std::size_t step) {
    CounterfactualVariant const& variant = variant_of(search);
    switch (variant.method) {
    case SearchMethod::guided: return guided_cell(step);
    case SearchMethod::one_number: return one_number_cell(step);
    case SearchMethod::sampler: break;
    }
    return variant.relative ? relative_cell(step) : counterfactual_cell(variant, step);
}

Result<Json> TaskWork::certified_flip_json(std::size_t step, Flip const& flip) const {
    Json json = judged_flip(info(), *instance_, episode_.decisions[step].action, flip);
    auto const certificate = certified(step, flip, Certification::instance);
    if (!certificate) return certificate.error();
    json["certificate"]["instance"] = records::verdict_json(*certificate);
    return json;
}

Result<Json> TaskWork::counterfactual_cell(CounterfactualVariant const& variant, std::size_t step) {
    CounterfactualOptions options = counterfactual_options();
    options.fidelity = variant.fidelity;
    options.perturbation.joint = variant.joint;
    auto const found = find_counterfactual(*policy_.policy, episode_, step, options);
    if (!found) return found.error();
    Flip const* const flip = found->best();
    Json json = {
        {"flip", false}, {"action", found->action}, {"best_margin", records::number(found->report.best_margin)}};
    if (flip != nullptr) {
        auto described = certified_flip_json(step, *flip);
        if (!described) return described.error();
        json = *std::move(described);
    }
    json["shots"] = found->report.shots;
    json["passing"] = found->report.passing;
    json["forward_passes"] = found->report.forward_passes;
    if (flip == nullptr || !variant.prefix) return json;
    auto const certificate = certified(step, *flip, Certification::prefix);
    if (!certificate) return certificate.error();
    json["certificate"]["prefix"] = records::verdict_json(*certificate);
    return json;
}

/// The smallest flip if every tensor is measured by its own spread. A shot moves one tensor, so its size in those units
/// is its L1 divided by that tensor's spread.
Result<Json> TaskWork::relative_cell(std::size_t step) {
    CounterfactualOptions const options = counterfactual_options();
    auto const shots = evaluate_shots(*policy_.policy, episode_, step, options);
    if (!shots) return shots.error();
    auto const scales = tensor_scales(*instance_);
    ShotOutcome const* best = nullptr;
    auto const tensor_of = [&](ShotOutcome const& shot) { return shot.shot % scales.size(); };
    auto const size_of = [&](ShotOutcome const& shot) { return shot.l1 / scales[tensor_of(shot)]; };
    for (ShotOutcome const& shot : *shots) {
        if (!shot.feasible || !shot.flipped) continue;
        if (best == nullptr || size_of(shot) < size_of(*best)) best = &shot;
    }
    Json json = {{"flip", best != nullptr}, {"action", episode_.decisions[step].action}};
    if (best != nullptr) {
        TensorInfo const& tensor = info().tensors[tensor_of(*best)];
        json["new_action"] = records::count(best->action);
        json["l1"] = best->l1;
        json["relative_l1"] = size_of(*best);
        json["tensor"] = tensor.name;
        json["family"] = info().families[tensor.family];
    }
    json["shots"] = shots->size();
    return json;
}

/// Under the same budgets and the same envelope as the sampler, but where the gradient of the policy points.
Result<Json> TaskWork::guided_cell(std::size_t step) {
    GuidedOptions options;
    options.search = counterfactual_options();
    options.passes = settings_.guided_passes;
    auto const found = find_guided(*policy_.policy, episode_, step, options);
    if (!found) return found.error();
    Json json = {{"flip", false}, {"action", found->action}};
    if (found->flip) {
        auto described = certified_flip_json(step, *found->flip);
        if (!described) return described.error();
        json = *std::move(described);
    }
    json["movable"] = found->entries;
    json["tried"] = found->tried;
    json["tried_together"] = found->tried_together;
    json["forward_passes"] = found->forward_passes;
    return json;
}

Result<Json> TaskWork::one_number_cell(std::size_t step) {
    OneNumberOptions const options{.search = counterfactual_options(),
                                   .levels = settings_.one_number.levels,
                                   .rounds = settings_.one_number.rounds};
    auto const found = find_one_number(*policy_.policy, episode_, step, options);
    if (!found) return found.error();
    Json json = {{"flip", false}, {"action", episode_.decisions[step].action}};
    if (found->flip) {
        auto described = certified_flip_json(step, *found->flip);
        if (!described) return described.error();
        json = *std::move(described);
    }
    json["movable"] = found->movable;
    json["none_at"] = found->none_at;
    json["tried"] = found->tried;
    return json;
}

Json TaskWork::sampler_cell(std::size_t step) const {
    SamplerPrediction const predicted = predict_sampler(*instance_, episode_.decisions[step], counterfactual_options());
    Json json = {{"possible", predicted.possible}, {"family", Json::object()}};
    for (auto const& [reading, name, help] : names_of(SamplerReading{})) {
        json["family"][std::string(name)] = records::family_name(info(), predicted.of(reading));
    }
    return json;
}

Result<Json> TaskWork::wachter_cell() {
    auto const count = count_wachter(*policy_.policy, std::span(&episode_, 1), counterfactual_options(), 1);
    if (!count) return count.error();
    return records::wachter_json(*count);
}

} // namespace cax::study
