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

/// An operation on one machine: which way that is, how many it has.
struct Visit {
    std::size_t operation = 0;
    std::size_t way = 0;
    std::size_t ways = 0;
    std::int64_t time = 0;
    std::int64_t earliest = 0;
    std::int64_t latest_end = 0;
};

std::vector<Visit> visits_to(std::size_t machine, std::vector<Work> const& work, std::int64_t horizon) {
    std::vector<Visit> visits;
    for (std::size_t o = 0; o < work.size(); ++o) {
        for (std::size_t w = 0; w < work[o].ways.size(); ++w) {
            auto const& [where, time, release] = work[o].ways[w];
            if (where != machine) continue;
            visits.push_back(
                {o, w, work[o].ways.size(), time, std::max(work[o].head, release), horizon - work[o].tail});
        }
    }
    return visits;
}

Candidate cut_of(std::vector<Visit> const& visits, std::size_t machine, std::int64_t from, std::int64_t to) {
    Candidate candidate{{machine, from, to, to - from, {}}, 0};
    for (Visit const& visit : visits) {
        // Pushed as far left or right as it goes, so much of it still lies between the two moments.
        std::int64_t const left = visit.earliest + visit.time - from;
        std::int64_t const right = to - (visit.latest_end - visit.time);
        std::int64_t const energy = std::min({visit.time, to - from, left, right});
        if (energy <= 0) continue;
        candidate.cut.uses.push_back({visit.operation, visit.way, energy});
        candidate.pressure += static_cast<double>(energy) / static_cast<double>(visit.ways);
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

/// The most promising cuts of one machine, best first, none twice.
std::vector<EnergeticCut> cuts_of(std::size_t machine, std::vector<Visit> const& visits) {
    std::set<std::int64_t> froms;
    std::set<std::int64_t> tos;
    for (Visit const& visit : visits) {
        froms.insert(visit.earliest);
        tos.insert(visit.latest_end);
    }
    std::vector<Candidate> candidates;
    std::vector<std::int64_t> const to_list = thinned(tos);
    for (std::int64_t const from : thinned(froms)) {
        for (std::int64_t const to : to_list) {
            if (to <= from) continue;
            Candidate candidate = cut_of(visits, machine, from, to);
            if (can_bind(candidate.cut)) candidates.push_back(std::move(candidate));
        }
    }
    std::ranges::stable_sort(candidates, std::greater{}, &Candidate::pressure);
    std::vector<EnergeticCut> cuts;
    for (Candidate& candidate : candidates) {
        if (cuts.size() == cuts_per_machine) break;
        if (!cuts.empty() && same_uses(cuts.back(), candidate.cut)) continue;
        cuts.push_back(std::move(candidate.cut));
    }
    return cuts;
}

} // namespace

std::vector<EnergeticCut> energetic_cuts(std::vector<Work> const& work, std::size_t machines, std::int64_t horizon) {
    std::vector<EnergeticCut> cuts;
    for (std::size_t m = 0; m < machines; ++m) {
        for (EnergeticCut& cut : cuts_of(m, visits_to(m, work, horizon))) cuts.push_back(std::move(cut));
    }
    return cuts;
}

} // namespace cax::fjsp
