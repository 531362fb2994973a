#include "pool_search.hpp"

#include "cax/model/linear_program.hpp"
#include "cax/solvers/lp.hpp"
#include "rank_one_cuts.hpp"
#include "set_sharing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace cax::oracle {
namespace {

constexpr double integral = 1e-6;      ///< values this near to a whole number are one
constexpr double artificial_cost = 30; ///< of a row that no route covers, in limits
constexpr std::size_t root_share = 3; ///< so many times more sets at the root than elsewhere
constexpr std::size_t columns_per_round = 200;
constexpr std::size_t cuts_per_round = 60;
constexpr std::size_t most_cuts = 400;

/// What a node of the tree demands.
struct Branch {
    enum class Kind { together, apart, at_most, at_least } kind;
    CustomerSet pair = 0;   ///< together, apart
    std::size_t routes = 0; ///< at_most, at_least
};

struct Node {
    double bound = 0;
    std::size_t number = 0;
    std::vector<Branch> branches;
    [[nodiscard]] bool allows(CustomerSet set) const {
        return std::ranges::all_of(branches, [set](Branch const& branch) {
            if (branch.kind == Branch::Kind::together) return (set & branch.pair) == 0 || (set & branch.pair) == branch.pair;
            if (branch.kind == Branch::Kind::apart) return (set & branch.pair) != branch.pair;
            return true;
        });
    }
};

class PoolSearch {
public:
    PoolSearch(std::vector<Column> const& pool, PoolTask const& task, Work& work)
        : pool_(pool), task_(task), work_(work), cutoff_(task.limit), alive_(pool.size()), place_(pool.size(), none) {
        for (std::size_t k = 0; k < pool.size(); ++k) alive_[k] = k;
    }

    [[nodiscard]] Result<PoolAnswer> run() {
        if (share_at_first()) return finished();
        if (auto ok = open(); !ok) return ok.error();
        std::vector<Node> nodes{{.bound = 0, .number = 0, .branches = {}}};
        std::size_t count = 1;
        auto const later = [](Node const& a, Node const& b) {
            return std::pair(a.bound, a.number) > std::pair(b.bound, b.number);
        };
        while (!nodes.empty()) {
            std::pop_heap(nodes.begin(), nodes.end(), later);
            Node node = std::move(nodes.back());
            nodes.pop_back();
            if (node.bound >= below()) continue;
            auto const solved = solve(node);
            if (!solved) return solved.error();
            if (!*solved) return stopped(node, nodes); // the work ran out
            if (node.bound >= below()) continue;
            if (share(node)) continue;
            auto const branches = branches_of();
            if (!branches) return stopped(node, nodes);
            for (Branch const& branch : *branches) {
                Node child = node;
                child.number = count++;
                child.branches.push_back(branch);
                nodes.push_back(std::move(child));
                std::push_heap(nodes.begin(), nodes.end(), later);
            }
        }
        return finished();
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] PoolAnswer finished() {
        answer_.complete = true;
        answer_.bound = cutoff_;
        return answer_;
    }

    /// Nothing of the node is shorter than the cutoff, which may have become what was found. Programming knows of no
    /// limit on routes: what is counted at a node only makes the gap smaller.
    [[nodiscard]] bool share(Node const& node) {
        if (task_.vehicles) return false;
        read_cut_prices();
        std::vector<PricedRoute> routes;
        for (std::size_t const k : alive_) {
            if (!node.allows(pool_[k].set)) continue;
            double const cost = reduced(pool_[k].set, pool_[k].length, lp_infinity);
            routes.push_back({pool_[k].set, pool_[k].length, cost, static_cast<std::uint32_t>(k)});
        }
        work_.spend(alive_.size() * (2 + priced_cuts_.size() / 8));
        return share(routes, solution_.objective, (node.branches.empty() ? root_share : 1) * task_.sets);
    }

    /// At the prices that came with the task.
    [[nodiscard]] bool share_at_first() {
        if (task_.vehicles) return false;
        std::vector<PricedRoute> routes;
        for (std::size_t k = 0; k < pool_.size(); ++k) {
            PricedRoute route{pool_[k].set, pool_[k].length, pool_[k].length, static_cast<std::uint32_t>(k)};
            for_each(route.set, [&](std::size_t row) { route.reduced -= task_.prices[row]; });
            routes.push_back(route);
        }
        double bound = 0;
        for (double const price : task_.prices) bound += price;
        return share(routes, bound, task_.sets);
    }

