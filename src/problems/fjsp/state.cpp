#include "state.hpp"

#include "constraints.hpp"
#include "features.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace cax::fjsp {

State::State(std::shared_ptr<Instance const> instance, StateOptions const& options)
    : instance_(std::move(instance)),
      options_(options),
      jobs_left_(instance_->job_count()),
      busy_until_(instance_->machine_count()),
      start_times_(instance_->padded_operation_count()),
      finish_times_(instance_->padded_operation_count(), static_cast<float>(unscheduled_finish / instance_->shown())),
      machine_of_(instance_->padded_operation_count(), nowhere),
      next_operation_(instance_->job_count()),
      dispatched_(instance_->job_count()),
      in_process_(instance_->job_count()),
      job_done_(instance_->job_count()),
      mask_(1 + instance_->job_count() * instance_->machine_count()) {
    for (std::size_t j = 0; j < next_operation_.size(); ++j) {
        next_operation_[j] = static_cast<std::uint32_t>(instance_->first_operation(j));
    }
    update_mask();
}

void State::step(std::size_t action) {
    assert(action < mask_.size());
    last_action_ = action;
    if (done()) return;
    if (action == 0) {
        advance();
    } else {
        dispatch((action - 1) / busy_until_.size(), (action - 1) % busy_until_.size());
    }
    update_mask();
    while (stuck_ && !done()) {
        advance();
        update_mask();
    }
}

void State::dispatch(std::size_t job, std::size_t machine) {
    std::size_t const operation = next_operation_[job];
    float const finish = time_ + time_left(machine, operation);
    in_process_[job] = 1;
    ++dispatched_[job];
    machine_of_[operation] = static_cast<std::uint32_t>(machine);
    start_times_[operation] = time_;
    finish_times_[operation] = finish;
    busy_until_[machine] = finish;
}

/// Moves the clock to the next event and ends what is finished by then.
void State::advance() {
    time_ = next_event();
    for (std::size_t j = 0; j < in_process_.size(); ++j) {
        if (in_process_[j] == 0 || finish_times_[next_operation_[j]] > time_) continue;
        in_process_[j] = 0;
        if (next_operation_[j] != instance_->last_operation(j)) {
            ++next_operation_[j];
        } else if (job_done_[j] == 0) {
            job_done_[j] = 1;
            --jobs_left_;
        }
    }
}

/// The first moment after now at which a machine becomes free. Actions that were not allowed, and times too small to
/// move a float32 clock, can leave jobs in process that no machine's clock waits for: then the first of their finish
/// times, and if that has come already, now. So advance() always ends an operation or moves the clock.
float State::next_event() const {
    constexpr float never = std::numeric_limits<float>::infinity();
    float next = never;
    for (float const free : busy_until_) {
        if (free > time_) next = std::min(next, free);
    }
    if (next != never) return next;
    for (std::size_t j = 0; j < in_process_.size(); ++j) {
        float const finish = finish_times_[next_operation_[j]];
        if (in_process_[j] != 0 && finish > time_) next = std::min(next, finish);
    }
    return next != never ? next : time_;
}

std::unique_ptr<State> State::resumed(std::shared_ptr<Instance const> instance) const {
    assert(instance->padded_operation_count() == instance_->padded_operation_count());
    auto state = std::make_unique<State>(*this);
    state->instance_ = std::move(instance);
    state->update_mask();
    return state;
}

void State::update_mask() {
    std::fill(mask_.begin(), mask_.end(), std::uint8_t{0});
    std::size_t const machines = busy_until_.size();
    bool any_in_process = false;
    bool any_allowed = false;
    for (std::size_t j = 0; j < in_process_.size(); ++j) {
        any_in_process |= in_process_[j] != 0;
        if (in_process_[j] != 0 || job_done_[j] != 0) continue;
        for (auto const& [m, time] : instance_->alternatives(next_operation_[j])) {
            if (busy_until_[m] > time_) continue;
            mask_[1 + j * machines + m] = 1;
            any_allowed = true;
        }
    }
    mask_[0] = done() || (options_.allow_waiting && any_in_process) ? 1 : 0;
    stuck_ = !any_allowed && mask_[0] == 0;
}

double State::cost() const {
    assert(done());
    return *std::max_element(finish_times_.begin(),
                             finish_times_.begin() + static_cast<std::ptrdiff_t>(instance_->operation_count()));
}

float State::time_left(std::size_t machine, std::size_t operation) const {
    return scheduled(operation) ? 0 : instance_->time(machine, operation);
}

std::size_t State::eligible_count(std::size_t operation) const {
    return scheduled(operation) ? 0 : instance_->alternatives(operation).size();
}

float State::ready_time(std::size_t operation) const {
    return instance_->has_predecessor(operation) ? finish_times_[operation - 1] : 0;
}

bool State::is_ready(std::size_t operation) const { return !scheduled(operation) && ready_time(operation) <= time_; }

std::size_t State::position(std::size_t operation) const {
    std::size_t const place = instance_->position_in_job(operation);
    std::size_t const gone = dispatched_[instance_->job_of(operation)];
    return place > gone ? place - gone : 0;
}

/// Mean over the eligible machines of the time plus the wait for the machine.
float State::mean_finish_offset(std::size_t operation) const {
    float const ready = ready_time(operation);
    auto const ways = instance_->alternatives(operation);
    float sum = 0;
    for (auto const& [m, time] : ways) sum += time + std::max(busy_until_[m] - ready, 0.0F);
    return sum / static_cast<float>(ways.size());
}

