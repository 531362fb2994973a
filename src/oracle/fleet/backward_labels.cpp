#include "backward_labels.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cax::oracle {
namespace {

constexpr std::uint32_t no_label = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_labels = 4'000'000; ///< a few hundred megabytes

} // namespace

void BackwardLabels::prepare() {
    std::size_t const n = rest_.customers();
    for (std::size_t k = 0; k < n; ++k) {
        // A vehicle under way is no sooner there than a fresh one: it has driven at least as far.
        earliest_.push_back(std::max(rest_.open(k), rest_.travel(rest_.depot(), k)));
    }
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<std::pair<double, std::size_t>> needs;
        for (std::size_t k = 0; k < n; ++k) {
            if (k != i) needs.emplace_back(earliest_[k] + rest_.service(k) + rest_.travel(k, i), k);
        }
        std::ranges::sort(needs);
        Reach reach;
        CustomerSet blocked = 0;
        for (auto const& [need, k] : needs) blocked |= bit(k);
        reach.blocked.push_back(blocked);
        for (auto const& [need, k] : needs) {
            reach.need.push_back(need);
            blocked &= ~bit(k);
            reach.blocked.push_back(blocked);
        }
        reach_.push_back(std::move(reach));
    }
    std::vector<std::size_t> by_load(n);
    std::iota(by_load.begin(), by_load.end(), std::size_t{0});
    std::ranges::sort(by_load, {}, [&](std::size_t k) { return std::pair(rest_.demand(k), k); });
    CustomerSet heavy = n == 0 ? 0 : ~CustomerSet{0} >> (64 - n);
    too_heavy_.push_back(heavy);
    for (std::size_t const k : by_load) {
        loads_.push_back(rest_.demand(k));
        heavy &= ~bit(k);
        too_heavy_.push_back(heavy);
    }
}

CustomerSet BackwardLabels::out_of_reach(Label const& label) const {
    Reach const& reach = reach_[label.customer];
    auto const met = std::upper_bound(reach.need.begin(), reach.need.end(), label.latest) - reach.need.begin();
    double const room = rest_.largest_load() - label.load;
    auto const fit = std::upper_bound(loads_.begin(), loads_.end(), room) - loads_.begin();
    return reach.blocked[static_cast<std::size_t>(met)] | too_heavy_[static_cast<std::size_t>(fit)];
}

bool BackwardLabels::dominated(Label const& label, Dominance dominance, Work& work) const {
    Ends const& ends = ends_[label.customer];
    auto const dearer = std::upper_bound(ends.cost.begin(), ends.cost.end(), label.cost) - ends.cost.begin();
    std::size_t const count = static_cast<std::size_t>(dearer);
    // What was kept before arrives no earlier: labels come in that order.
    CustomerSet const free = dominance == Dominance::with_sets ? ~label.blocked : 0;
    double const load = label.load;
    double const* const loads = ends.load.data();
    CustomerSet const* const sets = ends.set.data();
    for (std::size_t e = 0; e < count; ++e) {
        if ((sets[e] & free) != 0 || loads[e] > load) continue;
        work.spend(1 + e / 8);
        return true;
    }
    work.spend(1 + count / 8);
    return false;
}

/// Is a to be looked at after b? The order in which no label is dominated by a later one.
bool BackwardLabels::later(Waiting const& a, Waiting const& b) const {
    if (a.latest != b.latest) return a.latest < b.latest;
    if (a.load != b.load) return a.load > b.load;
    Label const& x = labels_[a.label];
    Label const& y = labels_[b.label];
    int const more = std::popcount(x.set) - std::popcount(y.set);
    if (more != 0) return more > 0;
    if (x.cost != y.cost) return x.cost > y.cost;
    return a.label > b.label;
}

void BackwardLabels::create(std::size_t customer, std::uint32_t next, double latest, Dominance dominance, Work& work) {
    Label label;
    label.customer = static_cast<std::uint32_t>(customer);
    label.next = next;
    label.latest = latest;
    label.cost = -prices_.row[customer];
    label.load = rest_.demand(customer);
    label.set = bit(customer);
    if (next == no_label) {
        label.cost += rest_.to_depot(customer);
        label.blocked = label.set;
    } else {
        Label const& end = labels_[next];
        label.cost += rest_.distance(customer, end.customer) + end.cost;
        label.load += end.load;
        label.set |= end.set;
        label.blocked = label.set | end.blocked; // what was out of reach stays so
    }
    if (dominated(label, dominance, work)) return;
    label.blocked |= out_of_reach(label);
    labels_.push_back(label);
    open_.push_back({label.latest, label.load, static_cast<std::uint32_t>(labels_.size() - 1)});
    std::push_heap(open_.begin(), open_.end(), [this](Waiting const& a, Waiting const& b) { return later(a, b); });
    work.spend(25);
}

void BackwardLabels::keep(std::uint32_t index) {
    Label const& label = labels_[index];
    Ends& ends = ends_[label.customer];
    auto const place = std::upper_bound(ends.cost.begin(), ends.cost.end(), label.cost) - ends.cost.begin();
    ends.cost.insert(ends.cost.begin() + place, label.cost);
    ends.load.insert(ends.load.begin() + place, label.load);
    ends.latest.insert(ends.latest.begin() + place, label.latest);
    ends.set.insert(ends.set.begin() + place, label.set);
    ends.label.insert(ends.label.begin() + place, index);
}

void BackwardLabels::extend(std::uint32_t index, Dominance dominance, Work& work) {
    Label const label = labels_[index]; // a copy: the vector grows
    CustomerSet const everybody = ~CustomerSet{0} >> (64 - rest_.customers());
    for_each(everybody & ~label.blocked, [&](std::size_t k) {
        double const latest = label.latest - rest_.travel(k, label.customer) - rest_.service(k);
        create(k, index, std::min(latest, rest_.latest(k)), dominance, work);
    });
}

bool BackwardLabels::run(Dominance dominance, Work& work) {
    prepare();
    for (std::size_t i = 0; i < rest_.customers(); ++i) {
        double const latest = std::min(rest_.latest_home() - rest_.travel(i, rest_.depot()) - rest_.service(i),
                                       rest_.latest(i));
        if (latest < earliest_[i] || rest_.demand(i) > rest_.largest_load()) continue;
        create(i, no_label, latest, dominance, work);
    }
    auto const order = [this](Waiting const& a, Waiting const& b) { return later(a, b); };
    while (!open_.empty()) {
        if (work.exhausted() || labels_.size() > most_labels) return false;
        std::pop_heap(open_.begin(), open_.end(), order);
        std::uint32_t const index = open_.back().label;
        open_.pop_back();
        if (dominated(labels_[index], dominance, work)) continue;
        keep(index);
        extend(index, dominance, work);
    }
    return true;
}

std::vector<std::size_t> BackwardLabels::way(std::uint32_t label) const {
    std::vector<std::size_t> customers;
    for (; label != no_label; label = labels_[label].next) customers.push_back(labels_[label].customer);
    return customers;
}

} // namespace cax::oracle
