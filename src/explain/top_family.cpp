#include "cax/explain/multipliers.hpp"

#include <cassert>

namespace cax {
namespace {

/// lambda * mass where 0 * infinity is 0: a family without mass never scores.
double score(double lambda, double mass) { return mass == 0 ? 0 : lambda * mass; }

/// The family whose score is above all others', if there is one.
std::optional<std::size_t> top_of(std::span<double const> lambda, std::span<double const> masses) {
    std::optional<std::size_t> top;
    double best = 0;
    for (std::size_t k = 0; k < masses.size(); ++k) {
        double const value = score(lambda[k], masses[k]);
        if (value > best) {
            top = k;
            best = value;
        } else if (value == best) {
            top.reset();
        }
    }
    return top;
}

/// Even its smallest score is above every other family's largest possible one.
bool dominates(std::size_t family, std::span<double const> masses, std::span<MultiplierRange const> ranges) {
    double const least = score(ranges[family].low, masses[family]);
    if (!(least > 0)) return false;
    for (std::size_t k = 0; k < masses.size(); ++k) {
        if (k != family && !(least > score(ranges[k].high_bound, masses[k]))) return false;
    }
    return true;
}

} // namespace

TopFamily top_family(std::span<double const> masses, std::span<MultiplierRange const> ranges) {
    assert(masses.size() == ranges.size());
    for (std::size_t k = 0; k < masses.size(); ++k) {
        if (dominates(k, masses, ranges)) return TopFamily::unique;
    }
    std::optional<std::size_t> seen;
    for (MultiplierRange const& range : ranges) {
        for (std::vector<double> const* lambda : {&range.at_low, &range.at_high}) {
            if (lambda->size() != masses.size()) continue;
            auto const top = top_of(*lambda, masses);
            if (!top || (seen && *seen != *top)) return TopFamily::not_unique;
            seen = top;
        }
    }
    bool any_mass = false;
    for (double mass : masses) any_mass = any_mass || mass > 0;
    return any_mass ? TopFamily::undecided : TopFamily::not_unique;
}

} // namespace cax
