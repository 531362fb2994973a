#include "cax/explain/certify.hpp"

#include "cax/core/names.hpp"
#include "cax/problems/questions.hpp"
#include "certify/conflict.hpp"
#include "certify/work_account.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

constexpr std::array verdicts{Named<Verdict>{Verdict::certified, "certified"},
                              Named<Verdict>{Verdict::refuted, "refuted"},
                              Named<Verdict>{Verdict::undecided, "undecided"}};
constexpr std::array doubts{Named<Doubt>{Doubt::none, ""},
                            Named<Doubt>{Doubt::budget_spent, "budget_spent"},
                            Named<Doubt>{Doubt::time_limit, "time_limit"},
                            Named<Doubt>{Doubt::boundary, "boundary"},
                            Named<Doubt>{Doubt::check_refused, "check_refused"},
                            Named<Doubt>{Doubt::no_model, "no_model"}};
constexpr std::array sources{Named<CertificateSource>{CertificateSource::none, ""},
                             Named<CertificateSource>{CertificateSource::bound, "bound"},
                             Named<CertificateSource>{CertificateSource::candidate, "candidate"},
                             Named<CertificateSource>{CertificateSource::search, "search"},
                             Named<CertificateSource>{CertificateSource::solver, "solver"}};

/// One certification: a few attempts in order, each of which may settle the question.
class Certifier {
public:
    Certifier(Instance const& instance, Question const& question, CertifyOptions const& options)
        : instance_(instance), question_(question), options_(options), account_(options.work, options.seconds) {}

    [[nodiscard]] Result<Certificate> run() {
        auto loose = decision_model_of(instance_, question_, Rounding::loose);
        if (!loose && loose.error().code != ErrorCode::unsupported) return loose.error();
        if (loose && loose->model.variables.empty() && by_bound(*loose)) return finish();
        if (by_candidates()) return finish();
        auto const found = by_search(loose ? &*loose : nullptr);
        if (!found) return found.error();
        if (*found) return finish();
        if (!loose) {
            doubt(Doubt::no_model, loose.error().message);
            return finish();
        }
        if (auto const ok = by_solver(*loose); !ok) return ok.error();
        return finish();
    }

private:
    [[nodiscard]] Certificate finish() {
        certificate_.question = question_;
        certificate_.work = account_.spent();
        return std::move(certificate_);
    }

    /// Nothing to decide: the model says no by itself, or names its solution.
    bool by_bound(DecisionModel const& loose) {
        auto const broken = violated(loose.model, {});
        if (broken.empty()) {
            return accept(loose.solution({}), CertificateSource::bound, "a solution can be written down directly");
        }
        Constraint const& constraint = loose.model.constraints[broken.front()];
        refute(CertificateSource::bound, constraint.sentence);
        if (options_.explain_conflict && constraint.family != no_family) {
            certificate_.conflict = {constraint.family};
            certificate_.conflict_is_minimal = true;
        }
        return true;
    }

    bool by_candidates() {
        for (std::size_t i = 0; i < options_.candidates.size(); ++i) {
            if (accept(options_.candidates[i], CertificateSource::candidate,
                       fmt::format("candidate {} answers the question", i + 1))) {
                return true;
            }
        }
        return false;
    }

    /// The problem's exact method if it has one, else its heuristic search, which knows no prefixes.
    [[nodiscard]] Result<bool> by_search(DecisionModel const* loose) {
        if (loose != nullptr && loose->exact) return by_exact(*loose);
        if (options_.search_iterations == 0 || !question_.prefix.empty()) return false;
        auto const found = search(instance_, {.seconds = account_.seconds_left(),
                                              .iterations = options_.search_iterations,
                                              .seed = options_.seed,
                                              .bound = question_.bound,
                                              .stop = {}});
        if (!found && found.error().code == ErrorCode::unsupported) return false;
        if (!found) return found.error();
        return accept(found->solution, CertificateSource::search, "the problem's own search found a solution");
    }

    [[nodiscard]] Result<bool> by_exact(DecisionModel const& loose) {
        auto const stop = [this] { return account_.out_of_time(); };
        ExactAnswer answer = loose.exact(account_.left(), stop);
        account_.spend(answer.work);
        if (answer.outcome == ExactAnswer::Outcome::none) {
            refute(CertificateSource::search, "an exact search found that there is no solution");
            if (auto ok = explain(loose.model); !ok) return ok.error();
            return true;
        }
        if (answer.outcome != ExactAnswer::Outcome::found) return false;
        if (accept(*std::move(answer.solution), CertificateSource::search, "an exact search found a solution")) {
            return true;
        }
        auto const strict = decision_model_of(instance_, question_, Rounding::strict);
        if (!strict) return strict.error();
        if (!strict->exact) { // rounded the other way, the question may answer itself
            if (auto ok = by_strict_model(*strict); !ok) return ok.error();
            return true;
        }
        answer = strict->exact(account_.left(), stop);
        account_.spend(answer.work);
        if (answer.outcome == ExactAnswer::Outcome::found) {
            return settle(*std::move(answer.solution), CertificateSource::search, "an exact search found a solution");
        }
        if (answer.outcome != ExactAnswer::Outcome::none) return false;
        doubt(Doubt::boundary, boundary_reason);
        return true;
    }

