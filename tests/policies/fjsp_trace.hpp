#pragma once
// States of rl4co's golden job-shop traces, read straight from the tensors: the reset state, then whatever each step
// changed. Independent of cax's own job-shop state.
#include "cax/core/tensor.hpp"
#include "cax/problems/observation.hpp"

#include <fmt/format.h>
#include <string>

namespace cax::test {

class FjspTrace {
public:
    /// Instance `row` of the tensors below `prefix` ("" or "single2/"), which is instance `instance` of the batch.
    FjspTrace(NamedTensors const& tensors, std::string prefix, std::size_t instance, std::size_t row)
        : tensors_(tensors), prefix_(std::move(prefix)), row_(row) {
        for (auto const* const key : keys) now_.emplace(key, at(fmt::format("reset/{}", key)).slice(instance));
    }

    /// What belongs to the step that the trace stands at: "logprobs64", "grad64/proc_times", ...
    [[nodiscard]] Tensor of_step(std::string const& what) const {
        return at(fmt::format("{}step{:02}/{}", prefix_, step_, what)).slice(row_);
    }
    [[nodiscard]] bool has_step() const {
        return tensors_.contains(fmt::format("{}step{:02}/logprobs", prefix_, step_));
    }

    void advance() {
        for (auto& [key, tensor] : now_) {
            auto const changed = tensors_.find(fmt::format("{}step{:02}/next/{}", prefix_, step_, key));
            if (changed != tensors_.end()) tensor = changed->second.slice(row_);
        }
        ++step_;
    }

    [[nodiscard]] ScheduleObservation observe() const {
        ScheduleObservation seen;
        Tensor const& times = now("proc_times");
        seen.proc_times = Matrix<double>(times.shape()[0], times.shape()[1]);
        for (std::size_t i = 0; i < times.size(); ++i) seen.proc_times.values()[i] = times.as_double(i);
        seen.num_eligible = now("num_eligible").to_doubles();
        seen.lower_bounds = now("lbs").to_doubles();
        seen.busy_until = now("busy_until").to_doubles();
        seen.time = now("time").as_double(0);
        seen.is_ready = whole<std::uint8_t>("is_ready");
        seen.scheduled = whole<std::uint8_t>("op_scheduled");
        seen.padding = whole<std::uint8_t>("pad_mask");
        seen.job_of = whole<std::size_t>("ops_job_map");
        seen.position = whole<std::size_t>("ops_sequence_order");
        seen.next_op = whole<std::size_t>("next_op");
        seen.mask = whole<std::uint8_t>("action_mask");
        return seen;
    }

private:
    static constexpr char const* keys[] = {"proc_times",  "num_eligible",       "lbs",          "busy_until",
                                           "time",        "is_ready",           "op_scheduled", "pad_mask",
                                           "ops_job_map", "ops_sequence_order", "next_op",      "action_mask"};

    [[nodiscard]] Tensor const& at(std::string const& name) const { return tensors_.find(name)->second; }
    [[nodiscard]] Tensor const& now(char const* key) const { return now_.find(key)->second; }
    template <class T> [[nodiscard]] std::vector<T> whole(char const* key) const {
        std::vector<T> values;
        for (std::int64_t const value : now(key).to_ints()) values.push_back(static_cast<T>(value));
        return values;
    }

    NamedTensors const& tensors_;
    std::string prefix_;
    std::size_t row_;
    std::size_t step_ = 0;
    NamedTensors now_;
};

} // namespace cax::test
