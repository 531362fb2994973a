#pragma once
// What problem.cpp is made of.
#include "../routing/problem.hpp"

namespace cax::cvrp {

/// What is fixed for CVRP.
[[nodiscard]] ProblemInfo cvrp_info();

/// CVRP, and what a variant begins with that has CVRP's instances and other rules for its routes. Instances are made by
/// table::ProblemOf.
class Capacitated : public routing::Problem {
protected:
    explicit Capacitated(ProblemInfo info, routing::LegRule leg = routing::closed_routes);

private:
    [[nodiscard]] Result<InstancePtr> draw(std::size_t customers, Options const& options, Rng& rng) const final;
    [[nodiscard]] std::vector<std::string> facts(routing::Instance const& instance, std::size_t node) const final;
    [[nodiscard]] std::optional<std::string> broken_envelope(Features const& features) const final;
    [[nodiscard]] std::vector<routing::CustomerRule> customer_rules() const final;
};

[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::cvrp
