// Good routes by classical means: ruin and recreate under simulated annealing, and for few customers the proof that
// nothing is shorter. With a bound on the fleet the same moves look for any plan with that few vehicles.
#include "ruin_recreate.hpp"

#include "../../errors.hpp"
#include "../../settled.hpp"
#include "../problem.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace cax::routing {
namespace {

/// The temperature at the end, as a multiple of the length per customer.
constexpr double cold = 0.01;

/// What annealing lets pass: anything shorter, and with luck something a little longer.
double tolerated_loss(double temperature, Rng& rng) { return -temperature * std::log(1 - rng.uniform()); }

double length_per_customer(Network const& network, Plan const& plan) {
    return plan.length() / static_cast<double>(network.nodes() - 1);
}

} // namespace

Annealed shortest(Network const& network, Plan current, SearchOptions const& options, double beginning) {
    double const scale = length_per_customer(network, current);
    Plan trial = current;
    Annealed best{current.routes(), 0};
    double best_length = current.length();
    SearchClock clock(options);
    for (; clock.running(best.iterations); ++best.iterations) {
        Rng rng = rng_of(options.seed, best.iterations + 1);
        trial.ruin(rng);
        trial.recreate(rng, Fleet::grows);
        double const temperature = scale * beginning * std::pow(cold / beginning, clock.fraction(best.iterations));
        if (trial.length() >= current.length() + tolerated_loss(temperature, rng)) {
            trial.become(current);
            continue;
        }
        current.become(trial);
        if (current.length() >= best_length) continue;
        best_length = current.length();
        best.routes = current.routes();
    }
    return best;
}

namespace {

/// Routes are disbanded one at a time and their customers squeezed into the others. A plan is better if it leaves out
/// fewer, or customers who have been left out less often: those who are hard to place get placed first.
class FleetReduction {
public:
    FleetReduction(Network const& network, Plan plan)
        : current_(std::move(plan)),
          trial_(current_),
          complete_(current_.routes()),
          times_absent_(network.nodes(), 0),
          temperature_(length_per_customer(network, current_) * cold) {}

    [[nodiscard]] std::size_t vehicles() const { return complete_.routes.size(); }
    [[nodiscard]] Routes const& routes() const { return complete_; }

    void iterate(Rng& rng) {
        if (current_.absent().empty()) {
            current_.disband(easiest_route());
            trial_.become(current_);
        }
        trial_.ruin(rng);
        trial_.recreate(rng, Fleet::is_fixed);
        std::uint64_t const before = burden(current_.absent());
        std::uint64_t const after = burden(trial_.absent());
        bool const fewer = trial_.absent().size() < current_.absent().size();
        bool const shorter = trial_.absent().size() == current_.absent().size() &&
                             trial_.length() < current_.length() + tolerated_loss(temperature_, rng);
        bool const accepted = fewer || after < before || (after == before && shorter);
        for (Node const customer : trial_.absent()) ++times_absent_[customer];
        if (!accepted) {
            trial_.become(current_);
            return;
        }
        current_.become(trial_);
        if (current_.absent().empty()) complete_ = current_.routes();
    }

private:
    [[nodiscard]] std::uint64_t burden(std::vector<Node> const& customers) const {
        return std::accumulate(customers.begin(), customers.end(), std::uint64_t{0},
                               [&](std::uint64_t sum, Node customer) { return sum + times_absent_[customer]; });
    }
    /// The route whose customers have been left out least often; among equals the smallest.
    [[nodiscard]] std::size_t easiest_route() const {
        std::pair<std::uint64_t, std::size_t> least{std::numeric_limits<std::uint64_t>::max(), 0};
        std::size_t easiest = 0;
        for (std::size_t slot = 0; slot < current_.slots().size(); ++slot) {
            TimedRoute const& route = current_.slots()[slot];
            if (route.empty()) continue;
            std::pair const rank{burden({route.stops().begin() + 1, route.stops().end() - 1}), route.size()};
            if (rank >= least) continue;
            least = rank;
            easiest = slot;
        }
        return easiest;
    }

    Plan current_;
    Plan trial_;
    Routes complete_;                         ///< the smallest fleet with nobody absent
    std::vector<std::uint64_t> times_absent_; ///< by customer
    double temperature_;
};

/// So few vehicles cannot carry everything: nobody need look.
bool hopeless(Network const& network, double fleet) {
    double const demand = std::accumulate(network.demand.begin(), network.demand.end(), 0.0);
    return std::floor(fleet) * (1 + load_tolerance) < demand;
}

Annealed smallest_fleet(Network const& network, Plan plan, SearchOptions const& options) {
    FleetReduction reduction(network, std::move(plan));
    std::uint64_t iteration = 0;
    SearchClock clock(options);
    auto const wanted = [&] { return static_cast<double>(reduction.vehicles()) > *options.bound; };
    while (wanted() && !hopeless(network, *options.bound) && clock.running(iteration)) {
        Rng rng = rng_of(options.seed, ++iteration);
        reduction.iterate(rng);
    }
    return {reduction.routes(), iteration};
}

/// The shortest routes of all, once good ones are known; nothing if there are too many ways to serve the customers for
/// what the search may cost. Precondition: at most max_exact_customers.
std::optional<Routes> proven(FleetData const& data, double upper, SearchOptions const& options) {
    constexpr std::uint64_t most_work = 2'000'000'000, work_per_iteration = 20'000;
    constexpr std::uint64_t most_room = 8'000'000; // 300 MB
    std::vector<std::size_t> customers(data.demand.size());
    std::iota(customers.begin(), customers.end(), std::size_t{1});
    SearchClock clock(options);
    std::uint64_t const affordable = std::min(options.iterations, most_work / work_per_iteration) * work_per_iteration;
    ExactRest rest = serve_rest(
        data, {}, customers,
        {.work = affordable, .room = most_room, .upper = upper, .stop = [&] { return !clock.running_now(0); }});
    return rest.complete ? std::move(rest.routes) : std::nullopt;
}

} // namespace

Result<SearchResult> FleetInstance::search(SearchOptions const& options) const {
    if (auto const ok = check_search(*this, options); !ok) return ok.error();
    FleetData const data = fleet_to_solve();
    Network const network(data);
    for (Node customer = 1; customer < network.nodes(); ++customer) {
        if (network.can_be_served(customer)) continue;
        return unsupported("customer {} cannot be served, not even by a vehicle of its own", customer);
    }
    Plan first(network);
    Rng rng = rng_of(options.seed, 0);
    if (options.start)
        first.follow(std::get<Routes>(*options.start));
    else
        first.recreate(rng, Fleet::grows);
    double const heat = options.start ? warm : hot;
    SearchOptions rest = options;
    std::optional<Plan> good;
    if (options.exact && !options.bound && network.nodes() <= max_exact_customers + 1) {
        auto const start = std::chrono::steady_clock::now();
        SearchOptions brief = options;
        brief.iterations = std::min<std::uint64_t>(options.iterations, 2000);
        Annealed const quick = shortest(network, first, brief, heat);
        auto routes = proven(data, check(quick.routes).cost, options);
        if (routes && check(*routes).valid()) // it may have gone to the very edge of a tolerance
            return checked_result(*this, *std::move(routes), true, quick.iterations);
        good.emplace(network).follow(quick.routes);
        double const spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        rest.seconds = std::max(options.seconds - spent, 0.0);
    }
    Annealed found = options.bound ? smallest_fleet(network, std::move(first), rest)
                                   : shortest(network, good ? *std::move(good) : std::move(first), rest, heat);
    return checked_result(*this, std::move(found.routes), false, found.iterations);
}

} // namespace cax::routing
