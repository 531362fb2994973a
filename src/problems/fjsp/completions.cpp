// Short schedules that begin with the actions so far and one more: what has been dispatched stays, nothing else starts
// before the clock, and the rest is improved by annealing. What must still be done gives a lower bound; where they
// meet, the schedule is a shortest one.
#include "../search_clock.hpp"
#include "../settled.hpp"
#include "prefix.hpp"
#include "shop_annealing.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace cax::fjsp {
namespace {

double shortest_time(Instance const& instance, std::size_t operation) {
    auto const ways = instance.alternatives(operation);
    return double{std::ranges::min_element(ways, {}, &Alternative::time)->time};
}

/// When everything is done at the earliest if machines share `work` freely, each from the time it is available.
double shared_end(std::vector<double> available, double work) {
    std::ranges::sort(available);
    double end = 0;
    double sum = 0;
    for (std::size_t m = 0; m < available.size(); ++m) {
        sum += available[m];
        end = (work + sum) / static_cast<double>(m + 1);
        if (m + 1 == available.size() || end <= available[m + 1]) return end;
    }
    return end;
}

/// No schedule that begins so ends earlier: each job needs its shortest times one after the other, all work must find
/// room on the machines, and what runs must end.
double rest_bound(Instance const& instance, Prefix const& prefix) {
    double bound = *std::ranges::max_element(prefix.machine_free);
    double work = 0;
    for (std::size_t j = 0; j < instance.job_count(); ++j) {
        double length = 0;
        for (std::size_t o = prefix.next[j]; o <= instance.last_operation(j); ++o) {
            length += shortest_time(instance, o);
        }
        if (length > 0) bound = std::max(bound, std::max(prefix.clock, prefix.job_free[j]) + length);
        work += length;
    }
    std::vector<double> available = prefix.machine_free;
    for (double& free : available) free = std::max(free, prefix.clock);
    if (work > 0) bound = std::max(bound, shared_end(std::move(available), work));
    if (double const grain = instance.cost_grain(); grain > 0) return grain * std::ceil(bound / grain - 1e-9);
    return bound * (1 - 1e-12); // sums of floating-point times round
}

/// What is fixed, in the order in which it was dispatched, and how early the rest may start.
ShopGraph begun(Instance const& instance, Prefix const& prefix) {
    ShopGraph graph(instance);
    for (std::size_t o = 0; o < instance.operation_count(); ++o) graph.release(o, prefix.clock);
    for (Schedule::Entry const& entry : prefix.schedule.entries) {
        graph.append(entry.operation, entry.machine);
        graph.release(entry.operation, entry.start);
    }
    graph.hold_orders();
    return graph;
}

/// The rest as the schedule has it.
ShopGraph continued(Instance const& instance, Prefix const& prefix, Schedule schedule) {
    ShopGraph graph = begun(instance, prefix);
    std::ranges::stable_sort(schedule.entries, {}, &Schedule::Entry::start);
    for (Schedule::Entry const& entry : schedule.entries) {
        if (std::ranges::find(prefix.schedule.entries, entry.operation, &Schedule::Entry::operation) ==
            prefix.schedule.entries.end()) {
            graph.append(entry.operation, entry.machine);
        }
    }
    [[maybe_unused]] bool const sound = graph.refresh();
    assert(sound);
    return graph;
}

/// The rest job by job, the one with most work left first, on the machine that finishes its next operation first.
ShopGraph dispatched(Instance const& instance, Prefix prefix) {
    ShopGraph graph = begun(instance, prefix);
    std::vector<double> work_left(instance.job_count(), 0);
    for (std::size_t j = 0; j < work_left.size(); ++j) {
        for (std::size_t o = prefix.next[j]; o <= instance.last_operation(j); ++o) {
            work_left[j] += shortest_time(instance, o);
        }
        prefix.job_free[j] = std::max(prefix.job_free[j], prefix.clock);
    }
    for (double& free : prefix.machine_free) free = std::max(free, prefix.clock);
    while (true) {
        std::size_t job = work_left.size();
        for (std::size_t j = 0; j < work_left.size(); ++j) {
            bool const open = prefix.next[j] <= instance.last_operation(j);
            if (open && (job == work_left.size() || work_left[j] > work_left[job])) job = j;
        }
        if (job == work_left.size()) break;
        std::size_t const o = prefix.next[job]++;
        auto const ways = instance.alternatives(o);
        auto const end_on = [&](Alternative const& way) {
            return std::max(prefix.job_free[job], prefix.machine_free[way.machine]) + double{way.time};
        };
        Alternative const way = *std::ranges::min_element(ways, {}, end_on);
        prefix.job_free[job] = prefix.machine_free[way.machine] = end_on(way);
        work_left[job] -= shortest_time(instance, o);
        graph.append(o, way.machine);
    }
    [[maybe_unused]] bool const sound = graph.refresh();
    assert(sound);
    return graph;
}

class ScheduleCompletion {
public:
    ScheduleCompletion(Instance const& instance, CompletionRequest const& request)
        : instance_(instance), request_(request) {}

