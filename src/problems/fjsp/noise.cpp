// Wrong data of a shop. Times (precedence): every time of an operation that is not scheduled moves by so many standard
// deviations. Eligibility is no number: a relative size of s redraws the machines of each operation with chance s, as
// the generator draws them; a machine that stays keeps its time, a new one takes the time of one that was there. What
// runs already is past, and so are the clocks of the machines.
#include "families.hpp"
#include "features.hpp"
#include "problem.hpp"
#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

namespace cax::fjsp {
namespace {

constexpr std::uint64_t noise_seed = 0x6e6f697365;
constexpr std::uint32_t drawn_instances = 32;
/// No time falls below this.
constexpr double least_wrong_time = 0.5;

struct Spread {
    double time = 0;
    double eligible = 0;
};

double deviation(std::vector<double> const& values) {
    if (values.empty()) return 0;
    double const mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double squares = 0;
    for (double const value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size()));
}

Result<Spread> measured_spread(Problem const& problem, std::string const& size) {
    std::vector<double> times;
    std::vector<double> counts;
    for (std::uint32_t i = 0; i < drawn_instances; ++i) {
        Rng rng(noise_seed, i);
        auto const drawn = problem.generate(size, {}, rng);
        if (!drawn) return drawn.error();
        auto const& instance = static_cast<Instance const&>(**drawn);
        for (std::size_t o = 0; o < instance.operation_count(); ++o) {
            counts.push_back(static_cast<double>(instance.alternatives(o).size()));
            for (Alternative const& way : instance.alternatives(o)) times.push_back(double{way.time});
        }
    }
    return Spread{deviation(times), deviation(counts)};
}

class ShopNoise final : public Noise {
public:
    [[nodiscard]] Result<std::vector<NoiseUnit>> noise_units(cax::Instance const& instance) const override {
        auto const spread = spread_of(instance);
        if (!spread) return spread.error();
        auto const& tensors = instance.problem().info().tensors;
        return std::vector<NoiseUnit>{{std::string(tensors[feature_proc_times].name), precedence, spread->time},
                                      {std::string(tensors[feature_num_eligible].name), eligibility, spread->eligible}};
    }
    [[nodiscard]] Result<StatePtr> disturbed(cax::State const& any, std::size_t family, double size,
                                             Rng& rng) const override {
        auto const& state = static_cast<State const&>(any);
        auto const spread = spread_of(state.instance());
        if (!spread) return spread.error();
        return with_open_operations(state, [&](Operation& ways) {
            if (family == precedence)
                move_times(ways, size * spread->time, rng);
            else if (rng.uniform() < size)
                redraw_machines(ways, state.instance().machine_count(), rng);
        });
    }
    /// Times are those of an operation of a fresh shop; machines as above, of every operation.
    [[nodiscard]] Result<StatePtr> redrawn(cax::State const& any, std::size_t family, Rng& rng) const override {
        auto const& state = static_cast<State const&>(any);
        auto const drawn = state.instance().problem().generate(state.instance().size(), {}, rng);
        if (!drawn) return drawn.error();
        auto const& fresh = static_cast<Instance const&>(**drawn);
        return with_open_operations(state, [&](Operation& ways) {
            if (family != precedence) return redraw_machines(ways, state.instance().machine_count(), rng);
            auto const times = fresh.alternatives(rng.below(fresh.operation_count()));
            for (std::size_t i = 0; i < ways.size(); ++i) ways[i].time = times[i % times.size()].time;
        });
    }

private:
    /// The state on a shop in which `change` was done to every operation that is not scheduled.
    template <class Change> static Result<StatePtr> with_open_operations(State const& state, Change&& change) {
        Instance const& instance = state.instance();
        Data data = instance.data();
        data.padded_operations = instance.padded_operation_count();
        for (std::size_t o = 0; o < instance.operation_count(); ++o) {
            if (!state.scheduled(o)) change(data.jobs[instance.job_of(o)][instance.position_in_job(o)]);
        }
        auto changed = Instance::make(std::move(data));
        if (!changed) return changed.error();
        return StatePtr(state.resumed(*std::move(changed)));
    }
    static void move_times(Operation& ways, double scale, Rng& rng) {
        for (Alternative& way : ways) {
            way.time = static_cast<float>(std::max(least_wrong_time, double{way.time} + scale * rng.normal()));
        }
    }
    static void redraw_machines(Operation& ways, std::size_t machines, Rng& rng) {
        std::vector<std::size_t> order(machines);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::size_t const count = 1 + rng.below(machines);
        for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + rng.below(machines - i)]);
        Operation drawn;
        for (std::size_t i = 0; i < count; ++i) {
            auto const old = std::ranges::find(ways, order[i], &Alternative::machine);
            float const time = old != ways.end() ? old->time : ways[rng.below(ways.size())].time;
            drawn.push_back({order[i], time});
        }
        ways = std::move(drawn);
    }

    [[nodiscard]] Result<Spread> spread_of(cax::Instance const& instance) const {
        std::lock_guard const lock(mutex_);
        std::string const size = instance.size();
        if (auto const known = spreads_.find(size); known != spreads_.end()) return known->second;
        auto spread = measured_spread(instance.problem(), size);
        if (spread) spreads_.emplace(size, *spread);
        return spread;
    }
    mutable std::mutex mutex_;
    mutable std::map<std::string, Spread, std::less<>> spreads_; ///< by size: measured once
};

} // namespace

Noise const& noise() {
    static ShopNoise const instance;
    return instance;
}

} // namespace cax::fjsp
