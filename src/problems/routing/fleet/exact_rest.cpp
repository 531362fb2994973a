// The shortest way to serve the last few customers, by dynamic programming over sets of them: first the shortest
// feasible route through every set, for a fresh vehicle and for the one that is under way, then the cheapest way to
// share all customers out among routes. Windows and loads have the tolerances of the checkers, so that what is proved
// is about everything that they accept.
#include "fleet.hpp"

#include "../distances.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace cax::routing {
namespace {

using CustomerSet = std::uint32_t; ///< bit i for left[i]
constexpr double no_route = std::numeric_limits<double>::infinity();

bool too_late(double arrival, double close) { return arrival * (1 - time_tolerance) > close; }

/// The shortest route through every set of customers, from one departure.
class RoutesOfSets {
public:
    RoutesOfSets(FleetData const& data, Matrix<double> const& distance, std::vector<std::size_t> const& left,
                 Vehicle const& start)
        : data_(data),
          distance_(distance),
          left_(left),
          start_(start),
          ends_(left.size() << left.size()),
          best_(std::size_t{1} << left.size(), {no_route, none}) {}

    /// False if there would be more than `room` partial routes.
    bool run(std::uint64_t room) {
        finish(0, start_.node, start_.time, start_.length, none);
        for (std::size_t i = 0; i < left_.size(); ++i) extend(0, i, start_.node, start_.time, start_.length, none);
        for (CustomerSet set = 1; set < CustomerSet{1} << left_.size(); ++set) {
            for (std::size_t last = 0; last < left_.size(); ++last) {
                if ((set >> last & 1) != 0) extend_all(set, last);
            }
            if (parts_.size() > room) return false;
        }
        return true;
    }
    [[nodiscard]] double length(CustomerSet set) const { return best_[set].length; }
    [[nodiscard]] std::uint64_t work() const { return parts_.size(); }
    /// The customers of the shortest route through the set. Precondition: there is one.
    [[nodiscard]] std::vector<std::size_t> route(CustomerSet set) const {
        std::vector<std::size_t> customers;
        for (std::size_t part = best_[set].part; part != none; part = parts_[part].before) {
            customers.push_back(left_[parts_[part].last]);
        }
        std::ranges::reverse(customers);
        return customers;
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct Part {
        double length = 0;
        double time = 0; ///< ready to leave
        std::size_t last = 0;
        std::size_t before = none;
    };
    struct Best {
        double length = no_route;
        std::size_t part = none;
    };

    void extend_all(CustomerSet set, std::size_t last) {
        for (std::size_t const index : ends_[set * left_.size() + last]) {
            Part const part = parts_[index];
            finish(set, left_[last], part.time, part.length, index);
            for (std::size_t next = 0; next < left_.size(); ++next) {
                if ((set >> next & 1) == 0) extend(set, next, left_[last], part.time, part.length, index);
            }
        }
    }
    /// Home from here.
    void finish(CustomerSet set, std::size_t node, double time, double length, std::size_t part) {
        double const way = distance_(node, 0);
        if (node != 0 && too_late(time + way, data_.time_windows[0].close)) return;
        if (length + way < best_[set].length) best_[set] = {length + way, part};
    }
    /// On to customer left[next], if it can be reached and no other part is both shorter and earlier.
    void extend(CustomerSet set, std::size_t next, std::size_t from, double time, double length, std::size_t before) {
        std::size_t const customer = left_[next];
        double const way = distance_(from, customer);
        if (too_late(time + way, data_.time_windows[customer].close)) return;
        CustomerSet const longer = set | CustomerSet{1} << next;
        if (load_of(longer) > 1 + load_tolerance) return;
        Part const part{length + way,
                        std::max(time + way, double{data_.time_windows[customer].open}) +
                            double{data_.durations[customer]},
                        next, before};
        auto& rivals = ends_[longer * left_.size() + next];
        for (std::size_t const rival : rivals) {
            if (parts_[rival].length <= part.length && parts_[rival].time <= part.time) return;
        }
        std::erase_if(rivals, [&](std::size_t rival) {
            return part.length <= parts_[rival].length && part.time <= parts_[rival].time;
        });
        rivals.push_back(parts_.size());
        parts_.push_back(part);
    }
    [[nodiscard]] double load_of(CustomerSet set) const {
        double load = start_.load;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            if ((set >> i & 1) != 0) load += double{data_.demand[left_[i] - 1]};
        }
        return load;
    }

    FleetData const& data_;
    Matrix<double> const& distance_;
    std::vector<std::size_t> const& left_;
    Vehicle start_;                              ///< before it serves any of those that are left
    std::vector<std::vector<std::size_t>> ends_; ///< by set and last customer: parts of which none beats another
    std::vector<Best> best_;                     ///< by set
    std::vector<Part> parts_;
};

} // namespace

ExactRest serve_rest(FleetData const& data, std::vector<std::size_t> const& head, std::vector<std::size_t> const& left,
                     std::uint64_t work) {
    assert(left.size() <= max_exact_rest);
    ExactRest result;
    Matrix<double> const distance = exact_distances(data.locs);
    RoutesOfSets fresh(data, distance, left, {});
    RoutesOfSets going(data, distance, left, drive(data, head, {}));
    bool const enough = fresh.run(work) && (head.empty() || going.run(work - fresh.work()));
    result.work = fresh.work() + going.work();
    if (!enough) return result;

    // By set: the least length of fresh routes that serve it, and the route with its lowest member.
    CustomerSet const everybody = (CustomerSet{1} << left.size()) - 1;
    std::vector<double> least(std::size_t{everybody} + 1, no_route);
    std::vector<CustomerSet> first_route(least.size(), 0);
    least[0] = 0;
    for (CustomerSet set = 1; set <= everybody; ++set) {
        CustomerSet const lowest = set & (~set + 1);
        CustomerSet const others = set ^ lowest;
        for (CustomerSet part = others;; part = (part - 1) & others) {
            double const length = fresh.length(part | lowest) + least[others ^ part];
            if (length < least[set]) {
                least[set] = length;
                first_route[set] = part | lowest;
            }
            ++result.work;
            if (part == 0) break;
        }
    }
    result.complete = true;
    CustomerSet on_the_way = 0;
    double shortest = head.empty() ? least[everybody] : no_route;
    for (CustomerSet set = 0; !head.empty() && set <= everybody; ++set) {
        double const length = going.length(set) + least[everybody ^ set];
        if (length >= shortest) continue;
        shortest = length;
        on_the_way = set;
    }
    if (shortest == no_route) return result;
    Routes routes;
    if (!head.empty()) {
        auto const tail = going.route(on_the_way);
        routes.routes.push_back(head);
        routes.routes.back().insert(routes.routes.back().end(), tail.begin(), tail.end());
    }
    for (CustomerSet set = everybody ^ on_the_way; set != 0; set ^= first_route[set]) {
        routes.routes.push_back(fresh.route(first_route[set]));
    }
    result.routes = std::move(routes);
    return result;
}

} // namespace cax::routing
