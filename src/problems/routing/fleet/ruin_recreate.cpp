#include "ruin_recreate.hpp"

#include <array>
#include <cmath>

namespace cax::routing {
namespace {

// The constants of the paper, in its notation.
constexpr double mean_removed = 10;    // c: customers taken out, on average
constexpr double longest_string = 10;  // L_max
constexpr double split_chance = 0.5;   // alpha: a string keeps some customers in its middle
constexpr double longer_middle = 0.01; // beta: each further customer kept
constexpr double blink_chance = 0.01;  // gamma

constexpr std::size_t no_slot = static_cast<std::size_t>(-1);

/// A whole number from 1 to `most`.
std::size_t up_to(double most, Rng& rng) {
    return static_cast<std::size_t>(std::max(1.0, std::floor(rng.uniform(1, most + 1))));
}

/// In which order customers return: the paper's, with weights for problems with time windows.
enum class Order { any, demand, far, close, narrow_window, opens_first, closes_last };
Order draw_order(Rng& rng) {
    constexpr std::array<std::pair<Order, unsigned>, 7> weights{{{Order::any, 4},
                                                                 {Order::demand, 4},
                                                                 {Order::far, 2},
                                                                 {Order::close, 1},
                                                                 {Order::narrow_window, 2},
                                                                 {Order::opens_first, 2},
                                                                 {Order::closes_last, 2}}};
    auto left = static_cast<unsigned>(rng.below(17));
    for (auto const& [order, weight] : weights) {
        if (left < weight) return order;
        left -= weight;
    }
    return Order::any;
}

double rank(Network const& network, Node customer, Order order) {
    switch (order) {
    case Order::any: break;
    case Order::demand: return -network.demand[customer];
    case Order::far: return -network.distance(depot, customer);
    case Order::close: return network.distance(depot, customer);
    case Order::narrow_window: return network.close[customer] - network.open[customer];
    case Order::opens_first: return network.open[customer];
    case Order::closes_last: return -network.close[customer];
    }
    return 0;
}

} // namespace

Plan::Plan(Network const& network) : network_(network), slot_of_(network.nodes(), no_slot) {
    for (Node customer = 1; customer < network.nodes(); ++customer) absent_.push_back(customer);
}

Plan::Plan(Network const& network, std::vector<Node> const& head) : Plan(network) {
    if (head.empty()) return;
    std::erase_if(absent_, [&](Node customer) { return std::ranges::find(head, customer) != head.end(); });
    staying_ = head.size();
    slots_.emplace_back(network, head);
    add_up();
}

std::size_t Plan::vehicles() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(slots_, [](TimedRoute const& route) { return !route.empty(); }));
}

Routes Plan::routes() const {
    Routes result;
    for (TimedRoute const& route : slots_) {
        if (route.empty()) continue;
        result.routes.emplace_back(route.stops().begin() + 1, route.stops().end() - 1);
    }
    return result;
}

void Plan::follow(Routes const& routes) {
    for (auto const& route : routes.routes) {
        if (route.empty()) continue;
        std::size_t const slot = empty_slot();
        for (std::size_t position = 0; position < route.size(); ++position) {
            auto const customer = static_cast<Node>(route[position]);
            slots_[slot].insert(network_, position, customer);
            slot_of_[customer] = slot;
        }
    }
    std::erase_if(absent_, [&](Node customer) { return slot_of_[customer] != no_slot; });
    add_up();
}

void Plan::go_on(std::vector<Node> const& customers) {
    TimedRoute& route = slots_.front();
    for (Node const customer : customers) {
        std::size_t const last = route.size();
        if (!route.has_room_for(network_, customer) || !route.reaches(network_, last, customer)) continue;
        if (std::isinf(route.insertion_cost(network_, last, customer))) continue;
        route.insert(network_, last, customer);
        slot_of_[customer] = 0;
    }
    std::erase_if(absent_, [&](Node customer) { return slot_of_[customer] != no_slot; });
    add_up();
}

void Plan::ruin(Rng& rng) {
    std::size_t const present = network_.nodes() - 1 - absent_.size() - staying_;
    if (present == 0) return;
    double const mean_size = static_cast<double>(present) / static_cast<double>(vehicles());
    double const string = std::min(longest_string, mean_size);
    std::size_t const strings = up_to(4 * mean_removed / (1 + string) - 1, rng);
    auto const seed = static_cast<Node>(1 + rng.below(network_.nodes() - 1));
    std::vector<std::size_t> ruined;
    for (Node const customer : network_.nearest[seed]) {
        if (ruined.size() == strings) break;
        std::size_t const slot = slot_of_[customer];
        if (slot == no_slot || std::ranges::find(ruined, slot) != ruined.end()) continue;
        double const longest = std::min(string, static_cast<double>(slots_[slot].size() - slots_[slot].fixed()));
        cut(slot, customer, up_to(longest, rng), rng);
        ruined.push_back(slot);
    }
    add_up();
}

