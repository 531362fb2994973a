// The shortest way to serve some customers, by dynamic programming over sets of them: first the shortest feasible route
// through every set that a vehicle can serve, for a fresh one and for the one that is under way, then the cheapest way
// to share all customers out among routes. Windows and loads have the tolerances of the checkers, so that what is
// proved is about everything that they accept.
#include "fleet.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace cax::routing {
namespace {

using CustomerSet = std::uint32_t; ///< bit i for left[i]
constexpr double no_route = std::numeric_limits<double>::infinity();

bool too_late(double arrival, double close) { return arrival * (1 - time_tolerance) > close; }

/// A set of customers that one vehicle can serve on its way home, and the least length of that.
struct Served {
    CustomerSet set = 0;
    double length = no_route;
};

/// The shortest route through every set of customers, from one departure.
class RoutesOfSets {
public:
    RoutesOfSets(FleetData const& data, Matrix<double> const& distance, std::vector<std::size_t> const& left,
                 Vehicle const& start)
        : data_(data), distance_(distance), left_(left), start_(start), place_(std::size_t{1} << left.size(), none) {}

    /// False if there would be more than `room` partial routes, or if `stop` says so.
    bool run(std::uint64_t room, std::function<bool()> const& stop) {
        constexpr std::size_t between_looks = 4096;
        carriers_.push_back({.load = start_.load});
        place_[0] = 0;
        finish(0, start_.node, start_.time, start_.length, none);
        for (std::size_t i = 0; i < left_.size(); ++i) extend(0, i, start_.node, start_.time, start_.length, none);
        // Larger sets come after all of their subsets.
        for (std::size_t c = 1; c < carriers_.size(); ++c) {
            for (std::size_t k = 0; k < carriers_[c].parts.size(); ++k) extend_all(c, carriers_[c].parts[k]);
            if (parts_.size() > room || (stop && c % between_looks == 0 && stop())) return false;
        }
        return true;
    }
    /// All sets that have a route.
    [[nodiscard]] std::vector<Served> served() const {
        std::vector<Served> sets;
        for (Carrier const& carrier : carriers_) {
            if (carrier.best != no_route) sets.push_back({carrier.set, carrier.best});
        }
        return sets;
    }
    [[nodiscard]] std::uint64_t work() const { return parts_.size(); }
    /// The customers of the shortest route through the set. Precondition: there is one.
    [[nodiscard]] std::vector<std::size_t> route(CustomerSet set) const {
        std::vector<std::size_t> customers;
        for (std::size_t part = carriers_[place_[set]].best_part; part != none; part = parts_[part].before) {
            customers.push_back(left_[parts_[part].last]);
        }
        std::ranges::reverse(customers);
        return customers;
    }

private:
    static constexpr auto none = static_cast<std::uint32_t>(-1);
    struct Part {
        double length = 0;
        double time = 0; ///< ready to leave
        std::uint32_t last = 0;
        std::uint32_t before = none;
    };
    /// A vehicle that has served a set, in every way that no other one beats.
    struct Carrier {
        CustomerSet set = 0;
        double load = 0;
        double best = no_route; ///< and home
        std::uint32_t best_part = none;
        std::vector<std::uint32_t> parts{};
    };

