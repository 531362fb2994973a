#include "problem.hpp"

#include "cax/problems/fjsp/instance.hpp"
#include "families.hpp"
#include "formats.hpp"
#include "generator.hpp"

namespace cax::fjsp {
namespace {

class FlexibleJobShop final : public Problem {
public:
    [[nodiscard]] ProblemInfo const& info() const override {
        static ProblemInfo const info{
            .name = "fjsp",
            .title = "flexible job shop scheduling",
            .objective = Objective::minimise,
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
                         .unit = "machines"}},
            .generator_options = {std::begin(generator_options), std::end(generator_options)},
        };
        return info;
    }
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
    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        return fjsp::generate(size, options, rng);
    }
};

} // namespace

Problem const& problem() {
    static FlexibleJobShop const instance;
    return instance;
}

} // namespace cax::fjsp