/// A string of `length` customers with this one in it; or, split, a longer one that keeps customers in its middle.
void Plan::cut(std::size_t slot, Node customer, std::size_t length, Rng& rng) {
    TimedRoute const& route = slots_[slot];
    std::size_t const fixed = route.fixed();
    std::size_t const size = route.size() - fixed;
    std::size_t kept = 0;
    if (length < size && length > 1 && rng.uniform() < split_chance) {
        kept = 1;
        while (length + kept < size && rng.uniform() < longer_middle) ++kept;
    }
    std::size_t const whole = length + kept;
    auto const& stops = route.stops();
    auto const at = static_cast<std::size_t>(std::find(stops.begin(), stops.end(), customer) - stops.begin());
    std::size_t const first_start = at >= whole + fixed ? at - whole + 1 : 1 + fixed;
    std::size_t const last_start = std::min(at, fixed + size - whole + 1);
    std::size_t const start = first_start + rng.below(last_start - first_start + 1);
    marks_.assign(stops.size(), 0);
    std::fill_n(marks_.begin() + static_cast<std::ptrdiff_t>(start), whole, std::uint8_t{1});
    if (kept > 0) {
        std::size_t const skip = 1 + rng.below(length - 1);
        std::fill_n(marks_.begin() + static_cast<std::ptrdiff_t>(start + skip), kept, std::uint8_t{0});
    }
    take_out_marked(slot);
}

void Plan::disband(std::size_t slot) {
    marks_.assign(slots_[slot].stops().size(), 1);
    marks_.back() = 0;
    std::fill_n(marks_.begin(), slots_[slot].fixed() + 1, std::uint8_t{0});
    take_out_marked(slot);
    add_up();
}

void Plan::take_out_marked(std::size_t slot) {
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        if (marks_[i] == 0) continue;
        Node const customer = slots_[slot].stop(i);
        absent_.push_back(customer);
        slot_of_[customer] = no_slot;
    }
    slots_[slot].remove(network_, marks_);
}

void Plan::recreate(Rng& rng, Fleet fleet) {
    order_absent(rng);
    places_to_blink_ = 0;
    std::vector<Node> left;
    for (Node const customer : absent_) {
        Place place = best_place(customer, rng);
        double const alone = network_.distance(depot, customer) + network_.distance(customer, depot);
        if (fleet == Fleet::grows && place.cost >= alone) place = {.slot = empty_slot(), .position = 0, .cost = alone};
        if (std::isinf(place.cost)) {
            left.push_back(customer);
            continue;
        }
        slots_[place.slot].insert(network_, place.position, customer);
        slot_of_[customer] = place.slot;
    }
    absent_ = std::move(left);
    add_up();
}

void Plan::order_absent(Rng& rng) {
    for (std::size_t i = absent_.size(); i > 1; --i) std::swap(absent_[i - 1], absent_[rng.below(i)]);
    Order const order = draw_order(rng);
    if (order == Order::any) return;
    std::ranges::stable_sort(absent_, {}, [&](Node customer) { return rank(network_, customer, order); });
}

/// Blinks come with the same chance at every place; one draw says how many places lie before the next.
bool Plan::blinks(Rng& rng) {
    if (places_to_blink_ == 0) {
        double const gap = std::log(1 - rng.uniform()) / std::log(1 - blink_chance);
        places_to_blink_ = 1 + static_cast<std::uint64_t>(gap);
    }
    return --places_to_blink_ == 0;
}

Plan::Place Plan::best_place(Node customer, Rng& rng) {
    Place best;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        TimedRoute const& route = slots_[slot];
        if (route.empty() || !route.has_room_for(network_, customer)) continue;
        for (std::size_t position = route.fixed(); position <= route.size(); ++position) {
            if (!route.reaches(network_, position, customer)) break;
            if (blinks(rng)) continue;
            double const cost = route.insertion_cost(network_, position, customer);
            if (cost < best.cost) best = {slot, position, cost};
        }
    }
    return best;
}

std::size_t Plan::empty_slot() {
    auto const found = std::ranges::find_if(slots_, &TimedRoute::empty);
    if (found != slots_.end()) return static_cast<std::size_t>(found - slots_.begin());
    slots_.emplace_back(network_);
    return slots_.size() - 1;
}

void Plan::become(Plan& other) {
    while (slots_.size() < other.slots_.size()) slots_.emplace_back(network_);
    while (other.slots_.size() < slots_.size()) other.slots_.emplace_back(network_);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        if (!slots_[slot].touched() && !other.slots_[slot].touched()) continue;
        other.slots_[slot].count_as_untouched();
        slots_[slot] = other.slots_[slot];
    }
    slot_of_ = other.slot_of_;
    absent_ = other.absent_;
    length_ = other.length_;
}

void Plan::add_up() {
    length_ = 0;
    for (TimedRoute const& route : slots_) length_ += route.length();
}

} // namespace cax::routing
