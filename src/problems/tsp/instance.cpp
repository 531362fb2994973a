#include "cax/problems/tsp/instance.hpp"

#include "../routing/distances.hpp"
#include "../routing/tour/tour.hpp"
#include "fields.hpp"
#include "problem.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::tsp {
namespace {

constexpr routing::TourFamilies families{.spatial = spatial};

routing::TourData tour_of(Data const& data) { return {.distance = routing::exact_distances(data.locs)}; }

} // namespace

Instance::Instance(routing::Numbers numbers) : routing::Instance(std::move(numbers)) {
    data_ = {.name = name(), .locs = routing::to_pairs<Point>(this->numbers().columns[field_locs])};
}

Result<std::shared_ptr<Instance const>> Instance::make(Data data) {
    return routing::make_as<Instance>(tsp::problem(),
                                      {.name = std::move(data.name), .columns = {routing::to_column(data.locs)}});
}

Problem const& Instance::problem() const { return tsp::problem(); }

std::string Instance::description() const { return fmt::format("{} cities", nodes()); }

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

} // namespace cax::tsp
