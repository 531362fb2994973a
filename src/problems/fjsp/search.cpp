// Good schedules by classical means: the best of a few dispatching rules, improved by annealing that moves one
// operation of a longest path at a time, to any machine and place (the neighbourhood of Mastrolilli and Gambardella
// 2000).
#include "../search_clock.hpp"
#include "../settled.hpp"
#include "shop_annealing.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace cax::fjsp {
namespace {

double fastest(Instance const& instance, std::size_t operation) {
    auto const ways = instance.alternatives(operation);
    return double{std::ranges::min_element(ways, {}, &Alternative::time)->time};
}

/// No schedule is shorter than the longest job on its fastest machines, or than all work shared evenly.
double simple_bound(Instance const& instance) {
    double all = 0;
    double longest = 0;
    for (std::size_t job = 0; job < instance.job_count(); ++job) {
        double length = 0;
        for (std::size_t o = instance.first_operation(job); o <= instance.last_operation(job); ++o)
            length += fastest(instance, o);
        longest = std::max(longest, length);
        all += length;
    }
    double bound = std::max(longest, all / static_cast<double>(instance.machine_count()));
    if (double const grain = instance.cost_grain(); grain > 0) return grain * std::ceil(bound / grain);
    return bound * (1 - 1e-12); // sums of floating-point times round
}

enum class Rule { most_work_left, most_operations_left, earliest_start, earliest_end };
constexpr std::array all_rules{Rule::most_work_left, Rule::most_operations_left, Rule::earliest_start,
                               Rule::earliest_end};

/// Job after job by the rule, each on the machine that finishes its next operation first.
ShopGraph dispatch(Instance const& instance, Rule rule) {
    ShopGraph graph(instance);
    std::vector<std::size_t> next(instance.job_count());
    std::vector<double> job_free(instance.job_count(), 0);
    std::vector<double> machine_free(instance.machine_count(), 0);
    std::vector<double> work_left(instance.job_count(), 0);
    for (std::size_t job = 0; job < next.size(); ++job) {
        next[job] = instance.first_operation(job);
        for (std::size_t o = next[job]; o <= instance.last_operation(job); ++o) work_left[job] += fastest(instance, o);
    }
    for (std::size_t step = 0; step < instance.operation_count(); ++step) {
        double best = std::numeric_limits<double>::infinity();
        std::size_t chosen = 0;
        Alternative way{};
        for (std::size_t job = 0; job < next.size(); ++job) {
            if (next[job] > instance.last_operation(job)) continue;
            auto const end_on = [&](Alternative const& a) {
                return std::max(job_free[job], machine_free[a.machine]) + double{a.time};
            };
            auto const ways = instance.alternatives(next[job]);
            Alternative const first = *std::ranges::min_element(ways, {}, end_on);
            double rank = 0;
            switch (rule) {
            case Rule::most_work_left: rank = -work_left[job]; break;
            case Rule::most_operations_left:
                rank = -static_cast<double>(instance.last_operation(job) - next[job]);
                break;
            case Rule::earliest_start: rank = end_on(first) - double{first.time}; break;
            case Rule::earliest_end: rank = end_on(first); break;
            }
            if (rank >= best) continue;
            best = rank;
            chosen = job;
            way = first;
        }
        graph.append(next[chosen], way.machine);
        job_free[chosen] = std::max(job_free[chosen], machine_free[way.machine]) + double{way.time};
        machine_free[way.machine] = job_free[chosen];
        work_left[chosen] -= fastest(instance, next[chosen]);
        ++next[chosen];
    }
    [[maybe_unused]] bool const sound = graph.refresh();
    assert(sound);
    return graph;
}

ShopGraph best_dispatch(Instance const& instance) {
    ShopGraph best = dispatch(instance, all_rules.front());
    for (Rule const rule : all_rules) {
        ShopGraph other = dispatch(instance, rule);
        if (other.makespan() < best.makespan()) best = std::move(other);
    }
    return best;
}

} // namespace

double Instance::cost_grain() const {
    // Float32 times are whole numbers of some 2^-k. A horizon of more than 2^30 grains is beyond what a proof counts.
    for (double unit = 1; unit >= 0x1p-20; unit /= 2) {
        std::uint64_t common = 0;
        double longest = 0;
        bool whole = true;
        for (std::size_t o = 0; o < operation_count(); ++o) {
            double slowest = 0;
            for (auto const& way : alternatives(o)) {
                double const units = double{way.time} / unit;
                whole = whole && units == std::floor(units) && units < 0x1p40;
                if (!whole) break;
                common = std::gcd(common, static_cast<std::uint64_t>(units));
                slowest = std::max(slowest, double{way.time});
            }
            longest += slowest;
        }
        if (!whole) continue;
        double const grain = static_cast<double>(common) * unit;
        return longest / grain < 0x1p30 ? grain : 0;
    }
    return 0;
}

Result<SearchResult> Instance::search(SearchOptions const& options) const {
    if (auto const ok = check_search_options(*this, options); !ok) return ok.error();
    ShopGraph start = options.start ? follow(*this, std::get<Schedule>(*options.start)) : best_dispatch(*this);
    double const bound = simple_bound(*this);
    double const wanted = std::max(bound, options.bound.value_or(0));
    ShopAnnealing search(*this, std::move(start), {});
    std::uint64_t iteration = 0;
    SearchClock clock(options);
    while (search.best().makespan() > wanted && clock.running(iteration)) {
        search.iterate(rng_of(options.seed, iteration), clock.fraction(iteration));
        ++iteration;
    }
    auto result = checked_result(*this, search.best().schedule(), false, iteration);
    if (!result) return result;
    result->optimal = result->cost <= bound;
    result->lower_bound = result->optimal ? result->cost : bound;
    return result;
}

} // namespace cax::fjsp
