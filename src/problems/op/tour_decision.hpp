#pragma once
// Can a tour collect so much? An exact method of our own: shortest ways over sets of customers, grown one customer at a
// time, and cut off where what could still be collected is not enough. General solvers are lost on this question: every
// customer is optional, so little follows from little.
#include "cax/problems/decision_model.hpp"

#include <vector>

namespace cax::op {

struct TourQuestion {
    std::vector<std::vector<double>> distance; ///< places: customers 0..n-1, then where the tour stands, then home
    std::vector<double> prize;                 ///< per customer, >= 0
    double length = 0;                         ///< that is left
    double wanted = 0;                         ///< prize that is still missing
};

struct TourAnswer {
    ExactAnswer::Outcome outcome = ExactAnswer::Outcome::budget_spent;
    std::vector<std::size_t> customers; ///< in visiting order, if found
    std::uint64_t work = 0;
};

/// At most this many customers.
inline constexpr std::size_t max_decided_customers = 64;

[[nodiscard]] TourAnswer decide_tour(TourQuestion const& question, std::uint64_t work,
                                     std::function<bool()> const& stop);

} // namespace cax::op
