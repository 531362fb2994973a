#include "cax/problems/cvrp/instance.hpp"

#include "../routing/fleet/fleet.hpp"
#include "fields.hpp"
#include "problem.hpp"
#include "state.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::cvrp {
namespace {

constexpr routing::FleetFamilies families{capacity, no_family, spatial};

} // namespace

Instance::Instance(routing::Numbers numbers) : routing::Instance(std::move(numbers)) {
    auto const& columns = this->numbers().columns;
    data_ = {.name = name(),
             .capacity = columns[field_capacity][0],
             .locs = routing::to_pairs<Point>(columns[field_locs]),
             .demand = columns[field_demand]};
}

Result<std::shared_ptr<Instance const>> Instance::make(Data data) {
    return routing::make_as<Instance>(
        cvrp::problem(),
        {.name = std::move(data.name), .columns = {routing::to_column(data.locs), data.demand, {data.capacity}}});
}

Problem const& Instance::problem() const { return cvrp::problem(); }

std::string Instance::description() const {
    return fmt::format("{} customers, vehicle capacity {}", customers(), data_.capacity);
}

StatePtr Instance::reset(StateOptions const&) const {
    return std::make_unique<State>(std::static_pointer_cast<Instance const>(shared_from_this()));
}

routing::FleetData Instance::fleet() const {
    // No route is longer than going to each customer and back.
    double day = 1;
    for (Point const& place : data_.locs) day += 4 * routing::exact_distance(data_.locs[0], place);
    return {.name = {},
            .capacity = data_.capacity,
            .locs = data_.locs,
            .demand = data_.demand,
            .time_windows = std::vector(nodes(), routing::Window{0, static_cast<float>(day)}),
            .durations = std::vector<float>(nodes(), 0)};
}

std::unique_ptr<LagrangianRelaxation> Instance::lagrangian() const { return routing::soft_tour(fleet(), families); }

Result<SearchResult> Instance::search(SearchOptions const& options) const {
    return routing::search_routes(*this, fleet(), options);
}

Result<DecisionModel> Instance::decision_model(Question const& question, Rounding rounding) const {
    return routing::fleet_model(*this, fleet(), families, question, rounding);
}

CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    return routing::check_fleet_answer(*this, solution, question);
}

Result<std::vector<Completion>> Instance::completions(CompletionRequest const& request) const {
    return routing::complete_routes(*this, fleet(), request);
}

} // namespace cax::cvrp
