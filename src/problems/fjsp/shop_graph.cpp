#include "shop_graph.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::fjsp {

ShopGraph::ShopGraph(Instance const& instance)
    : instance_(&instance),
      order_(instance.machine_count()),
      machine_(instance.operation_count(), none),
      position_(instance.operation_count(), 0),
      time_(instance.operation_count(), 0),
      release_(instance.operation_count(), 0),
      held_(instance.machine_count(), 0),
      head_(instance.operation_count(), 0),
      tail_(instance.operation_count(), 0),
      waiting_for_(instance.operation_count(), 0) {
    sorted_.reserve(instance.operation_count());
}

void ShopGraph::append(std::size_t operation, std::size_t machine) {
    put(operation, {machine, order_[machine].size()});
}

void ShopGraph::hold_orders() {
    for (std::size_t m = 0; m < order_.size(); ++m) held_[m] = order_[m].size();
}

void ShopGraph::take_out(std::size_t operation) {
    auto const [machine, position] = place_of(operation);
    order_[machine].erase(order_[machine].begin() + static_cast<std::ptrdiff_t>(position));
    renumber(machine, position);
    machine_[operation] = none;
    time_[operation] = 0;
}

void ShopGraph::put(std::size_t operation, Place const& place) {
    assert(machine_[operation] == none && place.position <= order_[place.machine].size());
    order_[place.machine].insert(order_[place.machine].begin() + static_cast<std::ptrdiff_t>(place.position),
                                 operation);
    machine_[operation] = place.machine;
    time_[operation] = instance_->time(place.machine, operation);
    renumber(place.machine, place.position);
}

void ShopGraph::renumber(std::size_t machine, std::size_t from) {
    for (std::size_t i = from; i < order_[machine].size(); ++i) position_[order_[machine][i]] = i;
}

/// Operations whose predecessors are all sorted come next.
bool ShopGraph::sort() {
    sorted_.clear();
    for (std::size_t o = 0; o < machine_.size(); ++o) {
        bool const behind_another = machine_[o] != none && position_[o] > 0;
        waiting_for_[o] = static_cast<std::uint8_t>((job_before(o) != none ? 1 : 0) + (behind_another ? 1 : 0));
        if (waiting_for_[o] == 0) sorted_.push_back(o);
    }
    auto const ready = [&](std::size_t o) {
        if (--waiting_for_[o] == 0) sorted_.push_back(o);
    };
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        std::size_t const o = sorted_[i];
        if (std::size_t const next = job_after(o); next != none) ready(next);
        if (machine_[o] == none) continue;
        auto const& order = order_[machine_[o]];
        if (position_[o] + 1 < order.size()) ready(order[position_[o] + 1]);
    }
    return sorted_.size() == machine_.size();
}

bool ShopGraph::refresh() {
    if (!sort()) return false;
    makespan_ = 0;
    for (std::size_t const o : sorted_) {
        double start = std::max(release_[o], end(job_before(o)));
        if (machine_[o] != none && position_[o] > 0)
            start = std::max(start, end(order_[machine_[o]][position_[o] - 1]));
        head_[o] = start;
        makespan_ = std::max(makespan_, start + time_[o]);
    }
    for (std::size_t i = sorted_.size(); i-- > 0;) {
        std::size_t const o = sorted_[i];
        double follows = rest(job_after(o));
        if (machine_[o] != none && position_[o] + 1 < order_[machine_[o]].size())
            follows = std::max(follows, rest(order_[machine_[o]][position_[o] + 1]));
        tail_[o] = follows;
    }
    return true;
}

double ShopGraph::smooth_makespan() const {
    double sum = 0;
    for (auto const& order : order_) {
        if (order.empty()) continue;
        double const share = end(order.back()) / makespan_;
        double const squared = share * share;
        double const to_the_eighth = squared * squared * squared * squared;
        sum += to_the_eighth * squared;
    }
    return makespan_ * std::pow(sum / static_cast<double>(order_.size()), 0.1);
}

bool ShopGraph::critical(std::size_t operation) const {
    // Sums in different orders: equal up to rounding.
    return head_[operation] + time_[operation] + tail_[operation] >= makespan_ * (1 - 1e-12);
}

Place ShopGraph::place_of(std::size_t operation) const {
    assert(machine_[operation] != none);
    return {machine_[operation], position_[operation]};
}

/// Nobody before it may be waiting for its job's next operation, nobody behind it may be waited for by its job's
/// previous one. Who starts before that next one ends does not wait for it, and likewise in the other direction
/// (Mastrolilli and Gambardella 2000).
std::pair<std::size_t, std::size_t> ShopGraph::room_for(std::size_t operation, std::size_t machine) const {
    auto const& order = order_[machine];
    std::size_t const before = job_before(operation);
    std::size_t const after = job_after(operation);
    std::size_t last = 0;
    while (last < order.size() && (after == none || (order[last] != after && head_[order[last]] < end(after)))) {
        ++last;
    }
    std::size_t first = order.size();
    while (first > 0 && (before == none || (order[first - 1] != before && end(order[first - 1]) > head_[before])))
        --first;
    return {std::max(first, held_[machine]), last};
}

Schedule ShopGraph::schedule() const {
    Schedule result;
    for (std::size_t o = 0; o < machine_.size(); ++o) result.entries.push_back({o, machine_[o], head_[o]});
    return result;
}

} // namespace cax::fjsp
