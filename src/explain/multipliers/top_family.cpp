#include "cax/explain/multipliers.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

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

/// If one family alone can grow without end, it is on top of some optimal dual.
std::optional<std::size_t> unbounded_top(std::span<double const> masses, std::span<MultiplierRange const> ranges) {
    std::optional<std::size_t> top;
    for (std::size_t k = 0; k < masses.size(); ++k) {
        if (masses[k] == 0 || std::isfinite(ranges[k].high_bound)) continue;
        if (top || std::isfinite(ranges[k].high)) return {};
        top = k;
    }
    return top;
}

} // namespace

std::optional<std::size_t> dominating_family(std::span<double const> masses, std::span<MultiplierRange const> ranges) {
    assert(masses.size() == ranges.size());
    for (std::size_t k = 0; k < masses.size(); ++k) {
        if (dominates(k, masses, ranges)) return k;
    }
    return std::nullopt;
}

TopFamily top_family(std::span<double const> masses, std::span<MultiplierRange const> ranges) {
    assert(masses.size() == ranges.size());
    if (std::none_of(masses.begin(), masses.end(), [](double mass) { return mass > 0; })) return TopFamily::not_unique;
    if (dominating_family(masses, ranges)) return TopFamily::unique;
    std::optional<std::size_t> seen = unbounded_top(masses, ranges);
    for (MultiplierRange const& range : ranges) {
        for (std::vector<double> const* lambda : {&range.at_low, &range.at_high}) {
            if (lambda->size() != masses.size()) continue;
            auto const top = top_of(*lambda, masses);
            if (!top || (seen && *seen != *top)) return TopFamily::not_unique;
            seen = top;
        }
    }
    return TopFamily::undecided;
}

} // namespace cax
