#include "../fields.hpp"
#include "features.hpp"
#include "problem.hpp"
#include "state.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

constexpr double longest_usual_time = 20; // of the generator

constexpr std::array<FamilyWords, 2> words{{
    {"processing times", "how long the operations take, one after the other within a job"},
    {"machine choice", "how many machines can do an operation", "machine choices"},
}};

Json bar(std::size_t operation, std::size_t machine, double start, double end) {
    return {{"node", operation}, {"machine", machine}, {"start", start}, {"end", end}};
}

std::string short_label(Instance const& instance, std::size_t operation) {
    return fmt::format("{}.{}", instance.job_of(operation) + 1, instance.position_in_job(operation) + 1);
}

/// The operations that may start on a machine now, by machine.
Json queues(State const& state) {
    Instance const& instance = state.instance();
    auto const mask = state.action_mask();
    Json list = Json::array();
    for (std::size_t m = 0; m < instance.machine_count(); ++m) {
        Json nodes = Json::array();
        for (std::size_t j = 0; j < instance.job_count(); ++j) {
            if (mask[1 + j * instance.machine_count() + m] != 0) nodes.push_back(state.next_operation(j));
        }
        list.push_back({{"machine", m}, {"free_at", readable(state.busy_until()[m])}, {"nodes", std::move(nodes)}});
    }
    return list;
}

class FjspPresentation final : public Presentation {
public:
    [[nodiscard]] std::span<FamilyWords const> families() const override { return words; }
    [[nodiscard]] std::string node_label(cax::Instance const& any, std::size_t node) const override {
        return static_cast<Instance const&>(any).operation_label(node);
    }
    [[nodiscard]] std::string node_short(cax::Instance const& any, std::size_t node) const override {
        return short_label(static_cast<Instance const&>(any), node);
    }
    [[nodiscard]] std::size_t node_count(cax::Instance const& any) const override {
        return static_cast<Instance const&>(any).operation_count();
    }
    [[nodiscard]] std::optional<std::size_t> node_of(cax::State const& any, std::size_t action) const override {
        auto const& state = static_cast<State const&>(any);
        if (action == 0) return std::nullopt;
        return state.next_operation((action - 1) / state.instance().machine_count());
    }

    [[nodiscard]] std::string describe_action(cax::State const& state, std::size_t action) const override {
        return static_cast<State const&>(state).describe_action(action);
    }
    [[nodiscard]] std::vector<Slack> slacks(cax::State const& state, std::size_t action) const override {
        return static_cast<State const&>(state).slacks(action);
    }
    [[nodiscard]] std::string describe_entry(cax::Instance const& instance, std::size_t tensor,
                                             std::size_t index) const override {
        return static_cast<Instance const&>(instance).describe_entry(tensor, index);
    }
    [[nodiscard]] std::string change_words(cax::Instance const& any, std::size_t tensor, std::size_t index,
                                           std::string_view from, std::string_view to) const override {
        auto const& instance = static_cast<Instance const&>(any);
        if (tensor == feature_num_eligible) {
            return fmt::format("the number of machines that can do {} were {} instead of {}",
                               instance.operation_label(index), to, from);
        }
        std::size_t const operations = instance.padded_operation_count();
        std::string const label = instance.operation_label(index % operations);
        std::size_t const machine = index / operations + 1;
        // A time of 0 is how instances say that a machine cannot do an operation.
        if (from == "0") return fmt::format("{} could also run on machine {}, in {}", label, machine, to);
        if (to == "0") return fmt::format("{} could not run on machine {}, where it takes {}", label, machine, from);
        return fmt::format("{} took {} instead of {} on machine {}", label, to, from, machine);
    }

    [[nodiscard]] Json scene(cax::Instance const& any) const override {
        auto const& instance = static_cast<Instance const&>(any);
        Json machines = Json::array();
        for (std::size_t m = 0; m < instance.machine_count(); ++m) machines.push_back(fmt::format("machine {}", m + 1));
        Json operations = Json::array();
        for (std::size_t o = 0; o < instance.operation_count(); ++o) {
            std::vector<std::string> facts;
            for (auto const& [machine, time] : instance.alternatives(o)) {
                facts.push_back(fmt::format("machine {}: {}", machine + 1, readable(time)));
            }
            operations.push_back({{"node", o},
                                  {"label", instance.operation_label(o)},
                                  {"short", short_label(instance, o)},
                                  {"job", instance.job_of(o)},
                                  {"position", instance.position_in_job(o)},
                                  {"facts", facts}});
        }
        return {{"kind", "schedule"}, {"machines", std::move(machines)}, {"operations", std::move(operations)}};
    }

    [[nodiscard]] Json moment(cax::State const& any, std::span<std::size_t const>) const override {
        auto const& state = static_cast<State const&>(any);
        Json bars = Json::array();
        Json done = Json::array();
        for (std::size_t o = 0; o < state.instance().operation_count(); ++o) {
            if (!state.scheduled(o)) continue;
            bars.push_back(
                bar(o, state.machine_of(o), readable(state.start_times()[o]), readable(state.finish_times()[o])));
            done.push_back(o);
        }
        return {{"clock", readable(state.time())},
                {"done", std::move(done)},
                {"bars", std::move(bars)},
                {"queues", queues(state)}};
    }

    [[nodiscard]] Json mark(cax::State const& any, std::size_t action) const override {
        auto const& state = static_cast<State const&>(any);
        auto const operation = node_of(any, action);
        if (!operation) return {{"node", nullptr}};
        std::size_t const machine = (action - 1) % state.instance().machine_count();
        double const start = state.time();
        return bar(*operation, machine, start, start + double{state.instance().time(machine, *operation)});
    }

    [[nodiscard]] Json drawing(cax::Instance const& any, Solution const& solution) const override {
        auto const& instance = static_cast<Instance const&>(any);
        auto const* const schedule = std::get_if<Schedule>(&solution);
        assert(schedule != nullptr);
        Json bars = Json::array();
        for (auto const& [operation, machine, start] : schedule->entries) {
            bars.push_back(bar(operation, machine, start, start + double{instance.time(machine, operation)}));
        }
        return {{"bars", std::move(bars)}};
    }

    [[nodiscard]] Result<InDomain> into_domain(InstancePtr const& any) const override {
        Data data = static_cast<Instance const&>(*any).data();
        double longest = 0;
        for (Job const& job : data.jobs) {
            for (Operation const& operation : job) {
                for (Alternative const& way : operation) longest = std::max(longest, double{way.time});
            }
        }
        if (longest <= longest_usual_time) return InDomain{.instance = any, .note = {}};
        double const scale = longest_usual_time / longest;
        data.shown = scale;
        auto instance = Instance::make(std::move(data));
        if (!instance) return instance.error();
        return InDomain{.instance = *std::move(instance),
                        .scale = scale,
                        .note =
                            fmt::format("The instance has times up to {:.6g}; policies are trained on times up to {}. "
                                        "The policy is shown times multiplied by {:.4g}; all numbers below are those "
                                        "of the file.",
                                        longest, longest_usual_time, scale)};
    }
};

} // namespace

Presentation const& presentation() {
    static FjspPresentation const instance;
    return instance;
}

} // namespace cax::fjsp
