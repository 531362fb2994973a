#pragma once
// Can the instance that a flip makes still be solved? The third verb of counterfactuals, after find and refine: a flip
// in, a certificate out. A flip may be asked about as often as there are questions; searching knows nothing of it.
#include "cax/core/names.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/explain/certify.hpp"
#include "cax/explain/flip.hpp"
#include "cax/policies/policy.hpp"

namespace cax {

/// What is asked of the changed instance.
enum class Certification {
    instance, ///< it has a solution
    bound,    ///< it has one that spends no more than the bound
    prefix,   ///< it has one that begins with the actions so far and the new one
    none,     ///< nothing: the verb is not used
};
[[nodiscard]] NameTable<Certification> names_of(Certification);
/// Which of them a question is.
[[nodiscard]] Certification certification_of(Question const& question);

struct CertificationOptions {
    Certification mode = Certification::instance;
    std::optional<double> bound;        ///< Certification::bound; also kept in mode prefix if given
    std::optional<double> cost_bound{}; ///< the same, of the cost (ProblemInfo::cost_option)
    CertifyOptions certifier;           ///< candidates are filled in: the policy's own completions, named by the seed
    std::size_t first_instance = 0;     ///< added to Decision::instance where random numbers are named
    StateOptions state_options;         ///< those of the episode
};

/// Error if the bound is missing or makes no sense.
[[nodiscard]] Result<void> check_certification(ProblemInfo const& info, CertificationOptions const& options);

/// A flip of this step of the episode. Refuted, too, where there is no changed instance or the prefix cannot be executed
/// on it. Precondition: the mode is not `none`. Error if the certifier does not understand the question.
[[nodiscard]] Result<Certificate> certify(Policy const& policy, Episode const& episode, std::size_t step, Flip const& flip,
                                          CertificationOptions const& options = {});

} // namespace cax