    /// In parts of the gap first: what is found within one of them is the best there is, and took few sets.
    [[nodiscard]] bool share(std::span<PricedRoute const> routes, double bound, std::size_t sets) {
        for (double const part : {0.35, 0.6, 1.0}) {
            double const gap = part * (cutoff_ - bound) + sum_rounding * cutoff_;
            Shared shared = share_sets(routes, task_.order, {gap, sets}, work_);
            if (!shared.complete) return false;
            if (shared.chosen) take(*std::move(shared.chosen));
            if (cutoff_ - bound <= gap) return true;
        }
        return true;
    }

    void take(std::vector<std::size_t> chosen) {
        double length = 0;
        for (std::size_t const k : chosen) length += pool_[k].length;
        if (length >= cutoff_) return;
        cutoff_ = length;
        answer_.length = length;
        answer_.chosen = std::move(chosen);
    }

    /// With these nodes still open.
    [[nodiscard]] PoolAnswer stopped(Node const& node, std::vector<Node> const& others) {
        answer_.bound = std::min(node.bound, cutoff_);
        for (Node const& other : others) answer_.bound = std::min(answer_.bound, other.bound);
        return answer_;
    }

    /// What is at least this long is of no interest.
    [[nodiscard]] double below() const { return cutoff_ * (1 - sum_rounding); }

    [[nodiscard]] Result<void> open() {
        LinearProgram program(Sense::minimise);
        double const dear = artificial_cost * std::max(cutoff_, std::numeric_limits<double>::min());
        for (std::size_t k = 0; k < artificial(); ++k) program.add_column(at_least(0), dear);
        for (std::size_t row = 0; row < task_.rows; ++row) {
            Term const term{row, 1};
            program.add_row(exactly(1), no_family, {&term, 1});
        }
        Term const missing{task_.rows, 1};
        program.add_row(count_bounds({}), no_family, {&missing, 1});
        auto session = clp_solver().open(program);
        if (!session) return session.error();
        session_ = *std::move(session);
        std::unordered_map<CustomerSet, std::size_t> where;
        for (std::size_t k = 0; k < pool_.size(); ++k) where.emplace(pool_[k].set, k);
        std::vector<std::size_t> first;
        for (CustomerSet const set : task_.begin_with) {
            auto const found = where.find(set);
            if (found != where.end() && place_[found->second] == none) {
                place_[found->second] = 0;
                first.push_back(found->second);
            }
        }
        hand_over(first);
        return {};
    }

    [[nodiscard]] Bounds count_bounds(std::vector<Branch> const& branches) const {
        Bounds bounds{0, task_.vehicles ? static_cast<double>(*task_.vehicles) : lp_infinity};
        for (Branch const& branch : branches) {
            double const routes = static_cast<double>(branch.routes);
            if (branch.kind == Branch::Kind::at_most) bounds.upper = std::min(bounds.upper, routes);
            if (branch.kind == Branch::Kind::at_least) bounds.lower = std::max(bounds.lower, routes);
        }
        return bounds;
    }

    /// Columns of the session before those of the pool: each stands for a row that no route covers, the last one for
    /// routes that the count lacks. With them every program has a solution.
    [[nodiscard]] std::size_t artificial() const { return task_.rows + 1; }
    [[nodiscard]] std::size_t count_row() const { return task_.rows; }
    [[nodiscard]] std::size_t cut_row(std::size_t cut) const { return task_.rows + 1 + cut; }

    void hand_over(std::span<std::size_t const> columns) {
        std::vector<LaterColumn> later;
        for (std::size_t const k : columns) {
            Column const& column = pool_[k];
            LaterColumn next{.bounds = at_least(0), .objective = column.length, .terms = {}};
            for_each(column.set, [&](std::size_t row) { next.terms.push_back({row, 1}); });
            next.terms.push_back({count_row(), 1});
            for (std::size_t c = 0; c < cuts_.size(); ++c) {
                int const coefficient = cuts_[c].coefficient(column.set);
                if (coefficient != 0) next.terms.push_back({cut_row(c), static_cast<double>(coefficient)});
            }
            place_[k] = handed_over_.size();
            handed_over_.push_back(k);
            open_.push_back(1);
            later.push_back(std::move(next));
        }
        session_->add_columns(later);
    }

