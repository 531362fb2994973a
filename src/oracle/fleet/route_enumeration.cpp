#include "route_enumeration.hpp"

#include <algorithm>
#include <limits>

namespace cax::oracle {
namespace {

constexpr std::uint32_t no_path = std::numeric_limits<std::uint32_t>::max();

/// A route under way.
struct Path {
    CustomerSet set = 0; ///< with the bit of the vehicle under way, if it goes on from there
    std::size_t last = 0;
    double length = 0;
    double time = 0; ///< ready to leave
    double load = 0;
    double reduced = 0;
    std::uint32_t parent = no_path;
};

struct Closed {
    CustomerSet set = 0;
    double length = 0;
    std::uint32_t path = 0;
};

class Enumeration {
public:
    Enumeration(Rest const& rest, Prices const& prices, BackwardLabels const& labels, double gap, std::size_t most,
                Work& work)
        : rest_(rest), prices_(prices), labels_(labels), gap_(gap), most_(most), work_(work) {}

    [[nodiscard]] std::optional<std::vector<Column>> run() {
        begin();
        std::size_t from = 0;
        while (from < paths_.size()) {
            std::size_t const to = paths_.size();
            for (std::size_t p = from; p < to; ++p) {
                close(p);
                extend(p);
                if (work_.exhausted() || next_.size() > 4 * most_ || paths_.size() > 8 * most_) return std::nullopt;
            }
            keep_undominated();
            if (paths_.size() > 8 * most_ || closed_.size() > 4 * most_) return std::nullopt;
            from = to;
        }
        return shortest_orders();
    }

private:
    void begin() {
        paths_.push_back({.set = 0, .last = rest_.depot(), .reduced = -prices_.route});
        if (!rest_.under_way()) return;
        Departure const departure = rest_.departure();
        paths_.push_back({.set = rest_.start_bit(),
                          .last = rest_.start(),
                          .time = departure.time,
                          .load = departure.load,
                          .reduced = -prices_.route - prices_.row[rest_.customers()]});
    }

    /// Home from here, if that is a route.
    void close(std::size_t p) {
        Path const& path = paths_[p];
        if (path.set == 0) return;
        double const home = rest_.distance(path.last, rest_.depot());
        bool const late = path.time + rest_.travel(path.last, rest_.depot()) > rest_.latest_home();
        if (late || path.reduced + home > gap_) return;
        closed_.push_back({path.set, path.length + home, static_cast<std::uint32_t>(p)});
    }

    void extend(std::size_t p) {
        Path const path = paths_[p];
        for (std::size_t k = 0; k < rest_.customers(); ++k) {
            if ((path.set & bit(k)) != 0 || !can_end(path, k)) continue;
            double const way = rest_.distance(path.last, k);
            double const arrival = path.time + rest_.travel(path.last, k);
            next_.push_back({.set = path.set | bit(k),
                             .last = k,
                             .length = path.length + way,
                             .time = std::max(arrival, rest_.open(k)) + rest_.service(k),
                             .load = path.load + rest_.demand(k),
                             .reduced = path.reduced + way - prices_.row[k],
                             .parent = static_cast<std::uint32_t>(p)});
        }
    }

    /// Is there an end from the customer on that fits, within the gap?
    [[nodiscard]] bool can_end(Path const& path, std::size_t customer) {
        Ends const& ends = labels_.at(customer);
        double const dearest = gap_ - path.reduced - rest_.distance(path.last, customer);
        double const arrival = path.time + rest_.travel(path.last, customer);
        double const room = rest_.largest_load() - path.load;
        for (std::size_t e = 0; e < ends.size() && ends.cost[e] <= dearest; ++e) {
            bool const fits = (ends.set[e] & path.set) == 0 && ends.load[e] <= room && ends.latest[e] >= arrival;
            if (!fits) continue;
            work_.spend(1 + e / 4);
            return true;
        }
        work_.spend(2);
        return false;
    }

    /// Of the same set with the same last customer, only what is shorter or sooner.
    void keep_undominated() {
        std::ranges::sort(next_, {}, [](Path const& path) {
            return std::tuple(path.set, path.last, path.length, path.time, path.parent);
        });
        work_.spend(8 * next_.size());
        std::size_t first = 0;
        double soonest = 0;
        for (std::size_t k = 0; k < next_.size(); ++k) {
            bool const same = k > 0 && next_[k].set == next_[first].set && next_[k].last == next_[first].last;
            if (same && next_[k].time >= soonest) continue;
            if (!same) first = k;
            soonest = next_[k].time;
            paths_.push_back(next_[k]);
        }
        next_.clear();
    }

    [[nodiscard]] std::optional<std::vector<Column>> shortest_orders() {
        std::ranges::sort(closed_, {},
                          [](Closed const& route) { return std::tuple(route.set, route.length, route.path); });
        std::vector<Column> columns;
        for (std::size_t k = 0; k < closed_.size(); ++k) {
            if (k > 0 && closed_[k].set == closed_[k - 1].set) continue;
            if (columns.size() >= most_) return std::nullopt;
            Column column{.set = closed_[k].set,
                          .length = closed_[k].length,
                          .customers = {},
                          .continuation = rest_.under_way() && (closed_[k].set & rest_.start_bit()) != 0};
            for (std::uint32_t p = closed_[k].path; p != no_path; p = paths_[p].parent) {
                if (paths_[p].last < rest_.customers()) column.customers.push_back(paths_[p].last);
            }
            std::ranges::reverse(column.customers);
            columns.push_back(std::move(column));
        }
        return columns;
    }

    Rest const& rest_;
    Prices const& prices_;
    BackwardLabels const& labels_;
    double gap_;
    std::size_t most_;
    Work& work_;
    std::vector<Path> paths_;
    std::vector<Path> next_;
    std::vector<Closed> closed_;
};

} // namespace

std::optional<std::vector<Column>> enumerate_routes(Rest const& rest, Prices const& prices,
                                                    BackwardLabels const& labels, double gap, std::size_t most_routes,
                                                    Work& work) {
    return Enumeration(rest, prices, labels, gap, most_routes, work).run();
}

} // namespace cax::oracle