    [[nodiscard]] Result<Completion> complete(std::size_t action) const {
        Question question;
        question.prefix.assign(request_.prefix.begin(), request_.prefix.end());
        question.prefix.push_back(action);
        auto const prefix = play(instance_, question.prefix);
        if (!prefix) return prefix.error();
        Completion completion;
        for (Solution const& known : request_.known) offer(known, question, completion);
        if (request_.prove) completion.bound = rest_bound(instance_, *prefix);
        bool const settled = completion.solution && completion.bound && completion.cost <= *completion.bound;
        if (request_.search_work > 0 && !settled) by_search(*prefix, question, completion);
        if (prefix->schedule.entries.size() == instance_.operation_count()) {
            offer(Solution{in_order(prefix->schedule)}, question, completion);
            completion.bound = completion.cost;
        }
        completion.optimal = completion.solution && completion.bound && completion.cost <= *completion.bound;
        if (completion.optimal) completion.bound = completion.cost;
        return completion;
    }

private:
    static Schedule in_order(Schedule schedule) {
        std::ranges::sort(schedule.entries, {}, &Schedule::Entry::operation);
        return schedule;
    }
    void offer(Solution const& solution, Question const& question, Completion& completion) const {
        CheckReport const report = instance_.check_answer(solution, question);
        if (!report.valid() || (completion.solution && report.cost >= completion.cost)) return;
        completion.solution = solution;
        completion.cost = report.cost;
    }
    void by_search(Prefix const& prefix, Question const& question, Completion& completion) const {
        std::vector<std::uint8_t> held(instance_.operation_count(), 0);
        for (Schedule::Entry const& entry : prefix.schedule.entries) held[entry.operation] = 1;
        if (std::ranges::all_of(held, [](std::uint8_t each) { return each != 0; })) return;
        ShopGraph start = dispatched(instance_, prefix);
        if (completion.solution) {
            ShopGraph known = continued(instance_, prefix, std::get<Schedule>(*completion.solution));
            if (known.makespan() <= start.makespan()) start = std::move(known);
        }
        ShopAnnealing search(instance_, std::move(start), held);
        double const wanted = completion.bound.value_or(0);
        std::uint64_t iteration = 0;
        for (; iteration < request_.search_work && search.best().makespan() > wanted; ++iteration) {
            search.iterate(rng_of(request_.seed, iteration),
                           static_cast<double>(iteration) / static_cast<double>(request_.search_work));
        }
        completion.work += iteration;
        offer(Solution{search.best().schedule()}, question, completion);
    }

    Instance const& instance_;
    CompletionRequest const& request_;
};

} // namespace

Result<std::vector<Completion>> Instance::completions(CompletionRequest const& request) const {
    ScheduleCompletion const schedules(*this, request);
    return complete_each(request, [&](std::size_t action) { return schedules.complete(action); });
}

} // namespace cax::fjsp
