#include "samples.hpp"

#include "finding.hpp"

#include "cax/core/json.hpp"
#include "cax/core/rng.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <array>

namespace cax::fuzz {
namespace {

std::vector<std::size_t> allowed_actions(State const& state) {
    std::vector<std::size_t> allowed;
    auto const mask = state.action_mask();
    for (std::size_t a = 0; a < mask.size(); ++a) {
        if (mask[a] != 0) allowed.push_back(a);
    }
    return allowed;
}

void play(Instance const& instance, Rng& rng) {
    auto const state = instance.reset({.allow_waiting = rng.below(2) == 1});
    for (int i = 0; i < 5 && !state->done(); ++i) {
        auto const allowed = allowed_actions(*state);
        std::size_t const action = allowed.empty() ? 0 : allowed[rng.below(allowed.size())];
        require(action_count(state->observe()) == state->action_mask().size(), "an observation of another size");
        require(!describe_action(*state, action).empty(), "an action without words");
        (void)slacks_of(*state, action);
        (void)envelope_violation(*state, state->features());
        state->step(action);
    }
    // Some tensors of the reference are quadratic in the number of nodes; a file may ask for ten thousand.
    if (state->features()[0].values.size() < 500) (void)tensors_of(*state);
}

} // namespace

std::vector<InstancePtr> some_instances(Problem const& problem) {
    std::vector<InstancePtr> instances;
    for (std::uint32_t i = 0; i < 2; ++i) {
        Rng rng(3, i);
        instances.push_back(*problem.generate(problem.info().size_hint == "N" ? "3" : "2x2", {}, rng));
    }
    return instances;
}

Solution some_solution(Instance const& instance) {
    auto const state = instance.reset();
    std::vector<std::size_t> actions;
    while (!state->done()) {
        actions.push_back(allowed_actions(*state).back());
        state->step(actions.back());
    }
    return *instance.solution_of(actions);
}

Json instances_json(Problem const& problem) {
    Json json{{"schema", "cax/instances/1"}, {"problem", problem.info().name}, {"instances", Json::array()}};
    for (auto const& instance : some_instances(problem)) json["instances"].push_back(to_json(*instance));
    return json;
}

Json best_known_json(Problem const& problem) {
    Json json{{"problems", {{"small", {{"instances", Json::array()}}}}}};
    for (auto const& instance : some_instances(problem)) {
        Json entry{{"index", json["problems"]["small"]["instances"].size()},
                   {"cost", 5.5},
                   {"optimal", false},
                   {"lower_bound", nullptr}};
        entry.update(solution_to_json(*instance, some_solution(*instance)));
        json["problems"]["small"]["instances"].push_back(entry);
    }
    return json;
}

std::string dump(Json const& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void use_instance(Instance const& instance, std::uint64_t moves) {
    Rng rng(moves);
    require(!instance.size().empty() && !instance.description().empty(), "an instance without words");
    auto const again = instance.problem().exchange().from_json(*io::parse_json(dump(to_json(instance))));
    require(again.has_value(), "what was read cannot be written: " + (again ? "" : again.error().message));
    require(dump(to_json(**again)) == dump(to_json(instance)), "what was written is read as something else");
    play(instance, rng);
    require(!instance.check(Routes{{{1, 2}, {99999}}}).valid(), "a customer that does not exist was served");
    require(!instance.check(Schedule{{{0, 0, 0}, {999999, 3, -1}}}).valid(), "an impossible schedule is valid");
    std::array<std::size_t, 4> const actions{0, 1, 2, 99999};
    if (auto const solution = instance.solution_of(actions); !solution) expect_readable(solution.error());
}

} // namespace cax::fuzz
