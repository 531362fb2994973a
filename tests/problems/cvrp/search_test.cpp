#include "support.hpp"

#include "cax/problems/questions.hpp"

#include <cmath>
#include <limits>

namespace cax::cvrp::test {
namespace {

/// Tries every way to serve everybody, route after route, by the definition.
class BruteForce {
public:
    explicit BruteForce(Data const& data) : data_(data), visited_(data.locs.size(), false) { drive(0, 0, 0, 1); }

    double shortest = std::numeric_limits<double>::infinity();
    std::size_t fewest_vehicles = std::numeric_limits<std::size_t>::max();

private:
    double distance(std::size_t a, std::size_t b) const {
        return std::hypot(double{data_.locs[a].x} - data_.locs[b].x, double{data_.locs[a].y} - data_.locs[b].y);
    }
    void drive(std::size_t here, double load, double length, std::size_t vehicles) {
        bool done = true;
        for (std::size_t next = 1; next < visited_.size(); ++next) {
            if (visited_[next]) continue;
            done = false;
            if (load + data_.demand[next - 1] > 1 + 1e-6) continue;
            visited_[next] = true;
            drive(next, load + data_.demand[next - 1], length + distance(here, next), vehicles);
            visited_[next] = false;
        }
        if (!done && here != 0) drive(0, 0, length + distance(here, 0), vehicles + 1);
        if (!done) return;
        shortest = std::min(shortest, length + distance(here, 0));
        fewest_vehicles = std::min(fewest_vehicles, vehicles);
    }

    Data const& data_;
    std::vector<bool> visited_;
};

TEST(CvrpSearch, FindsTheOptimumAndTheSmallestFleetOfSmallInstances) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto const instance = generated(seed < 5 ? 8 : 6, seed, {{"capacity", seed % 2 == 0 ? "12" : "18"}});
        BruteForce const exact(instance->data());
        SearchOptions options{.seconds = 60, .iterations = 3000, .seed = 1, .bound = {}, .stop = {}};
        auto const shortest = search(*instance, options);
        ASSERT_TRUE(shortest) << shortest.error().message;
        EXPECT_NEAR(shortest->cost, exact.shortest, 1e-9) << "seed " << seed;
        EXPECT_TRUE(shortest->optimal) << "seed " << seed;
        options.iterations = 20'000;
        options.bound = static_cast<double>(exact.fewest_vehicles);
        auto const smallest = search(*instance, options);
        ASSERT_TRUE(smallest) << smallest.error().message;
        EXPECT_EQ(std::get<Routes>(smallest->solution).routes.size(), exact.fewest_vehicles) << "seed " << seed;
    }
}

TEST(CvrpSearch, ProvesWhatALongSearchFindsForTwentyCustomersAndNeverMore) {
    std::size_t equal = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        auto const instance = generated(20, seed);
        SearchOptions options{.seconds = 600, .seed = 1, .bound = {}, .stop = {}};
        auto const proved = search(*instance, options);
        ASSERT_TRUE(proved && proved->optimal) << "seed " << seed;
        options.exact = false;
        options.iterations = 20'000;
        auto const found = search(*instance, options);
        ASSERT_TRUE(found);
        EXPECT_FALSE(found->optimal);
        EXPECT_LE(proved->cost, found->cost + 1e-9) << "seed " << seed;
        equal += found->cost < proved->cost + 1e-9 ? 1 : 0;
    }
    EXPECT_GE(equal, 3U);
}

TEST(CvrpSearch, DoesNotProveWhatTakesMoreWorkThanTheSearchMayCost) {
    auto const instance = generated(20, 1, {{"capacity", "1000"}}); // every set of customers is a route
    SearchOptions const options{.seconds = 600, .iterations = 2000, .seed = 1, .bound = {}, .stop = {}};
    auto const found = search(*instance, options);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_FALSE(found->optimal);
    EXPECT_TRUE(instance->check(found->solution).valid());
}

TEST(CvrpDecisionModel, HasNoClocks) {
    auto const instance = generated(8, 3, {{"capacity", "12"}});
    auto const decision = decision_model_of(*instance, {.prefix = {}, .bound = 6}, Rounding::strict);
    ASSERT_TRUE(decision) << decision.error().message;
    ASSERT_FALSE(decision->model.variables.empty());
    for (auto const& variable : decision->model.variables) {
        EXPECT_EQ(variable.name.find("start at"), std::string::npos);
        EXPECT_EQ(variable.name.find("departure"), std::string::npos);
    }
}

TEST(CvrpAnswer, CountsVehiclesAndLooksForThePrefix) {
    auto const instance = make(three_customers());
    Routes const two{{{1, 2}, {3}}};
    EXPECT_TRUE(check_answer(*instance, two, {.prefix = {1}, .bound = 2}).valid());
    EXPECT_FALSE(check_answer(*instance, two, {.prefix = {}, .bound = 1}).valid());
    EXPECT_FALSE(check_answer(*instance, two, {.prefix = {2}, .bound = {}}).valid());
    EXPECT_FALSE(check_answer(*instance, two, {.prefix = {1, 0}, .bound = {}}).valid());
}

} // namespace
} // namespace cax::cvrp::test
