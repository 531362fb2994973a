// Can a tour that begins like this collect so much? What needs no search is answered here; the rest is the kit's
// constraint model of a tour and an exact method of our own (tour_decision.cpp).
#include "../errors.hpp"
#include "../routing/distances.hpp"
#include "../settled.hpp"
#include "fields.hpp"
#include "tour.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::op {
namespace {

/// More customers than this make tables that no solver would get through.
constexpr std::size_t max_model_customers = 300;

/// The limit as a checker reads it; loose: with twice its tolerance.
double limit_of(Data const& data, Rounding rounding) {
    double const limit = data.max_length;
    return rounding == Rounding::strict ? limit : limit * (1 + 2 * length_tolerance);
}

/// What must be collected at least: prizes are rounded to 24 bits, so they may fall short of a bound by a millionth of
/// it. Strict keeps half of that tolerance, for the rounding of sums.
double least_prize(double bound, Rounding rounding) {
    return bound - 1e-6 * bound * (rounding == Rounding::strict ? 0.5 : 2);
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

/// Leaving somebody out costs nothing; the length is what is limited.
routing::TourTask tour_task(Data const& data, Prefix const& prefix, double least) {
    return {.data = {.families = {.spatial = spatial, .prize = prize, .length = budget},
                     .distance = routing::exact_distances(data.locs),
                     .penalty = std::vector<double>(data.locs.size()),
                     .prize = {data.prize.begin(), data.prize.end()},
                     .prize_wanted = least},
            .begun = prefix.tour,
            .left = prefix.left,
            .here = prefix.last(),
            .length = prefix.length,
            .prize = prefix.prize};
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
        return unsupported("{} customers: a decision model has at most {}", prefix->left.size(), max_model_customers);
    }
    routing::TourTask task = tour_task(data_, *prefix, least_prize(bound, rounding));
    double const limit = limit_of(data_, rounding);
    DecisionModel decision = routing::tour_constraints(task, limit, rounding);
    if (task.left.size() > routing::max_exact_visits) return decision;
    decision.exact = [task = std::move(task), limit](std::uint64_t work, std::function<bool()> const& stop) {
        return routing::exact_answer(task, decide_tour(task, limit, routing::ways_for(work), stop));
    };
    return decision;
}

} // namespace cax::op
