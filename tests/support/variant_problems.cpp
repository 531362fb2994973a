#include "variant_problems.hpp"

#include "cvrp/problem.hpp"
#include "routing/check.hpp"
#include "table/problem_of.hpp"

#include "cax/problems/cvrp/instance.hpp"

namespace cax::test {
namespace {

/// Has none of the members that capabilities stand on.
class BareInstance final : public table::VariantOf<BareInstance, cvrp::Instance, bare_problem> {
public:
    using VariantOf::VariantOf;
    void arc_program() = delete;
    void search() = delete;
    void completions() = delete;
};

class Bare final : public table::ProblemOf<BareInstance, cvrp::Capacitated> {
public:
    Bare() : ProblemOf(cvrp::cvrp_info()) {}
    [[nodiscard]] Changes const* changes() const override { return nullptr; }
    [[nodiscard]] Noise const* noise() const override { return nullptr; }
    [[nodiscard]] RulesOfThumb const* thumb() const override { return nullptr; }
};

class MisledInstance final : public table::VariantOf<MisledInstance, cvrp::Instance, misled_problem> {
public:
    using VariantOf::VariantOf;

private:
    /// The cost is the length up to the last customers.
    [[nodiscard]] CheckReport check_routes(Routes const& solution, DistanceRule rule) const override {
        CheckReport report = cvrp::Instance::check_routes(solution, rule);
        for (auto const& route : solution.routes) {
            if (route.empty() || route.back() >= nodes()) continue;
            report.cost -= routing::rule_distance(data_.locs[route.back()], data_.locs[0], rule);
        }
        return report;
    }
};

class Misled final : public table::ProblemOf<MisledInstance, cvrp::Capacitated> {
public:
    Misled() : ProblemOf(cvrp::cvrp_info(), routing::closed_routes) {}
};

} // namespace

Problem const& bare_problem() {
    static Bare const problem{};
    return problem;
}

Problem const& misled_problem() {
    static Misled const problem{};
    return problem;
}

} // namespace cax::test
