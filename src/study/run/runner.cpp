#include "cax/study/runner.hpp"

#include "cax/core/json.hpp"
#include "cax/core/parallel.hpp"
#include "cax/policies/trainable.hpp"
#include "cax/study/plan.hpp"
#include "run/task_work.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace cax::study {
namespace {

/// The store behind a lock, with the count of what was written; the first error stops everybody.
class CellWriter {
public:
    CellWriter(Store& store, Progress const& progress, std::size_t total)
        : store_(store), progress_(progress), total_(total) {}

    /// False if the run is to stop.
    bool write(CellRow row, bool failed) {
        std::scoped_lock const lock(mutex_);
        if (error_) return false;
        if (auto const written = store_.insert(std::span(&row, 1)); !written) {
            error_ = written.error();
            return false;
        }
        ++report_.computed;
        report_.failed += failed ? 1 : 0;
        tell();
        return true;
    }
    void stop(Error error) {
        std::scoped_lock const lock(mutex_);
        if (!error_) error_ = std::move(error);
    }
    /// A task turned out to have fewer decisions than was guessed, or some were there already.
    void expect_fewer(std::size_t decisions) {
        std::scoped_lock const lock(mutex_);
        total_ -= std::min(total_, decisions);
        tell();
    }
    [[nodiscard]] bool stopped() {
        std::scoped_lock const lock(mutex_);
        return error_.has_value();
    }
    Result<std::set<std::pair<std::string, int>>> present(PolicyEntry const& p, std::size_t instance) {
        std::scoped_lock const lock(mutex_);
        return store_.present(p.problem, p.seed, instance);
    }
    [[nodiscard]] Result<RunReport> result() const {
        if (error_) return *error_;
        return report_;
    }

private:
    void tell() {
        if (progress_) progress_(report_.computed, std::max(total_, report_.computed));
    }
    Store& store_;
    Progress const& progress_;
    std::size_t total_;
    RunReport report_;
    std::optional<Error> error_;
    std::mutex mutex_;
};

class TaskRun {
public:
    TaskRun(CellWriter& writer, Settings const& settings, StudyPolicy const& policy, Twins const& twins,
            std::vector<Stage> stages, std::size_t instance)
        : writer_(writer),
          settings_(settings),
          policy_(policy),
          stages_(std::move(stages)),
          instance_(instance),
          work_(settings, policy, twins, instance) {}

    Result<void> run() {
        auto const there = writer_.present(policy_.entry, instance_);
        if (!there) return there.error();
        if (auto begun = work_.begin(); !begun) return begun;
        writer_.expect_fewer(decisions(settings_.steps) - decisions(work_.steps()) + there->size());
        if (!there->contains({stage_name(walk_stage), whole_instance}) &&
            !write(walk_stage, whole_instance, work_.walk_json())) {
            return {};
        }
        for (Stage const& stage : stages_) {
            std::size_t const steps = is_whole_instance(stage) ? 1 : work_.steps();
            for (std::size_t step = 0; step < steps; ++step) {
                int const place = is_whole_instance(stage) ? whole_instance : static_cast<int>(step);
                if (there->contains({stage_name(stage), place})) continue;
                if (writer_.stopped() || !write(stage, place, work_.run(stage, step))) return {};
            }
        }
        return {};
    }

private:
    [[nodiscard]] std::size_t decisions(std::size_t steps) const {
        std::size_t count = 1;
        for (Stage const& stage : stages_) count += is_whole_instance(stage) ? 1 : steps;
        return count;
    }
    bool write(Stage const& stage, int step, Result<Json> const& result) {
        Json const json = result ? *result : Json{{"failed", result.error().message}};
        return writer_.write({{policy_.entry.problem, policy_.entry.seed, instance_, step, stage_name(stage)},
                              json.dump(-1, ' ', false, Json::error_handler_t::replace)},
                             !result);
    }

    CellWriter& writer_;
    Settings const& settings_;
    StudyPolicy const& policy_;
    std::vector<Stage> stages_;
    std::size_t instance_;
    TaskWork work_;
};

/// The next policy of the same problem, the first after the last.
Policy const* sibling_of(std::span<StudyPolicy const> policies, std::size_t own) {
    for (std::size_t i = 1; i < policies.size(); ++i) {
        StudyPolicy const& other = policies[(own + i) % policies.size()];
        if (other.problem == policies[own].problem) return other.policy;
    }
    return nullptr;
}

/// Null where none can be made: the decisions that ask for it say so.
std::vector<std::unique_ptr<Policy>> untrained_twins(Settings const& settings, std::span<StudyPolicy const> policies) {
    constexpr std::uint32_t twin_stream = 0x7717;
    std::vector<std::unique_ptr<Policy>> twins(policies.size());
    for (std::size_t i = 0; i < policies.size(); ++i) {
        PolicyInfo const& info = policies[i].policy->info();
        NetworkDesign design;
        if (info.embed_dim > 0) design.embed_dim = info.embed_dim;
        if (info.layers > 0) design.layers = info.layers;
        if (info.heads > 0) design.heads = info.heads;
        design.scaling_factor = info.scaling_factor;
        std::string const size =
            policies[i].instances.empty() ? policies[i].entry.size : policies[i].instances.front()->size();
        std::uint64_t const seed =
            Rng(settings.seed, static_cast<std::uint32_t>(policies[i].entry.seed), 0, twin_stream).next_u64();
        auto const weights = random_weights(*policies[i].problem, size, design, seed);
        if (!weights) continue;
        auto twin = make_policy(*weights, {.threads = 1});
        if (twin) twins[i] = *std::move(twin);
    }
    return twins;
}

} // namespace

Result<RunReport> run(Store& store, Settings const& settings, std::span<StudyPolicy const> policies,
                      RunOptions const& options) {
    auto const tasks = tasks_of(store.header(), settings);
    std::size_t everything = 0;
    for (Task const& task : tasks) {
        ++everything;
        for (Stage const& stage : stages_of(store.header(), settings, task)) {
            everything += is_whole_instance(stage) ? 1 : settings.steps;
        }
    }
    auto const untrained = untrained_twins(settings, policies);
    CellWriter writer(store, options.progress, everything);
    parallel_for(tasks.size(), options.threads, [&](std::size_t i, std::size_t) {
        if (writer.stopped()) return;
        Task const& task = tasks[(i + options.first_task) % tasks.size()];
        Twins const twins{sibling_of(policies, task.policy), untrained[task.policy].get()};
        TaskRun one(writer, settings, policies[task.policy], twins, stages_of(store.header(), settings, task),
                    task.instance);
        if (auto const done = one.run(); !done) writer.stop(done.error());
    });
    return writer.result();
}

} // namespace cax::study
