#pragma once
// A good tour where there are too many customers for the exact programme: strings of customers are taken out and
// others put in, two-opt moves shorten what is left, and annealing decides what stays.
#include "../search_clock.hpp"

#include "cax/core/matrix.hpp"
#include "cax/core/rng.hpp"
#include "cax/problems/op/instance.hpp"

namespace cax::op {

/// More nodes than this are refused: the search keeps all distances.
inline constexpr std::size_t max_search_nodes = 3000;

class TourSearch {
public:
    /// `customers` are those that may be visited at all. Keeps references.
    TourSearch(Data const& data, std::vector<std::size_t> const& customers, SearchOptions const& options,
               SearchClock& clock);

    /// Greedy to begin with, unless there is a first tour, then until the budget is used up or the prize reaches the
    /// bound.
    void run();
    [[nodiscard]] std::vector<std::size_t> const& tour() const { return best_.stops; }
    [[nodiscard]] std::uint64_t iterations() const { return iterations_; }

private:
    struct Tour {
        std::vector<std::size_t> stops; ///< customers; the depot is at both ends
        double length = 0;
        double prize = 0;
    };
    [[nodiscard]] Tour beginning();
    [[nodiscard]] std::size_t at(Tour const& tour, std::size_t position) const; ///< position 0 is the depot
    [[nodiscard]] double detour(Tour const& tour, std::size_t position, std::size_t customer) const;
    void insert(Tour& tour, std::size_t position, std::size_t customer);
    void remove(Tour& tour, std::size_t position);
    void remove_string(Tour& tour, Rng& rng);
    void force_in(Tour& tour, std::size_t customer);
    void shorten(Tour& tour) const;
    void fill(Tour& tour, Rng& rng);
    [[nodiscard]] bool better(Tour const& a, Tour const& b) const;

    Data const& data_;
    std::vector<std::size_t> const& customers_;
    SearchOptions const& options_;
    SearchClock& clock_;
    Matrix<double> distance_;
    double limit_;
    std::vector<std::uint8_t> visited_; ///< by node, for the tour that is being changed
    Tour best_;
    std::uint64_t iterations_ = 0;
};

} // namespace cax::op
