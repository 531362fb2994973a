#pragma once
// A change to the instance that makes the policy decide otherwise: what the search for counterfactuals finds, what
// refinement makes readable, and what is then certified. A value that is complete in itself: it holds the changed
// instance and the state in which the policy was asked, so that nobody has to change or replay anything again.
#include "cax/problems/problem.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cax {

/// One entry of the instance, before and after.
struct EntryChange {
    std::size_t tensor = 0;
    std::size_t index = 0;
    double from = 0; ///< as a feature value
    double to = 0;
    std::string words; ///< "customer 17: window closes 232 -> 220"
};

struct Flip {
    std::optional<std::size_t> shot; ///< that drew it, or that it was refined from
    Features change;
    std::size_t new_action = 0;
    std::string new_action_words;          ///< in the state as it is
    std::optional<double> new_probability; ///< of the new action; nothing if the policy was asked for unclipped logits
    double l1 = 0;
    double l2 = 0;
    double linf = 0;
    std::size_t entries = 0;           ///< that differ
    std::optional<std::size_t> tensor; ///< with the largest part of l1
    std::optional<std::size_t> family; ///< likewise
    std::vector<double> family_mass;   ///< l1 per family; others: family_masses(change)
    double margin = 0;                 ///< log-probability of the old action minus the new one's; may be -infinite
    std::vector<EntryChange> changes;  ///< what `entries` counts

    InstancePtr changed;     ///< null if the tensors of a frozen state describe no instance
    std::string no_instance; ///< then: why
    /// Of the changed instance, where the actions so far lead. Null if a frozen state's prefix cannot be repeated on
    /// it.
    std::shared_ptr<State const> state;
};

} // namespace cax
