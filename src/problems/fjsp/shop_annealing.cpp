#include "shop_annealing.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::fjsp {
namespace {

// Temperatures at the beginning and at the end, as a multiple of the mean time of an operation.
constexpr double hot = 0.1;
constexpr double cold = 0.01;
/// How often the temperature falls from the one to the other.
constexpr double cycles = 2;
/// How often any operation is moved, not only one of a longest path.
constexpr double any_chance = 0.5;

/// The mean time of an operation, over all its machines: the scale of temperatures.
double mean_time(Instance const& instance) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t o = 0; o < instance.operation_count(); ++o) {
        for (auto const& way : instance.alternatives(o)) {
            sum += double{way.time};
            ++count;
        }
    }
    return sum / static_cast<double>(count);
}

} // namespace

/// Every operation where the schedule has it, but as early as it can be.
ShopGraph follow(Instance const& instance, Schedule schedule) {
    ShopGraph graph(instance);
    std::ranges::stable_sort(schedule.entries, {}, &Schedule::Entry::start);
    for (Schedule::Entry const& entry : schedule.entries) graph.append(entry.operation, entry.machine);
    [[maybe_unused]] bool const sound = graph.refresh();
    assert(sound);
    return graph;
}

ShopAnnealing::ShopAnnealing(Instance const& instance, ShopGraph start, std::vector<std::uint8_t> const& held)
    : instance_(instance),
      is_movable_(instance.operation_count(), 1),
      current_(start),
      best_(start),
      trial_(std::move(start)),
      scale_(mean_time(instance)) {
    for (std::size_t o = 0; o < is_movable_.size(); ++o) {
        if (!held.empty() && held[o] != 0) is_movable_[o] = 0;
        if (is_movable_[o] != 0) movable_.push_back(o);
    }
    assert(!movable_.empty());
    find_critical();
}

void ShopAnnealing::iterate(Rng rng, double fraction) {
    double const phase = cycles * fraction - std::floor(cycles * fraction);
    double const temperature = scale_ * hot * std::pow(cold / hot, phase);
    double const limit = current_.smooth_makespan() - temperature * std::log(1 - rng.uniform());
    bool const any = rng.uniform() < any_chance || critical_.empty();
    std::size_t const o = any ? movable_[rng.below(movable_.size())] : critical_[rng.below(critical_.size())];
    auto const ways = instance_.alternatives(o);
    std::size_t const machine = ways[rng.below(ways.size())].machine;
    trial_ = current_;
    trial_.take_out(o);
    if (!trial_.refresh() || trial_.smooth_makespan() > limit) return;
    auto const [first, last] = trial_.room_for(o, machine);
    if (first > last) return;
    trial_.put(o, {machine, first + rng.below(last - first + 1)});
    if (!trial_.refresh() || trial_.smooth_makespan() > limit) return;
    std::swap(current_, trial_);
    find_critical();
    if (current_.makespan() < best_.makespan()) best_ = current_;
}

void ShopAnnealing::find_critical() {
    critical_.clear();
    for (std::size_t const o : movable_) {
        if (current_.critical(o)) critical_.push_back(o);
    }
}

} // namespace cax::fjsp