    void extend_all(std::size_t carrier, std::uint32_t index) {
        Part const part = parts_[index];
        CustomerSet const set = carriers_[carrier].set;
        std::size_t const here = left_[part.last];
        finish(carrier, here, part.time, part.length, index);
        for (std::size_t next = 0; next < left_.size(); ++next) {
            if ((set >> next & 1) == 0) extend(carrier, next, here, part.time, part.length, index);
        }
    }
    /// Home from here.
    void finish(std::size_t carrier, std::size_t node, double time, double length, std::uint32_t part) {
        double const way = distance_(node, 0);
        if (node != 0 && too_late(time + way, data_.time_windows[0].close)) return;
        Carrier& own = carriers_[carrier];
        if (length + way >= own.best) return;
        own.best = length + way;
        own.best_part = part;
    }
    /// On to customer left[next], if it can be reached and no other part is both shorter and earlier.
    void extend(std::size_t carrier, std::size_t next, std::size_t from, double time, double length,
                std::uint32_t before) {
        std::size_t const customer = left_[next];
        double const way = distance_(from, customer);
        if (too_late(time + way, data_.time_windows[customer].close)) return;
        double const load = carriers_[carrier].load + double{data_.demand[customer - 1]};
        if (load > 1 + load_tolerance) return;
        Part const part{length + way,
                        std::max(time + way, double{data_.time_windows[customer].open}) +
                            double{data_.durations[customer]},
                        static_cast<std::uint32_t>(next), before};
        CustomerSet const longer = carriers_[carrier].set | CustomerSet{1} << next;
        if (place_[longer] == none) {
            place_[longer] = static_cast<std::uint32_t>(carriers_.size());
            carriers_.push_back({.set = longer, .load = load});
        }
        auto& rivals = carriers_[place_[longer]].parts;
        for (std::uint32_t const rival : rivals) {
            Part const& other = parts_[rival];
            if (other.last == part.last && other.length <= part.length && other.time <= part.time) return;
        }
        std::erase_if(rivals, [&](std::uint32_t rival) {
            Part const& other = parts_[rival];
            return other.last == part.last && part.length <= other.length && part.time <= other.time;
        });
        rivals.push_back(static_cast<std::uint32_t>(parts_.size()));
        parts_.push_back(part);
    }

    FleetData const& data_;
    Matrix<double> const& distance_;
    std::vector<std::size_t> const& left_;
    Vehicle start_;                    ///< before it serves any of those that are left
    std::vector<std::uint32_t> place_; ///< of each set among the carriers
    std::vector<Carrier> carriers_;
    std::vector<Part> parts_;
};

/// Prices of customers, of which no route's are more together than it is long: so what is left to be served is no
/// shorter than the prices of its customers (a feasible solution of the dual of sharing out).
std::vector<double> prices_of(std::vector<Served> const& routes, std::vector<double> const& demand) {
    std::vector<double> prices(demand.size(), no_route);
    auto const for_members = [&](CustomerSet set, auto const& visit) {
        for (CustomerSet rest = set; rest != 0; rest &= rest - 1)
            visit(static_cast<std::size_t>(std::countr_zero(rest)));
    };
    // By demand, each by the route that is cheapest for it.
    for (Served const& route : routes) {
        double load = 0;
        for_members(route.set, [&](std::size_t i) { load += demand[i]; });
        for_members(route.set, [&](std::size_t i) {
            double const share = load > 0 ? demand[i] / load : 1 / static_cast<double>(std::popcount(route.set));
            prices[i] = std::min(prices[i], route.length * share);
        });
    }
    // Then each as far as it goes.
    std::vector<double> spare;
    for (Served const& route : routes) {
        spare.push_back(route.length);
        for_members(route.set, [&](std::size_t i) { spare.back() -= prices[i]; });
    }
    for (std::size_t i = 0; i < prices.size(); ++i) {
        double least = no_route;
        for (std::size_t r = 0; r < routes.size(); ++r) {
            if ((routes[r].set >> i & 1) != 0) least = std::min(least, spare[r]);
        }
        if (!(least > 0) || least == no_route) continue;
        prices[i] += least;
        for (std::size_t r = 0; r < routes.size(); ++r) {
            if ((routes[r].set >> i & 1) != 0) spare[r] -= least;
        }
    }
    return prices;
}

/// The cheapest way to share customers out among fresh routes, from any set of them that is served already.
class Sharing {
public:
    Sharing(std::size_t customers, std::vector<Served> const& fresh, std::vector<double> const& demand, double upper)
        : everybody_((CustomerSet{1} << customers) - 1),
          upper_(upper),
          by_lowest_(customers),
          cheapest_(std::size_t{everybody_} + 1, no_route),
          last_route_(cheapest_.size(), 0) {
        if (upper < no_route) prices_ = prices_of(fresh, demand);
        for (Served const& route : fresh) {
            if (route.set == 0) continue;
            by_lowest_[static_cast<std::size_t>(std::countr_zero(route.set))].push_back(
                {route.set, route.length, price_of(route.set)});
        }
    }
    /// This set is served for so much.
    void begin(CustomerSet set, double length) { cheapest_[set] = std::min(cheapest_[set], length); }

