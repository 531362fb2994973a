#pragma once
// How good a policy is on instances that training does not see: generated ones of another random stream. What is
// saved as the best so far is decided here and nowhere else.
#include "cax/policies/policy.hpp"
#include "cax/train/trainer.hpp"

#include <vector>

namespace cax::train {

class ValidationSet {
public:
    /// Error if the problem cannot generate instances of the settings' size.
    [[nodiscard]] static Result<ValidationSet> make(Problem const& problem, TrainSettings const& settings);

    struct Scores {
        double greedy = 0;     ///< mean cost
        double multistart = 0; ///< mean cost; best of samples for problems without forced starts
        double score = 0;      ///< larger is better
    };
    [[nodiscard]] Result<Scores> judge(Policy const& policy) const;

private:
    ValidationSet(Objective objective, std::uint64_t seed, std::size_t threads)
        : objective_(objective), seed_(seed), threads_(threads) {}
    Objective objective_;
    std::uint64_t seed_;
    std::size_t threads_;
    std::vector<InstancePtr> instances_;
};

} // namespace cax::train
