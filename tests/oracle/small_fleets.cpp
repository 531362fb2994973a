#include "small_fleets.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::test {

InstancePtr small_fleet(std::string_view problem, std::size_t customers, Rng& rng) {
    constexpr std::size_t side = 5; // whole coordinates, so that some places are equal and some routes exactly as long
    bool const timed = problem == "cvrptw";
    auto const coordinate = [&] { return static_cast<double>(rng.below(side)); };
    double const x = coordinate();
    double const y = coordinate();
    Json json{{"name", "small"}, {"capacity", 6}, {"depot", {{"x", x}, {"y", y}}}, {"customers", Json::array()}};
    if (timed) json["depot"]["window"] = {0, 30};
    for (std::size_t i = 0; i < customers; ++i) {
        Json customer{{"x", coordinate()}, {"y", coordinate()}, {"demand", rng.below(5)}};
        if (timed) {
            double const reach = std::hypot(customer["x"].get<double>() - x, customer["y"].get<double>() - y);
            // Some windows close at the very moment at which a vehicle can be there first, up to single precision.
            double const close = rng.below(3) == 0 ? reach : std::ceil(reach) + static_cast<double>(rng.below(12));
            double const open = rng.below(2) == 0 ? 0 : std::floor(close) * 0.7;
            customer["window"] = {open, close};
            customer["service"] = rng.below(3);
        }
        json["customers"].push_back(std::move(customer));
    }
    auto instance = find_problem(problem)->exchange().from_json(json);
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

namespace {

/// All ways to go on.
class Everything {
public:
    Everything(Instance const& instance, std::optional<std::size_t> vehicles)
        : instance_(instance), vehicles_(vehicles), nodes_(instance.reset()->action_mask().size()) {}

    void go_on(std::vector<std::size_t>& actions) {
        std::vector<bool> visited(nodes_, false);
        Routes routes{{{}}};
        for (std::size_t const action : actions) {
            if (action == 0)
                routes.routes.emplace_back();
            else
                routes.routes.back().push_back(action);
            visited[action] = true;
        }
        bool done = true;
        for (std::size_t node = 1; node < nodes_; ++node) {
            if (visited[node]) continue;
            done = false;
            actions.push_back(node);
            go_on(actions);
            actions.pop_back();
        }
        if (done) return judge(routes);
        if (actions.empty() || actions.back() == 0) return;
        actions.push_back(0);
        go_on(actions);
        actions.pop_back();
    }
    [[nodiscard]] std::optional<double> best() const { return best_; }

private:
    void judge(Routes routes) {
        std::erase_if(routes.routes, [](auto const& route) { return route.empty(); });
        if (vehicles_ && routes.routes.size() > *vehicles_) return;
        CheckReport const report = instance_.check(Solution{routes});
        if (report.valid() && (!best_ || report.cost < *best_)) best_ = report.cost;
    }

    Instance const& instance_;
    std::optional<std::size_t> vehicles_;
    std::size_t nodes_;
    std::optional<double> best_;
};

} // namespace

std::optional<double> least_cost(Instance const& instance, std::vector<std::size_t> const& prefix,
                                 std::optional<std::size_t> vehicles) {
    Everything everything(instance, vehicles);
    auto actions = prefix;
    everything.go_on(actions);
    return everything.best();
}

std::vector<std::size_t> random_prefix(Instance const& instance, std::size_t steps, Rng& rng) {
    StatePtr const state = instance.reset();
    std::vector<std::size_t> prefix;
    while (prefix.size() < steps && !state->done()) {
        std::vector<std::size_t> allowed;
        for (std::size_t a = 0; a < state->action_mask().size(); ++a) {
            if (state->action_mask()[a] != 0) allowed.push_back(a);
        }
        if (allowed.empty()) break;
        prefix.push_back(allowed[rng.below(allowed.size())]);
        state->step(prefix.back());
    }
    return prefix;
}

} // namespace cax::test
