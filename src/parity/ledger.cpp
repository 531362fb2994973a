#include "ledger.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax::parity {
namespace {

constexpr std::size_t failures_kept = 12;

std::string entry_suffix(std::size_t entry, std::size_t size) {
    return size > 1 ? fmt::format(", entry {}", entry) : "";
}

} // namespace

double distance(double a, double b) {
    if (a == b) return 0;
    double const difference = std::abs(a - b);
    return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

double largest_magnitude(std::span<double const> values) {
    double largest = 0;
    for (double const value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

void Ledger::fail(std::string sentence) {
    if (folder_.failures.size() < failures_kept) folder_.failures.push_back(std::move(sentence));
    ++folder_.failure_count;
}

void Ledger::equal(Count& count, std::string const& name, std::span<double const> golden,
                   std::span<double const> ours) {
    ++count.compared;
    if (golden.size() != ours.size()) {
        ++count.unequal;
        return fail(fmt::format("{}: {} values, ours has {}", name, golden.size(), ours.size()));
    }
    std::size_t different = 0;
    std::size_t first = 0;
    double largest = 0;
    for (std::size_t i = 0; i < golden.size(); ++i) {
        if (golden[i] == ours[i]) continue;
        if (different++ == 0) first = i;
        largest = std::max(largest, distance(golden[i], ours[i]));
    }
    if (different == 0) return;
    ++count.unequal;
    fail(fmt::format("{}{}: {}, ours {} ({} of {} values differ, by {:.3g} at most)", name,
                     entry_suffix(first, golden.size()), golden[first], ours[first], different, golden.size(),
                     largest));
}

void Ledger::equal(Count& count, std::string const& name, double golden, double ours) {
    equal(count, name, std::span(&golden, 1), std::span(&ours, 1));
}

void Ledger::close(Difference& difference, std::string const& name, std::span<double const> golden,
                   std::span<double const> ours, Tolerance const& tolerance) {
    assert(tolerance.allowed > 0);
    ++difference.compared;
    difference.tolerance = std::max(difference.tolerance, tolerance.nominal);
    if (golden.size() != ours.size()) {
        ++difference.exceeded;
        return fail(fmt::format("{}: {} values, ours has {}", name, golden.size(), ours.size()));
    }
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < golden.size(); ++i) {
        double const apart = distance(golden[i], ours[i]);
        if (apart > worst) worst = apart, at = i;
    }
    if (worst > tolerance.allowed && worst <= tolerance.kink) {
        ++difference.kinks;
        return;
    }
    double const reported = tolerance.nominal * (worst / tolerance.allowed);
    if (reported > difference.largest) {
        difference.largest = reported;
        difference.where = name;
    }
    if (worst <= tolerance.allowed) return;
    ++difference.exceeded;
    fail(fmt::format("{}{}: {:.9g}, ours {:.9g}, {:.3g} apart where {:.3g} is allowed", name,
                     entry_suffix(at, golden.size()), golden[at], ours[at], worst, tolerance.allowed));
}

void Ledger::close(Count& count, std::string const& name, double golden, double ours, double tolerance) {
    ++count.compared;
    if (distance(golden, ours) <= tolerance) return;
    ++count.unequal;
    fail(fmt::format("{}: {:.9g}, ours {:.9g} ({:.3g} is allowed)", name, golden, ours, tolerance));
}

} // namespace cax::parity
