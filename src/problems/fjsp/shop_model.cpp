#include "shop_model.hpp"

#include "../settled.hpp"
#include "energetic_cuts.hpp"
#include "families.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace cax::fjsp {
namespace {

/// Of clocks, so that sums of them stay within a model's numbers.
constexpr double largest_clock = 1 << 20;

/// The smallest power of two in which all times are whole; nothing if that makes clocks too large.
std::optional<double> exact_scale(Instance const& instance, double horizon) {
    for (double scale = 1; scale * horizon <= largest_clock; scale *= 2) {
        bool whole = true;
        for (std::size_t o = 0; o < instance.operation_count() && whole; ++o) {
            for (auto const& [machine, time] : instance.alternatives(o)) {
                whole = whole && std::trunc(scale * double{time}) == scale * double{time};
            }
        }
        if (whole) return scale;
    }
    return std::nullopt;
}

/// From times to whole numbers, in the direction that the rounding asks for.
class Units {
public:
    Units(Instance const& instance, double horizon, Rounding rounding) : rounding_(rounding) {
        if (auto const exact = exact_scale(instance, horizon)) {
            scale_ = *exact;
        } else {
            scale_ = std::exp2(std::floor(std::log2(largest_clock / horizon)));
        }
        // What a checker tolerates at every operation can add up along a chain of them.
        double const tolerated = 2e-9 * horizon * static_cast<double>(instance.operation_count() + 2);
        double const limit = rounding == Rounding::strict ? horizon : horizon + tolerated;
        horizon_ = static_cast<std::int64_t>(std::floor(limit * scale_));
    }
    [[nodiscard]] std::int64_t horizon() const { return horizon_; }
    /// A duration, or a moment before which something cannot start. Whatever is beyond the horizon is just beyond it,
    /// however far: nothing of that kind fits a schedule.
    [[nodiscard]] std::int64_t of(double time) const {
        double const scaled = rounding_ == Rounding::strict ? std::ceil(time * scale_) : std::floor(time * scale_);
        return scaled <= static_cast<double>(horizon_) ? static_cast<std::int64_t>(scaled) : horizon_ + 1;
    }

private:
    Rounding rounding_;
    double scale_ = 1;
    std::int64_t horizon_ = 0;
};

class ShopWriter {
public:
    ShopWriter(Instance const& instance, Prefix prefix, Units const& units)
        : instance_(instance), prefix_(std::move(prefix)), units_(units) {}

    [[nodiscard]] DecisionModel write() && {
        for (std::size_t j = 0; j < instance_.job_count(); ++j) add_job(j);
        for (std::size_t m = 0; m < instance_.machine_count(); ++m) add_machine(m);
        for (EnergeticCut& cut : energetic_cuts(work_, instance_.machine_count(), units_.horizon())) {
            LinearRule rule{{}, -largest_model_number, cut.room};
            for (auto const& [operation, way, energy] : cut.uses) {
                rule.terms.push_back({flags_[operation][way], energy});
            }
            model_.add_implied(std::move(rule), fmt::format("machine {}: work that must fall between {} and {}",
                                                            cut.machine + 1, cut.from, cut.to));
        }
        add_total();
        add_branchings();
        return {std::move(model_), reader()};
    }

private:
    void add_job(std::size_t job) {
        std::size_t previous = none;
        std::int64_t const free = units_.of(std::max(prefix_.clock, prefix_.job_free[job]));
        std::int64_t head = free;
        std::size_t const first_new = operations_.size();
        for (std::size_t o = prefix_.next[job]; o <= instance_.last_operation(job); ++o) {
            std::size_t const me = add_operation(o, free);
            if (previous != none) {
                model_.add(
                    LinearRule{{{starts_[me], 1}, {starts_[previous], -1}, {durations_[previous], -1}}, 0}, precedence,
                    fmt::format("{} follows {}", instance_.operation_label(o), instance_.operation_label(o - 1)));
            }
            work_[me].head = head;
            head += model_.variables[durations_[me]].low;
            previous = me;
        }
        std::int64_t tail = 0;
        for (std::size_t me = operations_.size(); me-- > first_new;) {
            work_[me].tail = tail;
            tail += model_.variables[durations_[me]].low;
        }
    }

    /// Variables of one operation; returns its place among the operations that are left.
    std::size_t add_operation(std::size_t o, std::int64_t free) {
        std::string const name = instance_.operation_label(o);
        std::int64_t const horizon = std::max<std::int64_t>(units_.horizon(), 0);
        std::vector<std::int64_t> times;
        Work work;
        for (auto const& [machine, time] : instance_.alternatives(o)) {
            std::int64_t const duration = units_.of(double{time});
            if (duration > units_.horizon()) continue; // no use, and perhaps too large for a model's numbers
            times.push_back(duration);
            work.ways.push_back({machine, duration});
        }
        auto const [shortest, longest] = std::ranges::minmax(times);
        operations_.push_back(o);
        work_.push_back(std::move(work));
        starts_.push_back(model_.add_variable(0, horizon, "start of " + name));
        choices_.push_back(model_.add_variable(0, static_cast<std::int64_t>(times.size()) - 1, "way of " + name));
        durations_.push_back(model_.add_variable(shortest, longest, "duration of " + name));
        model_.add(TableElement{choices_.back(), times, durations_.back()}, no_family, name + " takes its time");
        model_.add(LinearRule{{{starts_.back(), 1}}, free}, no_family, name + " starts after what has begun");
        model_.add(LinearRule{{{starts_.back(), 1}, {durations_.back(), 1}}, -largest_model_number, units_.horizon()},
                   no_family, name + " ends by the horizon");
        add_ways(name, times);
        return operations_.size() - 1;
    }