    /// Numbers rounded in favour first: a "no" is then final, and a solution usually passes the check anyway.
    [[nodiscard]] Result<void> by_solver(DecisionModel const& loose) {
        auto const answer = account_.solve(loose.model, options_.seed);
        if (!answer) return answer.error();
        if (answer->status == CspStatus::unsatisfiable) {
            refute(CertificateSource::solver, "there is no solution, even with numbers rounded in its favour");
            return explain(loose.model);
        }
        if (answer->status != CspStatus::satisfiable) return out_of(answer->status), Result<void>();
        if (accept(loose.solution(answer->assignment), CertificateSource::solver, solver_reason)) return {};

        auto const strict = decision_model_of(instance_, question_, Rounding::strict);
        if (!strict) return strict.error();
        return by_strict_model(*strict);
    }

    /// Numbers rounded against the solution: one that is found exists, and a "no" settles nothing.
    [[nodiscard]] Result<void> by_strict_model(DecisionModel const& strict) {
        if (strict.model.variables.empty()) {
            if (violated(strict.model, {}).empty()) {
                (void)settle(strict.solution({}), CertificateSource::bound, "a solution can be written down directly");
            } else {
                doubt(Doubt::boundary, boundary_reason);
            }
            return {};
        }
        auto const answer = account_.solve(strict.model, options_.seed);
        if (!answer) return answer.error();
        if (answer->status == CspStatus::satisfiable) {
            (void)settle(strict.solution(answer->assignment), CertificateSource::solver, solver_reason);
        } else if (answer->status == CspStatus::unsatisfiable) {
            doubt(Doubt::boundary, boundary_reason);
        } else {
            out_of(answer->status);
        }
        return {};
    }

    [[nodiscard]] Result<void> explain(ConstraintModel const& model) {
        if (!options_.explain_conflict) return {};
        auto const& families = instance_.problem().info().families;
        auto conflict = find_conflict(model, families.size(), account_, options_.seed);
        if (!conflict) return conflict.error();
        certificate_.conflict = std::move(conflict->families);
        certificate_.conflict_is_minimal = conflict->minimal;
        if (certificate_.conflict.empty()) return {};
        std::string names;
        for (std::size_t i = 0; i < certificate_.conflict.size(); ++i) {
            bool const last = i + 1 == certificate_.conflict.size();
            names += i == 0 ? "" : (last ? " and " : ", ");
            names += families[certificate_.conflict[i]];
        }
        certificate_.reason =
            fmt::format("the rules of {} cannot {}be kept", names, certificate_.conflict.size() > 1 ? "all " : "");
        return {};
    }

    /// Certified if the checker says so; says whether it does.
    bool accept(Solution solution, CertificateSource source, std::string reason) {
        CheckReport const report = check_answer(instance_, solution, question_);
        if (!report.valid()) return false;
        certificate_.verdict = Verdict::certified;
        certificate_.source = source;
        certificate_.reason = std::move(reason);
        certificate_.witness = std::move(solution);
        certificate_.checked = true;
        certificate_.cost = report.cost;
        return true;
    }
    /// The same where the numbers were rounded against the solution: a refusal then is somebody's mistake, and is told.
    bool settle(Solution const& solution, CertificateSource source, std::string reason) {
        if (accept(solution, source, std::move(reason))) return true;
        doubt(Doubt::check_refused, fmt::format("the checker does not accept what was found: {}",
                                                check_answer(instance_, solution, question_).violations.front()));
        return true;
    }
    void refute(CertificateSource source, std::string reason) {
        certificate_.verdict = Verdict::refuted;
        certificate_.source = source;
        certificate_.reason = std::move(reason);
    }
    void doubt(Doubt why, std::string reason) {
        certificate_.verdict = Verdict::undecided;
        certificate_.doubt = why;
        certificate_.reason = std::move(reason);
    }
    void out_of(CspStatus status) {
        if (status == CspStatus::time_limit) {
            doubt(Doubt::time_limit, fmt::format("no answer within {} seconds", options_.seconds));
        } else {
            doubt(Doubt::budget_spent, fmt::format("no answer within {} steps of search", options_.work));
        }
    }

    static constexpr char const* solver_reason = "the solver found a solution";
    static constexpr char const* boundary_reason =
        "it hangs on rounding: possible with numbers rounded in favour, impossible with numbers rounded against";

    Instance const& instance_;
    Question const& question_;
    CertifyOptions const& options_;
    WorkAccount account_;
    Certificate certificate_;
};

} // namespace

Result<Certificate> certify(Instance const& instance, Question const& question, CertifyOptions const& options) {
    auto const invalid = [](std::string message) { return Error{ErrorCode::invalid_value, std::move(message)}; };
    if (!(options.seconds >= 0)) return invalid(fmt::format("seconds is {}: expected at least 0", options.seconds));
    if (question.bound && !(std::isfinite(*question.bound) && *question.bound >= 0)) {
        return invalid(fmt::format("{} is {}: expected a number of at least 0", instance.problem().info().bound_option,
                                   *question.bound));
    }
    ProblemInfo const& info = instance.problem().info();
    if (question.cost_bound && info.cost_option.empty()) {
        return Error{ErrorCode::unsupported, fmt::format("{} is bounded by --{} alone", info.name, info.bound_option)};
    }
    if (question.cost_bound && !(std::isfinite(*question.cost_bound) && *question.cost_bound >= 0)) {
        return invalid(
            fmt::format("{} is {}: expected a number of at least 0", info.cost_option, *question.cost_bound));
    }
    return Certifier(instance, question, options).run();
}

NameTable<Verdict> names_of(Verdict) { return verdicts; }
std::string_view name_of(Doubt doubt) { return lookup(doubts, doubt); }
std::string_view name_of(CertificateSource source) { return lookup(sources, source); }

} // namespace cax
