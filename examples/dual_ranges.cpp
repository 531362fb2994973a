// How far do linear relaxations determine the multipliers of constraint families? For random instances of one problem:
// the range of every multiplier over all optimal duals, as a Markdown table (docs/methods.md shows them).
//
//   dual_ranges PROBLEM [COUNT] [SIZE] [MASS,MASS,...]
//
// The last argument gives the gradient masses with which lambda * mass is ranked; without it they are all 1.
#include "cax/core/parallel.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace {

using namespace cax;

struct Row {
    Multipliers mean;
    Multipliers share;
    double seconds = 0;
};

/// (high - low) in percent of the midpoint: 0 is determined, 200 is anything.
double width(MultiplierRange const& range) {
    if (std::isinf(range.high)) return 200;
    double const middle = (range.high + range.low) / 2;
    double const percent = middle < 1e-12 ? 0 : 100 * (range.high - range.low) / middle;
    return percent < 1e-6 ? 0 : percent;
}

double quantile(std::vector<double> values, double q) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)))];
}

Result<Row> measure(Instance const& instance) {
    auto const start = std::chrono::steady_clock::now();
    MultiplierOptions options;
    options.dual_range = true;
    auto mean = compute_multipliers(instance, options);
    if (!mean) return mean.error();
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    options.aggregate = Aggregate::share;
    auto share = compute_multipliers(instance, options);
    if (!share) return share.error();
    return Row{std::move(*mean), std::move(*share), seconds.count()};
}

/// Smallest, median and largest of something over all rows, one decision of the table.
template <class Function> std::string spread(std::vector<Row> const& rows, Function const& function) {
    std::vector<double> values;
    for (Row const& row : rows) values.push_back(function(row));
    return fmt::format("{:.3g} ({:.3g}..{:.3g})", quantile(values, 0.5), quantile(values, 0), quantile(values, 1));
}

/// In how many instances the largest value is proven, and how far it may be off in the others.
std::string exactness(std::vector<Row> const& rows, std::size_t family) {
    std::size_t exact = 0;
    double worst = 0;
    for (Row const& row : rows) {
        MultiplierRange const& range = row.mean.range->without_redundant_rows.families[family];
        if (range.high_bound <= range.high)
            ++exact;
        else
            worst = std::max(worst, 100 * (range.high_bound / range.high - 1));
    }
    return exact == rows.size() ? fmt::format("{}", exact) : fmt::format("{}, others to {:.2g} %", exact, worst);
}

void print_table(Problem const& problem, std::string_view size, std::vector<Row> const& rows) {
    fmt::print("{} {}, {} instances\n\n", problem.info().name, size, rows.size());
    fmt::print("| family | lambda, simplex vertex | width of lambda, % | largest lambda exact | bounded with all rows "
               "| share of the bound | width of the share, % |\n|---|---|---|---|---|---|---|\n");
    for (std::size_t k = 0; k < problem.info().families.size(); ++k) {
        auto const bounded = [&](Row const& row) {
            return std::isfinite(row.mean.range->with_redundant_rows.families[k].high);
        };
        fmt::print(
            "| {} | {} | {} | {} | {} | {} | {} |\n", problem.info().families[k],
            spread(rows, [&](Row const& row) { return *row.mean.families[k].value; }),
            spread(rows, [&](Row const& row) { return width(row.mean.range->without_redundant_rows.families[k]); }),
            exactness(rows, k), std::count_if(rows.begin(), rows.end(), bounded),
            spread(rows, [&](Row const& row) { return row.share.lp->shares[k]; }),
            spread(rows, [&](Row const& row) { return width(row.share.range->without_redundant_rows.families[k]); }));
    }
}

void print_tops(std::vector<Row> const& rows, std::vector<double> const& masses) {
    for (auto const& [name, share] : {std::pair{"mean |dual|", false}, std::pair{"share", true}}) {
        std::size_t counts[3] = {};
        for (Row const& row : rows) {
            ++counts[static_cast<std::size_t>(
                top_family(masses, (share ? row.share : row.mean).range->without_redundant_rows.families))];
        }
        fmt::print("\nTop family by {} times mass: unique in {}, not unique in {}, undecided in {} of {}.\n", name,
                   counts[0], counts[1], counts[2], rows.size());
    }
    fmt::print("\nSeconds per instance for both ranges of the mean: {}.\n",
               spread(rows, [](Row const& row) { return row.seconds; }));
}

/// Every multiplier must lie within the range over all optimal duals, and every LP pass its audit.
bool consistent(std::vector<Row> const& rows) {
    return std::all_of(rows.begin(), rows.end(), [](Row const& row) {
        for (std::size_t k = 0; k < row.mean.families.size(); ++k) {
            MultiplierRange const& range = row.mean.range->with_redundant_rows.families[k];
            double const value = *row.mean.families[k].value;
            if (value < range.low - 1e-7 * (1 + value) || value > range.high_bound + 1e-7 * (1 + value)) return false;
        }
        return row.mean.lp->audit.within(1e-6);
    });
}

std::vector<double> masses_of(char const* text) {
    std::vector<double> masses;
    for (char* end = nullptr; *text != 0; text = *end == ',' ? end + 1 : end) {
        masses.push_back(std::strtod(text, &end));
        if (end == text) return {};
    }
    return masses;
}

} // namespace

int main(int argc, char** argv) {
    Problem const* const problem = argc > 1 ? find_problem(argv[1]) : nullptr;
    if (problem == nullptr)
        return fmt::print(stderr, "usage: dual_ranges {} [COUNT] [SIZE] [MASSES]\n", problem_names()), 1;
    std::size_t const count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100;
    std::string_view const size = argc > 3 ? std::string_view(argv[3]) : problem->info().default_size;
    std::vector<double> const masses =
        argc > 4 ? masses_of(argv[4]) : std::vector<double>(problem->info().families.size(), 1);
    if (masses.size() != problem->info().families.size()) return fmt::print(stderr, "one mass per family\n"), 1;

    std::vector<std::optional<Row>> measured(count);
    std::vector<std::string> errors(count);
    parallel_for(count, 0, [&](std::size_t k, std::size_t) {
        Rng rng(1, static_cast<std::uint32_t>(k));
        auto const instance = problem->generate(size, {}, rng);
        if (!instance) return void(errors[k] = instance.error().message);
        auto row = measure(**instance);
        if (!row) return void(errors[k] = row.error().message);
        if (!row->mean.values() || !row->share.values()) return void(errors[k] = "no optimum");
        measured[k] = std::move(*row);
    });
    std::vector<Row> rows;
    for (std::size_t k = 0; k < count; ++k) {
        if (measured[k])
            rows.push_back(std::move(*measured[k]));
        else
            fmt::print(stderr, "instance {}: {}\n", k, errors[k]);
    }
    if (rows.empty()) return 1;
    print_table(*problem, size, rows);
    print_tops(rows, masses);
    return rows.size() == count && consistent(rows) ? 0 : 1;
}
