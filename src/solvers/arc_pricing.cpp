#include "cax/solvers/arc_pricing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace cax {
namespace {

constexpr std::size_t near_nodes = 8;      ///< arcs to so many nearest nodes are there from the start
constexpr std::size_t columns_at_once = 4; ///< that may come in, per node and round
constexpr double arc_tolerance = 1e-9;     ///< relative to the numbers that are compared; the solver's own is the same

using Arc = std::pair<std::size_t, std::size_t>;

struct PresentArc {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t column = 0; ///< in the session
};

/// Its row in the session: the core's rows come first, then links in the order in which they came in.
struct PresentLink {
    std::size_t group = 0;
    std::size_t from = 0;
    std::size_t to = 0;
};

/// The nearest nodes of each in both directions, and all arcs from and to node 0. Sorted.
std::vector<Arc> near_arcs(ArcProgram const& program) {
    std::size_t const n = program.nodes;
    std::vector<Arc> arcs;
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t i = 0; i < n; ++i) {
        others.clear();
        for (std::size_t j = 0; j < n; ++j) {
            if (j != i) others.emplace_back(program.length(i, j), j);
        }
        std::size_t const near = std::min(near_nodes, others.size());
        std::ranges::partial_sort(others, others.begin() + static_cast<std::ptrdiff_t>(near));
        for (std::size_t k = 0; k < near; ++k) {
            arcs.emplace_back(i, others[k].second);
            arcs.emplace_back(others[k].second, i);
        }
        if (i == 0) continue;
        arcs.emplace_back(0, i);
        arcs.emplace_back(i, 0);
    }
    std::ranges::sort(arcs);
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    std::erase_if(arcs, [&](Arc const& arc) { return !program.arc(arc.first, arc.second).exists; });
    return arcs;
}

/// The part of a program that is in a solver's session, growing.
class ArcSession {
public:
    ArcSession(ArcProgram const& program, LpLimits const& limits)
        : program_(program),
          core_(program.core),
          limits_(limits),
          sign_(core_.sense() == Sense::minimise ? 1 : -1),
          arcs_from_(program.nodes),
          links_from_(program.nodes),
          live_(program.links.size()) {}

    Result<void> open(LpSolver const& solver);
    Result<ArcSolution> run();

private:
    Result<LpStatus> solve();
    std::size_t bring_columns();
    std::size_t bring_links_of_present_arcs();
    std::size_t bring_links_of_absent_arcs();
    void add_arcs(std::span<Arc const> arcs);
    void add_links(std::span<PresentLink const> links);
    void look_for_any_solution();
    void look_for_the_best();
    [[nodiscard]] bool breaks(LinkGroup const& group, Link const& link, std::size_t i, std::size_t j, double x) const;
    [[nodiscard]] double price_of_link(std::size_t place) const { return now_.dual[core_.rows() + place]; }
    [[nodiscard]] ArcSolution result() const;

    ArcProgram const& program_;
    LinearProgram const& core_;
    LpLimits limits_;
    double sign_;
    std::unique_ptr<LpSession> session_;
    std::size_t columns_ = 0;
    std::vector<PresentArc> arcs_;
    std::vector<PresentLink> links_;
    std::vector<std::vector<std::size_t>> arcs_from_;  ///< per node: places in arcs_
    std::vector<std::vector<std::size_t>> links_from_; ///< per node: places in links_
    std::vector<std::uint8_t> live_;                   ///< per group of links: one of them has been broken
    std::optional<std::size_t> first_helper_; ///< two columns per core row that do what arcs cannot do yet, at a price
    bool any_solution_ = false;               ///< helpers cost, nothing else does
    LpSolution now_;
    std::size_t iterations_ = 0;
    std::size_t rounds_ = 0;
};

Result<void> ArcSession::open(LpSolver const& solver) {
    auto opened = solver.open(core_);
    if (!opened) return opened.error();
    session_ = *std::move(opened);
    columns_ = core_.columns();
    add_arcs(near_arcs(program_));
    return {};
}

void ArcSession::add_arcs(std::span<Arc const> arcs) {
    std::vector<LaterColumn> later;
    for (auto const& [i, j] : arcs) {
        ArcColumn const column = program_.arc(i, j);
        LaterColumn& added = later.emplace_back();
        added.bounds = between(0, 1);
        added.objective = any_solution_ ? 0 : column.cost;
        added.terms.assign(column.terms().begin(), column.terms().end());
        for (std::size_t const place : links_from_[i]) { // absent arcs can have links that are present
            PresentLink const& link = links_[place];
            if (link.to == j)
                added.terms.push_back({core_.rows() + place, -program_.links[link.group].link(i, j)->big});
        }
        arcs_from_[i].push_back(arcs_.size());
        arcs_.push_back({i, j, columns_++});
    }
    session_->add_columns(later);
}

