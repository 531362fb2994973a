#include "validation.hpp"

#include "cax/policies/decode.hpp"

namespace cax::train {
namespace {

/// Of the streams of random numbers: training instances use purpose 1, rollouts 2.
constexpr std::uint32_t purpose_validation = 5;

Result<double> mean_cost(Policy const& policy, std::span<InstancePtr const> instances, DecodeOptions const& options) {
    auto const episodes = decode(policy, instances, options);
    if (!episodes) return episodes.error();
    double sum = 0;
    for (Trajectory const& episode : *episodes) sum += episode.cost;
    return sum / static_cast<double>(instances.size());
}

} // namespace

Result<ValidationSet> ValidationSet::make(Problem const& problem, TrainSettings const& settings) {
    ValidationSet set(problem.info().objective, settings.seed, settings.threads);
    for (std::uint32_t i = 0; i < settings.validation; ++i) {
        Rng rng(settings.seed, i, 0, purpose_validation);
        auto instance = problem.generate(settings.size, {}, rng);
        if (!instance) return instance.error();
        set.instances_.push_back(*std::move(instance));
    }
    return set;
}

Result<ValidationSet::Scores> ValidationSet::judge(Policy const& policy) const {
    bool const forced = !instances_.front()->start_actions().empty();
    auto const greedy = mean_cost(policy, instances_, {.mode = DecodeMode::greedy, .threads = threads_});
    if (!greedy) return greedy.error();
    auto const multistart = mean_cost(policy, instances_,
                                      {.mode = forced ? DecodeMode::multistart : DecodeMode::sample,
                                       .samples = 32,
                                       .seed = seed_,
                                       .threads = threads_});
    if (!multistart) return multistart.error();
    double const sign = objective_ == Objective::maximise ? 1 : -1;
    return Scores{*greedy, *multistart, sign * (*greedy + *multistart)};
}

} // namespace cax::train
