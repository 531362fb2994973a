// Short routes that begin with the actions so far and one more. Routes that are finished are left out of the search;
// the one under way keeps its beginning; everything else is free.
#include "ruin_recreate.hpp"

#include "../../settled.hpp"
#include "../problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax::routing {
namespace {

/// A stream of its own for the first plan of a search.
constexpr std::uint32_t first_plan = 0xf1125754;

/// What is left of an instance as an instance of its own: the depot, the route under way, the customers left.
struct Remainder {
    Remainder(FleetData const& data, Prefix const& prefix) : nodes{0} {
        nodes.insert(nodes.end(), prefix.under_way.begin(), prefix.under_way.end());
        nodes.insert(nodes.end(), prefix.left.begin(), prefix.left.end());
        local.assign(data.locs.size(), 0);
        for (std::size_t i = 0; i < nodes.size(); ++i) local[nodes[i]] = static_cast<Node>(i);
        part = data.part(nodes);
        head.resize(prefix.under_way.size());
        std::iota(head.begin(), head.end(), Node{1});
    }
    FleetData part;
    std::vector<std::size_t> nodes; ///< by local number: the instance's
    std::vector<Node> local;        ///< by node; 0 for what is finished
    std::vector<Node> head;         ///< the route under way, by local numbers
};

/// A solution that somebody knows, with its length.
struct KnownRoutes {
    Routes routes;
    double length = 0;
};

class RouteCompletion {
public:
    RouteCompletion(Instance const& instance, FleetData const& data, CompletionRequest const& request)
        : instance_(instance), data_(data), request_(request), proof_left_(request.proof_work) {
        for (Solution const& solution : request.known) {
            auto const* routes = std::get_if<Routes>(&solution);
            if (routes == nullptr || !missing_of(request.prefix, *routes).empty()) continue;
            CheckReport const report = instance.check(solution);
            if (report.valid()) known_.push_back({*routes, report.cost});
        }
        std::ranges::stable_sort(known_, {}, &KnownRoutes::length);
    }

    [[nodiscard]] Result<Completion> complete(std::size_t action) {
        std::vector<std::size_t> actions(request_.prefix.begin(), request_.prefix.end());
        actions.push_back(action);
        auto const prefix = prefix_of(instance_, actions);
        if (!prefix) return prefix.error();
        Completion completion;
        for (KnownRoutes const& known : known_) { // the shortest comes first
            if (completion.solution || !missing_of(actions, known.routes).empty()) continue;
            offer(known.routes, completion);
        }
        if (prefix->left.empty()) {
            offer(prefix->driven(), completion);
            prove(completion);
            return completion;
        }
        if (request_.prove && prefix->left.size() <= max_exact_rest && by_programme(*prefix, completion))
            return completion;
        if (request_.search_work > 0) by_search(*prefix, completion);
        remember(completion);
        return completion;
    }

private:
    /// What was found for one action is where the search for the next may begin.
    void remember(Completion const& completion) {
        if (!completion.solution) return;
        auto const& routes = std::get<Routes>(*completion.solution);
        if (std::ranges::any_of(known_, [&](KnownRoutes const& known) { return known.routes == routes; })) return;
        KnownRoutes const found{routes, completion.cost};
        known_.insert(std::ranges::upper_bound(known_, found.length, {}, &KnownRoutes::length), found);
    }

    void offer(Routes routes, Completion& completion) const { cax::offer(instance_, std::move(routes), completion); }
    static void prove(Completion& completion) {
        if (!completion.solution) return;
        completion.optimal = true;
        completion.bound = completion.cost;
    }

    [[nodiscard]] bool by_programme(Prefix const& prefix, Completion& completion) {
        ExactRest rest = serve_rest(data_, prefix.under_way, prefix.left, {.work = proof_left_});
        completion.work += rest.work;
        proof_left_ -= std::min(proof_left_, rest.work);
        if (!rest.complete || !rest.routes) return false;
        Routes whole = prefix.with(*rest.routes);
        if (!instance_.check(whole).valid()) return false; // it went to the very edge of a tolerance
        offer(std::move(whole), completion);
        prove(completion);
        return true;
    }

    void by_search(Prefix const& prefix, Completion& completion) {
        if (prefix.left.size() > max_search_nodes) return;
        Remainder const rest(data_, prefix);
        Network const network(rest.part);
        for (Node i = static_cast<Node>(rest.head.size() + 1); i < network.nodes(); ++i) {
            if (!network.can_be_served(i)) return;
        }
        SearchOptions options;
        options.seconds = std::numeric_limits<double>::infinity();
        std::uint64_t const share =
            searched_ ? request_.search_work : std::max(request_.search_work, request_.opening_work);
        options.iterations = share * prefix.left.size() / data_.demand.size() + 1; // as many per customer at every step
        searched_ = true;
        options.seed = request_.seed;
        Plan plan = beginning(rest, network);
        Annealed const found = shortest(network, std::move(plan), options, known_.empty() ? hot : warm);
        completion.work += found.iterations;
        Routes whole{prefix.finished};
        for (auto const& route : found.routes.routes) {
            auto& translated = whole.routes.emplace_back();
            for (std::size_t const i : route) translated.push_back(rest.nodes[i]);
        }
        offer(std::move(whole), completion);
    }

    /// The shortest of the solutions that are known for the actions so far, bent to the new one; or one from nothing.
    [[nodiscard]] Plan beginning(Remainder const& rest, Network const& network) const {
        Rng rng(request_.seed, first_plan);
        std::optional<Plan> best;
        for (KnownRoutes const& known : known_) {
            Plan plan(network, rest.head);
            follow(known.routes, rest, plan);
            if (!plan.absent().empty()) plan.recreate(rng, Fleet::grows);
            if (!best || plan.length() < best->length()) best.emplace(std::move(plan));
        }
        if (best) return *std::move(best);
        Plan plan(network, rest.head);
        plan.recreate(rng, Fleet::grows);
        return plan;
    }

    /// Everybody who is left, where the routes have them; who follows on the route under way goes on as far as it can.
    static void follow(Routes const& known, Remainder const& rest, Plan& plan) {
        Routes others;
        std::vector<Node> tail;
        for (auto const& route : known.routes) {
            std::vector<std::size_t> free;
            bool under_way = false;
            for (std::size_t const customer : route) {
                Node const i = rest.local[customer];
                bool const in_head = i > 0 && i <= rest.head.size();
                // Whoever is to come next is in the head now, wherever the route had it.
                under_way = under_way || (i == 1 && in_head);
                if (i > 0 && !in_head) free.push_back(i);
            }
            if (under_way)
                tail.assign(free.begin(), free.end());
            else if (!free.empty())
                others.routes.push_back(std::move(free));
        }
        plan.follow(others);
        if (!tail.empty()) plan.go_on(tail);
    }

    Instance const& instance_;
    FleetData const& data_;
    CompletionRequest const& request_;
    std::uint64_t proof_left_;
    bool searched_ = false;
    std::vector<KnownRoutes> known_; ///< that begin like the prefix, shortest first
};

} // namespace

Result<std::vector<Completion>> FleetInstance::completions(CompletionRequest const& request) const {
    FleetData const data = fleet_to_solve();
    RouteCompletion routes(*this, data, request);
    return complete_each(request, [&](std::size_t action) { return routes.complete(action); });
}

} // namespace cax::routing
