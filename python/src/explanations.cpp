#include "run.hpp"
#include "values.hpp"

#include "cax/app/explain.hpp"
#include "cax/app/result.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/records/attribution.hpp"
#include "cax/records/counterfactual.hpp"
#include "cax/records/explanation.hpp"
#include "cax/records/subset.hpp"
#include "cax/report/page.hpp"

#include <chrono>
#include <pybind11/stl.h>

namespace cax::python {
namespace {

using Steps = std::vector<std::size_t>;

ProblemInfo const& info_of(EpisodeValue const& episode) { return episode.episode->instance->problem().info(); }

/// The chosen decisions; IndexError if there is no such decision.
std::vector<Decision> decisions_of(EpisodeValue const& episode, Steps const& steps) {
    std::vector<Decision> decisions;
    for (std::size_t const step : steps) {
        if (step >= episode.episode->decisions.size()) {
            throw py::index_error("step " + std::to_string(step) + ": the episode has " +
                                  std::to_string(episode.episode->decisions.size()) + " decisions");
        }
        decisions.push_back(episode.episode->decisions[step]);
    }
    return decisions;
}

py::dict arrays_of(ProblemInfo const& info, Features const& features) {
    py::dict result;
    for (std::size_t k = 0; k < features.size(); ++k) {
        result[py::str(std::string(info.tensors[k].name))] = to_numpy(features[k].shape, features[k].values);
    }
    return result;
}

EpisodeValue rollout(PolicyValue const& policy, InstanceValue const& value, std::size_t steps, bool keep_units,
                     Manner const& manner, py::dict const& keywords) {
    DecisionChoice choice;
    OptionTable table;
    table.choose({"encode"}, choice);
    set_options(table, keywords);
    StateOptions const state = choice.state_options();
    InstancePtr const instance = loaded(policy, {value}, keep_units).file.instances.front();
    auto found = run_result<Episode>(manner.progress, [&](Watch& watch) {
        return cax::rollout(WatchedPolicy(*policy.policy, watch), instance,
                            {.steps = steps, .state = state, .progress = watch.progress()});
    });
    return {std::make_shared<Episode const>(std::move(found)), policy.policy, policy.sha256};
}

py::dict attribute(PolicyValue const& policy, EpisodeValue const& episode, Steps const& steps, Manner const& manner,
                   py::dict const& keywords) {
    check_own_episode(policy, episode);
    AttributionRequest request;
    OptionTable table = table_of(request);
    set_options(table, keywords);
    or_raise(request.resolve(info_of(episode)));
    records::AttributedInstance all{*episode.episode, {}, {}};
    all.episode.decisions = decisions_of(episode, steps);
    all = run_result<records::AttributedInstance>(
        manner.progress, [&](Watch& watch) -> Result<records::AttributedInstance> {
            auto found = all;
            auto multipliers = compute_multipliers(*episode.episode->instance, request.multipliers);
            if (!multipliers) return multipliers.error();
            AttributionOptions options = request.attribution;
            options.threads = manner.threads;
            options.progress = watch.progress();
            auto decisions = cax::attribute(WatchedPolicy(*policy.policy, watch), found.episode.decisions, options);
            if (!decisions) return decisions.error();
            for (DecisionAttribution& decision : *decisions) found.steps.push_back(scored(std::move(decision), *multipliers));
            found.multipliers = *std::move(multipliers);
            return found;
        });
    auto result = to_python(records::attributed_json(info_of(episode), all)).cast<py::dict>();
    py::list nodes;
    for (ScoredAttribution const& step : all.steps) {
        std::vector<double> values;
        for (auto const& family : step.decision.nodes) values.insert(values.end(), family.begin(), family.end());
        std::size_t const families = step.decision.nodes.size();
        nodes.append(to_numpy({families, families == 0 ? 0 : values.size() / families}, values));
    }
    result["node_arrays"] = nodes;
    return result;
}

py::dict counterfactual(PolicyValue const& policy, EpisodeValue const& episode, std::size_t step, Manner const& manner,
                        py::dict const& keywords) {
    check_own_episode(policy, episode);
    CounterfactualRequest request;
    request.options.refine = true; // as in an explanation: somebody reads it
    OptionTable table = table_of(request);
    set_options(table, keywords);
    request.options.search.perturbation.seed = manner.seed;
    request.options.search.state_options = episode.episode->state;
    or_raise(request.resolve(info_of(episode)));
    (void)decisions_of(episode, {step});
    std::vector<FamilyAnswer> families;
    auto const answer =
        run_result<CounterfactualAnswer>(manner.progress, [&](Watch& watch) -> Result<CounterfactualAnswer> {
            WatchedPolicy const watched(*policy.policy, watch);
            auto found = answer_counterfactual(watched, *episode.episode, step, request.options);
            if (!found || !request.per_family) return found;
            auto each = answer_per_family(watched, *episode.episode, step, request.options);
            if (!each) return each.error();
            families = *std::move(each);
            return found;
        });
    auto result = to_python(records::decision_json(*episode.episode, answer)).cast<py::dict>();
    py::list family_list;
    for (FamilyAnswer const& each : families) family_list.append(to_python(records::family_json(*episode.episode, each)));
    result["families"] = family_list;
    result["change"] = py::none();
    result["changed_instance"] = py::none();
    if (SettledFlip const* const best = answer.best()) {
        result["change"] = arrays_of(info_of(episode), best->flip.change);
        if (best->flip.changed) result["changed_instance"] = InstanceValue{best->flip.changed};
    }
    return result;
}

py::list subset(PolicyValue const& policy, EpisodeValue const& episode, Steps const& steps, Manner const& manner,
                py::dict const& keywords) {
    check_own_episode(policy, episode);
    SubsetRequest request;
    if (!policy.policy->traits().differentiable) request.orders = {"occlusion"};
    request.subset.seed = manner.seed;
    request.subset.threads = manner.threads;
    OptionTable table = table_of(request);
    set_options(table, keywords);
    auto const orderings = value_or_raise(request.resolve(info_of(episode)));
    if (orderings.size() != 1) throw py::value_error("order: name one");
    auto const decisions = decisions_of(episode, steps);
    auto const found =
        run_result<std::vector<Subset>>(manner.progress, [&](Watch& watch) -> Result<std::vector<Subset>> {
            WatchedPolicy const watched(*policy.policy, watch);
            OrderingOptions ordering;
            if (request.published) ordering.fidelity = AttributionFidelity::published();
            ordering.points = request.points;
            ordering.threads = manner.threads;
            auto const orders =
                node_orders(watched, {&episode.episode->instance, 1}, decisions, orderings.front(), request.subset, ordering);
            if (!orders) return orders.error();
            SubsetOptions options = request.subset;
            options.progress = watch.progress();
            return sufficient_subsets(watched, decisions, *orders, options);
        });
    py::list list;
    for (std::size_t c = 0; c < decisions.size(); ++c) {
        auto entry = to_python(records::subset_decision_json(decisions[c], found[c], request.subset.curve)).cast<py::dict>();
        entry["order"] = orderings.front().name;
        list.append(entry);
    }
    return list;
}

/// How policy and instance came to be what they are: the settings of those options on the command line.
Json settings_of(PolicyValue const& policy, InstanceValue const& instance, bool keep_units) {
    app::LoadOptions options{.selection = {.places = {instance.number}},
                             .precision = policy.precision,
                             .keep_units = keep_units,
                             .read = instance.read};
    OptionTable table;
    table.choose({"instance", "precision", "keep-units", "read"}, options);
    return table.json();
}

/// A plan as solution files have it, or the actions of an episode.
ExternalPlan plan_of(Instance const& instance, py::object const& given) {
    if (py::isinstance<py::dict>(given)) {
        return {value_or_raise(solution_from_json(instance, to_json("solution", given))), {}, "the given plan"};
    }
    auto actions = given.cast<Steps>();
    auto solution = value_or_raise(instance.solution_of(actions));
    return {std::move(solution), std::move(actions), "the given plan"};
}

/// The result file, as text: Python keeps it for the page and reads it for its objects.
std::string explain(PolicyValue const& policy, InstanceValue const& instance, Steps const& steps, bool keep_units,
                    py::object const& plan, Manner const& manner, py::dict const& keywords) {
    ExplanationRequest request;
    request.of<parts::Sensitivity>().reference = usual_reference(policy);
    OptionTable table = table_of(request);
    set_options(table, keywords);
    request.decisions.steps = steps;
    auto const start = std::chrono::steady_clock::now();
    app::Loaded const all = loaded(policy, {instance}, keep_units);
    InstancePtr const& chosen = all.file.instances.front();
    std::optional<ExternalPlan> external;
    if (!plan.is_none()) external = plan_of(*chosen, plan);
    Episode episode;
    auto const found = run_result<Explanation>(manner.progress, [&](Watch& watch) -> Result<Explanation> {
        WatchedPolicy const watched(*policy.policy, watch);
        auto followed = app::episode_of(watched, chosen, request.decisions.state_options(), external);
        if (!followed) return followed.error();
        episode = *std::move(followed);
        auto options = app::explain_options(
            request, policy, watched,
            {.seed = manner.seed, .threads = manner.threads, .measuring = watch.progress()});
        if (!options) return options.error();
        options->progress = watch.progress();
        return cax::explain(watched, episode, *options);
    });
    std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - start;
    Json settings = table.json();
    settings["solution"] = external ? external->source : "";
    settings.update(settings_of(policy, instance, keep_units));
    app::ResultHead const head{
        .kind = "explanation", .command = "explain", .seed = manner.seed, .wall_seconds = spent.count()};
    auto notes = app::notes_about(all, all.scales.note, episode);
    Json const json =
        app::explanation_result(app::result_of(head, all, std::move(settings)), all, std::move(notes), found);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string page(std::string const& text) { return value_or_raise(report::page(Json::parse(text))); }

py::list decisions(EpisodeValue const& episode) {
    py::list list;
    for (Decision const& decision : episode.episode->decisions) {
        py::dict entry;
        entry["step"] = decision.step;
        entry["action"] = decision.action;
        entry["words"] = describe_action(*decision.state, decision.action);
        entry["log_probs"] = to_numpy({decision.log_probs.size()}, decision.log_probs);
        entry["runner_up"] = decision.runner_up();
        list.append(entry);
    }
    return list;
}

} // namespace

void check_own_episode(PolicyValue const& policy, EpisodeValue const& episode) {
    bool const same_file = !policy.sha256.empty() && policy.sha256 == episode.policy_sha256;
    if (policy.policy == episode.policy || same_file) return;
    auto const name = [](Policy const& each) { return each.info().network + " for " + each.info().problem; };
    throw py::value_error("the episode is of another policy (" + name(*episode.policy) + ", this one is " +
                          name(*policy.policy) + "): roll out this explainer's own");
}

void bind_explanations(py::module_& module) {
    py::class_<Manner>(module, "Manner").def(py::init<std::uint64_t, std::size_t, py::object>());
    py::class_<EpisodeValue>(module, "EpisodeValue")
        .def_property_readonly("instance", [](EpisodeValue const& v) { return InstanceValue{v.episode->instance}; })
        .def_property_readonly("finished", [](EpisodeValue const& v) { return v.episode->finished; })
        .def_property_readonly("actions", [](EpisodeValue const& v) { return v.episode->actions(); })
        .def("decisions", &decisions)
        .def("state", [](EpisodeValue const& v, std::size_t step) {
            return StateValue{std::shared_ptr<State>(decisions_of(v, {step}).front().state->clone())};
        });
    module.def("rollout", &rollout);
    module.def("attribute", &attribute);
    module.def("counterfactual", &counterfactual);
    module.def("subset", &subset);
    module.def("explain", &explain);
    module.def("page", &page);
}

} // namespace cax::python
