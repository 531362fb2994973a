#include "counterfactual/path_race.hpp"

#include <algorithm>
#include <cmath>

namespace cax {
namespace {

/// A little beyond where a flip is expected: a try that flips tells more than one that does not.
constexpr double safely = 1.05;
/// Ways that are asked about together.
constexpr std::size_t ways_at_once = 2;

/// Between a size that does not flip and one that does, where the line through both leads crosses 0.
double interpolated(MovePath const& path) {
    double const width = path.high - path.low;
    if (!std::isfinite(path.low_lead) || !std::isfinite(path.high_lead)) return path.low + width / 2;
    double const part = path.low_lead / (path.low_lead - path.high_lead);
    return path.low + width * std::clamp(safely * part, 0.1, 0.95);
}

/// Beyond the last try, where the line from the start through it crosses 0.
double extrapolated(MovePath const& path, double lead) {
    if (path.low == 0) return path.exact ? path.expected : safely * path.expected;
    double const dropped = lead - path.low_lead;
    return dropped > 0 ? safely * path.low * lead / dropped : MovePath::unknown;
}

} // namespace

double PathRace::ceiling() const { return best_size_ * (1 - options_.accuracy); }

std::optional<double> PathRace::next_size(MovePath const& path) const {
    auto const size = wished_size(path);
    if (!size || !path.whole) return size;
    double const whole = size_at(what_if_, path, *size);
    bool const news = whole > path.low && whole < path.high && whole < best_size_;
    return news ? std::optional(whole) : std::nullopt;
}

std::optional<double> PathRace::wished_size(MovePath const& path) const {
    if (path.closed || (path.flips() && path.exact)) return std::nullopt;
    if (path.flips()) {
        double const size = interpolated(path);
        return size < ceiling() && size > path.low ? std::optional(size) : std::nullopt;
    }
    double const most = std::min(path.reach, ceiling());
    double const estimate = extrapolated(path, what_if_.margin());
    if (estimate <= most) return estimate;
    // Slopes lie: the whole way is worth a pass if nothing is known, or if it is far shorter than what is.
    bool const short_way = !path.single() && path.moves.size() <= options_.together && path.reach < best_size_ / 4;
    bool const doubtful = path.tries == 0 && doubts_left_ > 0 && estimate < 3 * most;
    bool const stubborn = options_.everything || best_size_ == MovePath::unknown || short_way || doubtful;
    return stubborn && path.low < most ? std::optional(most) : std::nullopt;
}

std::vector<PathRace::Try> PathRace::next_tries() const {
    std::vector<Try> tries;
    for (std::size_t p = 0; p < paths_.size(); ++p) {
        auto const size = next_size(paths_[p]);
        if (!size) continue;
        bool const hopeless = !paths_[p].flips() && *size < extrapolated(paths_[p], what_if_.margin());
        tries.push_back({p, *size, hopeless, paths_[p].lead_left});
    }
    // Where a flip is expected, the smallest; else the way on which least of the lead is left.
    std::ranges::stable_sort(tries, [](Try const& a, Try const& b) {
        if (a.hopeless != b.hopeless) return b.hopeless;
        return a.hopeless ? a.lead_left < b.lead_left : a.size < b.size;
    });
    std::size_t const room = options_.passes - what_if_.forward_passes();
    tries.resize(std::min({tries.size(), room, ways_at_once}));
    return tries;
}

void PathRace::learn(MovePath& path, double size, WhatIf::Reaction const& reaction) const {
    if (reaction.flipped) {
        path.high = size;
        path.high_lead = reaction.margin;
        return;
    }
    path.low = size;
    path.low_lead = reaction.margin;
    bool const at_the_end = size >= path.reach || size >= ceiling();
    if (path.exact || (!path.flips() && at_the_end)) path.closed = true;
}

void PathRace::count(MovePath const& path, GuidedFlip& result) {
    Move const& first = path.moves.front();
    if (!path.single())
        ++result.tried_together;
    else if (counted_.emplace(first.tensor, first.index, first.by > 0).second)
        ++result.tried; // by gradient or by rule, it is one number in one direction
}

void PathRace::ask(std::vector<Try> const& tries, GuidedFlip& result) {
    std::vector<WhatIf::Prepared> possible;
    std::vector<Try> asked;
    for (Try const& each : tries) {
        MovePath& path = paths_[each.path];
        if (each.hopeless && best_size_ < MovePath::unknown && doubts_left_ > 0) --doubts_left_;
        if (path.tries++ == 0) count(path, result);
        auto prepared = what_if_.prepare(change_at(what_if_, path, each.size));
        if (prepared.feasible) {
            possible.push_back(std::move(prepared));
            asked.push_back(each);
            continue;
        }
        ++result.refused;
        // Half as far may still be possible.
        path.reach = (path.low + each.size) / 2;
        path.closed = path.tries > 4 || path.exact;
    }
    auto const reactions = what_if_.ask(possible);
    for (std::size_t k = 0; k < asked.size(); ++k) {
        double const reached = norm_of_change(possible[k].change, options_.search.norm);
        learn(paths_[asked[k].path], asked[k].size, reactions[k]);
        if (!reactions[k].flipped || reached == 0 || reached >= best_size_) continue;
        best_size_ = reached;
        best_change_ = std::move(possible[k].change);
        best_reaction_ = reactions[k];
    }
}

void PathRace::run(GuidedFlip& result) {
    while (true) {
        if (!passes_left()) {
            result.exhausted = true;
            break;
        }
        auto const tries = next_tries();
        if (tries.empty()) break;
        ask(tries, result);
    }
    if (best_size_ < MovePath::unknown) result.flip = what_if_.describe(best_change_, best_reaction_);
}

} // namespace cax
