// Can a tour that begins like this collect so much? What needs no search is answered here; the rest is a constraint
// model (tour_model.cpp) and an exact method of our own (tour_decision.cpp).
#include "../routing/prefix.hpp"
#include "../settled.hpp"
#include "fields.hpp"
#include "tour.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace cax::op {
namespace {

/// More customers than this make tables that no solver would get through.
constexpr std::size_t max_model_customers = 300;
/// A way of the exact method costs so much less than a solver's node.
constexpr std::uint64_t ways_per_step = 32;

/// The limit as a checker reads it; loose: with twice its tolerance.
double limit_of(Data const& data, Rounding rounding) {
    double const limit = data.max_length;
    return rounding == Rounding::strict ? limit : limit * (1 + 2 * length_tolerance);
}

/// What must be collected at least. Strict keeps half of the checker's tolerance, for the rounding of sums.
double least_prize(double bound, Rounding rounding) {
    return bound - prize_tolerance(bound) * (rounding == Rounding::strict ? 0.5 : 2);
}

/// Why nobody has to search for the prize that is missing.
std::optional<DecisionModel> out_of_reach(Data const& data, Prefix const& prefix, double bound, Rounding rounding) {
    double const least = least_prize(bound, rounding);
    double all = prefix.prize;
    double near = prefix.prize;
    for (std::size_t const customer : prefix.left) {
        double const there = prefix.length + distance(data, prefix.last(), customer) + distance(data, customer, 0);
        all += double{data.prize[customer]};
        if (there <= limit_of(data, rounding)) near += double{data.prize[customer]};
    }
    if (all < least) return refusal(prize, fmt::format("all prizes together are {:.6g}, less than {:.6g}", all, bound));
    if (near < least) {
        return refusal(budget,
                       fmt::format("customers within reach have prizes of {:.6g}, less than {:.6g}", near, bound));
    }
    return std::nullopt;
}

TourQuestion tour_question(Data const& data, Prefix const& prefix, double bound, Rounding rounding) {
    TourQuestion question;
    std::vector<std::size_t> places = prefix.left;
    places.insert(places.end(), {prefix.last(), std::size_t{0}});
    for (std::size_t const a : places) {
        question.distance.emplace_back();
        for (std::size_t const b : places) question.distance.back().push_back(distance(data, a, b));
    }
    for (std::size_t const customer : prefix.left) question.prize.push_back(double{data.prize[customer]});
    question.length = limit_of(data, rounding) - prefix.length;
    question.wanted = least_prize(bound, rounding) - prefix.prize;
    return question;
}

auto exact_method(Data const& data, Prefix const& prefix, double bound, Rounding rounding) {
    return [question = tour_question(data, prefix, bound, rounding), begun = prefix.tour,
            left = prefix.left](std::uint64_t work, std::function<bool()> const& stop) {
        std::uint64_t const most = std::numeric_limits<std::uint64_t>::max() / ways_per_step;
        TourAnswer const found = decide_tour(question, std::min(work, most) * ways_per_step, stop);
        ExactAnswer answer{found.outcome, std::nullopt, (found.work + ways_per_step - 1) / ways_per_step};
        if (found.outcome != ExactAnswer::Outcome::found) return answer;
        std::vector<std::size_t> tour = begun;
        for (std::size_t const place : found.customers) tour.push_back(left[place]);
        answer.solution = Routes{{std::move(tour)}};
        return answer;
    };
}

} // namespace

Result<Prefix> prefix_of(Instance const& instance, std::span<std::size_t const> actions) {
    auto driven = routing::prefix_of(instance, actions);
    if (!driven) return driven.error();
    Prefix prefix{.tour = {}, .left = std::move(driven->left), .closed = driven->closed};
    for (std::size_t const node : driven->finished.empty() ? driven->under_way : driven->finished[0]) {
        prefix.length += distance(instance.data(), prefix.last(), node);
        prefix.prize += double{instance.data().prize[node]};
        prefix.tour.push_back(node);
    }
    return prefix;
}

Result<DecisionModel> Instance::decision_model(Question const& question, Rounding rounding) const {
    if (auto const ok = check_bound(*this, question); !ok) return ok.error();
    auto const prefix = prefix_of(*this, question.prefix);
    if (!prefix) return prefix.error();
    for (std::size_t customer = 1; customer < nodes(); ++customer) {
        if (data_.prize[customer] >= 0) continue;
        return refusal(prize, fmt::format("customer {}: prize is negative ({:.6g})", customer, data_.prize[customer]));
    }
    double const length = prefix->length + distance(data_, prefix->last(), 0);
    if (length > limit_of(data_, rounding)) {
        return refusal(budget, fmt::format("the beginning is {:.6g} long with the way home, more than {:.6g}", length,
                                           data_.max_length));
    }
    double const bound = question.bound.value_or(0);
    if (prefix->prize >= least_prize(bound, rounding)) return consent(Routes{{prefix->tour}});
    if (prefix->closed) {
        return refusal(prize, fmt::format("the tour has ended with {:.6g}, less than {:.6g}", prefix->prize, bound));
    }
    if (auto decision = out_of_reach(data_, *prefix, bound, rounding)) return *std::move(decision);
    if (prefix->left.size() > max_model_customers) {
        return Error{ErrorCode::unsupported, fmt::format("{} customers: a decision model has at most {}",
                                                         prefix->left.size(), max_model_customers)};
    }
    DecisionModel decision = tour_model(data_, *prefix, bound, rounding);
    if (prefix->left.size() <= max_decided_customers) decision.exact = exact_method(data_, *prefix, bound, rounding);
    return decision;
}

} // namespace cax::op
