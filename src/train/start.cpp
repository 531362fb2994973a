#include "start.hpp"

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

Result<InstancePtr> readable_instance(Problem const& problem, std::string const& size, std::uint64_t seed,
                                      Policy const& policy) {
    Rng rng(seed);
    auto instance = problem.generate(size, {}, rng);
    if (!instance) return instance.error();
    if (auto ok = policy.accepts((*instance)->reset()->observe()); !ok) return ok.error();
    return instance;
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
    auto const instance = readable_instance(problem, settings.size, settings.seed, (*network)->policy());
    if (!instance) return instance.error();
    TrainState state;
    state.policy = (*network)->save(); // in single precision, whatever the file has
    state.policy.metadata["size"] = settings.size;
    return state;
}

} // namespace cax::train
