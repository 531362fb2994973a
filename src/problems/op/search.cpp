// A best tour by classical means: proven where the exact programme can be used, good elsewhere.
#include "cax/problems/op/instance.hpp"

#include "../routing/distances.hpp"
#include "../routing/problem.hpp"
#include "../settled.hpp"
#include "tour.hpp"

#include <fmt/format.h>

namespace cax::op {
namespace {

/// The customers that can be on a best tour: those with a prize that a tour of the allowed length reaches at all. By
/// the triangle inequality nobody else is worth a detour.
std::vector<std::size_t> worthwhile_customers(Data const& data) {
    std::vector<std::size_t> customers;
    for (std::size_t customer = 1; customer < data.locs.size(); ++customer) {
        double const way = routing::arc_length(data.locs[0], data.locs[customer]);
        if (data.prize[customer] > 0 && way + way <= double{data.max_length}) customers.push_back(customer);
    }
    return customers;
}

/// The exact programme counts as one iteration; without that one, or if its time runs out, the heuristic answers.
FoundTour find_tour(Data const& data, SearchOptions const& options) {
    auto const customers = worthwhile_customers(data);
    SearchClock clock(options);
    if (options.exact && customers.size() <= max_exact_customers && options.iterations > 0) {
        auto tour = best_tour(data, customers, [&] { return !clock.running(0); });
        if (tour) return {*std::move(tour), true, 1};
    }
    return good_tour(data, customers, options, clock);
}

} // namespace

Result<SearchResult> Instance::search(SearchOptions const& options) const {
    if (auto const ok = routing::check_search(*this, options); !ok) return ok.error();
    FoundTour found = find_tour(data_, options);
    return checked_result(*this, Routes{{std::move(found.tour)}}, found.optimal, found.iterations);
}

} // namespace cax::op
