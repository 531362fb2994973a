#pragma once
// One decision, asked what the policy would do if the instance were otherwise. Search and refinement ask here, so that they
// agree on what a change means, whether it is possible, and what counts as a flip.
#include "cax/explain/counterfactual.hpp"

#include <span>

namespace cax {

class WhatIf {
public:
    /// All of them must outlive this. `shots`: changes of the caller's in place of random ones, if any.
    WhatIf(Policy const& policy, Episode const& episode, std::size_t step, CounterfactualOptions const& options,
           ShotSource const& shots = no_source());

    /// A change on its way to the policy.
    struct Prepared {
        Features change; ///< what it amounts to: see Instance::changed()
        bool feasible = false;
        bool forbids_chosen = false;            ///< replayed: rules then forbid the old action
        std::string refusal;                    ///< why it is not
        std::optional<Observation> observation; ///< there if the policy can be asked, feasible or not
    };
    [[nodiscard]] Prepared prepare(Features change) const;
    /// The same without the observation, for whoever asks only whether it is possible.
    [[nodiscard]] Prepared judge(Features change) const;

    struct Reaction {
        std::size_t action = 0;
        bool flipped = false;
        double margin = 0;      ///< best log-probability of an action that is no flip, minus the best of one that is
        double probability = 0; ///< of the action, by the log-probabilities that were asked for
    };
    /// What the policy does. Precondition: each has an observation.
    [[nodiscard]] std::vector<Reaction> ask(std::span<Prepared const> prepared);
    /// The same for changes; nothing for those that are not feasible.
    [[nodiscard]] std::vector<std::optional<Reaction>> try_changes(std::span<Features const> changes);

    [[nodiscard]] Decision const& decision() const { return cell_; }
    /// What the last action was about, if there was one.
    [[nodiscard]] std::optional<std::size_t> last_node() const;
    [[nodiscard]] Instance const& instance() const { return *episode_.instance; }
    [[nodiscard]] Perturbation const& perturbation() const { return perturbation_; }
    [[nodiscard]] Features shot(std::size_t shot) const;
    [[nodiscard]] CounterfactualOptions const& options() const { return options_; }
    /// States that are worth asking about at once: more do not make our own networks any faster, others perhaps.
    [[nodiscard]] std::size_t fast_batch() const {
        return policy_.traits().has_encoder ? 4 : std::numeric_limits<std::size_t>::max();
    }
    [[nodiscard]] std::size_t forward_passes() const { return forward_passes_; }
    /// Of the state as it is.
    [[nodiscard]] double margin() const { return reaction(cell_.log_probs).margin; }

    /// How the old action's lead over `other` grows with each feature of the state as it is; 0 for nodes that have been
    /// dealt with. Costs a forward and a backward pass, counted as two forwards.
    [[nodiscard]] Features lead_gradient(std::size_t other);
    [[nodiscard]] bool has_gradient() const { return policy_.traits().differentiable; }

    /// The values that the change leads to, as the policy reads them (frozen) or the instance has them (replay).
    [[nodiscard]] Features applied(Features const& change) const;
    /// The change and all that came of it.
    [[nodiscard]] Flip describe(Features const& change, Reaction const& reaction) const;

private:
    [[nodiscard]] static ShotSource const& no_source();
    /// The instance that a change makes of the episode's. Error if there is none.
    [[nodiscard]] Result<InstancePtr> changed_instance(Features const& change) const;
    /// The noise on a frozen state's tensors that is about the instance.
    [[nodiscard]] Features real_part(Features change) const;
    void measure(Features const& change, Flip& flip) const;
    void list_entries(Features const& change, Flip& flip) const;
    [[nodiscard]] Reaction reaction(LogProbs const& log_probs) const;
    [[nodiscard]] bool wanted(std::size_t action) const;
    [[nodiscard]] Prepared prepared(Features change, bool observed) const;
    void prepare_frozen(Prepared& prepared, bool observed) const;
    void prepare_replayed(Prepared& prepared, bool observed) const;

    Policy const& policy_;
    Episode const& episode_;
    Decision const& cell_;
    CounterfactualOptions const& options_;
    ShotSource const& shots_;
    std::vector<std::size_t> prefix_;
    std::vector<std::vector<std::uint8_t>> adjustable_; ///< replay only
    Perturbation perturbation_;
    std::size_t forward_passes_ = 0;
};

} // namespace cax
