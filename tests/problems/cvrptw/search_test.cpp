#include "support.hpp"

#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax::cvrptw::test {
namespace {

/// Tries every way to serve everybody, route after route, by the definition.
class BruteForce {
public:
    explicit BruteForce(Data const& data) : data_(data), visited_(data.locs.size(), false) { drive(0, 0, 0, 0, 1); }

    double shortest = std::numeric_limits<double>::infinity();
    std::size_t fewest_vehicles = std::numeric_limits<std::size_t>::max();

private:
    double distance(std::size_t a, std::size_t b) const {
        return std::hypot(double{data_.locs[a].x} - data_.locs[b].x, double{data_.locs[a].y} - data_.locs[b].y);
    }
    void drive(std::size_t here, double time, double load, double length, std::size_t vehicles) {
        double const home = distance(here, 0);
        bool const in_time = time + home <= data_.time_windows[0].close;
        if (std::all_of(visited_.begin() + 1, visited_.end(), [](bool seen) { return seen; })) {
            if (!in_time) return;
            shortest = std::min(shortest, length + home);
            fewest_vehicles = std::min(fewest_vehicles, vehicles);
            return;
        }
        for (std::size_t next = 1; next < visited_.size(); ++next) {
            if (visited_[next]) continue;
            double const arrival = time + distance(here, next);
            double const demand = data_.demand[next - 1];
            if (arrival > data_.time_windows[next].close || load + demand > 1 + 1e-6) continue;
            visited_[next] = true;
            drive(next, std::max(arrival, double{data_.time_windows[next].open}) + data_.durations[next], load + demand,
                  length + distance(here, next), vehicles);
            visited_[next] = false;
        }
        if (here != 0 && in_time) drive(0, 0, 0, length + home, vehicles + 1);
    }

    Data const& data_;
    std::vector<bool> visited_;
};

SearchOptions iterations(std::uint64_t count, std::uint64_t seed = 1) {
    return {.seconds = 60, .iterations = count, .seed = seed, .bound = {}, .stop = {}};
}

std::size_t vehicles(SearchResult const& result) { return std::get<Routes>(result.solution).routes.size(); }

TEST(CvrptwSearch, FindsTheOptimumOfSmallInstances) {
    std::size_t servable = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Rng rng(seed, 5);
        auto const instance = seed % 2 == 0 ? generated(6, seed) : make(rough_data(1 + seed % 6, rng));
        BruteForce const exact(instance->data());
        auto const result = search(*instance, iterations(2000));
        if (std::isinf(exact.shortest)) {
            EXPECT_FALSE(result);
            continue;
        }
        ++servable;
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_NEAR(result->cost, exact.shortest, 1e-9 * exact.shortest) << "seed " << seed;
        EXPECT_TRUE(result->optimal) << "so few can be proved";
        auto const unproved = search(*instance, {.seconds = 60, .iterations = 2000, .exact = false, .stop = {}});
        ASSERT_TRUE(unproved);
        EXPECT_NEAR(unproved->cost, exact.shortest, 1e-9 * exact.shortest) << "seed " << seed;
        EXPECT_FALSE(unproved->optimal) << "nothing was proven";
    }
    EXPECT_GE(servable, 30U);
}

TEST(CvrptwSearch, FindsTheSmallestFleetThatItIsAskedFor) {
    std::size_t reduced = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        auto const instance = generated(6, seed);
        BruteForce const exact(instance->data());
        SearchOptions options = iterations(20'000);
        options.bound = static_cast<double>(exact.fewest_vehicles);
        auto const result = search(*instance, options);
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(vehicles(*result), exact.fewest_vehicles) << "seed " << seed;
        EXPECT_TRUE(instance->check(result->solution).valid());
        reduced += vehicles(*search(*instance, iterations(0))) > exact.fewest_vehicles ? 1 : 0;
        options.bound = static_cast<double>(exact.fewest_vehicles) - 1;
        options.iterations = 500;
        auto const impossible = search(*instance, options);
        ASSERT_TRUE(impossible);
        EXPECT_GE(vehicles(*impossible), exact.fewest_vehicles) << "seed " << seed;
        EXPECT_TRUE(instance->check(impossible->solution).valid());
    }
    EXPECT_GT(reduced, 0U) << "no instance asked for any work";
}

TEST(CvrptwSearch, EndsAtOnceWithAFleetWithinTheBound) {
    auto const instance = generated(30, 4);
    SearchOptions options = iterations(1'000'000);
    options.bound = 30;
    auto const result = search(*instance, options);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->iterations, 0U);
}

TEST(CvrptwSearch, EndsAtOnceWhereSoFewVehiclesCannotCarryTheDemand) {
    auto const instance = generated(30, 4);
    double demand = 0;
    for (float const each : instance->data().demand) demand += each;
    ASSERT_GT(demand, 1.1);
    SearchOptions options = iterations(1'000'000);
    options.bound = std::ceil(demand) - 1;
    auto const result = search(*instance, options);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->iterations, 0U);
    EXPECT_TRUE(instance->check(result->solution).valid());
}

TEST(CvrptwSearch, NamesACustomerWhomNobodyCanServe) {
    Data data = three_customers();
    data.time_windows[2] = {0, 5};
    auto const result = search(*make(data), iterations(10));
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("customer 2"), std::string::npos) << result.error().message;
}

} // namespace
} // namespace cax::cvrptw::test
