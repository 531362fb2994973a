#pragma once
// Is there a solution that answers the question, and can anybody check it? certify() tries, in this order: bounds that
// need no search, solutions that the caller has at hand, the problem's own search, and a constraint solver on whole
// numbers rounded both ways.
//
// What a verdict lets you conclude: `certified` comes with a witness that Instance::check_answer() accepted, whoever
// found it; `refuted` means that even with every number rounded in the solution's favour, and with the checker's
// tolerances, there is none; `undecided` says why. The same arguments give the same certificate, unless the time limit
// strikes.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/question.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

enum class Verdict { certified, refuted, undecided };
[[nodiscard]] NameTable<Verdict> names_of(Verdict); ///< "certified"
/// By name; the error lists the names there are.

/// Why a verdict is `undecided`.
enum class Doubt {
    none,
    budget_spent,  ///< the work allowed was not enough
    time_limit,    ///< the seconds allowed were not enough
    boundary,      ///< possible with numbers rounded in favour, impossible with numbers rounded against
    check_refused, ///< the solver found a solution that the checker does not accept: one of the two is wrong
    no_model,      ///< the instance is too large for a constraint model, or the problem has none
};
[[nodiscard]] std::string_view name_of(Doubt doubt); ///< "budget_spent"; "" for none

/// Where the witness or the proof came from.
enum class CertificateSource { none, bound, candidate, search, solver };
[[nodiscard]] std::string_view name_of(CertificateSource source); ///< "solver"; "" for none

struct CertifyOptions {
    std::uint64_t work = 100'000; ///< steps of exact search, summed over all questions that the solver is asked
    double seconds = 0;           ///< wall clock; 0 = none, so that the verdict does not depend on the machine
    std::uint64_t seed = 0;
    std::span<Solution const> candidates;   ///< possible witnesses at hand: a policy's own completions, best first
    std::uint64_t search_iterations = 2000; ///< of the problem's own search; 0 = do not ask it
    bool explain_conflict = false;          ///< when refuted, find out which families conflict (more solver work)
};

struct Certificate {
    Question question; ///< what was asked of the instance
    Verdict verdict = Verdict::undecided;
    Doubt doubt = Doubt::none;
    std::string reason; ///< one sentence for a person
    CertificateSource source = CertificateSource::none;
    std::optional<Solution> witness; ///< if certified
    bool checked = false;            ///< the witness was accepted by Instance::check_answer()
    double cost = 0;                 ///< of the witness
    /// If refuted and asked for: families whose rules cannot all be kept, as indices into ProblemInfo::families.
    std::vector<std::size_t> conflict;
    bool conflict_is_minimal = false; ///< proven: without any one of them there is a solution
    std::uint64_t work = 0;           ///< steps of exact search that were spent
};

/// Error if the question makes no sense for this instance: a prefix that names what does not exist, a bound that is no
/// number or negative.
[[nodiscard]] Result<Certificate> certify(Instance const& instance, Question const& question,
                                          CertifyOptions const& options = {});

} // namespace cax
