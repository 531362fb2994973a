#pragma once
// What is left of a tour costs at least this, whatever the order. Every node on a way has two legs, its ends have one;
// half a leg belongs to each of its two nodes. Prices p of nodes shift costs between them without changing any tour:
// with r_ij = d_ij + p_i + p_j a visit costs at least (r_i1 + r_i2) / 2 - 2 p_i, by the two shortest legs of i, and an
// end at least r_i1 / 2 - p_i. Prices are raised by subgradients. Who may be left out costs no more than the penalty.
#include "tour.hpp"

namespace cax::routing {

class VisitPrices {
public:
    /// Keeps a reference.
    explicit VisitPrices(TourTask const& task);
    std::vector<double> visit; ///< by place in `left`
    std::vector<double> end;   ///< of a way that stands there and goes on
    double home = 0;
    /// Of everything but the beginning.
    [[nodiscard]] double all() const;

private:
    struct Legs;
    [[nodiscard]] std::size_t homeward() const { return n_; }
    [[nodiscard]] Legs legs_at(std::size_t place) const;
    [[nodiscard]] double penalty(std::size_t place) const;
    std::vector<double> measure();
    void raise();

    TourTask const& task_;
    std::size_t n_;
    std::vector<std::size_t> places_; ///< left, home
    std::vector<double> price_;
};

} // namespace cax::routing
