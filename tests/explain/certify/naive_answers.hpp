#pragma once
// Answers to questions by trying everything: for instances of a handful of customers or operations. Written from the
// definitions, for the tests alone; they share nothing with what they judge.
#include "cax/problems/cvrptw/instance.hpp"
#include "cax/problems/fjsp/instance.hpp"
#include "cax/problems/op/instance.hpp"

#include <optional>

namespace cax::test {

/// What is overlooked: lateness as a part of the arrival, overload of the capacity, length of the limit.
struct Forgiveness {
    double time = 1e-6;
    double load = 1.1e-5;
    double length = 1e-9;
};

/// Fewest vehicles that serve everybody, beginning with these nodes (0 = depot); nothing if no number does.
[[nodiscard]] std::optional<std::size_t>
fewest_vehicles(cvrptw::Data const& data, std::vector<std::size_t> const& prefix, Forgiveness const& forgiven = {});
/// Are these routes a solution?
[[nodiscard]] bool serves_everybody(cvrptw::Data const& data, Routes const& solution, Forgiveness const& forgiven = {});

/// Largest prize of a tour that begins with these nodes; nothing if no tour does, or a prize is negative.
[[nodiscard]] std::optional<double> largest_prize(op::Data const& data, std::vector<std::size_t> const& prefix,
                                                  Forgiveness const& forgiven = {});
/// Length of the closed tour.
[[nodiscard]] double tour_length(op::Data const& data, std::vector<std::size_t> const& tour);

/// Shortest makespan after these dispatches (actions as the environment numbers them, without waiting).
[[nodiscard]] double shortest_makespan(fjsp::Data const& data, std::vector<std::size_t> const& prefix);
/// The same schedule's own makespan; nothing if it breaks a rule.
[[nodiscard]] std::optional<double> makespan_of(fjsp::Data const& data, Schedule const& schedule);

} // namespace cax::test