std::vector<float> State::lower_bounds() const {
    std::vector<float> bounds(finish_times_.size());
    for (std::size_t j = 0; j < job_done_.size(); ++j) {
        double running = 0; // in double, as the sum that rl4co takes; each bound is then rounded
        for (std::size_t o = instance_->first_operation(j); o <= instance_->last_operation(j); ++o) {
            running += scheduled(o) ? finish_times_[o] - ready_time(o) : mean_finish_offset(o);
            bounds[o] = static_cast<float>(running);
        }
    }
    return bounds;
}

NamedTensors State::tensors() const {
    NamedTensors all = instance_tensors(*this);
    all.merge(schedule_tensors(*this));
    all["action_mask"] = Tensor::from_bools({mask_.size()}, mask_);
    if (last_action_) {
        // rl4co leaves its own, shifted number behind: -1 is "wait".
        std::int64_t const shifted = static_cast<std::int64_t>(*last_action_) - 1;
        all["action"] = Tensor::from_ints(Dtype::i64, {}, std::span(&shifted, 1));
    }
    return all;
}

Features State::features() const { return features_of(*this); }

Observation State::observe(Features const& features) const { return observe_state(*this, features); }
Observation State::observe_for_decoding() const { return observe_state(*this, features(), true); }

Features State::pull_back(Observation const& gradient) const {
    return pull_back_gradient(*this, std::get<ScheduleObservation>(gradient));
}

std::vector<std::uint8_t> State::spent_nodes() const {
    std::vector<std::uint8_t> spent(instance_->padded_operation_count());
    for (std::size_t o = 0; o < spent.size(); ++o) spent[o] = instance_->is_padding(o) || scheduled(o) ? 1 : 0;
    return spent;
}

std::optional<std::string> State::envelope_violation(Features const& features, Envelope rules) const {
    return fjsp::envelope_violation(*this, features, {.include_scheduled = rules == Envelope::published});
}

std::vector<Slack> State::slacks(std::size_t action) const { return slacks_of(*this, action); }

std::string State::describe_action(std::size_t action) const { return describe(*this, action); }

namespace {

/// A schedule as it is read off an episode. Starts are exact in double precision: a float32 clock may have rounded a
/// finish time down, and an operation that starts there would overlap the one before it by that much.
class ScheduleRecorder {
public:
    explicit ScheduleRecorder(Instance const& instance)
        : job_free_(instance.job_count()), machine_free_(instance.machine_count()) {}

    /// Calls come in the order in which operations are dispatched.
    void record(std::size_t job, std::size_t operation, std::size_t machine, double clock, double time) {
        double const start = std::max({clock, job_free_[job], machine_free_[machine]});
        job_free_[job] = machine_free_[machine] = start + time;
        schedule_.entries.push_back({operation, machine, start});
    }

    [[nodiscard]] Schedule finish() && {
        std::ranges::sort(schedule_.entries, {}, &Schedule::Entry::operation);
        return std::move(schedule_);
    }

private:
    std::vector<double> job_free_;
    std::vector<double> machine_free_;
    Schedule schedule_;
};

Result<Solution> replay(Instance const& instance, std::span<std::size_t const> actions, bool waiting) {
    auto const refused = [](std::size_t step, std::size_t action, char const* why) {
        return Error{ErrorCode::mismatch, fmt::format("step {}: action {} {}", step + 1, action, why)};
    };
    auto const base = instance.reset({.allow_waiting = waiting});
    auto& state = static_cast<State&>(*base);
    ScheduleRecorder recorder(instance);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const action = actions[t];
        if (action >= state.action_mask().size()) return refused(t, action, "is out of range");
        // Without waiting, the last operations finish by themselves; with it, somebody has to wait for them. So an
        // episode of the second kind always holds a wait before its end, and one of the first kind never.
        if (action == 0 && !state.done() && !waiting) return replay(instance, actions, true);
        if (state.action_mask()[action] == 0) return refused(t, action, "is not allowed");
        if (action > 0) {
            std::size_t const job = (action - 1) / instance.machine_count();
            std::size_t const machine = (action - 1) % instance.machine_count();
            std::size_t const operation = state.next_operation(job);
            recorder.record(job, operation, machine, state.time(), instance.time(machine, operation));
        }
        state.step(action);
    }
    if (!state.done()) {
        return Error{ErrorCode::mismatch, fmt::format("the episode is not finished after {} actions", actions.size())};
    }
    return Solution{std::move(recorder).finish()};
}

} // namespace

Result<Solution> Instance::solution_of(std::span<std::size_t const> actions) const {
    return replay(*this, actions, false);
}

Result<std::vector<std::size_t>> Instance::actions_of(Schedule const& schedule) const {
    std::vector<Schedule::Entry> order = schedule.entries;
    std::ranges::sort(order, {}, [](Schedule::Entry const& e) { return std::pair(e.start, e.operation); });
    for (bool const waiting : {false, true}) {
        StatePtr const state = reset({.allow_waiting = waiting});
        std::vector<std::size_t> actions;
        std::size_t next = 0;
        std::size_t const limit = 4 * order.size() + 16; // waits end with some operation
        while (!state->done() && actions.size() < limit) {
            std::size_t action = 0;
            if (next < order.size()) action = 1 + job_of(order[next].operation) * machine_count() + order[next].machine;
            if (action == 0 || state->action_mask()[action] == 0) action = 0;
            if (state->action_mask()[action] == 0) break;
            next += action > 0 ? 1 : 0;
            state->step(action);
            actions.push_back(action);
        }
        if (state->done() && next == order.size()) return actions;
    }
    return Error{ErrorCode::unsupported, "no episode dispatches its operations in this order"};
}

} // namespace cax::fjsp
