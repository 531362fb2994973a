#pragma once
// The matnet network itself and as a policy, and job-shop states to show it.
#include "cax/core/rng.hpp"
#include "matnet.hpp"
#include "network_policy.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace cax::test {

template <class R>
[[nodiscard]] std::unique_ptr<MatnetNetwork<R>> make_matnet(TensorFile const& file, PolicyOptions const& options = {}) {
    auto const weights = WeightFile::open(file);
    if (!weights) return ADD_FAILURE() << weights.error().message, nullptr;
    auto const config = MatnetNetwork<R>::configure(*weights, options);
    if (!config) return ADD_FAILURE() << config.error().message, nullptr;
    auto net = std::make_unique<MatnetNetwork<R>>(*config);
    auto const loaded = load_parameters(*weights, net->parameters());
    if (!loaded) return ADD_FAILURE() << loaded.error().message, nullptr;
    net->pack();
    return net;
}

/// What make_policy() gives, without a problem behind it.
template <class R>
[[nodiscard]] std::unique_ptr<Policy> make_matnet_policy(TensorFile const& file, PolicyOptions const& options = {}) {
    return std::make_unique<NetworkPolicy<MatnetNetwork<R>>>(make_matnet<R>(file, options), options);
}

/// A state in the middle of an episode: some operations scheduled, machines busy, others idle for a while, and
/// `padding` operations at the end. Every job has `per_job` operations.
[[nodiscard]] inline ScheduleObservation random_schedule(std::size_t jobs, std::size_t machines, std::size_t per_job,
                                                         std::size_t padding, std::uint64_t seed) {
    Rng rng(seed);
    std::size_t const ops = jobs * per_job + padding;
    ScheduleObservation state;
    state.proc_times = Matrix<double>(machines, ops);
    state.num_eligible.assign(ops, 0);
    state.is_ready.assign(ops, 0);
    state.scheduled.assign(ops, 0);
    state.padding.assign(ops, 0);
    state.time = 5;
    for (std::size_t o = 0; o < ops; ++o) {
        std::size_t const place = o % per_job;
        state.padding[o] = o >= jobs * per_job;
        state.scheduled[o] = !state.padding[o] && place == 0 && rng.below(2) == 0;
        state.is_ready[o] = state.padding[o] || (place == 0 && !state.scheduled[o]);
        state.job_of.push_back(state.padding[o] ? jobs - 1 : o / per_job);
        state.position.push_back(state.padding[o] ? 0 : place);
        state.lower_bounds.push_back(rng.uniform(0, 40));
        if (state.padding[o] || state.scheduled[o]) continue;
        std::size_t const always = rng.below(machines);
        for (std::size_t m = 0; m < machines; ++m)
            if (m == always || rng.below(2) == 0)
                state.proc_times(m, o) = rng.uniform(1, 20), state.num_eligible[o] += 1;
    }
    for (std::size_t m = 0; m < machines; ++m) state.busy_until.push_back(m % 3 == 1 ? 9 : rng.uniform(0, 5));
    for (std::size_t j = 0; j < jobs; ++j)
        state.next_op.push_back(j * per_job + (state.scheduled[j * per_job] ? 1 : 0));
    state.mask.assign(1 + jobs * machines, 0);
    for (std::uint8_t& allowed : state.mask) allowed = rng.below(3) != 0;
    state.mask[0] = 1;
    return state;
}

} // namespace cax::test
