// Is there a tour within this cost, beginning like this? What needs no search is answered here; the rest is a
// constraint model (constraints.cpp) and the exact method.
#include "tour.hpp"

#include "../../errors.hpp"
#include "../../settled.hpp"
#include "../problem.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::routing {
namespace {

/// More visits than this make tables that no solver would get through.
constexpr std::size_t most_visits = 300;
/// A way of the exact method costs so much less than a solver's node.
constexpr std::uint64_t ways_of_a_step = 32;
/// Attempts of the improver before the exact method starts.
constexpr std::uint64_t attempts = 400;

auto exact_method(TourTask task, double limit) {
    return [task = std::move(task), limit](std::uint64_t work, std::function<bool()> const& stop) {
        TourImprover improver(task, 1);
        auto const good = [&] { return improver.on_time() && improver.cost() <= limit; };
        for (std::uint64_t i = 0; i < attempts && !good(); ++i) {
            improver.iterate(static_cast<double>(i) / static_cast<double>(attempts));
        }
        if (good()) return ExactAnswer{ExactAnswer::Outcome::found, task.tour(improver.order()), 1};
        ExactAnswer answer = exact_answer(task, complete_tour(task, limit, TourGoal::any, ways_for(work), stop));
        answer.work += 1; // the attempts
        return answer;
    };
}

/// A beginning that nothing can be added to, or that breaks a rule already.
std::optional<DecisionModel> settled(TourTask const& task, NodeWords const& words, double limit) {
    TourFamilies const& families = task.data.families;
    if (task.late) {
        return refusal(families.time_window,
                       fmt::format("{} is reached after its window has closed", node_name(*task.late, words)));
    }
    for (std::size_t const node : task.left) {
        if (!task.data.timed() || task.time + task.data.distance(task.here, node) <= task.data.close[node]) continue;
        return refusal(families.time_window,
                       fmt::format("{} cannot be reached before its window closes", node_name(node, words)));
    }
    if (double const least = least_cost(task); least > limit * (1 + cost_tolerance)) {
        return refusal(families.spatial, fmt::format("no tour costs less than {:.6g}", least));
    }
    if (!task.closed && !task.left.empty()) return std::nullopt;
    if (!task.is_enough({})) {
        return refusal(families.prize, fmt::format("the tour has ended with a prize of {:.6g}, less than {:.6g}",
                                                   task.prize, task.data.prize_wanted));
    }
    return consent(task.tour({}));
}

} // namespace

std::uint64_t ways_for(std::uint64_t work) {
    return std::min(work, std::numeric_limits<std::uint64_t>::max() / ways_of_a_step) * ways_of_a_step;
}

ExactAnswer exact_answer(TourTask const& task, TourAnswer const& found) {
    ExactAnswer answer{found.outcome, std::nullopt, (found.work + ways_of_a_step - 1) / ways_of_a_step};
    if (found.outcome == ExactAnswer::Outcome::found) answer.solution = task.tour(found.order);
    return answer;
}

/// Is there a tour within this cost, beginning like this?
Result<DecisionModel> TourInstance::decision_model(Question const& question, Rounding rounding) const {
    if (auto const ok = check_bound(*this, question); !ok) return ok.error();
    NodeWords const& words = problem_of(*this).look().nodes;
    auto task = tour_task(*this, as_checked(tour(), rounding), question.prefix);
    if (!task) return task.error();
    double limit = question.bound.value_or(std::numeric_limits<double>::infinity());
    if (rounding == Rounding::loose) limit *= 1 + 2 * cost_tolerance;
    if (auto decision = settled(*task, words, limit)) return *std::move(decision);
    if (!task->data.timed()) { // whatever comes first: often it will do
        TourImprover const first(*task, 1);
        if (!question.bound || first.cost() <= limit) return consent(task->tour(first.order()));
    }
    if (task->left.size() > most_visits) {
        return unsupported("{} {}: a decision model has at most {}", task->left.size(), words.many, most_visits);
    }
    DecisionModel decision = tour_constraints(*task, question.bound ? std::optional(limit) : std::nullopt, rounding);
    if (task->left.size() <= max_exact_visits) decision.exact = exact_method(*std::move(task), limit);
    return decision;
}

} // namespace cax::routing
