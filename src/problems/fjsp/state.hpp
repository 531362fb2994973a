#pragma once
// What has been scheduled so far and what may be scheduled next. Transitions are rl4co's, in float32. The state keeps
// decisions and clocks only; everything a policy sees beyond them (times left, lower bounds, readiness) follows from
// these and the instance, and is computed when asked for.
//
// Action 0 waits until a machine becomes free; action 1 + j*M + m puts the next operation of job j on machine m.
#include "cax/problems/fjsp/instance.hpp"
#include "cax/problems/presentation.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace cax::fjsp {

/// rl4co's finish time of an operation that is not scheduled, in the units that policies are shown.
inline constexpr float unscheduled_finish = 9999;

class State final : public cax::State {
public:
    State(std::shared_ptr<Instance const> instance, StateOptions const& options);

    [[nodiscard]] StatePtr clone() const override { return std::make_unique<State>(*this); }
    [[nodiscard]] Instance const& instance() const override { return *instance_; }
    [[nodiscard]] std::shared_ptr<Instance const> const& shared_instance() const { return instance_; }
    [[nodiscard]] std::span<std::uint8_t const> action_mask() const override { return mask_; }
    [[nodiscard]] bool done() const override { return jobs_left_ == 0; }
    /// An action that is not allowed is carried out as it stands (a machine that is not eligible takes no time); it
    /// never hangs, but the schedule is then not valid.
    void step(std::size_t action) override;
    [[nodiscard]] double cost() const override;

    [[nodiscard]] NamedTensors tensors() const;
    [[nodiscard]] Features features() const override;
    using cax::State::observe;
    [[nodiscard]] Observation observe(Features const& features) const override;
    [[nodiscard]] Observation observe_for_decoding() const override;
    [[nodiscard]] Features pull_back(Observation const& gradient) const override;
    [[nodiscard]] std::optional<std::string> envelope_violation(Features const& features,
                                                                Envelope rules = Envelope::paper) const;
    [[nodiscard]] std::vector<std::uint8_t> spent_nodes() const override;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const;
    [[nodiscard]] std::string describe_action(std::size_t action) const;

    [[nodiscard]] StateOptions const& options() const { return options_; }
    /// Nothing has been decided yet.
    [[nodiscard]] bool is_reset() const { return !last_action_; }
    [[nodiscard]] float time() const { return time_; }
    [[nodiscard]] std::span<float const> busy_until() const { return busy_until_; }     ///< per machine
    [[nodiscard]] std::span<float const> start_times() const { return start_times_; }   ///< per operation
    [[nodiscard]] std::span<float const> finish_times() const { return finish_times_; } ///< per operation
    [[nodiscard]] std::size_t next_operation(std::size_t job) const { return next_operation_[job]; }
    [[nodiscard]] bool in_process(std::size_t job) const { return in_process_[job] != 0; }
    [[nodiscard]] bool job_done(std::size_t job) const { return job_done_[job] != 0; }
    [[nodiscard]] bool scheduled(std::size_t operation) const { return machine_of_[operation] != nowhere; }
    /// Precondition: scheduled(operation).
    [[nodiscard]] std::size_t machine_of(std::size_t operation) const { return machine_of_[operation]; }
    /// Time on that machine, 0 once the operation is scheduled or where it is not eligible: rl4co's proc_times.
    [[nodiscard]] float time_left(std::size_t machine, std::size_t operation) const;
    /// How many machines can still take the operation: 0 once it is scheduled.
    [[nodiscard]] std::size_t eligible_count(std::size_t operation) const;
    /// When the operation before it in its job is finished; 0 if there is none, 9999 if that is not scheduled.
    [[nodiscard]] float ready_time(std::size_t operation) const;
    [[nodiscard]] bool is_ready(std::size_t operation) const;
    /// How many operations of the job come before it and are not scheduled: rl4co's ops_sequence_order.
    [[nodiscard]] std::size_t position(std::size_t operation) const;
    /// rl4co's lower bounds on the finish times, per operation. They are means over machines, so no true bounds.
    [[nodiscard]] std::vector<float> lower_bounds() const;

private:
    void dispatch(std::size_t job, std::size_t machine);
    void advance();
    void update_mask();
    [[nodiscard]] float next_event() const;
    [[nodiscard]] float mean_finish_offset(std::size_t operation) const;

    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    std::shared_ptr<Instance const> instance_;
    StateOptions options_;
    float time_ = 0;
    std::size_t jobs_left_ = 0;
    bool stuck_ = false; ///< nothing is allowed: the clock has to move
    std::vector<float> busy_until_;
    std::vector<float> start_times_;
    std::vector<float> finish_times_;
    std::vector<std::uint32_t> machine_of_;
    std::vector<std::uint32_t> next_operation_;
    std::vector<std::uint32_t> dispatched_; ///< per job: how many operations it has been given a machine for
    std::vector<std::uint8_t> in_process_;
    std::vector<std::uint8_t> job_done_;
    ActionMask mask_;
    std::optional<std::size_t> last_action_;
};

} // namespace cax::fjsp
