#include "cax/problems/cvrptw/instance.hpp"

#include "../routing/fleet/fleet.hpp"
#include "fields.hpp"
#include "problem.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

constexpr routing::FleetFamilies families{capacity, time_window, spatial};

} // namespace

Instance::Instance(routing::Numbers numbers) : routing::Instance(std::move(numbers)) {
    auto const& columns = this->numbers().columns;
    data_ = {.name = name(),
             .capacity = columns[field_capacity][0],
             .locs = routing::to_pairs<Point>(columns[field_locs]),
             .demand = columns[field_demand],
             .time_windows = routing::to_pairs<Window>(columns[field_time_windows]),
             .durations = columns[field_durations],
             .integral_windows = this->numbers().whole_pairs};
}

Result<std::shared_ptr<Instance const>> Instance::make(Data data) {
    return routing::make_as<Instance>(cvrptw::problem(), {.name = std::move(data.name),
                                                          .columns = {routing::to_column(data.locs),
                                                                      data.demand,
                                                                      routing::to_column(data.time_windows),
                                                                      data.durations,
                                                                      {data.capacity}},
                                                          .whole_pairs = data.integral_windows});
}

Problem const& Instance::problem() const { return cvrptw::problem(); }

std::string Instance::description() const {
    return fmt::format("{} customers, vehicle capacity {}, depot open until {}", customers(), data_.capacity,
                       data_.time_windows[0].close);
}

StatePtr Instance::reset(StateOptions const&) const {
    return std::make_unique<State>(std::static_pointer_cast<Instance const>(shared_from_this()));
}

std::unique_ptr<LagrangianRelaxation> Instance::lagrangian() const { return routing::soft_tour(data_, families); }

Result<SearchResult> Instance::search(SearchOptions const& options) const {
    return routing::search_routes(*this, data_, options);
}

Result<DecisionModel> Instance::decision_model(Question const& question, Rounding rounding) const {
    return routing::fleet_model(*this, data_, families, question, rounding);
}

CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    return routing::check_fleet_answer(*this, solution, question);
}

Result<std::vector<Completion>> Instance::completions(CompletionRequest const& request) const {
    return routing::complete_routes(*this, data_, request);
}

} // namespace cax::cvrptw
