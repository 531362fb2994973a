#pragma once
// A flexible job shop: every job is a chain of operations, every operation runs on one of its eligible machines, a
// machine does one operation at a time. Immutable and validated once, by make().
//
// Operations are numbered through all jobs (job 0's first, then job 1's, ...); jobs, operations and machines count from
// 0 here and in files, from 1 in sentences for people. Times are float32, as policies see them. The instance may be
// padded with operations that belong to nobody, because a policy's output depends on the padding it was trained with.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/questions.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cax::fjsp {

/// One way to do an operation.
struct Alternative {
    std::size_t machine = 0;
    float time = 0;
    bool operator==(Alternative const&) const = default;
};
using Operation = std::vector<Alternative>;
using Job = std::vector<Operation>;

/// What make() is given; nothing is assumed about it.
struct Data {
    std::string name{};
    std::size_t machines = 0;
    std::size_t padded_operations = 0; ///< all operations, padding included; 0 means no padding
    std::vector<Job> jobs{};
    double shown =
        1; ///< policies are shown times multiplied by this; rules, costs and words keep the numbers as they are
    bool operator==(Data const&) const = default;
};

/// Larger instances are refused: a state holds machines x operations numbers.
inline constexpr std::size_t max_operations = 10'000;
inline constexpr std::size_t max_machines = 10'000;
inline constexpr std::size_t max_time_entries = 1'000'000; ///< machines x operations, padding included

class Instance final : public cax::Instance {
public:
    /// Error if a job has no operation, an operation no machine, a machine does not exist or is listed twice, a time is
    /// not a positive float32, or a size is absurd. Alternatives are put in order of their machines.
    [[nodiscard]] static Result<std::shared_ptr<Instance const>> make(Data data);

    [[nodiscard]] std::size_t machine_count() const { return machines_; }
    [[nodiscard]] std::size_t job_count() const { return first_operation_.size() - 1; }
    /// Operations of jobs, padding not counted.
    [[nodiscard]] std::size_t operation_count() const { return first_operation_.back(); }
    [[nodiscard]] std::size_t padded_operation_count() const { return padded_operations_; }

    [[nodiscard]] std::size_t first_operation(std::size_t job) const { return first_operation_[job]; }
    [[nodiscard]] std::size_t last_operation(std::size_t job) const { return first_operation_[job + 1] - 1; }
    /// Padding counts to the last job, as in rl4co.
    [[nodiscard]] std::size_t job_of(std::size_t operation) const {
        return operation < job_of_.size() ? job_of_[operation] : job_count() - 1;
    }
    /// Place within the job, from 0; 0 for padding.
    [[nodiscard]] std::size_t position_in_job(std::size_t operation) const {
        return operation < job_of_.size() ? operation - first_operation_[job_of_[operation]] : 0;
    }
    [[nodiscard]] bool is_padding(std::size_t operation) const { return operation >= operation_count(); }
    /// Has an operation before it in its job.
    [[nodiscard]] bool has_predecessor(std::size_t operation) const { return position_in_job(operation) > 0; }

    /// The eligible machines of an operation with their times, in order of machines. Padding has none.
    [[nodiscard]] std::span<Alternative const> alternatives(std::size_t operation) const {
        if (is_padding(operation)) return {};
        return {alternatives_.data() + first_alternative_[operation],
                first_alternative_[operation + 1] - first_alternative_[operation]};
    }
    /// Time on that machine; 0 = not eligible.
    [[nodiscard]] float time(std::size_t machine, std::size_t operation) const;

    /// What a change of kind `features` adds to the number of eligible machines that a policy sees.
    [[nodiscard]] float eligible_offset(std::size_t operation) const {
        return eligible_offset_.empty() ? 0 : eligible_offset_[operation];
    }

    /// Policies are shown times multiplied by this.
    [[nodiscard]] double shown() const { return shown_; }

    /// "operation 2 of job 3", counted from 1; "padding operation 55" for padding.
    [[nodiscard]] std::string operation_label(std::size_t operation) const;
    /// The input again, for making a changed instance.
    [[nodiscard]] Data data() const;

    [[nodiscard]] Problem const& problem() const override;
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::string size() const override;
    [[nodiscard]] std::string description() const override;
    /// {"name", "machines", "padded_operations", "jobs"}: a job is a list of operations, an operation a list of
    /// [machine, time].
    [[nodiscard]] Json to_json() const;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;
    /// Empty: first moves are drawn at random from the allowed ones.
    [[nodiscard]] std::vector<std::size_t> start_actions() const override { return {}; }
    /// Also an error if an action is not allowed where it is taken. Episodes with and without waiting are both
    /// understood. Starts are exact in double precision: where float32 clocks rounded down, they are moved up.
    [[nodiscard]] Result<Solution> solution_of(std::span<std::size_t const> actions) const override;
    /// The episode that dispatches operations at these times, or earlier where nothing keeps them. It waits only if
    /// there is no other way, and is then one for states that allow waiting. Precondition: check() accepts the
    /// schedule.
    [[nodiscard]] Result<std::vector<std::size_t>> actions_of(Schedule const& schedule) const;
    [[nodiscard]] CheckReport check(Solution const& solution, DistanceRule rule = DistanceRule::exact) const override;
    [[nodiscard]] Json solution_to_json(Solution const& solution) const;
    [[nodiscard]] Result<Solution> solution_from_json(Json const& json) const;
    [[nodiscard]] Result<InstancePtr> changed(Features const& change, ChangeKind kind = ChangeKind::features) const;
    [[nodiscard]] std::vector<std::vector<std::uint8_t>> adjustable(ChangeKind kind = ChangeKind::features) const;
    [[nodiscard]] TensorUnits units(std::size_t tensor) const;
    [[nodiscard]] std::string describe_entry(std::size_t tensor, std::size_t index) const;
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const;
    [[nodiscard]] std::vector<std::size_t> improved_episode(std::span<std::size_t const> actions,
                                                            std::uint64_t iterations, Rng& rng) const;
    [[nodiscard]] double cost_grain() const;
    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const;
    [[nodiscard]] Result<std::vector<Completion>> completions(CompletionRequest const& request) const;
    [[nodiscard]] Result<LinearProgram> relaxation() const;
    [[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian() const;

private:
    explicit Instance(Data data);

    std::string name_;
    std::size_t machines_ = 0;
    std::size_t padded_operations_ = 0;
    std::vector<std::size_t> first_operation_;   ///< per job, and one past the end
    std::vector<std::size_t> job_of_;            ///< per operation
    std::vector<std::size_t> first_alternative_; ///< per operation, and one past the end
    std::vector<Alternative> alternatives_;
    double shown_ = 1;
    std::vector<float> eligible_offset_; ///< per operation, padding included; empty = none
};

/// Reads what to_json() writes; "name" and "padded_operations" may be missing.
[[nodiscard]] Result<std::shared_ptr<Instance const>> instance_from_json(Json const& json);

/// rl4co's data set (start_op_per_job, end_op_per_job, proc_times, pad_mask) of instances of one size, and back.
[[nodiscard]] Result<std::vector<InstancePtr>> instances_from_tensors(NamedTensors const& tensors);
[[nodiscard]] Result<NamedTensors> instances_to_tensors(std::span<InstancePtr const> instances);

} // namespace cax::fjsp
