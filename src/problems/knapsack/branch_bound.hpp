#pragma once
// The most valuable packing by branch and bound: exact, and quick for as many items as a person looks at.
//
// The two resources are added up to one, u times the weight and 1 - u times the volume, with the u for which the bound
// at the root is lowest; items are tried in the order of value per use of it. What is left to be packed is worth no
// more than Dantzig's bound for that one resource: items in order, and the part of the next one that still fits.
#include "cax/problems/knapsack/instance.hpp"

#include <functional>

namespace cax::knapsack {

/// What may be packed beside what is packed already.
struct Room {
    double weight = 0;
    double volume = 0;
};

/// The beginning of a packing: what some items leave.
struct Begun {
    std::vector<std::size_t> items;
    double value = 0;
    Room room; ///< up to a limit of 1 for both
    std::vector<std::size_t> left;
};
/// Error if an item does not exist or comes twice.
[[nodiscard]] Result<Begun> begin_with(Data const& data, std::span<std::size_t const> items);

class BranchAndBound {
public:
    /// Items that fit into the room are tried. `begun` stays as it is, and its items are part of every packing.
    BranchAndBound(Data const& data, Begun const& begun, double limit);

    /// Nothing is looked for that is not worth more than this, `begun` included.
    void only_above(double value) { best_value_ = value - begun_value_; }
    /// Until everything has been looked at (true: nothing is better than best()), `goes_on(nodes so far)` says no, or a
    /// packing of this value is found.
    bool run(std::function<bool(std::uint64_t)> const& goes_on, double enough);

    /// The best packing found, filled up with whatever still fits, in the order of items. Without one the beginning,
    /// filled up.
    [[nodiscard]] std::vector<std::size_t> best() const;
    [[nodiscard]] bool found() const { return found_; }
    /// No packing is worth more.
    [[nodiscard]] double bound() const { return begun_value_ + root_bound_; }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

private:
    struct Item {
        std::size_t number = 0;
        double value = 0, weight = 0, volume = 0;
        double use = 0; ///< of both resources as one
    };
    /// A packing on the way: what was packed before item `next`, and what it leaves.
    struct Node {
        std::size_t next = 0;
        double value = 0;
        Room room;
    };
    /// Orders the items for this u and returns the bound at the root.
    double mix(double u);
    [[nodiscard]] double bound_of(Node const& node) const;

    std::vector<std::size_t> begun_;
    double begun_value_;
    Room room_;
    double u_ = 0.5;
    std::vector<Item> items_;
    double root_bound_ = 0;
    double best_value_ = -1; ///< without what was begun
    bool found_ = false;
    std::vector<std::size_t> chosen_; ///< places in items_
    std::uint64_t nodes_ = 0;
};

} // namespace cax::knapsack
