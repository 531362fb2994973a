#include "rank_one_cuts.hpp"

#include <algorithm>

namespace cax::oracle {
namespace {

constexpr double least_violation = 0.02;
constexpr std::size_t most_per_row = 8;
constexpr std::size_t seeds = 40; ///< sets of three rows that larger ones grow from

constexpr std::size_t enough = 40; ///< cuts of three rows, with which nobody looks for larger ones

struct Broken {
    double violation = 0;
    RankOneCut cut;
};

class Separation {
public:
    Separation(std::span<RoutePart const> parts, std::size_t rows)
        : parts_(parts), rows_(rows), shared_(shared_rows(parts, rows)) {}

    [[nodiscard]] std::vector<Broken> run() {
        threes();
        if (broken_.size() >= enough) return sorted();
        for (auto const& [activity, three] : seeds_) {
            grow({.set = three, .heavy = 0, .divisor = 2, .most = 2});
            grow({.set = three, .heavy = 0, .divisor = 3, .most = 1});
        }
        for (std::size_t row = 0; row < rows_; ++row) fours(row);
        return sorted();
    }

private:
    [[nodiscard]] std::vector<Broken> sorted() {
        std::ranges::sort(broken_, [](Broken const& a, Broken const& b) {
            return a.violation != b.violation ? a.violation > b.violation : a.cut < b.cut;
        });
        return std::move(broken_);
    }
    [[nodiscard]] double violation(RankOneCut const& cut) const {
        double activity = 0;
        for (RoutePart const& part : parts_) activity += part.value * cut.coefficient(part.set);
        return activity - cut.most;
    }
    void offer(RankOneCut const& cut) {
        double const by = violation(cut);
        if (by > least_violation) broken_.push_back({by, cut});
    }

    void threes() {
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t j = i + 1; j < rows_; ++j) {
                for (std::size_t k = j + 1; k < rows_; ++k) {
                    double const sum = shared_(i, j) + shared_(i, k) + shared_(j, k);
                    if (sum < 0.7) continue; // at least the activity
                    RankOneCut const cut{.set = bit(i) | bit(j) | bit(k)};
                    double const by = violation(cut);
                    seeds_.emplace_back(-by, cut.set);
                    if (by > least_violation) broken_.push_back({by, cut});
                }
            }
        }
        std::ranges::sort(seeds_);
        if (seeds_.size() > seeds) seeds_.resize(seeds);
    }

    /// Two more rows, each the one with which the cut is broken most.
    void grow(RankOneCut cut) {
        for (int more = 0; more < 2; ++more) {
            double best = -1e9;
            CustomerSet added = 0;
            for (std::size_t row = 0; row < rows_; ++row) {
                if ((cut.set & bit(row)) != 0) continue;
                RankOneCut wider = cut;
                wider.set |= bit(row);
                double const by = violation(wider);
                if (by <= best) continue;
                best = by;
                added = bit(row);
            }
            cut.set |= added;
        }
        offer(cut);
    }

    /// One heavy row and three of those that are most in one route with it.
    void fours(std::size_t heavy) {
        constexpr std::size_t most_neighbours = 6;
        std::vector<std::pair<double, std::size_t>> neighbours;
        for (std::size_t row = 0; row < rows_; ++row) {
            if (row != heavy && shared_(heavy, row) > 0.05) neighbours.emplace_back(-shared_(heavy, row), row);
        }
        std::ranges::sort(neighbours);
        if (neighbours.size() > most_neighbours) neighbours.resize(most_neighbours);
        for (std::size_t a = 0; a < neighbours.size(); ++a) {
            for (std::size_t b = a + 1; b < neighbours.size(); ++b) {
                for (std::size_t c = b + 1; c < neighbours.size(); ++c) {
                    CustomerSet const others =
                        bit(neighbours[a].second) | bit(neighbours[b].second) | bit(neighbours[c].second);
                    offer({.set = others | bit(heavy), .heavy = bit(heavy), .divisor = 3, .most = 1});
                }
            }
        }
    }

    std::span<RoutePart const> parts_;
    std::size_t rows_;
    Matrix<double> shared_;
    std::vector<std::pair<double, CustomerSet>> seeds_; ///< negated violation, rows
    std::vector<Broken> broken_;
};

} // namespace

Matrix<double> shared_rows(std::span<RoutePart const> parts, std::size_t rows) {
    Matrix<double> shared(rows, rows);
    for (RoutePart const& part : parts) {
        for_each(part.set, [&](std::size_t i) {
            for_each(part.set & ~bit(i), [&](std::size_t j) { shared(i, j) += part.value; });
        });
    }
    return shared;
}

std::vector<RankOneCut> broken_cuts(std::span<RoutePart const> parts, std::size_t rows, std::size_t count) {
    std::vector<RankOneCut> cuts;
    std::vector<std::size_t> used(rows, 0);
    for (Broken const& each : Separation(parts, rows).run()) {
        bool wanted = std::ranges::find(cuts, each.cut) == cuts.end();
        for_each(each.cut.set, [&](std::size_t row) { wanted = wanted && used[row] < most_per_row; });
        if (!wanted) continue;
        for_each(each.cut.set, [&](std::size_t row) { ++used[row]; });
        cuts.push_back(each.cut);
        if (cuts.size() >= count) break;
    }
    return cuts;
}

} // namespace cax::oracle