    /// Columns that the node forbids are held at 0.
    void enter(Node const& node) {
        session_->set_row_bounds(count_row(), count_bounds(node.branches));
        for (std::size_t p = 0; p < handed_over_.size(); ++p) {
            bool const open = place_[handed_over_[p]] != none && node.allows(pool_[handed_over_[p]].set);
            if (open == (open_[p] != 0)) continue;
            open_[p] = open ? 1 : 0;
            session_->set_column_bounds(artificial() + p, open ? at_least(0) : exactly(0));
        }
        work_.spend(handed_over_.size());
    }

    /// Solves the node with cuts and all columns that it allows, and raises its bound. False if the work ran out; a
    /// solution of whole numbers becomes the best one and closes the node.
    [[nodiscard]] Result<bool> solve(Node& node) {
        bool const root = node.branches.empty();
        enter(node);
        bool primal = root;
        std::vector<double> bounds; // by round of cuts
        for (std::size_t round = 0;; ++round) {
            while (true) {
                if (work_.exhausted()) return false;
                auto solution = session_->solve({.primal = primal});
                if (!solution) return solution.error();
                solution_ = *std::move(solution);
                work_.spend((10 + solution_.iterations) * (1000 + task_.rows + cuts_.size() + handed_over_.size() / 2));
                if (solution_.status != LpStatus::optimal)
                    return Error{ErrorCode::solver_failed, "the partitioning program was not solved"};
                auto const cheap = cheap_columns(node);
                if (cheap.empty()) break;
                hand_over(cheap);
                primal = true;
            }
            primal = false;
            node.bound = std::max(node.bound, solution_.objective);
            if (node.bound >= below()) return true;
            if (root) drop_dear_columns(node);
            if (take_if_whole()) {
                node.bound = cutoff_;
                return true;
            }
            bounds.push_back(solution_.objective);
            drop_loose_cuts();
            if (is_slow(bounds, node) || !add_cuts()) return true;
        }
    }

    /// Do cuts raise the bound too little to go on?
    [[nodiscard]] bool is_slow(std::vector<double> const& bounds, Node const& node) const {
        std::size_t const patience = node.branches.size() <= 1 ? 3 : 1;
        if (bounds.size() <= patience) return false;
        double const gained = bounds.back() - bounds[bounds.size() - 1 - patience];
        return gained < 0.03 * (cutoff_ - bounds.back()) * static_cast<double>(patience);
    }

    /// Cuts that the solution does not meet with equality cost time and say nothing.
    void drop_loose_cuts() {
        std::vector<std::size_t> rows;
        std::vector<RankOneCut> kept;
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            if (solution_.dual[cut_row(c)] == 0)
                rows.push_back(cut_row(c));
            else
                kept.push_back(cuts_[c]);
        }
        if (rows.empty()) return;
        session_->remove_rows(rows);
        cuts_ = std::move(kept);
        // Those behind move up, here as in the session.
        for (std::size_t k = rows.size(); k-- > 0;)
            solution_.dual.erase(solution_.dual.begin() + static_cast<std::ptrdiff_t>(rows[k]));
    }

