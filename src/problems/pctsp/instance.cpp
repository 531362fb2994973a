#include "cax/problems/pctsp/instance.hpp"

#include "../routing/distances.hpp"
#include "../routing/tour/tour.hpp"
#include "fields.hpp"
#include "problem.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::pctsp {
namespace {

constexpr routing::TourFamilies families{.spatial = spatial, .prize = prize};

routing::TourData tour_of(Data const& data) {
    routing::TourData tour{.distance = routing::exact_distances(data.locs),
                           .penalty = {data.penalty.begin(), data.penalty.end()},
                           .prize = {0},
                           .prize_wanted = prize_required};
    tour.prize.insert(tour.prize.end(), data.prize.begin(), data.prize.end());
    return tour;
}

} // namespace

Instance::Instance(routing::Numbers numbers) : routing::Instance(std::move(numbers)) {
    auto const& columns = this->numbers().columns;
    data_ = {.name = name(),
             .locs = routing::to_pairs<Point>(columns[field_locs]),
             .prize = columns[field_prize],
             .penalty = columns[field_penalty]};
}

Result<std::shared_ptr<Instance const>> Instance::make(Data data) {
    std::vector<float> const nothing(data.prize.size(), 0);
    return routing::make_as<Instance>(
        pctsp::problem(),
        {.name = std::move(data.name), .columns = {routing::to_column(data.locs), data.prize, data.penalty, nothing}});
}

Problem const& Instance::problem() const { return pctsp::problem(); }

std::string Instance::description() const {
    return fmt::format("{} customers, a prize of {} to be collected", customers(), prize_required);
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

} // namespace cax::pctsp
