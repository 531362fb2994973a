#pragma once
// The one loop that steps through episodes. Decoding, rollouts and completions differ only in how an action is chosen.
#include "cax/policies/policy.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cax {

/// Asks a policy about the states of some episodes: with encodings of the states they began in, or of each state anew.
class EpisodeScorer {
public:
    /// `once`: decode with encodings of the states in which the episodes begin.
    EpisodeScorer(Policy const& policy, bool once) : policy_(policy), once_(once) {}

    /// `starts`: the policy's observations of the states in which episodes begin, a row each.
    void begin(std::span<Observation const> starts) {
        if (once_) encoding_ = policy_.encode(starts);
    }
    [[nodiscard]] bool begun() const { return encoding_ != nullptr; }
    /// rows[i]: where the episode of states[i] began.
    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<State const* const> states,
                                                  std::span<std::size_t const> rows) const;

private:
    Policy const& policy_;
    bool once_;
    std::unique_ptr<Encoding> encoding_;
};

struct RunningEpisode {
    StatePtr state;
    std::size_t row = 0;   ///< of the scorer
    std::size_t steps = 0; ///< taken so far
    bool over = false;     ///< done, or given up
};

/// The action with which an episode goes on, or nothing to give it up. `log_probs` is empty if no action is allowed.
using ChooseAction = std::function<Result<std::optional<std::size_t>>(std::size_t episode, LogProbs log_probs)>;

/// Steps all episodes together until each is over, or `most_steps` were taken (0 = no limit). `stepped` is told how many
/// took a step.
[[nodiscard]] Result<void> run_episodes(EpisodeScorer const& scorer, std::span<RunningEpisode> episodes,
                                        ChooseAction const& choose, std::size_t most_steps = 0,
                                        std::function<void(std::size_t)> const& stepped = {});

} // namespace cax