    /// Or something above `enough` that is no more.
    [[nodiscard]] double reduced(CustomerSet set, double length, double enough) const {
        double cost = length - solution_.dual[count_row()];
        for_each(set, [&](std::size_t row) { cost -= solution_.dual[row]; });
        if (cost > enough) return cost; // duals of cuts are negative: they only make it dearer
        for (auto const& [cut, dual] : priced_cuts_) {
            cost -= dual * cut.coefficient(set);
        }
        return cost;
    }
    void read_cut_prices() {
        priced_cuts_.clear();
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            double const dual = solution_.dual[cut_row(c)];
            if (dual != 0) priced_cuts_.emplace_back(cuts_[c], dual);
        }
    }

    /// The cheapest of those that the solver does not have.
    [[nodiscard]] std::vector<std::size_t> cheap_columns(Node const& node) {
        read_cut_prices();
        double const least = -sum_rounding * cutoff_;
        std::vector<std::pair<double, std::size_t>> cheap;
        for (std::size_t const k : alive_) {
            if (place_[k] != none) continue;
            double const cost = reduced(pool_[k].set, pool_[k].length, least);
            if (cost < least && node.allows(pool_[k].set)) cheap.emplace_back(cost, k);
        }
        work_.spend(alive_.size() * (2 + priced_cuts_.size() / 16));
        std::ranges::sort(cheap);
        if (cheap.size() > columns_per_round) cheap.resize(columns_per_round);
        std::vector<std::size_t> columns;
        for (auto const& [cost, k] : cheap) columns.push_back(k);
        return columns;
    }

    /// No solution below the cutoff has them.
    void drop_dear_columns(Node const& node) {
        double const most = cutoff_ - node.bound + sum_rounding * cutoff_;
        std::erase_if(alive_, [&](std::size_t k) {
            if (reduced(pool_[k].set, pool_[k].length, most) <= most) return false;
            if (place_[k] != none) {
                session_->set_column_bounds(artificial() + place_[k], exactly(0));
                open_[place_[k]] = 0;
                place_[k] = none;
            }
            return true;
        });
        work_.spend(alive_.size() * (2 + priced_cuts_.size() / 16));
    }

    [[nodiscard]] double value(std::size_t place) const { return solution_.primal[artificial() + place]; }

    bool take_if_whole() {
        std::vector<std::size_t> chosen;
        for (std::size_t k = 0; k < artificial(); ++k) {
            if (solution_.primal[k] > integral) return false;
        }
        for (std::size_t p = 0; p < handed_over_.size(); ++p) {
            if (value(p) < integral) continue;
            if (value(p) < 1 - integral) return false;
            chosen.push_back(handed_over_[p]);
        }
        take(std::move(chosen));
        return true;
    }

    [[nodiscard]] std::vector<RoutePart> parts() const {
        std::vector<RoutePart> parts;
        for (std::size_t p = 0; p < handed_over_.size(); ++p) {
            if (value(p) > integral) parts.push_back({pool_[handed_over_[p]].set, value(p)});
        }
        return parts;
    }

    /// Adds the cuts that are broken most; false if there is none.
    bool add_cuts() {
        if (cuts_.size() >= most_cuts) return false;
        auto const parts = this->parts();
        auto const broken = broken_cuts(parts, task_.rows, cuts_per_round);
        work_.spend(task_.rows * parts.size() * 100);
        std::vector<LaterRow> rows;
        for (RankOneCut const& cut : broken) {
            LaterRow& row = rows.emplace_back(LaterRow{.bounds = at_most(cut.most), .terms = {}});
            for (std::size_t p = 0; p < handed_over_.size(); ++p) {
                int const coefficient = cut.coefficient(pool_[handed_over_[p]].set);
                if (coefficient != 0) row.terms.push_back({artificial() + p, static_cast<double>(coefficient)});
            }
            cuts_.push_back(cut);
        }
        if (rows.empty()) return false;
        session_->add_rows(rows);
        return true;
    }

    /// Of the node that was solved last. Nothing if no pair is in one route by half: only where an artificial column
    /// stands for a small part of a row.
    [[nodiscard]] std::optional<std::array<Branch, 2>> branches_of() const {
        auto const parts = this->parts();
        double routes = 0;
        for (RoutePart const& part : parts) routes += part.value;
        auto const whole = static_cast<std::size_t>(std::floor(routes + integral));
        double const broken = routes - static_cast<double>(whole);
        if (broken > 1e-4 && broken < 1 - 1e-4) {
            return std::array{Branch{Branch::Kind::at_most, 0, whole}, Branch{Branch::Kind::at_least, 0, whole + 1}};
        }
        auto const together = shared_rows(parts, task_.rows);
        double best = 0.5 - integral;
        CustomerSet pair = 0;
        for (std::size_t i = 0; i < task_.rows; ++i) {
            for (std::size_t j = i + 1; j < task_.rows; ++j) {
                double const off = std::fabs(together(i, j) - 0.5);
                if (off >= best - 1e-9) continue;
                best = off;
                pair = bit(i) | bit(j);
            }
        }
        if (pair == 0) return std::nullopt;
        return std::array{Branch{Branch::Kind::together, pair, 0}, Branch{Branch::Kind::apart, pair, 0}};
    }

    std::vector<Column> const& pool_;
    PoolTask const& task_;
    Work& work_;
    double cutoff_;
    std::vector<std::size_t> alive_; ///< columns that may be needed
    std::vector<std::size_t> place_; ///< by column: among those handed over
    std::vector<std::size_t> handed_over_;
    std::vector<std::uint8_t> open_; ///< of those, by place: not held at 0
    std::vector<RankOneCut> cuts_;
    std::vector<std::pair<RankOneCut, double>> priced_cuts_; ///< with their duals, where not 0
    std::unique_ptr<LpSession> session_;
    LpSolution solution_;
    PoolAnswer answer_;
};

} // namespace

Result<PoolAnswer> search_pool(std::vector<Column> const& pool, PoolTask const& task, Work& work) {
    return PoolSearch(pool, task, work).run();
}

} // namespace cax::oracle
