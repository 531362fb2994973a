#include "problem.hpp"

#include "../member_capabilities.hpp"
#include "cax/problems/fjsp/instance.hpp"
#include "families.hpp"
#include "state.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

namespace cax::fjsp {
namespace {

class Files final : public Exchange {
public:
    [[nodiscard]] Result<InstancePtr> from_json(Json const& json) const override {
        auto instance = instance_from_json(json);
        if (!instance) return instance.error();
        return InstancePtr(std::move(*instance));
    }
    [[nodiscard]] bool recognises(NamedTensors const& tensors) const override {
        return tensors.contains("proc_times") && tensors.contains("start_op_per_job");
    }
    [[nodiscard]] Result<std::vector<InstancePtr>> from_tensors(NamedTensors const& tensors) const override {
        return instances_from_tensors(tensors);
    }
    [[nodiscard]] Result<NamedTensors> to_tensors(std::span<InstancePtr const> instances) const override {
        return instances_to_tensors(instances);
    }
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return fjsp::text_formats(); }
    [[nodiscard]] Json to_json(cax::Instance const& instance) const override {
        return static_cast<Instance const&>(instance).to_json();
    }
    [[nodiscard]] Json solution_to_json(cax::Instance const& instance, Solution const& solution) const override {
        return static_cast<Instance const&>(instance).solution_to_json(solution);
    }
    [[nodiscard]] Result<Solution> solution_from_json(cax::Instance const& instance, Json const& json) const override {
        return static_cast<Instance const&>(instance).solution_from_json(json);
    }
    [[nodiscard]] Result<std::vector<std::size_t>> actions(cax::Instance const& instance, Solution const& solution,
                                                           std::span<std::size_t const>) const override {
        return static_cast<Instance const&>(instance).actions_of(std::get<Schedule>(solution));
    }
    [[nodiscard]] NamedTensors tensors(cax::State const& state) const override {
        return static_cast<State const&>(state).tensors();
    }
};

class Prices final : public MemberCompletions<Instance> {
public:
    [[nodiscard]] ActionNumbers numbers(cax::State const& state, std::size_t action) const override {
        auto const& own = static_cast<State const&>(state);
        if (action == 0) return {};
        std::size_t const machines = own.instance().machine_count();
        double const time =
            double{own.instance().time((action - 1) % machines, own.next_operation((action - 1) / machines))};
        if (time == 0) return {}; // the machine cannot do it
        return {.extra = {}, .start = double{own.time()}, .end = double{own.time()} + time};
    }
};

class FlexibleJobShop final : public Problem {
public:
    [[nodiscard]] ProblemInfo const& info() const override {
        static ProblemInfo const info{
            .name = "fjsp",
            .title = "flexible job shop scheduling",
            .cost_word = "makespan",
            .node_word = "operation",
            .default_size = "10x5",
            .size_hint = "JxM",
            .bound_option = "horizon",
            .bound_help = "everything finished by time H",
            .bound_is_cost = true,
            .families = {"precedence", "eligibility"},
            .tensors = {{.name = "proc_times",
                         .family = precedence,
                         .budget = 20,
                         .node_axis = 1,
                         .node_offset = 0,
                         .unit = "time"},
                        {.name = "num_eligible",
                         .family = eligibility,
                         .budget = 1,
                         .node_axis = 0,
                         .node_offset = 0,
                         .unit = "machines",
                         .derived = true}},
            .generator_options = generator_options(),
        };
        return info;
    }
    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        return fjsp::generate(size, options, rng);
    }
    [[nodiscard]] Exchange const& exchange() const override { return exchange_; }
    [[nodiscard]] Presentation const& presentation() const override { return fjsp::presentation(); }
    [[nodiscard]] Changes const* changes() const override { return &changes_; }
    [[nodiscard]] Pricing const* pricing() const override { return &pricing_; }
    [[nodiscard]] Questions const* questions() const override { return &questions_; }
    [[nodiscard]] Completions const* completions() const override { return &completions_; }
    [[nodiscard]] Noise const* noise() const override { return &fjsp::noise(); }
    [[nodiscard]] RulesOfThumb const* thumb() const override { return &fjsp::thumb(); }

private:
    Files const exchange_{};
    MemberChanges<Instance, State> const changes_{};
    MemberPricing<Instance> const pricing_{};
    MemberQuestions<Instance> const questions_{};
    Prices const completions_{};
};

} // namespace

Problem const& problem() {
    static FlexibleJobShop const instance{};
    return instance;
}

} // namespace cax::fjsp
