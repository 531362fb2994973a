#include "descent.hpp"

#include "cax/problems/decision_model.hpp"
#include "cax/problems/questions.hpp"
#include "cax/solvers/csp.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cax {
namespace {

/// Nodes that the first round spends on a question; every round spends twice as many.
constexpr std::uint64_t first_work = 2000;

class Descent {
public:
    Descent(Instance const& instance, DescentLimits const& limits, SearchResult& result)
        : instance_(instance),
          limits_(limits),
          result_(result),
          grain_(cost_grain_of(instance)),
          sign_(instance.problem().info().objective == Objective::minimise ? 1 : -1) {}

    /// Rounds of questions: in the middle of what is open, at the proven bound, just below the best solution. Which of
    /// them is easy differs from instance to instance, so all are asked, each time with more patience and other ties.
    Result<void> run() {
        for (std::uint64_t work = first_work; open() && !spent(); work *= 2, ++round_) {
            while (steps_open() > 2 && !spent()) {
                auto const answer = ask(best() - std::floor(steps_open() / 2) * grain_, work);
                if (!answer) return answer.error();
                if (*answer == Answer::unknown) break;
            }
            while (open() && bounded() && !spent()) {
                auto const answer = ask(*bound_, work);
                if (!answer) return answer.error();
                if (*answer == Answer::unknown) break;
            }
            while (open() && !spent()) {
                auto const answer = ask(best() - grain_, work);
                if (!answer) return answer.error();
                if (*answer == Answer::unknown) break;
            }
            if (hopeless_) break;
        }
        return {};
    }

private:
    enum class Answer { yes, no, unknown };

    // Inside this class costs are minimised: prizes count negative.
    [[nodiscard]] double best() const { return sign_ * result_.cost; }
    [[nodiscard]] bool bounded() const { return bound_.has_value(); }
    [[nodiscard]] bool open() const { return !result_.optimal && !hopeless_; }
    [[nodiscard]] double steps_open() const {
        return open() && bounded() ? std::round((best() - *bound_) / grain_) : 0;
    }
    [[nodiscard]] double seconds_left() const {
        return limits_.seconds - std::chrono::duration<double>(Clock::now() - start_).count();
    }
    [[nodiscard]] bool spent() const {
        return seconds_left() <= 0 || (limits_.work > 0 && work_ >= limits_.work) || (limits_.stop && limits_.stop());
    }

    /// Is there a solution of at most this cost?
    Result<Answer> ask(double cost, std::uint64_t work) {
        Question const question{.prefix = {}, .bound = sign_ * cost};
        if (*question.bound < 0) return Answer::unknown;
        // Rounded in the solution's favour: a "no" is final whatever the numbers, and a "yes" is checked.
        auto const decision = decision_model_of(instance_, question, Rounding::loose);
        if (!decision && decision.error().code == ErrorCode::unsupported) {
            hopeless_ = true;
            return Answer::unknown;
        }
        if (!decision) return decision.error();
        double const seconds = seconds_left(); // writing the model takes time, too
        if (seconds <= 0) return Answer::unknown;
        if (limits_.work > 0) work = std::min(work, limits_.work - work_);
        auto const answer =
            gecode_solver().solve(decision->model, {.work = work, .seconds = seconds, .seed = limits_.seed + round_});
        if (!answer) return answer.error();
        work_ += std::max<std::uint64_t>(answer->work, 1);
        if (answer->status == CspStatus::unsatisfiable) return no(cost);
        if (answer->status != CspStatus::satisfiable) return Answer::unknown;
        return yes(decision->solution(answer->assignment));
    }

    Answer no(double cost) {
        bound_ = std::max(bound_.value_or(cost + grain_), cost + grain_);
        settle();
        return Answer::no;
    }

    /// What the solver found counts only if the checker agrees and it is an improvement. If not, rounding has been too
    /// kind, and asking on would only repeat that.
    Answer yes(Solution solution) {
        CheckReport const report = instance_.check(solution);
        if (!report.valid() || sign_ * report.cost > best() - grain_ / 2) {
            hopeless_ = true;
            return Answer::unknown;
        }
        result_.solution = std::move(solution);
        result_.cost = report.cost;
        settle();
        return Answer::yes;
    }

    void settle() {
        if (!bound_) return;
        result_.optimal = best() < *bound_ + grain_ / 2;
        result_.lower_bound = result_.optimal ? result_.cost : sign_ * *bound_;
    }

    /// The bound that the search has proven, moved up to the next possible cost.
    [[nodiscard]] std::optional<double> first_bound() const {
        if (!result_.lower_bound) return std::nullopt;
        return grain_ * std::ceil(sign_ * *result_.lower_bound / grain_ - 1e-9);
    }

    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    Instance const& instance_;
    DescentLimits const& limits_;
    SearchResult& result_;
    double grain_;
    double sign_;
    std::optional<double> bound_ = first_bound(); ///< no solution costs less
    bool hopeless_ = false;                       ///< no model, or one that rounds too coarsely
    std::uint64_t round_ = 0;
    std::uint64_t work_ = 0;
};

} // namespace

bool can_descend(Instance const& instance) {
    return instance.problem().info().bound_is_cost && cost_grain_of(instance) > 0;
}

Result<void> descend(Instance const& instance, DescentLimits const& limits, SearchResult& result) {
    return Descent(instance, limits, result).run();
}

} // namespace cax
