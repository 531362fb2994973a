#pragma once
// Find, refine and certify in one go, for whoever wants an answer and not the parts: commands and explanations.
#include "cax/explain/counterfactual.hpp"
#include "cax/explain/flip_certificate.hpp"
#include "cax/explain/guided.hpp"

namespace cax {

enum class CounterfactualStatus {
    certified, ///< a flip, with a witness
    refuted,   ///< a flip, but the question that certification asks has been proved to have no answer
    undecided, ///< a flip, but certification ran out of its budget, or between two roundings
    flipped,   ///< a flip that nobody was asked to certify
    no_flip,   ///< no shot inside the envelope changes the decision
};
[[nodiscard]] NameTable<CounterfactualStatus> names_of(CounterfactualStatus);
[[nodiscard]] CounterfactualStatus status_of(Verdict verdict);

/// A flip, and the verdict on it if one was asked for.
struct SettledFlip {
    Flip flip;
    std::optional<Certificate> certificate;

    [[nodiscard]] CounterfactualStatus status() const;
};

/// Where flips are looked for.
enum class FlipSearch { guided, sampler };
[[nodiscard]] NameTable<FlipSearch> names_of(FlipSearch);

struct AnswerOptions {
    CounterfactualOptions search;
    /// `guided` needs gradients: a policy that has none is searched by the sampler, and the answer says so.
    FlipSearch finder = FlipSearch::sampler;
    bool one_number = false; ///< guided: changes of one number, each of them tried, in both directions
    bool off_map = false;    ///< guided: numbers may leave the ranges of the generator's
    bool refine = false;
    CertificationOptions certification; ///< seed, first_instance and state_options are those of the search

    /// The one that is used on this policy.
    [[nodiscard]] FlipSearch finder_for(Policy const& policy) const {
        return policy.traits().differentiable ? finder : FlipSearch::sampler;
    }
};
/// Error if options contradict each other or do not fit the problem.
[[nodiscard]] Result<void> check_options(ProblemInfo const& info, AnswerOptions const& request);

struct CounterfactualAnswer {
    std::size_t instance = 0; ///< as in the decision
    std::size_t step = 0;
    std::size_t action = 0;
    ShotReport report;                ///< of the search that was made; no shots if it was guided
    std::vector<SettledFlip> sampled; ///< as they were found, smallest first; empty if nothing flips
    std::vector<SettledFlip> refined; ///< one for each of `sampled`, if asked for
    std::size_t refine_passes = 0;    ///< forward passes spent by the refinement
    /// What a guided search has tried; its flip is in `sampled`. Nothing if the sampler was asked.
    std::optional<GuidedFlip> guided = {};

    /// The first flip, refined if it was refined; null if there is none.
    [[nodiscard]] SettledFlip const* best() const;
    [[nodiscard]] CounterfactualStatus status() const; ///< of best()
};
/// One decision. A refinement that loses the certificate goes back, step by step, to one that keeps it. Error as the verbs.
[[nodiscard]] Result<CounterfactualAnswer> answer_counterfactual(Policy const& policy, Episode const& episode,
                                                                 std::size_t step, AnswerOptions const& request = {});

/// How little of one family flips the decision.
struct FamilyAnswer {
    std::size_t family = 0;
    std::optional<SettledFlip> flip; ///< refined; certified as the request says
    double relative_size = 0;        ///< of the flip: sum of |change| / tensor_scales()
    double reach = 0; ///< entries were moved by up to this part of the scale: the flip's, or the last tried
    std::size_t forward_passes = 0;
};
/// One answer per family, budgets in relative units (1/8, 1/4, 1/2 of tensor_scales(), until something flips; on all
/// entries, then on a few), so that families can be ranked. Tensors that are held fixed stay so.
[[nodiscard]] Result<std::vector<FamilyAnswer>> answer_per_family(Policy const& policy, Episode const& episode,
                                                                  std::size_t step, AnswerOptions const& request);

} // namespace cax
