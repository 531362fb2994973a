#include "tour.hpp"

#include "../../settled.hpp"
#include "../problem.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::routing {
namespace {

/// What the exact method gets to prove a tour or to find a first one, in ways: a gigabyte at most.
constexpr std::uint64_t ways_to_prove = 12'000'000;
/// Improving before proving: what is cut off depends on how good the tour is.
constexpr std::uint64_t warm_up = 2000;

/// The given tour from the task's beginning on.
std::vector<std::size_t> order_of(TourTask const& task, Routes const& start) {
    std::vector<std::size_t> order = start.routes.empty() ? std::vector<std::size_t>{} : start.routes.front();
    if (task.begun.empty()) return order;
    std::rotate(order.begin(), std::ranges::find(order, task.begun.front()),
                order.end()); // no depot: a tour begins anywhere
    order.erase(order.begin());
    return order;
}

struct FoundTour {
    std::vector<std::size_t> order;
    bool optimal = false;
    std::uint64_t iterations = 0;
};

class TourHunt {
public:
    TourHunt(TourTask const& task, SearchOptions const& options) : task_(task), options_(options), clock_(options) {}

    [[nodiscard]] std::optional<FoundTour> run() {
        std::optional<std::vector<std::size_t>> first;
        if (options_.start) first = order_of(task_, std::get<Routes>(*options_.start));
        if (!first && small() && !TourImprover(task_, options_.seed).on_time()) {
            // A first tour is owed whatever the budget.
            auto const found =
                complete_tour(task_, std::numeric_limits<double>::infinity(), TourGoal::any, ways_to_prove, {});
            if (found.outcome == ExactAnswer::Outcome::none) return std::nullopt;
            if (found.outcome == ExactAnswer::Outcome::found) first = found.order;
        }
        TourImprover improver(task_, options_.seed, first);
        if (options_.exact && !options_.bound && small() && options_.iterations > 0) {
            if (auto proven = prove(improver)) return proven;
        }
        std::uint64_t done = 0;
        while (!reached(improver) && clock_.running(done)) improver.iterate(clock_.fraction(done++));
        if (!improver.on_time()) return std::nullopt;
        return FoundTour{improver.order(), false, done};
    }

private:
    [[nodiscard]] bool small() const { return task_.left.size() <= max_exact_visits; }
    [[nodiscard]] bool reached(TourImprover const& improver) const {
        return options_.bound && improver.on_time() && improver.cost() <= *options_.bound;
    }
    /// Improves for a while, then asks for anything cheaper, for at most half of the time. Counts as one iteration.
    [[nodiscard]] std::optional<FoundTour> prove(TourImprover& warm) {
        for (std::uint64_t i = 0; i < warm_up && clock_.running(0); ++i) {
            warm.iterate(static_cast<double>(i) / static_cast<double>(warm_up));
        }
        if (!warm.on_time()) return std::nullopt;
        double const limit = warm.cost() - cost_tolerance * warm.cost();
        auto const answer = complete_tour(task_, limit, TourGoal::cheapest, ways_to_prove,
                                          [&] { return !clock_.running(0) || clock_.fraction(0) > 0.5; });
        if (answer.outcome == ExactAnswer::Outcome::none) return FoundTour{warm.order(), true, 1};
        if (answer.outcome == ExactAnswer::Outcome::found) return FoundTour{answer.order, true, 1};
        return std::nullopt;
    }

    TourTask const& task_;
    SearchOptions const& options_;
    SearchClock clock_;
};

} // namespace

/// A good tour by classical means, proven where the exact method comes to an end.
Result<SearchResult> TourInstance::search(SearchOptions const& options) const {
    if (auto const ok = check_search(*this, options); !ok) return ok.error();
    auto const task = tour_task(*this, tour(), {});
    if (!task) return task.error();
    auto const found = TourHunt(*task, options).run();
    if (!found) return Error{ErrorCode::unsupported, "the search found no tour within all windows"};
    return checked_result(*this, task->tour(found->order), found->optimal, found->iterations);
}

} // namespace cax::routing
