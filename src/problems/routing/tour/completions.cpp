// The best tour that begins like this and goes on with each of the actions: by the exact method where few visits are
// left, else by the search with the beginning held fixed.
#include "tour.hpp"

#include "../../settled.hpp"
#include "../problem.hpp"

#include <algorithm>

namespace cax::routing {
namespace {

/// Improving before proving: what is cut off depends on how good the tour is.
constexpr std::uint64_t iterations_before_proof = 150;
/// For one action, however much there is for all of them: a few hundred megabytes.
constexpr std::uint64_t most_ways = 4'000'000;

/// Tours for one moment, action by action; what was found for one is where the next may begin.
class TourCompletions {
public:
    TourCompletions(Instance const& instance, TourData const& data, CompletionRequest const& request)
        : instance_(instance),
          depot_(problem_of(instance).look().nodes.depot),
          strict_(as_checked(data, Rounding::strict)),
          loose_(as_checked(data, Rounding::loose)),
          request_(request),
          proof_left_(request.proof_work) {
        for (Solution const& solution : request.known) {
            auto const* routes = std::get_if<Routes>(&solution);
            if (routes != nullptr && routes->routes.size() == 1) known_.push_back(routes->routes.front());
        }
    }

    [[nodiscard]] Result<Completion> complete(std::size_t action) {
        actions_.assign(request_.prefix.begin(), request_.prefix.end());
        actions_.push_back(action);
        auto const task = tour_task(instance_, loose_, actions_);
        if (!task) return task.error();
        Completion completion;
        if (task->closed || task->left.empty()) {
            offer(task->tour({}), completion);
            settle(completion, task->cost({}));
            completion.impossible = !completion.solution;
            return completion;
        }
        completion.impossible = task->late.has_value();
        if (completion.impossible) return completion;
        for (auto const& tour : known_) {
            if (auto like = begun_alike(tour)) offer({{*std::move(like)}}, completion);
        }
        if (round_trip_) { // it may begin anywhere: the shortest one is known
            settle(completion, *round_trip_);
            return completion;
        }
        if (request_.prove && proof_left_ > 0 && task->left.size() <= max_exact_visits) prove(*task, completion);
        if (!completion.optimal && !completion.impossible && request_.search_work > 0) search(completion);
        if (completion.solution) known_.push_back(std::get<Routes>(*completion.solution).routes.front());
        if (completion.optimal && !depot_ && request_.prefix.empty()) round_trip_ = completion.cost;
        return completion;
    }

private:
    void offer(Routes tour, Completion& completion) const { cax::offer(instance_, std::move(tour), completion); }
    /// Nothing that the checker would accept costs less than `least`.
    static void settle(Completion& completion, double least) {
        completion.optimal = completion.solution && completion.cost <= least * (1 + cost_tolerance);
        completion.bound = completion.optimal ? completion.cost : least;
    }

    /// The tour, turned as it may be, if it begins with the actions.
    [[nodiscard]] std::optional<std::vector<std::size_t>> begun_alike(std::vector<std::size_t> tour) const {
        if (tour.size() < actions_.size()) return std::nullopt;
        for (int way = 0; way < 2; ++way) {
            if (!depot_) std::rotate(tour.begin(), std::ranges::find(tour, actions_.front()), tour.end());
            if (std::equal(actions_.begin(), actions_.end(), tour.begin())) return tour;
            if (loose_.timed()) break;
            std::ranges::reverse(tour);
        }
        return std::nullopt;
    }
    /// Those of the best known tour that are left, in its order.
    [[nodiscard]] std::optional<std::vector<std::size_t>> rest_of_known(TourTask const& task,
                                                                        Completion const& completion) const {
        if (known_.empty()) return std::nullopt;
        auto rest = completion.solution ? std::get<Routes>(*completion.solution).routes.front() : known_.back();
        std::erase_if(rest, [&](std::size_t node) { return std::ranges::find(task.left, node) == task.left.end(); });
        if (!task.is_enough(rest)) return std::nullopt;
        return rest;
    }

    void prove(TourTask const& task, Completion& completion) {
        TourImprover improver(task, request_.seed, rest_of_known(task, completion));
        improver.iterate_all(iterations_before_proof);
        double limit = std::numeric_limits<double>::infinity();
        if (improver.on_time()) {
            offer(task.tour(improver.order()), completion);
            limit = improver.cost() * (1 - cost_tolerance);
        }
        TourAnswer const answer = complete_tour(task, limit, TourGoal::cheapest, std::min(proof_left_, most_ways), {});
        completion.work += answer.work;
        proof_left_ -= std::min(proof_left_, answer.work);
        if (answer.outcome == ExactAnswer::Outcome::found) {
            offer(task.tour(answer.order), completion);
            settle(completion, task.cost(answer.order));
        } else if (answer.outcome == ExactAnswer::Outcome::none) {
            completion.impossible = !improver.on_time();
            if (improver.on_time()) settle(completion, improver.cost());
        }
    }

    void search(Completion& completion) {
        auto const task = tour_task(instance_, strict_, actions_);
        if (!task || task->late) return; // within the tolerances, at best
        std::uint64_t const iterations =
            searched_ ? request_.search_work : std::max(request_.search_work, request_.opening_work);
        searched_ = true;
        TourImprover improver(*task, request_.seed, rest_of_known(*task, completion));
        improver.iterate_all(iterations);
        completion.work += iterations;
        if (improver.on_time()) offer(task->tour(improver.order()), completion);
        if (auto const all = tour_task(instance_, loose_, actions_); all && !completion.bound)
            completion.bound = least_cost(*all);
    }

    Instance const& instance_;
    bool depot_;
    TourData strict_;
    TourData loose_;
    CompletionRequest const& request_;
    std::uint64_t proof_left_;
    bool searched_ = false;
    std::vector<std::size_t> actions_;
    std::vector<std::vector<std::size_t>> known_;
    std::optional<double> round_trip_;
};

} // namespace

Result<std::vector<Completion>> TourInstance::completions(CompletionRequest const& request) const {
    TourCompletions tours(*this, tour(), request);
    return complete_each(request, [&](std::size_t action) { return tours.complete(action); });
}

} // namespace cax::routing
