#include "problem.hpp"

#include "../member_capabilities.hpp"
#include "families.hpp"
#include "formats.hpp"
#include "generator.hpp"
#include "presentation.hpp"
#include "state.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include "cax/problems/op/instance.hpp"

namespace cax::op {
namespace {

ProblemInfo make_info() {
    return {
        .name = "op",
        .title = "orienteering problem",
        .objective = Objective::maximise,
        .cost_word = "prize",
        .node_word = "customer",
        .default_size = "20",
        .size_hint = "N",
        .bound_option = "min-prize",
        .bound_help = "a prize of at least P",
        .bound_is_cost = true,
        .families = {"prize", "budget", "spatial"},
        .tensors = {{.name = "locs", .family = spatial, .budget = 0.3, .unit = "distance"},
                    {.name = "prize", .family = prize, .budget = 0.5, .unit = "prize"},
                    {.name = "max_length", .family = budget, .budget = 0, .unit = "distance"}},
        .generator_options = {std::begin(generator_options), std::end(generator_options)},
    };
}

class Files final : public Exchange {
public:
    [[nodiscard]] Result<InstancePtr> from_json(Json const& json) const override {
        auto instance = instance_from_json(json);
        if (!instance) return instance.error();
        return InstancePtr(*std::move(instance));
    }
    [[nodiscard]] bool recognises(NamedTensors const& tensors) const override {
        return tensors.contains("prize") && tensors.contains("max_length") && tensors.contains("locs") &&
               !tensors.contains("time_windows");
    }
    [[nodiscard]] Result<std::vector<InstancePtr>> from_tensors(NamedTensors const& tensors) const override {
        return instances_from_tensors(tensors);
    }
    [[nodiscard]] Result<NamedTensors> to_tensors(std::span<InstancePtr const> instances) const override {
        return instances_to_tensors(instances);
    }
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return op::text_formats(); }
    [[nodiscard]] Json to_json(cax::Instance const& instance) const override {
        return static_cast<Instance const&>(instance).to_json();
    }
    [[nodiscard]] Json solution_to_json(cax::Instance const& instance, Solution const& solution) const override {
        return static_cast<Instance const&>(instance).solution_to_json(solution);
    }
    [[nodiscard]] Result<Solution> solution_from_json(cax::Instance const& instance, Json const& json) const override {
        return static_cast<Instance const&>(instance).solution_from_json(json);
    }
    [[nodiscard]] NamedTensors tensors(cax::State const& state) const override {
        return static_cast<State const&>(state).tensors();
    }
};

class Op final : public Problem {
public:
    [[nodiscard]] ProblemInfo const& info() const override { return info_; }

    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        return op::generate(size, options, rng);
    }
    [[nodiscard]] Exchange const& exchange() const override { return exchange_; }
    [[nodiscard]] Presentation const& presentation() const override { return op::presentation(); }
    [[nodiscard]] Changes const* changes() const override { return &changes_; }
    [[nodiscard]] Pricing const* pricing() const override { return &pricing_; }
    [[nodiscard]] Questions const* questions() const override { return &questions_; }

private:
    ProblemInfo const info_ = make_info();
    Files const exchange_;
    MemberChanges<Instance, State> const changes_;
    MemberPricing<Instance> const pricing_;
    MemberQuestions<Instance> const questions_;
};

} // namespace

Problem const& problem() {
    static Op const instance;
    return instance;
}

} // namespace cax::op