    void add_ways(std::string const& name, std::vector<std::int64_t> const& times) {
        std::vector<std::size_t> flags;
        LinearRule one{{}, 1, 1};
        LinearRule duration{{{durations_.back(), -1}}, 0, 0};
        for (std::size_t w = 0; w < times.size(); ++w) {
            flags.push_back(model_.add_flag(fmt::format("{}, way {}", name, w + 1)));
            model_.add(Indicator{flags.back(), choices_.back(), static_cast<std::int64_t>(w)}, no_family,
                       name + " goes one way");
            one.terms.push_back({flags.back(), 1});
            duration.terms.push_back({flags.back(), times[w]});
        }
        model_.add_implied(std::move(one), name + " goes exactly one way");
        model_.add_implied(std::move(duration), name + " takes the time of its way");
        flags_.push_back(std::move(flags));
    }

    void add_machine(std::size_t machine) {
        std::int64_t const free = units_.of(std::max(prefix_.clock, prefix_.machine_free[machine]));
        NoOverlap rule;
        for (std::size_t me = 0; me < work_.size(); ++me) {
            for (std::size_t w = 0; w < work_[me].ways.size(); ++w) {
                if (work_[me].ways[w].machine != machine) continue;
                rule.tasks.push_back({starts_[me], work_[me].ways[w].time, flags_[me][w]});
                work_[me].ways[w].release = free;
                if (prefix_.machine_free[machine] <= prefix_.clock) continue;
                model_.add(LinearRule{{{starts_[me], 1}}, free, largest_model_number, flags_[me][w]}, eligibility,
                           fmt::format("machine {} is busy until {}", machine + 1, prefix_.machine_free[machine]));
            }
        }
        if (rule.tasks.empty()) return;
        model_.add(std::move(rule), eligibility, fmt::format("machine {} does one operation at a time", machine + 1));
    }

    /// All machines together: no-overlap and the cuts look at one machine at a time, and each could be relieved.
    void add_total() {
        LinearRule total{{}, -largest_model_number, 0};
        for (std::size_t const duration : durations_) total.terms.push_back({duration, 1});
        for (std::size_t m = 0; m < instance_.machine_count(); ++m) {
            std::int64_t head = units_.horizon();
            std::int64_t tail = units_.horizon();
            for (Work const& work : work_) {
                for (auto const& way : work.ways) {
                    if (way.machine != m) continue;
                    head = std::min(head, std::max(work.head, way.release));
                    tail = std::min(tail, work.tail);
                }
            }
            total.high += std::max<std::int64_t>(0, units_.horizon() - head - tail);
        }
        model_.add_implied(std::move(total), "all machines together have time for everything");
    }

    void add_branchings() {
        Branching ways{choices_, Branching::Pick::fewest_per_failure};
        for (Work const& work : work_) {
            std::vector<std::int64_t> costs;
            for (auto const& way : work.ways) costs.push_back(way.time);
            ways.costs.push_back(std::move(costs));
        }
        model_.branchings.push_back(std::move(ways));
        model_.branchings.push_back({{}, Branching::Pick::order_of_tasks});
        model_.branchings.push_back({starts_, Branching::Pick::smallest_value});
    }

    /// Machines and order as assigned, starts as early as that allows by the exact clock: what was rounded away in the
    /// solution's favour often turns out not to be needed.
    [[nodiscard]] std::function<Solution(std::span<std::int64_t const>)> reader() {
        return [this_instance = std::static_pointer_cast<Instance const>(instance_.shared_from_this()),
                prefix = prefix_, operations = operations_, starts = starts_, choices = choices_,
                work = work_](std::span<std::int64_t const> x) {
            std::vector<std::size_t> order(operations.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::ranges::stable_sort(order, {}, [&](std::size_t me) { return x[starts[me]]; });
            Prefix done = prefix;
            for (std::size_t const me : order) {
                std::size_t const chosen = work[me].ways[static_cast<std::size_t>(x[choices[me]])].machine;
                double& job = done.job_free[this_instance->job_of(operations[me])];
                double& machine = done.machine_free[chosen];
                double const start = std::max({done.clock, job, machine});
                job = machine = start + double{this_instance->time(chosen, operations[me])};
                done.schedule.entries.push_back({operations[me], chosen, start});
            }
            std::ranges::sort(done.schedule.entries, {}, &Schedule::Entry::operation);
            return Solution{std::move(done.schedule)};
        };
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    Instance const& instance_;
    Prefix prefix_;
    Units units_;
    ConstraintModel model_;
    std::vector<std::size_t> operations_; ///< that are left
    std::vector<Work> work_;              ///< the same as numbers
    std::vector<std::size_t> starts_;     ///< variables
    std::vector<std::size_t> choices_;
    std::vector<std::size_t> durations_;
    std::vector<std::vector<std::size_t>> flags_;
};

} // namespace

DecisionModel shop_model(Instance const& instance, Prefix prefix, double horizon, Rounding rounding) {
    Units const units(instance, horizon, rounding);
    for (std::size_t j = 0; j < instance.job_count(); ++j) {
        for (std::size_t o = prefix.next[j]; o <= instance.last_operation(j); ++o) {
            double const shortest = std::ranges::min(instance.alternatives(o), {}, &Alternative::time).time;
            if (units.of(shortest) <= units.horizon()) continue;
            return refusal(precedence, fmt::format("{} takes at least {:.6g}, more than the horizon {:.6g}",
                                                   instance.operation_label(o), shortest, horizon));
        }
    }
    return ShopWriter(instance, std::move(prefix), units).write();
}

} // namespace cax::fjsp
