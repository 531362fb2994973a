#include "counterfactual/shot_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax {
namespace {

/// A shot by the size of its change, under the norm of the options.
struct SizedShot {
    double size = 0;
    std::size_t shot = 0;
    bool operator<(SizedShot const& other) const { return size != other.size ? size < other.size : shot < other.shot; }
};

/// A shot that the policy has seen.
struct TriedShot {
    SizedShot place;
    Features change;
    WhatIf::Reaction reaction;
};

/// The flips so far, and which kinds of flip are still welcome.
class KeptFlips {
public:
    KeptFlips(ProblemInfo const& info, std::size_t count) : info_(info), count_(count) {}

    [[nodiscard]] bool complete() const { return kept_.size() >= count_; }
    [[nodiscard]] bool none() const { return kept_.empty(); }
    void offer(TriedShot flip) {
        auto const family = heaviest_family(family_masses(info_, flip.change));
        for (TriedShot const& old : kept_) {
            bool const same_family = heaviest_family(family_masses(info_, old.change)) == family;
            if (old.reaction.action == flip.reaction.action && same_family) return;
        }
        kept_.push_back(std::move(flip));
    }
    [[nodiscard]] std::vector<TriedShot> const& all() const { return kept_; }

private:
    ProblemInfo const& info_;
    std::size_t count_;
    std::vector<TriedShot> kept_;
};

/// Shots that may flip: inside the envelope, and not nothing (a change of nothing changes no decision).
std::vector<SizedShot> filtered(WhatIf const& what_if, ShotReport& report) {
    std::vector<SizedShot> shots;
    for (std::size_t s = 0; s < report.shots; ++s) {
        Features change = what_if.shot(s);
        if (changed_entries(change) == 0) {
            ++report.passing;
            continue;
        }
        auto const prepared = what_if.judge(std::move(change));
        if (!prepared.feasible) continue;
        ++report.passing;
        shots.push_back({norm_of_change(prepared.change, what_if.options().norm), s});
    }
    return shots;
}

/// Sends shots through the policy in batches of growing size and hands each to `use` in order, until that says true.
/// What lies behind the winner in its batch is wasted, so batches are no larger than what makes the policy fast.
template <class Use> void ask_in_batches(WhatIf& what_if, std::vector<SizedShot> const& shots, Use const& use) {
    std::size_t const largest = std::clamp<std::size_t>(what_if.options().batch, 1, what_if.fast_batch());
    std::size_t size = std::min<std::size_t>(2, largest);
    for (std::size_t first = 0; first < shots.size(); size = std::min(2 * size, largest)) {
        std::size_t const last = std::min(first + size, shots.size());
        std::vector<WhatIf::Prepared> batch;
        for (std::size_t i = first; i < last; ++i) batch.push_back(what_if.prepare(what_if.shot(shots[i].shot)));
        auto const reactions = what_if.ask(batch);
        for (std::size_t i = first; i < last; ++i) {
            if (use(TriedShot{shots[i], std::move(batch[i - first].change), reactions[i - first]})) return;
        }
        first = last;
    }
}

void take(Counterfactual& result, WhatIf const& what_if, KeptFlips const& kept) {
    for (TriedShot const& tried : kept.all()) {
        Flip flip = what_if.describe(tried.change, tried.reaction);
        flip.shot = tried.place.shot;
        result.flips.push_back(std::move(flip));
    }
}

/// As the paper writes it: every shot, in order. Flips are kept and put in order afterwards.
void plain_loop(WhatIf& what_if, std::vector<SizedShot> const& shots, Counterfactual& result) {
    std::vector<TriedShot> flips;
    std::vector<std::pair<SizedShot, double>> margins;
    ask_in_batches(what_if, shots, [&](TriedShot tried) {
        margins.emplace_back(tried.place, tried.reaction.margin);
        if (tried.reaction.flipped) flips.push_back(std::move(tried));
        return false;
    });
    std::ranges::sort(flips, {}, [](TriedShot const& flip) { return std::pair(flip.place.size, flip.place.shot); });
    KeptFlips kept(what_if.instance().problem().info(), what_if.options().count);
    for (TriedShot& flip : flips) {
        if (!kept.complete()) kept.offer(std::move(flip));
    }
    for (auto const& [place, margin] : margins) {
        bool const beyond = !kept.none() && kept.all().front().place < place;
        if (!beyond) result.report.best_margin = std::min(result.report.best_margin, margin);
    }
    take(result, what_if, kept);
}

void smallest_first(WhatIf& what_if, std::vector<SizedShot> shots, Counterfactual& result) {
    std::ranges::sort(shots, std::less<>());
    KeptFlips kept(what_if.instance().problem().info(), what_if.options().count);
    ask_in_batches(what_if, shots, [&](TriedShot tried) {
        if (kept.none()) result.report.best_margin = std::min(result.report.best_margin, tried.reaction.margin);
        if (tried.reaction.flipped) kept.offer(std::move(tried));
        return kept.complete();
    });
    take(result, what_if, kept);
}

} // namespace

Counterfactual search_shots(WhatIf& what_if) {
    Counterfactual result;
    result.instance = what_if.decision().instance;
    result.step = what_if.decision().step;
    result.action = what_if.decision().action;
    result.report.shots = what_if.options().shots;
    result.report.best_margin = what_if.margin();
    std::size_t const before = what_if.forward_passes();
    std::vector<SizedShot> shots = filtered(what_if, result.report);
    if (what_if.options().plain_loop)
        plain_loop(what_if, shots, result);
    else
        smallest_first(what_if, std::move(shots), result);
    result.report.forward_passes = what_if.forward_passes() - before;
    return result;
}

} // namespace cax
