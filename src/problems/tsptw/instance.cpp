#include "cax/problems/tsptw/instance.hpp"

#include "../routing/distances.hpp"
#include "../routing/tour/tour.hpp"
#include "fields.hpp"
#include "problem.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::tsptw {
namespace {

constexpr routing::TourFamilies families{.spatial = spatial, .time_window = time_window};

routing::TourData tour_of(Data const& data) {
    routing::TourData tour{.distance = routing::exact_distances(data.locs)};
    for (auto const& [open, close] : data.time_windows) {
        tour.open.push_back(open);
        tour.close.push_back(close);
    }
    return tour;
}

} // namespace

Instance::Instance(routing::Numbers numbers) : routing::Instance(std::move(numbers)) {
    auto const& columns = this->numbers().columns;
    data_ = {.name = name(),
             .locs = routing::to_pairs<Point>(columns[field_locs]),
             .time_windows = routing::to_pairs<Window>(columns[field_time_windows]),
             .whole_windows = this->numbers().whole_pairs};
}

Result<std::shared_ptr<Instance const>> Instance::make(Data data) {
    return routing::make_as<Instance>(
        tsptw::problem(), {.name = std::move(data.name),
                           .columns = {routing::to_column(data.locs), routing::to_column(data.time_windows)},
                           .whole_pairs = data.whole_windows});
}

Problem const& Instance::problem() const { return tsptw::problem(); }

std::string Instance::description() const {
    return fmt::format("{} customers with time windows, and a depot", customers());
}

StatePtr Instance::reset(StateOptions const&) const {
    return std::make_unique<State>(std::static_pointer_cast<Instance const>(shared_from_this()));
}

Result<SearchResult> Instance::search(SearchOptions const& options) const {
    return routing::search_tour(*this, tour_of(data_), options);
}

Result<DecisionModel> Instance::decision_model(Question const& question, Rounding rounding) const {
    return routing::tour_model(*this, tour_of(data_), families, question, rounding);
}

CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    return routing::check_tour_answer(*this, solution, question);
}

Result<std::vector<Completion>> Instance::completions(CompletionRequest const& request) const {
    return routing::complete_tours(*this, tour_of(data_), request);
}

} // namespace cax::tsptw
