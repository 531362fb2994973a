#pragma once
// The ways home from where the tour stands, by dynamic programming over sets of customers, backwards: for every set and
// each of its members the shortest way that begins there, visits the set and ends at the depot. It does not matter
// where the vehicle comes from, so one programme serves all next customers.
//
// A way that begins at a customer is of use only if the vehicle, driving straight there, can still do it: by the
// triangle inequality no detour makes more possible. Sets without such a way are never looked at, which leaves a small
// part of the 2^n; they are built up by the number of their members.
#include "cax/problems/op/instance.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace cax::op {

class Homeward {
public:
    using Set = std::uint64_t; ///< of customers, bit i for customers[i]
    static constexpr std::size_t most_customers = 64;

    /// From node `here` with `length` left, through some of these customers. Keeps no reference.
    Homeward(Data const& data, std::size_t here, double length, std::vector<std::size_t> customers);

    /// False if more than `work` lengths would have to be kept; what is known then are ways of few customers. All
    /// subsets of n customers have 2^n n lengths: 21 million for 20. Precondition: at most most_customers.
    bool run(std::uint64_t work);
    [[nodiscard]] std::uint64_t work() const { return work_; } ///< lengths kept so far

    /// The customers of the best way home that begins with customers[i], this one first: the greatest prize, the
    /// shortest among equals. Empty if there is no such way.
    [[nodiscard]] std::vector<std::size_t> best_way(std::size_t i) const;

private:
    struct Best {
        double prize = 0;
        double length = 0;
        Set set = 0;
    };
    /// Sets with the same number of members.
    struct Level {
        std::unordered_map<Set, std::size_t> row; ///< by set
        std::vector<Set> sets;
        std::vector<double> lengths; ///< size() per row, by the member that the way begins with
    };
    [[nodiscard]] std::size_t size() const { return customers_.size(); }
    void offer(Level& level, Set set, std::size_t first, double length) const;
    [[nodiscard]] Level first_level() const;
    /// Nothing if it would hold more than `room` lengths.
    [[nodiscard]] std::optional<Level> next_level(Level const& level, std::uint64_t room) const;
    void rate(Level const& level);

    Data const& data_;
    double length_left_;
    std::vector<std::size_t> customers_;
    std::vector<double> prize_;
    std::vector<double> from_here_;
    std::vector<double> to_home_;
    std::vector<std::vector<double>> between_;
    std::vector<Best> best_; ///< by first customer; set 0 = none
    std::uint64_t work_ = 0;
};

} // namespace cax::op
