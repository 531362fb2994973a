#include "features.hpp"

#include <cassert>

namespace cax::fjsp {
namespace {

/// value(i) for i = 0..count-1.
template <class T, class F> std::vector<T> table(std::size_t count, F value) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(value(i));
    return values;
}

/// M x O: value(alternative) where an operation that is not scheduled is eligible, 0 elsewhere.
template <class T, class F> std::vector<T> machine_table(State const& state, F value) {
    Instance const& instance = state.instance();
    std::size_t const operations = instance.padded_operation_count();
    std::vector<T> values(instance.machine_count() * operations);
    for (std::size_t o = 0; o < instance.operation_count(); ++o) {
        if (state.scheduled(o)) continue;
        for (Alternative const& way : instance.alternatives(o)) values[way.machine * operations + o] = value(way);
    }
    return values;
}

/// The number of eligible machines as a policy sees it: a changed instance may have moved it.
float seen_eligible(State const& state, std::size_t operation) {
    if (state.scheduled(operation)) return 0;
    return static_cast<float>(state.eligible_count(operation)) + state.instance().eligible_offset(operation);
}

/// [o, o', 0] = 1 where o' comes directly before o in its job, [o, o', 1] = 1 where it comes directly after.
Tensor neighbour_tensor(Instance const& instance) {
    std::size_t const operations = instance.padded_operation_count();
    std::vector<float> values(operations * operations * 2);
    for (std::size_t o = 0; o < operations; ++o) {
        if (!instance.has_predecessor(o)) continue;
        values[(o * operations + o - 1) * 2] = 1;
        values[((o - 1) * operations + o) * 2 + 1] = 1;
    }
    return Tensor::from_floats({operations, operations, 2}, values);
}

/// These features of the state as the reset state has them: what is scheduled by now was there then.
Features before_scheduling(State const& state, Features features) {
    Features const reset = State(state.shared_instance(), {}).features();
    std::size_t const operations = state.instance().padded_operation_count();
    for (std::size_t t = 0; t < features.size(); ++t) {
        for (std::size_t i = 0; i < features[t].values.size(); ++i) {
            if (state.scheduled(i % operations)) features[t].values[i] += reset[t].values[i];
        }
    }
    return features;
}

} // namespace

Features features_of(State const& state) {
    Instance const& instance = state.instance();
    std::size_t const operations = instance.padded_operation_count();
    Features features(2);
    features[feature_proc_times] = {{instance.machine_count(), operations},
                                    machine_table<double>(state, [](Alternative const& way) { return way.time; })};
    features[feature_num_eligible] = {
        {operations}, table<double>(operations, [&](std::size_t o) { return seen_eligible(state, o); })};
    return features;
}

ScheduleObservation observe_state(State const& state, Features const& features, bool for_decoding) {
    Instance const& instance = state.instance();
    std::size_t const operations = instance.padded_operation_count();
    assert(features.size() == 2 && features[feature_num_eligible].values.size() == operations);
    auto const& times = features[feature_proc_times].values;
    assert(times.size() == instance.machine_count() * operations);

    ScheduleObservation seen;
    seen.proc_times = Matrix<double>(instance.machine_count(), operations);
    std::copy(times.begin(), times.end(), seen.proc_times.values().begin());
    seen.num_eligible = features[feature_num_eligible].values;
    auto const bounds = state.lower_bounds();
    seen.lower_bounds.assign(bounds.begin(), bounds.end());
    seen.busy_until.assign(state.busy_until().begin(), state.busy_until().end());
    seen.time = state.time();
    seen.is_ready = table<std::uint8_t>(operations, [&](std::size_t o) { return state.is_ready(o); });
    seen.scheduled = table<std::uint8_t>(operations, [&](std::size_t o) { return state.scheduled(o); });
    seen.padding = table<std::uint8_t>(operations, [&](std::size_t o) { return instance.is_padding(o); });
    seen.job_of = table<std::size_t>(operations, [&](std::size_t o) { return instance.job_of(o); });
    seen.position = table<std::size_t>(operations, [&](std::size_t o) { return state.position(o); });
    seen.next_op = table<std::size_t>(instance.job_count(), [&](std::size_t j) { return state.next_operation(j); });
    seen.mask.assign(state.action_mask().begin(), state.action_mask().end());
    if (double const shown = instance.shown(); shown != 1) {
        for (double& time : seen.proc_times.values()) time *= shown;
        for (double& bound : seen.lower_bounds) bound *= shown;
        for (double& until : seen.busy_until) until *= shown;
        seen.time *= shown;
    }
    if (state.options().encode == EncodeMode::once && !state.is_reset() && !for_decoding) {
        State const reset(state.shared_instance(), {.allow_waiting = state.options().allow_waiting});
        seen.encoder = std::make_shared<ScheduleObservation>(observe_state(reset, before_scheduling(state, features)));
    }
    return seen;
}

