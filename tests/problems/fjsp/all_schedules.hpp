#pragma once
// The makespan of the best schedule, by trying them all: every order in which jobs can be continued, on every machine.
#include "cax/problems/fjsp/instance.hpp"

#include <algorithm>
#include <limits>

namespace cax::test {

class AllSchedules {
public:
    explicit AllSchedules(fjsp::Instance const& shop)
        : shop_(shop), job_free_(shop.job_count(), 0), machine_free_(shop.machine_count(), 0) {
        for (std::size_t job = 0; job < shop.job_count(); ++job) next_.push_back(shop.first_operation(job));
        go_on(0);
    }
    double best = std::numeric_limits<double>::infinity();

private:
    void go_on(double so_far) {
        if (so_far >= best) return;
        bool finished = true;
        for (std::size_t job = 0; job < next_.size(); ++job) {
            if (next_[job] > shop_.last_operation(job)) continue;
            finished = false;
            for (auto const& [machine, time] : shop_.alternatives(next_[job])) {
                double const job_before = job_free_[job];
                double const machine_before = machine_free_[machine];
                double const end = std::max(job_before, machine_before) + double{time};
                job_free_[job] = machine_free_[machine] = end;
                ++next_[job];
                go_on(std::max(so_far, end));
                --next_[job];
                job_free_[job] = job_before;
                machine_free_[machine] = machine_before;
            }
        }
        if (finished) best = so_far;
    }

    fjsp::Instance const& shop_;
    std::vector<std::size_t> next_;
    std::vector<double> job_free_;
    std::vector<double> machine_free_;
};

/// Up to three jobs of up to three operations on up to three machines; times are whole numbers of `unit`.
inline std::shared_ptr<fjsp::Instance const> tiny_shop(std::uint32_t seed, float unit = 1) {
    Rng rng(seed, 77);
    fjsp::Data data{.machines = 2 + rng.below(2)};
    data.jobs.resize(2 + rng.below(2));
    for (auto& job : data.jobs) {
        job.resize(1 + rng.below(3));
        for (auto& operation : job) {
            for (std::size_t machine = 0; machine < data.machines; ++machine)
                if (rng.below(2) == 0) operation.push_back({machine, unit * static_cast<float>(1 + rng.below(9))});
            if (operation.empty())
                operation.push_back({rng.below(data.machines), unit * static_cast<float>(1 + rng.below(9))});
        }
    }
    return *fjsp::Instance::make(std::move(data));
}

} // namespace cax::test