void ArcSession::add_links(std::span<PresentLink const> links) {
    std::vector<LaterRow> later;
    for (PresentLink const& link : links) {
        LinkGroup const& group = program_.links[link.group];
        Link const numbers = *group.link(link.from, link.to);
        LaterRow& added = later.emplace_back();
        added.bounds = at_least(numbers.least);
        added.terms = {{group.first_value + link.to, 1}, {group.first_value + link.from, -1}};
        for (std::size_t const place : arcs_from_[link.from]) {
            if (arcs_[place].to == link.to) added.terms.push_back({arcs_[place].column, -numbers.big});
        }
        links_from_[link.from].push_back(links_.size());
        links_.push_back(link);
    }
    session_->add_rows(later);
}

bool ArcSession::breaks(LinkGroup const& group, Link const& link, std::size_t i, std::size_t j, double x) const {
    double const before = now_.primal[group.first_value + i];
    double const after = now_.primal[group.first_value + j];
    double const size = std::max({std::abs(link.least), std::abs(before), std::abs(after), link.big * x});
    return after - before - link.big * x < link.least - arc_tolerance * (1 + size);
}

/// Once a link of a group is broken, all arcs in use get theirs: the next ones to be broken are among them.
std::size_t ArcSession::bring_links_of_present_arcs() {
    std::vector<PresentLink> broken;
    std::vector<PresentLink> others;
    for (std::size_t g = 0; g < program_.links.size(); ++g) {
        LinkGroup const& group = program_.links[g];
        for (PresentArc const& arc : arcs_) {
            auto const has_row = [&](std::size_t place) {
                return links_[place].group == g && links_[place].to == arc.to;
            };
            double const x = now_.primal[arc.column];
            if (x <= arc_tolerance || std::ranges::any_of(links_from_[arc.from], has_row)) continue;
            auto const link = group.link(arc.from, arc.to);
            if (!link) continue;
            bool const is_broken = breaks(group, *link, arc.from, arc.to, x);
            if (is_broken) live_[g] = 1;
            (is_broken ? broken : others).push_back({g, arc.from, arc.to});
        }
    }
    if (broken.empty()) return 0;
    std::ranges::copy_if(others, std::back_inserter(broken),
                         [&](PresentLink const& each) { return live_[each.group] != 0; });
    add_links(broken);
    return broken.size();
}

/// Arcs that are 0 can have a link that is broken all the same; at most a few per node at once.
std::size_t ArcSession::bring_links_of_absent_arcs() {
    std::vector<PresentLink> broken;
    std::vector<double> x(program_.nodes);
    for (std::size_t i = 0; i < program_.nodes; ++i) {
        std::ranges::fill(x, 0.0);
        for (std::size_t const place : arcs_from_[i]) x[arcs_[place].to] = now_.primal[arcs_[place].column];
        for (std::size_t g = 0; g < program_.links.size(); ++g) {
            std::vector<std::uint8_t> has_row(program_.nodes);
            for (std::size_t const place : links_from_[i]) {
                if (links_[place].group == g) has_row[links_[place].to] = 1;
            }
            std::size_t found = 0;
            for (std::size_t j = 0; j < program_.nodes && found < columns_at_once; ++j) {
                if (i == j || has_row[j] != 0) continue;
                auto const link = program_.links[g].link(i, j);
                if (!link || !breaks(program_.links[g], *link, i, j, x[j])) continue;
                broken.push_back({g, i, j});
                ++found;
            }
        }
    }
    if (!broken.empty()) add_links(broken);
    return broken.size();
}

/// The columns with the most wrong reduced costs, a few per node.
std::size_t ArcSession::bring_columns() {
    std::vector<Arc> coming;
    std::vector<std::uint8_t> present(program_.nodes);
    std::vector<double> links_pay(program_.nodes); ///< per arc from i: what prices of its links add
    std::vector<std::pair<double, std::size_t>> wrong;
    for (std::size_t i = 0; i < program_.nodes; ++i) {
        std::ranges::fill(present, std::uint8_t{0});
        std::ranges::fill(links_pay, 0.0);
        wrong.clear();
        for (std::size_t const place : arcs_from_[i]) present[arcs_[place].to] = 1;
        for (std::size_t const place : links_from_[i]) {
            PresentLink const& link = links_[place];
            if (present[link.to] == 0) {
                links_pay[link.to] += program_.links[link.group].link(i, link.to)->big * price_of_link(place);
            }
        }
        for (std::size_t j = 0; j < program_.nodes; ++j) {
            if (i == j || present[j] != 0) continue;
            ArcColumn const column = program_.arc(i, j);
            if (!column.exists) continue;
            double reduced = (any_solution_ ? 0 : column.cost) + links_pay[j];
            for (Term const& term : column.terms()) reduced -= term.coefficient * now_.dual[term.column];
            if (sign_ * reduced < -arc_tolerance * (1 + std::abs(column.cost))) wrong.emplace_back(sign_ * reduced, j);
        }
        std::size_t const few = std::min(columns_at_once, wrong.size());
        std::ranges::partial_sort(wrong, wrong.begin() + static_cast<std::ptrdiff_t>(few));
        for (std::size_t k = 0; k < few; ++k) coming.emplace_back(i, wrong[k].second);
    }
    if (!coming.empty()) add_arcs(coming);
    return coming.size();
}

