// The best tour by dynamic programming over sets of customers (Held and Karp's recursion): for every set and every last
// customer the shortest way there from the depot. Exact; memory grows as 2^n n, which ends at twenty customers.
#include "../routing/distances.hpp"
#include "tour.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace cax::op {
namespace {

using Set = std::uint32_t; ///< of customers, bit i for customers[i]
constexpr double unreachable = std::numeric_limits<double>::infinity();
constexpr Set sets_between_looks = 1024;

class SetProgramme {
public:
    SetProgramme(Data const& data, std::vector<std::size_t> const& customers)
        : customers_(customers),
          limit_(data.max_length),
          prize_(customers.size()),
          first_length_((std::size_t{1} << customers.size()) + 1),
          distance_(distances(data, customers)) {
        for (std::size_t i = 0; i < customers.size(); ++i) prize_[i] = data.prize[customers[i]];
        // A set has as many lengths as members, one for each that could be the last.
        for (std::size_t set = 0; set + 1 < first_length_.size(); ++set) {
            auto const members = static_cast<std::uint32_t>(std::popcount(set));
            first_length_[set + 1] = first_length_[set] + members;
        }
        lengths_.assign(first_length_.back(), unreachable);
    }

    /// Sets in the order of their numbers: all subsets of a set come before it.
    std::optional<std::vector<std::size_t>> solve(std::function<bool()> const& stop) {
        for (Set member = 0; member < size(); ++member) visit(0, home(), member, 0);
        for (Set set = 1; set < Set{1} << size(); ++set) {
            if (set % sets_between_looks == 0 && stop && stop()) return std::nullopt;
            extend(set);
        }
        return tour();
    }

private:
    [[nodiscard]] Set size() const { return static_cast<Set>(customers_.size()); }
    [[nodiscard]] Set home() const { return size(); } ///< the depot's index in distance_
    [[nodiscard]] double& length(Set set, Set last) {
        Set const before = set & ((Set{1} << last) - 1);
        return lengths_[first_length_[set] + static_cast<std::uint32_t>(std::popcount(before))];
    }

    static Matrix<double> distances(Data const& data, std::vector<std::size_t> const& customers) {
        std::vector<Point> points;
        for (std::size_t const customer : customers) points.push_back(data.locs[customer]);
        points.push_back(data.locs[0]);
        return routing::exact_distances(points);
    }

    /// Drive on to `next`, if the way home from there still fits.
    void visit(Set set, Set from, Set next, double so_far) {
        double const there = so_far + distance_(from, next);
        if (there + distance_(next, home()) > limit_) return;
        double& known = length(set | Set{1} << next, next);
        known = std::min(known, there);
    }

    void extend(Set set) {
        double back = unreachable; // length of the shortest closed tour through exactly this set
        for (Set last = 0; last < size(); ++last) {
            if ((set >> last & 1) == 0) continue;
            double const there = length(set, last);
            if (there == unreachable) continue;
            back = std::min(back, there + distance_(last, home()));
            for (Set next = 0; next < size(); ++next)
                if ((set >> next & 1) == 0) visit(set, last, next, there);
        }
        if (back == unreachable) return;
        double prize = 0;
        for (Set member = 0; member < size(); ++member)
            if (set >> member & 1) prize += prize_[member];
        if (prize < best_prize_ || (prize == best_prize_ && back >= best_length_)) return;
        best_prize_ = prize;
        best_length_ = back;
        best_ = set;
    }

    /// Backwards from the end of the best tour: whoever explains the length was before.
    std::vector<std::size_t> tour() {
        std::vector<std::size_t> result;
        Set set = best_;
        Set after = home();
        double target = best_length_;
        while (set != 0) {
            Set last = 0;
            while ((set >> last & 1) == 0 || length(set, last) + distance_(last, after) != target) ++last;
            result.push_back(customers_[last]);
            target = length(set, last);
            set ^= Set{1} << last;
            after = last;
        }
        std::ranges::reverse(result);
        return result;
    }

    std::vector<std::size_t> const& customers_;
    double limit_;
    std::vector<double> prize_;
    std::vector<std::uint32_t> first_length_; ///< by set: where its lengths begin
    std::vector<double> lengths_;
    Matrix<double> distance_; ///< the depot last
    double best_prize_ = 0;
    double best_length_ = 0;
    Set best_ = 0;
};

} // namespace

std::vector<std::size_t> worthwhile_customers(Data const& data) {
    std::vector<std::size_t> customers;
    for (std::size_t customer = 1; customer < data.locs.size(); ++customer) {
        double const way = routing::arc_length(data.locs[0], data.locs[customer]);
        if (data.prize[customer] > 0 && way + way <= double{data.max_length}) customers.push_back(customer);
    }
    return customers;
}

std::optional<std::vector<std::size_t>> best_tour(Data const& data, std::vector<std::size_t> const& customers,
                                                  std::function<bool()> const& stop) {
    assert(customers.size() <= max_exact_customers);
    return SetProgramme(data, customers).solve(stop);
}

} // namespace cax::op
