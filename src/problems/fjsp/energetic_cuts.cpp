#include "energetic_cuts.hpp"

#include <algorithm>
#include <set>

namespace cax::fjsp {
namespace {

/// A machine gets at most so many cuts: each costs propagation at every node.
constexpr std::size_t cuts_per_machine = 8;
/// Windows between so many moments are looked at.
constexpr std::size_t most_moments = 60;

std::vector<std::int64_t> thinned(std::set<std::int64_t> const& moments) {
    std::vector<std::int64_t> const all(moments.begin(), moments.end());
    if (all.size() <= most_moments) return all;
    std::vector<std::int64_t> some;
    for (std::size_t i = 0; i < most_moments; ++i) some.push_back(all[i * (all.size() - 1) / (most_moments - 1)]);
    return some;
}

struct Candidate {
    EnergeticCut cut;
    double pressure = 0; ///< what an even choice among ways would use, relative to the room
};

Candidate cut_of(std::vector<Work> const& work, std::size_t machine, std::int64_t horizon, std::int64_t from,
                 std::int64_t to) {
    Candidate candidate{{machine, from, to, to - from, {}}, 0};
    for (std::size_t o = 0; o < work.size(); ++o) {
        for (std::size_t w = 0; w < work[o].ways.size(); ++w) {
            auto const& [where, time, release] = work[o].ways[w];
            if (where != machine) continue;
            std::int64_t const earliest_end = std::max(work[o].head, release) + time;
            std::int64_t const latest_start = horizon - work[o].tail - time;
            std::int64_t const energy = std::min({time, to - from, earliest_end - from, to - latest_start});
            if (energy <= 0) continue;
            candidate.cut.uses.push_back({o, w, energy});
            candidate.pressure += static_cast<double>(energy) / static_cast<double>(work[o].ways.size());
        }
    }
    candidate.pressure /= static_cast<double>(std::max<std::int64_t>(to - from, 1));
    return candidate;
}

bool can_bind(EnergeticCut const& cut) {
    std::int64_t total = 0;
    for (auto const& use : cut.uses) total += use.energy;
    return total > cut.room;
}

bool same_uses(EnergeticCut const& a, EnergeticCut const& b) {
    return std::ranges::equal(a.uses, b.uses, [](auto const& x, auto const& y) {
        return x.operation == y.operation && x.way == y.way && x.energy == y.energy;
    });
}

} // namespace

std::vector<EnergeticCut> energetic_cuts(std::vector<Work> const& work, std::size_t machines, std::int64_t horizon) {
    std::vector<EnergeticCut> cuts;
    for (std::size_t m = 0; m < machines; ++m) {
        std::set<std::int64_t> froms;
        std::set<std::int64_t> tos;
        for (Work const& operation : work) {
            for (auto const& [where, time, release] : operation.ways) {
                if (where != m) continue;
                froms.insert(std::max(operation.head, release));
                tos.insert(horizon - operation.tail);
            }
        }
        std::vector<Candidate> candidates;
        std::vector<std::int64_t> const to_list = thinned(tos);
        for (std::int64_t const from : thinned(froms)) {
            for (std::int64_t const to : to_list) {
                if (to <= from) continue;
                Candidate candidate = cut_of(work, m, horizon, from, to);
                if (can_bind(candidate.cut)) candidates.push_back(std::move(candidate));
            }
        }
        std::ranges::stable_sort(candidates, std::greater{}, &Candidate::pressure);
        std::size_t kept = 0;
        for (Candidate& candidate : candidates) {
            if (kept == cuts_per_machine) break;
            if (kept > 0 && same_uses(cuts.back(), candidate.cut)) continue;
            cuts.push_back(std::move(candidate.cut));
            ++kept;
        }
    }
    return cuts;
}

} // namespace cax::fjsp