/// The arcs that are there admit no solution, which says nothing about the others: rows of the core may be missed, and
/// all that costs anything is by how much. Links cannot be in the way: an arc that is not used only loosens its own.
void ArcSession::look_for_any_solution() {
    any_solution_ = true;
    for (std::size_t c = 0; c < core_.columns(); ++c) session_->set_objective(c, 0);
    for (PresentArc const& arc : arcs_) session_->set_objective(arc.column, 0);
    if (!first_helper_) {
        first_helper_ = columns_;
        std::vector<LaterColumn> helpers;
        for (std::size_t r = 0; r < core_.rows(); ++r) {
            for (double const way : {1.0, -1.0}) helpers.push_back({at_least(0), sign_, {{r, way}}});
        }
        columns_ += helpers.size();
        session_->add_columns(helpers);
        return;
    }
    for (std::size_t k = 0; k < 2 * core_.rows(); ++k) session_->set_column_bounds(*first_helper_ + k, at_least(0));
}

void ArcSession::look_for_the_best() {
    any_solution_ = false;
    for (std::size_t c = 0; c < core_.columns(); ++c) session_->set_objective(c, core_.objective(c));
    for (PresentArc const& arc : arcs_) session_->set_objective(arc.column, program_.arc(arc.from, arc.to).cost);
    for (std::size_t k = 0; k < 2 * core_.rows(); ++k) session_->set_column_bounds(*first_helper_ + k, exactly(0));
}

Result<LpStatus> ArcSession::solve() {
    auto solved = session_->solve(limits_);
    if (!solved) return solved.error();
    now_ = *std::move(solved);
    iterations_ += now_.iterations;
    ++rounds_;
    return now_.status;
}

Result<ArcSolution> ArcSession::run() {
    constexpr std::size_t most_rounds = 10'000; // far more than anything has needed
    while (rounds_ < most_rounds) {
        auto const status = solve();
        if (!status) return status.error();
        if (*status == LpStatus::infeasible && !any_solution_) {
            look_for_any_solution();
            continue;
        }
        if (*status != LpStatus::optimal) break;
        std::size_t const grown = bring_links_of_present_arcs() + bring_columns();
        if (grown != 0 || bring_links_of_absent_arcs() != 0) continue;
        if (!any_solution_) return result();
        if (std::abs(now_.objective) > arc_tolerance * static_cast<double>(core_.rows())) {
            now_.status = LpStatus::infeasible; // no arc could help
            break;
        }
        look_for_the_best();
    }
    ArcSolution stopped;
    stopped.status = rounds_ == most_rounds ? LpStatus::iteration_limit : now_.status;
    stopped.iterations = iterations_;
    stopped.rounds = rounds_;
    stopped.columns = arcs_.size();
    return stopped;
}

ArcSolution ArcSession::result() const {
    ArcSolution found;
    found.status = now_.status;
    found.iterations = iterations_;
    found.rounds = rounds_;
    found.columns = arcs_.size();
    found.objective = now_.objective;
    auto const columns = static_cast<std::ptrdiff_t>(core_.columns());
    auto const rows = static_cast<std::ptrdiff_t>(core_.rows());
    found.core_primal.assign(now_.primal.begin(), now_.primal.begin() + columns);
    found.core_dual.assign(now_.dual.begin(), now_.dual.begin() + rows);
    for (PresentArc const& arc : arcs_) {
        if (now_.primal[arc.column] != 0) found.arcs.push_back({arc.from, arc.to, now_.primal[arc.column]});
    }
    for (std::size_t k = 0; k < links_.size(); ++k) {
        if (price_of_link(k) == 0) continue;
        found.links.push_back({links_[k].group, links_[k].from, links_[k].to, price_of_link(k)});
    }
    std::ranges::sort(found.arcs, {}, [](ArcValue const& each) { return Arc(each.from, each.to); });
    std::ranges::sort(found.links, {},
                      [](LinkPrice const& each) { return std::tuple(each.from, each.to, each.group); });
    return found;
}

} // namespace

Result<ArcSolution> solve(LpSolver const& solver, ArcProgram const& program, LpLimits const& limits) {
    ArcSession session(program, limits);
    if (auto opened = session.open(solver); !opened) return opened.error();
    return session.run();
}

} // namespace cax
