#include "column_generation.hpp"

#include "cax/model/linear_program.hpp"

#include <algorithm>
#include <cmath>

namespace cax::oracle {
namespace {

constexpr double penalty = 20;         ///< of a customer that nobody visits, in lengths of the longest solution
constexpr double negligible = 1e-9;    ///< reduced cost, as a part of the scale
constexpr std::size_t per_customer = 8; ///< new columns that begin with the same customer
constexpr std::size_t per_round = 150;

struct Candidate {
    double reduced = 0;
    bool continuation = false;
    std::uint32_t label = 0;
};

} // namespace

ColumnGeneration::ColumnGeneration(Rest const& rest, std::optional<std::size_t> vehicles, Work& work)
    : rest_(rest), vehicles_(vehicles), work_(work) {
    if (rest.under_way()) longest_ += rest.distance(rest.start(), rest.depot());
    for (std::size_t i = 0; i < rest.customers(); ++i) {
        longest_ += rest.from_depot(i) + rest.to_depot(i);
        scale_ = std::max(i == 0 ? 0 : scale_, rest.from_depot(i));
    }
    if (!(scale_ > 0)) scale_ = 1;
    for (std::size_t i = 0; i < rest.customers(); ++i) {
        if (auto column = column_of(rest, {i}, false)) add(*std::move(column));
    }
    if (rest.under_way()) {
        if (auto column = column_of(rest, {}, true)) add(*std::move(column));
    }
}

bool ColumnGeneration::add(Column column) {
    auto const [place, is_new] = places_.try_emplace(column.set, columns_.size());
    if (is_new) {
        columns_.push_back(std::move(column));
        return true;
    }
    std::size_t const k = place->second;
    if (!(column.length < columns_[k].length)) return false;
    if (k < handed_over_) session_->set_objective(artificial_ + k, column.length);
    columns_[k] = std::move(column);
    return true;
}

Result<void> ColumnGeneration::open() {
    LinearProgram program(Sense::minimise);
    for (std::size_t row = 0; row < rest_.rows(); ++row)
        program.add_column(at_least(0), penalty * std::max(longest_, scale_));
    artificial_ = program.columns();
    for (std::size_t row = 0; row < rest_.rows(); ++row) {
        Term const term{row, 1};
        bool const start = row == rest_.customers();
        program.add_row(start ? exactly(1) : at_least(1), no_family, {&term, 1});
    }
    if (vehicles_) program.add_row(at_most(static_cast<double>(*vehicles_)), no_family, {});
    auto session = clp_solver().open(program);
    if (!session) return session.error();
    session_ = *std::move(session);
    return {};
}

void ColumnGeneration::hand_over() {
    std::vector<LaterColumn> later;
    for (; handed_over_ < columns_.size(); ++handed_over_) {
        Column const& column = columns_[handed_over_];
        LaterColumn& next = later.emplace_back(LaterColumn{.bounds = at_least(0), .objective = column.length, .terms = {}});
        for_each(column.set, [&](std::size_t row) { next.terms.push_back({row, 1}); });
        if (vehicles_) next.terms.push_back({rest_.rows(), 1});
    }
    session_->add_columns(later);
}

Result<void> ColumnGeneration::solve() {
    auto solution = session_->solve({.primal = true});
    if (!solution) return solution.error();
    solution_ = *std::move(solution);
    work_.spend((10 + solution_.iterations) * (1000 + rest_.rows() + columns_.size() / 2));
    if (solution_.status != LpStatus::optimal)
        return Error{ErrorCode::solver_failed, "the covering program was not solved"};
    prices_.row.assign(rest_.rows(), 0);
    for (std::size_t row = 0; row < rest_.rows(); ++row) {
        bool const start = row == rest_.customers();
        prices_.row[row] = start ? solution_.dual[row] : std::max(0.0, solution_.dual[row]);
    }
    prices_.route = vehicles_ ? std::min(0.0, solution_.dual[rest_.rows()]) : 0;
    return {};
}

/// How many columns were added. Exact pricing that finds none leaves its labels and the bound.
Result<std::size_t> ColumnGeneration::price(BackwardLabels::Dominance dominance) {
    auto labels = std::make_unique<BackwardLabels>(rest_, prices_);
    if (!labels->run(dominance, work_)) return std::size_t{0};
    double const least = -negligible * scale_;
    double lowest = 0;
    std::vector<Candidate> chosen;
    Departure const departure = rest_.departure();
    for (std::size_t i = 0; i < rest_.customers(); ++i) {
        Ends const& ends = labels->at(i);
        std::size_t fresh = 0;
        std::size_t continued = 0;
        for (std::size_t e = 0; e < ends.size(); ++e) {
            double const reduced = rest_.from_depot(i) + ends.cost[e] - prices_.route;
            if (reduced < least && fresh < per_customer) {
                lowest = std::min(lowest, reduced);
                chosen.push_back({reduced, false, ends.label[e]});
                ++fresh;
            }
            if (!rest_.under_way() || continued >= per_customer) continue;
            bool const late = departure.time + rest_.travel(rest_.start(), i) > ends.latest[e];
            if (late || departure.load + ends.load[e] > rest_.largest_load()) continue;
            double const onward = rest_.distance(rest_.start(), i) + ends.cost[e] - prices_.route -
                                  prices_.row[rest_.customers()];
            if (onward >= least) continue;
            lowest = std::min(lowest, onward);
            chosen.push_back({onward, true, ends.label[e]});
            ++continued;
        }
    }
    if (dominance == BackwardLabels::Dominance::with_sets) {
        double sum = 0;
        for (double const price : prices_.row) sum += price;
        if (vehicles_) sum += prices_.route * static_cast<double>(*vehicles_);
        // A best cover has no more routes than rows; each is at most so much too cheap.
        lagrangian_ = sum + lowest * static_cast<double>(rest_.rows());
        labels_ = std::move(labels);
    }
    std::ranges::stable_sort(chosen, {}, &Candidate::reduced);
    std::size_t added = 0;
    BackwardLabels const& from = labels ? *labels : *labels_;
    for (Candidate const& each : chosen) {
        if (added >= per_round) break;
        auto column = column_of(rest_, from.way(each.label), each.continuation);
        if (column && add(*std::move(column))) ++added;
    }
    return added;
}

Result<bool> ColumnGeneration::run() {
    if (auto ok = open(); !ok) return ok.error();
    while (!work_.exhausted()) {
        hand_over();
        if (auto ok = solve(); !ok) return ok.error();
        auto const quick = price(BackwardLabels::Dominance::without_sets);
        if (!quick) return quick.error();
        if (*quick > 0) continue;
        auto const exact = price(BackwardLabels::Dominance::with_sets);
        if (!exact) return exact.error();
        if (work_.exhausted()) break;
        bool const ended = *exact == 0;
        bound_ = ended ? lagrangian_ : std::max(lagrangian_, bound_.value_or(lagrangian_));
        if (ended) return true;
    }
    return false;
}

std::optional<std::vector<std::size_t>> ColumnGeneration::routes() const {
    std::vector<std::size_t> chosen;
    CustomerSet covered = 0;
    for (std::size_t k = 0; k < handed_over_; ++k) {
        double const x = solution_.primal[artificial_ + k];
        if (x < 1e-6) continue;
        if (x < 1 - 1e-6 || (covered & columns_[k].set) != 0) return std::nullopt;
        covered |= columns_[k].set;
        chosen.push_back(k);
    }
    bool const all = std::popcount(covered) == static_cast<int>(rest_.rows());
    return all ? std::optional(chosen) : std::nullopt;
}

} // namespace cax::oracle
