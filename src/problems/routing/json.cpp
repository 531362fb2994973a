// Solutions as JSON values.
#include "../fields.hpp"
#include "problem.hpp"

#include "cax/core/json.hpp"

#include <cassert>
#include <fmt/format.h>

namespace cax::routing {

Json Problem::solution_to_json(cax::Instance const&, Solution const& solution) const {
    auto const* routes = std::get_if<Routes>(&solution);
    assert(routes != nullptr && (!one_tour() || routes->routes.size() <= 1));
    if (!one_tour()) return Json{{"routes", routes->routes}};
    return Json{{"tour", routes->routes.empty() ? Json::array() : Json(routes->routes[0])}};
}

Result<Solution> Problem::solution_from_json(cax::Instance const&, Json const& json) const {
    auto const list = require_array(json, one_tour() ? "tour" : "routes");
    if (!list) return list.error();
    Routes solution;
    if (one_tour()) {
        auto tour = read_indices(**list, "tour");
        if (!tour) return tour.error();
        solution.routes.push_back(*std::move(tour));
        return Solution{std::move(solution)};
    }
    for (Json const& entry : **list) {
        auto route = read_indices(entry, fmt::format("routes[{}]", solution.routes.size()));
        if (!route) return route.error();
        solution.routes.push_back(*std::move(route));
    }
    return Solution{std::move(solution)};
}

} // namespace cax::routing
