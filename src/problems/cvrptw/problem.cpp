#include "problem.hpp"

#include "families.hpp"
#include "formats.hpp"
#include "generator.hpp"

#include "cax/problems/cvrptw/instance.hpp"

namespace cax::cvrptw {
namespace {

ProblemInfo make_info() {
    return {
        .name = "cvrptw",
        .title = "capacitated vehicle routing with time windows",
        .objective = Objective::minimise,
        .cost_word = "length",
        .node_word = "customer",
        .default_size = "50",
        .size_hint = "N",
        .bound_option = "fleet",
        .bound_help = "at most K vehicles",
        .families = {"capacity", "time_window", "spatial"},
        .tensors =
            {{.name = "locs", .family = spatial, .budget = 30, .unit = "distance"},
             {.name = "demand", .family = capacity, .budget = 0.02, .node_offset = 1, .unit = "fraction of capacity"},
             {.name = "time_windows", .family = time_window, .budget = 30, .unit = "time"},
             {.name = "durations", .family = time_window, .budget = 0, .unit = "time"}},
        .generator_options = {std::begin(generator_options), std::end(generator_options)},
    };
}

class Cvrptw final : public Problem {
public:
    [[nodiscard]] ProblemInfo const& info() const override { return info_; }

    [[nodiscard]] Result<InstancePtr> from_json(Json const& json) const override {
        auto instance = instance_from_json(json);
        if (!instance) return instance.error();
        return InstancePtr(*std::move(instance));
    }
    [[nodiscard]] bool recognises(NamedTensors const& tensors) const override {
        return tensors.contains("time_windows") && tensors.contains("demand") && tensors.contains("locs") &&
               tensors.contains("depot");
    }
    [[nodiscard]] Result<std::vector<InstancePtr>> from_tensors(NamedTensors const& tensors) const override {
        return instances_from_tensors(tensors);
    }
    [[nodiscard]] Result<NamedTensors> to_tensors(std::span<InstancePtr const> instances) const override {
        return instances_to_tensors(instances);
    }
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return cvrptw::text_formats(); }
    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        return cvrptw::generate(size, options, rng);
    }

private:
    ProblemInfo const info_ = make_info();
};

} // namespace

Problem const& problem() {
    static Cvrptw const instance;
    return instance;
}

} // namespace cax::cvrptw
