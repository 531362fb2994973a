#pragma once
// What can be asked of an instance beyond an episode: is there a solution within this bound, or one that begins like
// this, and how good can a solution be? A capability of problems; where it is missing, nothing is certified and there
// is no classical baseline.
#include "cax/problems/decision_model.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/question.hpp"
#include "cax/problems/search.hpp"

namespace cax {

/// Precondition: instances belong to the problem.
class Questions {
public:
    virtual ~Questions() = default;
    /// The question as a constraint model. Error if the question makes no sense for this instance (a negative bound, a
    /// prefix that is not allowed) or the instance is too large for one.
    [[nodiscard]] virtual Result<DecisionModel> decision_model(Instance const& instance, Question const& question,
                                                               Rounding rounding) const = 0;
    /// Does the solution answer the question? From the definition, in double precision, by no solver and sharing no
    /// code with decision_model(): this is what makes a witness a certificate.
    [[nodiscard]] virtual CheckReport check_answer(Instance const& instance, Solution const& solution,
                                                   Question const& question) const = 0;
    /// The problem's own classical search. Anytime, seeded; what it returns has been checked.
    [[nodiscard]] virtual Result<SearchResult> search(Instance const& instance, SearchOptions const& options) const = 0;
    /// An episode that is no worse than this one, by trying so many changes of it. Nothing where that needs no method
    /// of its own, because every solution that search() finds is an episode as well.
    [[nodiscard]] virtual std::optional<std::vector<std::size_t>>
    improved_episode(Instance const&, std::span<std::size_t const>, std::uint64_t, Rng&) const {
        return std::nullopt;
    }
    /// The cost of every solution is a whole multiple of this number; 0 where no such number is known. What lies
    /// between two costs is then known to be empty, and a search can be proven to have ended.
    [[nodiscard]] virtual double cost_grain(Instance const&) const { return 0; }
};

/// Errors (unsupported) where the problem cannot be asked.
[[nodiscard]] Result<DecisionModel> decision_model_of(Instance const& instance, Question const& question,
                                                      Rounding rounding);
[[nodiscard]] Result<SearchResult> search(Instance const& instance, SearchOptions const& options);
/// Where the problem cannot be asked, beginnings and bounds count as violations: nobody has checked them.
[[nodiscard]] CheckReport check_answer(Instance const& instance, Solution const& solution, Question const& question);
[[nodiscard]] std::optional<std::vector<std::size_t>>
improved_episode(Instance const& instance, std::span<std::size_t const> actions, std::uint64_t iterations, Rng& rng);
[[nodiscard]] double cost_grain_of(Instance const& instance);

} // namespace cax
