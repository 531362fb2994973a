#pragma once
// What is unusual about a decision's sensitivity: its families' shares among those of other decisions of the same
// policy. A reference table holds the shares of so many decisions of generated instances; it is computed once per
// policy and can be kept, because it carries everything that it depends on. Whoever keeps one compares identities
// before using it: equal identities have equal shares, different ones must not be mixed.
#include "cax/explain/sensitivity.hpp"

#include <string>

namespace cax {

/// Everything that a reference table depends on.
struct ReferenceIdentity {
    /// Raised whenever the same settings would give other numbers.
    static constexpr unsigned current_version = 2;

    unsigned version = current_version;
    std::string policy; ///< SHA-256 of the policy's file, as results name it
    std::string problem;
    std::string instance_size; ///< of the generated instances: "50", "10x5"
    std::size_t decisions = 120;
    std::size_t per_instance = 3;   ///< decisions taken from one instance, so that the table is not about a few
    std::vector<double> sizes = {}; ///< of the noise
    std::size_t shots = 0;          ///< per size and family
    std::size_t pool = 1;           ///< draws for each of them
    std::uint64_t seed = 0;         ///< of the instances, the choice among their decisions and the noise
    bool encode_once = false;       ///< StateOptions of the episodes
    bool allow_waiting = false;

    bool operator==(ReferenceIdentity const&) const = default;
    /// In one line, for a file name or a message: "2 cvrptw 50 ab12.. 120/3 0.1,0.4x8/64 seed 0".
    [[nodiscard]] std::string text() const;
};

struct ReferenceTable {
    ReferenceIdentity identity;
    std::vector<std::vector<double>> shares; ///< by decision, then by family

    /// The part of the reference decisions whose share of this family is below `share`, ties counting half: 0 to 1.
    [[nodiscard]] double percentile(std::size_t family, double share) const;
    /// Of all families at once.
    [[nodiscard]] std::vector<double> percentiles(std::vector<double> const& shares) const;
};

/// The family with the highest percentile, the first on ties; nothing if there are none.
[[nodiscard]] std::optional<std::size_t> unusual_family(std::vector<double> const& percentiles);

struct ReferenceOptions {
    std::string policy_sha256; ///< of the policy's file
    std::string instance_size; ///< empty = the policy's own, else the problem's default
    std::size_t decisions = 120;
    std::size_t per_instance = 3;
    SensitivityOptions sensitivity = {}; ///< its seed is the seed of everything
    StateOptions state = {};
    std::size_t threads = 0; ///< 0 = all cores; the table does not depend on it
    Progress progress = {};  ///< counts decisions
};
/// What the table would be called, without computing it: to look for one that is kept.
[[nodiscard]] ReferenceIdentity identity_of(Problem const& problem, Policy const& policy,
                                            ReferenceOptions const& options);

/// Walks of the policy on generated instances; of each, decisions with a choice, drawn at random. Error if the policy
/// does not fit the problem, the size makes no sense, or instances have no decisions with a choice.
[[nodiscard]] Result<ReferenceTable> sensitivity_reference(Problem const& problem, Policy const& policy,
                                                           ReferenceOptions const& options = {});

} // namespace cax
