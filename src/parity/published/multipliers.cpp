#include "published/lambda.hpp"

#include "cax/explain/multipliers.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/solvers/lp.hpp"
#include "cax/solvers/lp_audit.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::parity {
namespace {

constexpr double objective_tolerance = 1e-7; ///< relative
constexpr double multiplier_tolerance = 1e-6;
constexpr double face_tolerance = 1e-5; ///< the ends of the face were recorded with about 1e-6

class MultiplierCheck {
public:
    MultiplierCheck(ReferenceCheck& check, GoldenTensors& golden)
        : check_(check), golden_(golden), families_(check.problem.info().families.size()) {}

    Result<void> compare_all() {
        low_ = table("lp_dual_face_min_sum");
        high_ = table("lp_dual_face_max_sum");
        auto const objective = golden_values(check_, golden_, "lp_objective", {check_.instances.size()});
        auto const rows = table("lp_rows");
        for (std::size_t b = 0; b < check_.instances.size(); ++b) {
            auto const program = relaxation_of(*check_.instances[b]);
            if (!program) return program.error();
            auto const solution = clp_solver().solve(*program);
            if (!solution) return solution.error();
            if (objective) {
                check_.ledger.close(check_.ledger.count("LP objectives"), named("lp_objective", b), (*objective)[b],
                                    solution->objective, objective_tolerance * std::abs((*objective)[b]));
            }
            for (std::size_t k = 0; rows && k < families_; ++k) {
                check_.ledger.equal(check_.ledger.count("LP rows"), named("lp_rows", b), (*rows)[b * families_ + k],
                                    static_cast<double>(program->rows_of(k)));
            }
            compare_duals(b, *program, *solution);
            if (auto const done = compare_lp(b); !done) return done.error();
            if (auto const done = compare_subgradient(b); !done) return done.error();
        }
        return {};
    }

private:
    [[nodiscard]] std::optional<std::vector<double>> table(std::string const& name) {
        return golden_values(check_, golden_, name, {check_.instances.size(), families_});
    }
    [[nodiscard]] std::string named(std::string const& name, std::size_t b) const {
        return fmt::format("{}, instance {}", name, b);
    }
    [[nodiscard]] std::string named(std::string const& name, std::size_t b, std::size_t k) const {
        return fmt::format("{}, instance {}, {}", name, b, check_.problem.info().families[k]);
    }

    /// The recorded duals are optimal for our rows in our order.
    void compare_duals(std::size_t b, LinearProgram const& program, LpSolution solution) {
        std::vector<double> dual(program.rows());
        for (std::size_t k = 0; k < families_; ++k) {
            std::string const name = fmt::format("lp_dual/b{}/{}", b, check_.problem.info().families[k]);
            auto const recorded = golden_values(check_, golden_, name, {program.rows_of(k)});
            if (!recorded) return;
            std::size_t next = 0;
            for (std::size_t i = 0; i < program.rows(); ++i) {
                if (program.family(i) == k) dual[i] = (*recorded)[next++];
            }
        }
        solution.dual = std::move(dual);
        Count& count = check_.ledger.count("recorded duals optimal");
        ++count.compared;
        if (audit(program, solution).within(multiplier_tolerance)) return;
        ++count.unequal;
        check_.ledger.fail(named("lp_dual: not optimal for our program", b));
    }

    [[nodiscard]] bool determined(std::size_t at) const {
        return (*high_)[at] - (*low_)[at] <= face_tolerance * (1 + (*low_)[at]);
    }

    /// Equal where the LP determines the multiplier; elsewhere not below the smallest one that is optimal.
    void compare_aggregate(std::size_t b, Aggregate aggregate, Multipliers const& found) {
        std::string const name = fmt::format("lp_multiplier/{}", name_of(aggregate));
        auto const recorded = table(name);
        for (std::size_t k = 0; k < families_; ++k) {
            std::size_t const at = b * families_ + k;
            double const ours = found.families[k].value.value_or(std::nan(""));
            if (aggregate == Aggregate::sum && !(ours >= (*low_)[at] * (1 - multiplier_tolerance))) {
                check_.ledger.fail(
                    fmt::format("{}: ours {} is below the smallest sum, {}", named(name, b, k), ours, (*low_)[at]));
            }
            // The largest dual may move along the face even where the sum does not.
            if (!recorded || !determined(at) || aggregate == Aggregate::max) continue;
            check_.ledger.close(check_.ledger.count("multipliers"), named(name, b, k), (*recorded)[at], ours,
                                multiplier_tolerance * (1 + (*recorded)[at]));
        }
    }

    void compare_face(std::size_t b, RangeReport const& range) {
        for (std::size_t k = 0; k < families_; ++k) {
            std::size_t const at = b * families_ + k;
            MultiplierRange const& ours = range.with_redundant_rows.families[k];
            Count& count = check_.ledger.count("dual face ends");
            check_.ledger.close(count, named("lp_dual_face_min_sum", b, k), (*low_)[at], ours.low,
                                face_tolerance * (1 + (*low_)[at]));
            double const slack = std::isinf((*high_)[at]) ? 0 : face_tolerance * (1 + (*high_)[at]);
            check_.ledger.close(count, named("lp_dual_face_max_sum", b, k), (*high_)[at], ours.high, slack);
        }
    }

    [[nodiscard]] Result<void> compare_lp(std::size_t b) {
        if (!low_ || !high_) return {};
        for (Aggregate const aggregate : {Aggregate::mean, Aggregate::sum, Aggregate::max}) {
            MultiplierOptions options;
            options.aggregate = aggregate;
            options.dual_range = aggregate == Aggregate::sum;
            auto const found = compute_multipliers(*check_.instances[b], options);
            if (!found) return found.error();
            compare_aggregate(b, aggregate, *found);
            if (found->range) compare_face(b, *found->range);
        }
        return {};
    }

    [[nodiscard]] Result<void> compare_subgradient(std::size_t b) {
        auto const recorded = table("subgrad_multiplier");
        if (!recorded) return {};
        MultiplierOptions options;
        options.backend = Backend::subgrad;
        auto const found = compute_multipliers(*check_.instances[b], options);
        if (!found) return found.error();
        for (std::size_t k = 0; k < families_; ++k) {
            double const expected = (*recorded)[b * families_ + k];
            check_.ledger.close(check_.ledger.count("subgradient"), named("subgrad_multiplier", b, k), expected,
                                found->families[k].value.value_or(std::nan("")), 1e-9 * (1 + expected));
        }
        return {};
    }

    ReferenceCheck& check_;
    GoldenTensors& golden_;
    std::size_t families_;
    std::optional<std::vector<double>> low_;
    std::optional<std::vector<double>> high_;
};

} // namespace

Result<void> compare_multipliers(ReferenceCheck& check, GoldenTensors& golden) {
    return MultiplierCheck(check, golden).compare_all();
}

} // namespace cax::parity
