// Dispatching rules: which allowed operation goes on which free machine next. Waiting is no rule's idea, unless nothing
// else is allowed. Rules that choose a job take its fastest free machine: times break their ties.
#include "problem.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace cax::fjsp {
namespace {

struct Dispatch {
    State const& state;
    std::size_t job;
    std::size_t machine;
    std::size_t operation;
    double time;
};

double fastest_time(Instance const& instance, std::size_t operation) {
    auto const ways = instance.alternatives(operation);
    return double{std::ranges::min_element(ways, {}, &Alternative::time)->time};
}

double work_left(Dispatch const& d) {
    double sum = 0;
    for (std::size_t o = d.operation; o <= d.state.instance().last_operation(d.job); ++o) {
        sum += fastest_time(d.state.instance(), o);
    }
    return sum;
}

double operations_left(Dispatch const& d) {
    return static_cast<double>(d.state.instance().last_operation(d.job) - d.operation + 1);
}

/// What the machine has been given so far.
double load(Dispatch const& d) {
    double sum = 0;
    for (std::size_t o = 0; o < d.state.instance().operation_count(); ++o) {
        if (d.state.scheduled(o) && d.state.machine_of(o) == d.machine) {
            sum += double{d.state.instance().time(d.machine, o)};
        }
    }
    return sum;
}

/// Small beside any difference that a rule makes, and large enough to order what it finds equal.
double tie(Dispatch const& d) { return 1e-3 * d.time; }

struct DispatchRule {
    ThumbRule rule;
    double (*score)(Dispatch const& dispatch);
};

constexpr std::array<DispatchRule, 8> rules{{
    {{"shortest-time", "taking the shortest operation first"}, [](Dispatch const& d) { return d.time; }},
    {{"longest-time", "taking the longest operation first"}, [](Dispatch const& d) { return -d.time; }},
    {{"most-work-left", "taking the job with most work left"},
     [](Dispatch const& d) { return -work_left(d) + tie(d); }},
    {{"least-work-left", "taking the job with least work left"},
     [](Dispatch const& d) { return work_left(d) + tie(d); }},
    {{"most-operations-left", "taking the job with most operations left"},
     [](Dispatch const& d) { return -operations_left(d) + tie(d); }},
    {{"first-ready", "taking the operation that has waited longest"},
     [](Dispatch const& d) { return double{d.state.ready_time(d.operation)} + tie(d); }},
    {{"least-loaded-machine", "using the machine with the least work so far"},
     [](Dispatch const& d) { return load(d) + tie(d); }},
    {{"best-suited-machine", "putting operations where they take hardly longer than on their fastest machine"},
     [](Dispatch const& d) { return d.time / fastest_time(d.state.instance(), d.operation) + tie(d); }},
}};

class Dispatching final : public RulesOfThumb {
public:
    [[nodiscard]] std::vector<ThumbRule> thumb_rules() const override {
        std::vector<ThumbRule> all;
        for (DispatchRule const& each : rules) all.push_back(each.rule);
        return all;
    }
    [[nodiscard]] std::vector<double> thumb_scores(cax::State const& any, std::size_t rule) const override {
        auto const& state = static_cast<State const&>(any);
        auto const mask = state.action_mask();
        std::size_t const machines = state.instance().machine_count();
        std::vector<double> scores(mask.size(), std::numeric_limits<double>::infinity());
        bool work = false;
        for (std::size_t action = 1; action < mask.size(); ++action) {
            if (mask[action] == 0) continue;
            std::size_t const job = (action - 1) / machines;
            std::size_t const machine = (action - 1) % machines;
            std::size_t const operation = state.next_operation(job);
            double const time = double{state.instance().time(machine, operation)};
            scores[action] = rules[rule].score({state, job, machine, operation, time});
            work = true;
        }
        if (!work && mask[0] != 0) scores[0] = 0;
        return scores;
    }
};

} // namespace

RulesOfThumb const& thumb() {
    static Dispatching const instance;
    return instance;
}

} // namespace cax::fjsp
