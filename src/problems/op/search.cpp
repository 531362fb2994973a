// A best tour by classical means: proven where the exact programme can be used, good elsewhere.
#include "cax/problems/op/instance.hpp"

#include "exact_tour.hpp"
#include "tour_search.hpp"

#include <fmt/format.h>

namespace cax::op {
namespace {

struct Found {
    std::vector<std::size_t> tour;
    bool optimal = false;
    std::uint64_t iterations = 0;
};

/// The exact programme counts as one iteration; without that one, or if its time runs out, the heuristic answers.
Found find_tour(Data const& data, SearchOptions const& options) {
    auto const customers = worthwhile_customers(data);
    SearchClock clock(options);
    if (options.exact && customers.size() <= max_exact_customers && options.iterations > 0) {
        auto tour = best_tour(data, customers, [&] { return !clock.running(0); });
        if (tour) return {*std::move(tour), true, 1};
    }
    TourSearch search(data, customers, options, clock);
    search.run();
    return {search.tour(), false, search.iterations()};
}

} // namespace

Result<SearchResult> Instance::search(SearchOptions const& options) const {
    if (auto const ok = check_search_options(*this, options); !ok) return ok.error();
    if (nodes() > max_search_nodes) {
        return Error{ErrorCode::unsupported,
                     fmt::format("{} nodes: the search is for at most {}", nodes(), max_search_nodes)};
    }
    Found found = find_tour(data_, options);
    Routes solution{{std::move(found.tour)}};
    CheckReport const report = check(solution);
    if (!report.valid()) return Error{ErrorCode::solver_failed, "the search went wrong: " + report.violations.front()};
    return SearchResult{.solution = std::move(solution),
                        .cost = report.cost,
                        .optimal = found.optimal,
                        .lower_bound = found.optimal ? std::optional(report.cost) : std::nullopt,
                        .iterations = found.iterations};
}

} // namespace cax::op
