#include "cax/train/trainer.hpp"

#include <fmt/format.h>

namespace cax::train {

Result<TrainState> initial_state(Problem const& problem, TrainSettings const& settings, NetworkDesign const& design) {
    auto weights = random_weights(problem, settings.size, design, settings.seed);
    if (!weights) return weights.error();
    TrainState state;
    state.policy = *std::move(weights);
    return state;
}

Result<TrainState> state_from_policy(Problem const& problem, TrainSettings const& settings, TensorFile policy) {
    // A checkpoint is a policy with more in it.
    std::erase_if(policy.tensors, [](auto const& tensor) { return tensor.first.starts_with("train."); });
    policy.metadata.try_emplace("env_name", problem.info().name);
    auto const network = make_trainable(policy);
    if (!network) return network.error();
    std::string const& own = (*network)->policy().info().problem;
    if (own != problem.info().name)
        return Error{ErrorCode::mismatch, fmt::format("is a policy for {}, not for {}", own, problem.info().name)};
    Rng rng(settings.seed);
    auto const instance = problem.generate(settings.size, {}, rng);
    if (!instance) return instance.error();
    if (auto ok = (*network)->policy().accepts((*instance)->reset()->observe()); !ok) return ok.error();
    TrainState state;
    state.policy = (*network)->save(); // in single precision, whatever the file has
    state.policy.metadata["size"] = settings.size;
    return state;
}

} // namespace cax::train
