#pragma once
// The numbers of a giant tour, rounded to whole ones: clocks, ways, loads per place. Places are the customers that are
// left, 0..n-1; then vehicle k leaves from n+k and comes home to n+k+1.
#include "fleet.hpp"

#include "cax/core/matrix.hpp"

namespace cax::routing {

struct TourNumbers {
    std::size_t customers = 0;
    std::size_t vehicles = 0;
    bool under_way = false; ///< vehicle 0 is somewhere, at some time, with some load
    std::int64_t start_under_way = 0;
    std::int64_t size_under_way = 0;
    std::int64_t horizon = 0;
    std::int64_t room = 0;                   ///< of a vehicle
    Matrix<std::int64_t> travel;             ///< between places; to a depot it is the way home
    std::optional<std::int64_t> length_left; ///< for all of it
    // Per customer.
    std::vector<std::int64_t> open;
    std::vector<std::int64_t> deadline; ///< for the start of service: the window closes, or the way home gets too long
    std::vector<std::int64_t> service;
    std::vector<std::int64_t> size;

    [[nodiscard]] std::size_t depot(std::size_t vehicle) const { return customers + vehicle; }
    [[nodiscard]] std::size_t places() const { return customers + vehicles + 1; }
    [[nodiscard]] bool is_customer(std::size_t place) const { return place < customers; }

    /// b after a on one vehicle; by the triangle inequality whoever comes between them only makes it later.
    [[nodiscard]] bool can_follow(std::size_t a, std::size_t b) const;
    [[nodiscard]] bool can_share(std::size_t a, std::size_t b) const { return can_follow(a, b) || can_follow(b, a); }
    /// a after what vehicle 0 has done so far.
    [[nodiscard]] bool can_join(std::size_t a) const;
};

/// More customers than this make tables that no solver would get through.
inline constexpr std::size_t max_tour_customers = 300;

/// `length`: what may still be driven, if that is bounded.
[[nodiscard]] TourNumbers tour_numbers(FleetData const& data, Prefix const& prefix, std::size_t vehicles,
                                       std::optional<double> length, Rounding rounding);

/// All routes of a bounded fleet as one closed tour: from the depot of vehicle 0 through its customers to the depot of
/// vehicle 1, and so on. Clocks and loads follow the tour from predecessor to successor.
/// Precondition: 1 <= vehicles, of which one is under way if the prefix says so; every customer left can be served by a
/// vehicle of its own.
[[nodiscard]] DecisionModel giant_tour(FleetData const& data, Prefix const& prefix, std::size_t vehicles,
                                       std::optional<double> length, FleetFamilies const& families, Rounding rounding);

} // namespace cax::routing