    /// False if it takes more than `room` comparisons, or if `stop` says so.
    bool run(std::uint64_t room, std::function<bool()> const& stop) {
        constexpr CustomerSet between_looks = 1024;
        double const dear = upper_ + length_tolerance * upper_;
        for (CustomerSet set = 0; set < everybody_; ++set) {
            if (work_ > room || (stop && set % between_looks == 0 && stop())) return false;
            double const rest = price_of(everybody_ ^ set);
            if (cheapest_[set] == no_route || cheapest_[set] + rest > dear) continue;
            auto const& routes = by_lowest_[static_cast<std::size_t>(std::countr_one(set))];
            work_ += routes.size();
            for (Route const& route : routes) {
                if ((route.set & set) != 0) continue;
                double const length = cheapest_[set] + route.length;
                CustomerSet const served = set | route.set;
                if (length >= cheapest_[served] || length + rest - route.price > dear) continue;
                cheapest_[served] = length;
                last_route_[served] = route.set;
            }
        }
        return true;
    }
    /// Of everybody; no_route if there is none.
    [[nodiscard]] double length() const { return cheapest_[everybody_]; }
    /// The routes that lead there, the last first; the set where they began.
    [[nodiscard]] CustomerSet routes(std::vector<CustomerSet>& sets) const {
        CustomerSet set = everybody_;
        for (; last_route_[set] != 0; set ^= last_route_[set]) sets.push_back(last_route_[set]);
        return set;
    }
    [[nodiscard]] std::uint64_t work() const { return work_; }

private:
    struct Route {
        CustomerSet set = 0;
        double length = 0;
        double price = 0;
    };
    [[nodiscard]] double price_of(CustomerSet set) const {
        double sum = 0;
        for (; set != 0 && !prices_.empty(); set &= set - 1)
            sum += prices_[static_cast<std::size_t>(std::countr_zero(set))];
        return sum;
    }

    CustomerSet everybody_;
    double upper_;
    std::vector<double> prices_; ///< empty: nothing is known of what is left
    std::vector<std::vector<Route>> by_lowest_;
    std::vector<double> cheapest_;        ///< by set
    std::vector<CustomerSet> last_route_; ///< that led there; nothing where it began
    std::uint64_t work_ = 0;
};

} // namespace

ExactRest serve_rest(FleetData const& data, std::vector<std::size_t> const& head, std::vector<std::size_t> const& left,
                     RestOptions const& options) {
    assert(left.size() <= max_exact_customers);
    ExactRest result;
    Matrix<double> const distance = data.legs();
    RoutesOfSets fresh(data, distance, left, {});
    RoutesOfSets going(data, distance, left, drive(data, head, {}));
    std::uint64_t const room = std::min(options.work, options.room);
    bool const enough = fresh.run(room, options.stop) && (head.empty() || going.run(room - fresh.work(), options.stop));
    result.work = fresh.work() + going.work();
    if (!enough) return result;

    std::vector<double> demand;
    for (std::size_t const customer : left) demand.push_back(double{data.demand[customer - 1]});
    Sharing sharing(left.size(), fresh.served(), demand, options.upper);
    if (head.empty()) sharing.begin(0, 0);
    for (Served const& first : head.empty() ? std::vector<Served>{} : going.served())
        sharing.begin(first.set, first.length);
    result.complete = sharing.run(options.work - result.work, options.stop);
    result.work += sharing.work();
    if (!result.complete || sharing.length() == no_route) return result;
    std::vector<CustomerSet> sets;
    CustomerSet const on_the_way = sharing.routes(sets);
    Routes routes;
    if (!head.empty()) {
        auto const tail = going.route(on_the_way);
        routes.routes.push_back(head);
        routes.routes.back().insert(routes.routes.back().end(), tail.begin(), tail.end());
    }
    for (CustomerSet const set : sets) routes.routes.push_back(fresh.route(set));
    result.routes = std::move(routes);
    return result;
}

} // namespace cax::routing
