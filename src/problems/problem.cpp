#include "cax/problems/problem.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/noise.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/thumb.hpp"
#include "cax/problems/vehicle_model.hpp"

#include <array>
#include <fmt/format.h>

namespace cax {
namespace {

constexpr std::array encode_modes{
    Named<EncodeMode>{EncodeMode::once, "once", "on the state at the start, as in rl4co's own loop"},
    Named<EncodeMode>{EncodeMode::each_step, "each-step", "on the state as it is at every step"}};

} // namespace

NameTable<EncodeMode> names_of(EncodeMode) { return encode_modes; }

Error missing_capability(Problem const& problem, std::string_view what) {
    return {ErrorCode::unsupported, fmt::format("there is no {} for {}", what, problem.info().name)};
}

Result<InstancePtr> changed(Instance const& instance, Features const& change, ChangeKind kind) {
    if (auto const* changes = instance.problem().changes()) return changes->changed(instance, change, kind);
    return missing_capability(instance.problem(), "way to change an instance");
}

Adjustable adjustable(Instance const& instance, ChangeKind kind) {
    if (auto const* changes = instance.problem().changes()) return changes->adjustable(instance, kind);
    Adjustable none;
    for (Feature const& feature : instance.reset()->features()) none.emplace_back(feature.values.size(), 0);
    return none;
}

TensorUnits units_of(Instance const& instance, std::size_t tensor) {
    if (auto const* changes = instance.problem().changes()) return changes->units(instance, tensor);
    return {.unit = instance.problem().info().tensors[tensor].unit};
}

std::optional<std::string> envelope_violation(State const& state, Features const& features, Envelope rules) {
    auto const* changes = state.instance().problem().changes();
    return changes != nullptr ? changes->envelope_violation(state, features, rules) : std::nullopt;
}

Result<LinearProgram> relaxation_of(Instance const& instance) {
    if (auto const* pricing = instance.problem().pricing()) return pricing->relaxation(instance);
    return missing_capability(instance.problem(), "linear relaxation");
}

Result<LinearProgram> written_out_if_small(ArcProgram const& program) {
    if (program.nodes <= most_nodes_written_out) return written_out(program);
    return Error{ErrorCode::unsupported, fmt::format("linear relaxation: {} nodes are more than the {} that can be "
                                                     "written out",
                                                     program.nodes, most_nodes_written_out)};
}

std::optional<ArcProgram> arc_relaxation_of(Instance const& instance) {
    auto const* pricing = instance.problem().pricing();
    return pricing != nullptr ? pricing->arcs(instance) : std::nullopt;
}

Result<std::unique_ptr<LagrangianRelaxation>> lagrangian_of(Instance const& instance) {
    if (auto const* pricing = instance.problem().pricing()) {
        if (auto lagrangian = pricing->lagrangian(instance)) return lagrangian;
    }
    return missing_capability(instance.problem(), "Lagrangian relaxation");
}

Result<DecisionModel> decision_model_of(Instance const& instance, Question const& question, Rounding rounding) {
    if (auto const* questions = instance.problem().questions()) {
        return questions->decision_model(instance, question, rounding);
    }
    return missing_capability(instance.problem(), "decision model");
}

Result<SearchResult> search(Instance const& instance, SearchOptions const& options) {
    if (auto const* questions = instance.problem().questions()) return questions->search(instance, options);
    return missing_capability(instance.problem(), "classical search");
}

CheckReport check_answer(Instance const& instance, Solution const& solution, Question const& question) {
    if (auto const* questions = instance.problem().questions()) {
        return questions->check_answer(instance, solution, question);
    }
    CheckReport report = instance.check(solution);
    if (!question.prefix.empty()) report.violations.emplace_back("prefixes cannot be checked for this problem");
    if (question.bound) report.violations.emplace_back("bounds cannot be checked for this problem");
    return report;
}

std::optional<std::vector<std::size_t>> improved_episode(Instance const& instance, std::span<std::size_t const> actions,
                                                         std::uint64_t iterations, Rng& rng) {
    auto const* questions = instance.problem().questions();
    if (questions == nullptr) return std::nullopt;
    return questions->improved_episode(instance, actions, iterations, rng);
}

double cost_grain_of(Instance const& instance) {
    auto const* questions = instance.problem().questions();
    return questions != nullptr ? questions->cost_grain(instance) : 0;
}

Result<std::vector<NoiseUnit>> noise_units_of(Instance const& instance) {
    if (auto const* noise = instance.problem().noise()) return noise->noise_units(instance);
    return missing_capability(instance.problem(), "noise on data");
}

Result<StatePtr> disturbed(State const& state, std::size_t family, double size, Rng& rng) {
    Problem const& problem = state.instance().problem();
    if (auto const* noise = problem.noise()) return noise->disturbed(state, family, size, rng);
    return missing_capability(problem, "noise on data");
}

Result<StatePtr> Noise::redrawn(State const& state, std::size_t, Rng&) const {
    return missing_capability(state.instance().problem(), "fresh draw of data");
}

Result<StatePtr> redrawn(State const& state, std::size_t family, Rng& rng) {
    Problem const& problem = state.instance().problem();
    if (auto const* noise = problem.noise()) return noise->redrawn(state, family, rng);
    return missing_capability(problem, "fresh draws of data");
}

Result<std::vector<Completion>> completions_of(Instance const& instance, CompletionRequest const& request) {
    if (auto const* completions = instance.problem().completions()) return completions->completions(instance, request);
    return std::vector<Completion>(request.actions.size());
}

std::optional<VehicleModel> vehicle_model_of(Instance const& instance) {
    auto const* completions = instance.problem().completions();
    return completions != nullptr ? completions->vehicle_model(instance) : std::nullopt;
}

ActionNumbers numbers_of(State const& state, std::size_t action) {
    auto const* completions = state.instance().problem().completions();
    return completions != nullptr ? completions->numbers(state, action) : ActionNumbers{};
}

std::vector<ThumbRule> rules_of_thumb(Problem const& problem) {
    auto const* rules = problem.thumb();
    return rules != nullptr ? rules->thumb_rules() : std::vector<ThumbRule>();
}

Json to_json(Instance const& instance) { return instance.problem().exchange().to_json(instance); }

Json solution_to_json(Instance const& instance, Solution const& solution) {
    return instance.problem().exchange().solution_to_json(instance, solution);
}

Result<std::vector<std::size_t>> actions_of(Instance const& instance, Solution const& solution,
                                            std::span<std::size_t const> like) {
    CheckReport const report = instance.check(solution);
    if (!report.valid()) return Error{ErrorCode::invalid_value, "not a solution: " + report.violations.front()};
    return instance.problem().exchange().actions(instance, solution, like);
}

Result<ActionPlan> Exchange::action_plan(Instance const& instance, Solution const&, Rng*) const {
    return missing_capability(instance.problem(), "imitation of solutions");
}

Result<ActionPlan> action_plan_of(Instance const& instance, Solution const& solution, Rng* rng) {
    return instance.problem().exchange().action_plan(instance, solution, rng);
}

Result<Solution> solution_from_json(Instance const& instance, Json const& json) {
    return instance.problem().exchange().solution_from_json(instance, json);
}

NamedTensors tensors_of(State const& state) { return state.instance().problem().exchange().tensors(state); }

std::string describe_action(State const& state, std::size_t action) {
    return state.instance().problem().presentation().describe_action(state, action);
}

std::vector<Slack> slacks_of(State const& state, std::size_t action) {
    return state.instance().problem().presentation().slacks(state, action);
}

} // namespace cax
