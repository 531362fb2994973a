#include "branch_bound.hpp"

#include "../errors.hpp"

#include <algorithm>
#include <limits>

namespace cax::knapsack {
namespace {

/// Of values that are sums: what rounding can make of them.
double slip(double value) { return 1e-12 * (1 + value); }

bool goes_in(double weight, double volume, Room const& room) { return weight <= room.weight && volume <= room.volume; }

} // namespace

Result<Begun> begin_with(Data const& data, std::span<std::size_t const> items) {
    Begun begun{.items = {}, .room = {1, 1}, .left = {}};
    std::vector<bool> packed(data.values.size(), false);
    for (std::size_t t = 0; t < items.size(); ++t) {
        std::size_t const item = items[t];
        if (item >= packed.size()) return invalid("prefix[{}]: there is no item {}", t, item);
        if (packed[item]) return invalid("prefix[{}]: item {} is packed already", t, item);
        packed[item] = true;
        begun.items.push_back(item);
        begun.value += double{data.values[item]};
        begun.room.weight -= double{data.weights[item]};
        begun.room.volume -= double{data.volumes[item]};
    }
    for (std::size_t item = 0; item < packed.size(); ++item) {
        if (!packed[item]) begun.left.push_back(item);
    }
    return begun;
}

BranchAndBound::BranchAndBound(Data const& data, Begun const& begun, double limit)
    : begun_(begun.items),
      begun_value_(begun.value),
      room_{begun.room.weight + (limit - 1), begun.room.volume + (limit - 1)} {
    for (std::size_t const i : begun.left) {
        double const weight = data.weights[i], volume = data.volumes[i];
        if (goes_in(weight, volume, room_)) items_.push_back({i, double{data.values[i]}, weight, volume});
    }
    // The bound at the root is quasi-convex in u.
    constexpr int thirds = 40;
    double low = 0, high = 1;
    for (int i = 0; i < thirds; ++i) {
        double const a = low + (high - low) / 3, b = high - (high - low) / 3;
        double const bound_at_a = mix(a);
        if (bound_at_a <= mix(b))
            high = b;
        else
            low = a;
    }
    root_bound_ = mix((low + high) / 2);
}

double BranchAndBound::mix(double u) {
    u_ = u;
    auto const worth = [](Item const& item) {
        if (item.use > 0) return item.value / item.use;
        return item.value > 0 ? std::numeric_limits<double>::infinity() : 0;
    };
    for (Item& item : items_) item.use = u * item.weight + (1 - u) * item.volume;
    std::ranges::sort(items_, [&](Item const& a, Item const& b) {
        double const first = worth(a), second = worth(b);
        return first != second ? first > second : a.number < b.number;
    });
    return bound_of({.room = room_});
}

double BranchAndBound::bound_of(Node const& node) const {
    double value = node.value;
    double room = u_ * node.room.weight + (1 - u_) * node.room.volume;
    for (std::size_t i = node.next; i < items_.size(); ++i) {
        if (items_[i].use > room) return value + items_[i].value * room / items_[i].use;
        room -= items_[i].use;
        value += items_[i].value;
    }
    return value;
}

bool BranchAndBound::run(std::function<bool(std::uint64_t)> const& goes_on, double enough) {
    std::vector<Node> before; // the nodes at which an item was packed: to come back to and leave it out
    std::vector<std::size_t> packed;
    Node here{.room = room_};
    while (true) {
        if (here.value > best_value_ + slip(best_value_)) {
            best_value_ = here.value;
            chosen_ = packed;
            found_ = true;
            if (begun_value_ + best_value_ >= enough) return false;
        }
        if (here.next == items_.size() || bound_of(here) <= best_value_ + slip(best_value_)) {
            if (before.empty()) return true;
            here = before.back();
            before.pop_back();
            packed.pop_back();
            ++here.next;
            continue;
        }
        if (!goes_on(nodes_)) return false;
        ++nodes_;
        Item const& item = items_[here.next];
        if (goes_in(item.weight, item.volume, here.room)) {
            before.push_back(here);
            packed.push_back(here.next);
            here.value += item.value;
            here.room = {here.room.weight - item.weight, here.room.volume - item.volume};
        }
        ++here.next;
    }
}

std::vector<std::size_t> BranchAndBound::best() const {
    std::vector<bool> in(items_.size(), false);
    Room room = room_;
    std::vector<std::size_t> numbers = begun_;
    auto const pack = [&](std::size_t place) {
        Item const& item = items_[place];
        if (in[place] || !goes_in(item.weight, item.volume, room)) return;
        in[place] = true;
        room = {room.weight - item.weight, room.volume - item.volume};
        numbers.push_back(item.number);
    };
    for (std::size_t const place : chosen_) pack(place);
    for (std::size_t place = 0; place < items_.size(); ++place) pack(place);
    std::ranges::sort(numbers);
    return numbers;
}

} // namespace cax::knapsack