Features pull_back_gradient(State const& state, ScheduleObservation const& gradient) {
    std::size_t const operations = state.instance().padded_operation_count();
    auto const times = gradient.proc_times.values();
    assert(times.size() == state.instance().machine_count() * operations && gradient.num_eligible.size() == operations);
    Features features(2);
    features[feature_proc_times] = {{state.instance().machine_count(), operations}, {times.begin(), times.end()}};
    for (double& time : features[feature_proc_times].values) time *= state.instance().shown();
    features[feature_num_eligible] = {{operations}, gradient.num_eligible};
    return features;
}

NamedTensors instance_tensors(State const& state) {
    Instance const& instance = state.instance();
    std::size_t const operations = instance.padded_operation_count();
    std::size_t const jobs = instance.job_count();
    auto const per_operation = [&](auto value) {
        return Tensor::from_ints(Dtype::i64, {operations}, table<std::int64_t>(operations, value));
    };
    auto const per_job = [&](auto value) {
        return Tensor::from_ints(Dtype::i64, {jobs}, table<std::int64_t>(jobs, value));
    };
    NamedTensors all;
    all["start_op_per_job"] = per_job([&](std::size_t j) { return instance.first_operation(j); });
    all["end_op_per_job"] = per_job([&](std::size_t j) { return instance.last_operation(j); });
    all["ops_job_map"] = per_operation([&](std::size_t o) { return instance.job_of(o); });
    all["pad_mask"] = Tensor::from_bools(
        {operations}, table<std::uint8_t>(operations, [&](std::size_t o) { return instance.is_padding(o); }));
    std::vector<std::int64_t> membership(jobs * operations);
    for (std::size_t o = 0; o < instance.operation_count(); ++o) membership[instance.job_of(o) * operations + o] = 1;
    all["job_ops_adj"] = Tensor::from_ints(Dtype::i64, {jobs, operations}, membership);
    all["ops_adj"] = neighbour_tensor(instance);
    return all;
}

NamedTensors schedule_tensors(State const& state) {
    Instance const& instance = state.instance();
    std::size_t const operations = instance.padded_operation_count();
    std::size_t const machines = instance.machine_count();
    std::size_t const jobs = instance.job_count();
    auto const flags = [](std::size_t count, auto value) {
        return Tensor::from_bools({count}, table<std::uint8_t>(count, value));
    };
    std::vector<float> assignment(machines * operations);
    for (std::size_t o = 0; o < operations; ++o) {
        if (state.scheduled(o)) assignment[state.machine_of(o) * operations + o] = 1;
    }
    float const time = state.time();
    float const reward = 0; // rl4co keeps 0 here; the episode's reward is -cost
    NamedTensors all;
    all["proc_times"] = Tensor::from_floats(
        {machines, operations}, machine_table<float>(state, [](Alternative const& way) { return way.time; }));
    all["ops_ma_adj"] = Tensor::from_floats({machines, operations},
                                            machine_table<float>(state, [](Alternative const&) { return 1.0F; }));
    all["num_eligible"] = Tensor::from_floats(
        {operations}, table<float>(operations, [&](std::size_t o) { return seen_eligible(state, o); }));
    all["ops_sequence_order"] = Tensor::from_ints(
        Dtype::i64, {operations}, table<std::int64_t>(operations, [&](std::size_t o) { return state.position(o); }));
    all["start_times"] = Tensor::from_floats({operations}, state.start_times());
    all["finish_times"] = Tensor::from_floats({operations}, state.finish_times());
    all["ma_assignment"] = Tensor::from_floats({machines, operations}, assignment);
    all["busy_until"] = Tensor::from_floats({machines}, state.busy_until());
    all["time"] = Tensor::from_floats({}, std::span(&time, 1));
    all["next_op"] = Tensor::from_ints(
        Dtype::i64, {jobs}, table<std::int64_t>(jobs, [&](std::size_t j) { return state.next_operation(j); }));
    all["lbs"] = Tensor::from_floats({operations}, state.lower_bounds());
    all["op_scheduled"] = flags(operations, [&](std::size_t o) { return state.scheduled(o); });
    all["is_ready"] = flags(operations, [&](std::size_t o) { return state.is_ready(o); });
    all["job_in_process"] = flags(jobs, [&](std::size_t j) { return state.in_process(j); });
    all["job_done"] = flags(jobs, [&](std::size_t j) { return state.job_done(j); });
    all["done"] = flags(1, [&](std::size_t) { return state.done(); });
    all["terminated"] = flags(1, [](std::size_t) { return false; });
    all["reward"] = Tensor::from_floats({}, std::span(&reward, 1));
    return all;
}

} // namespace cax::fjsp
