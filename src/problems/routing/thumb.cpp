// Rules of thumb for the next customer. The depot is where a rule goes when no customer is allowed. Where a tour may
// begin anywhere, no rule has an opinion on its first city.
#include "problem.hpp"

#include <algorithm>
#include <limits>

namespace cax::routing {

double nearest(State const& state, std::size_t customer) { return double{state.distances()[customer]}; }

/// In double: the terms cancel, and the rounding of a float32 distance would tell apart what saves the same.
double largest_saving(State const& state, std::size_t customer) {
    std::size_t const here = state.current_node();
    double const over_depot = state.leg(here, 0) + state.leg(0, customer);
    return state.leg(here, customer) - over_depot;
}

double smallest_detour(State const& state, std::size_t customer) { return *state.numbers(customer).extra; }

double farthest_from_depot(State const& state, std::size_t customer) {
    auto const places = state.instance().places();
    return -exact_distance(places[0], places[customer]);
}

std::vector<CustomerRule> Problem::customer_rules() const {
    return {{{"nearest", "going to the nearest customer"}, nearest},
            {{"savings", "going where the detour over the depot saves most"}, largest_saving},
            {{"farthest", "going to the customer farthest from the depot"}, farthest_from_depot}};
}

std::vector<ThumbRule> Problem::thumb_rules() const {
    std::vector<ThumbRule> rules;
    for (CustomerRule const& each : customer_rules()) rules.push_back(each.rule);
    return rules;
}

std::vector<double> Problem::thumb_scores(cax::State const& any, std::size_t rule) const {
    auto const& state = static_cast<State const&>(any);
    auto const mask = state.action_mask();
    auto const score = customer_rules()[rule].score;
    std::vector<double> scores(mask.size(), std::numeric_limits<double>::infinity());
    bool customers = false;
    for (std::size_t customer = look().nodes.depot ? 1 : 0; customer < mask.size(); ++customer) {
        if (mask[customer] == 0) continue;
        scores[customer] = state.home() ? score(state, customer) : 0;
        customers = true;
    }
    if (!customers && mask[0] != 0) scores[0] = 0;
    return scores;
}

} // namespace cax::routing
