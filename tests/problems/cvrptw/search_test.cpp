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
        EXPECT_FALSE(result->optimal) << "nothing was proven";
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

TEST(CvrptwSearch, GivesTheSameResultForTheSameSeed) {
    auto const instance = generated(50, 11);
    auto const one = search(*instance, iterations(2000, 3));
    auto const two = search(*instance, iterations(2000, 3));
    auto const other = search(*instance, iterations(2000, 4));
    ASSERT_TRUE(one && two && other);
    EXPECT_EQ(one->solution, two->solution);
    EXPECT_EQ(one->iterations, 2000U);
    EXPECT_NE(one->solution, other->solution);
}

TEST(CvrptwSearch, IsNeverWorseThanItsBeginningAndMuchBetterAfterAWhile) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto const instance = generated(50, seed);
        auto const first = search(*instance, iterations(0));
        auto const some = search(*instance, iterations(100));
        auto const many = search(*instance, iterations(20'000));
        ASSERT_TRUE(first && some && many);
        EXPECT_LE(some->cost, first->cost);
        EXPECT_LT(many->cost, 0.95 * first->cost);
        for (auto const* result : {&first, &some, &many}) {
            CheckReport const report = instance->check((*result)->solution);
            EXPECT_TRUE(report.valid());
            EXPECT_EQ(report.cost, (*result)->cost);
        }
    }
}

TEST(CvrptwSearch, ImprovesTheRoutesItIsGiven) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto const instance = generated(30, seed);
        Routes alone;
        for (std::size_t customer = 30; customer > 0; --customer) alone.routes.push_back({customer});
        SearchOptions options = iterations(0);
        options.start = alone;
        auto const same = search(*instance, options);
        ASSERT_TRUE(same) << same.error().message;
        EXPECT_EQ(same->solution, Solution{alone});
        // A good plan stays about as it is; what little is changed makes it shorter.
        auto const good = search(*instance, iterations(300));
        options.start = good->solution;
        options.iterations = 3000;
        auto const better = search(*instance, options);
        ASSERT_TRUE(good && better);
        EXPECT_LE(better->cost, good->cost);
        EXPECT_TRUE(instance->check(better->solution).valid());
    }
}

TEST(CvrptwSearch, EndsWithAValidSolutionWheneverItIsStopped) {
    auto const instance = generated(50, 2);
    int asked = 0;
    SearchOptions options{.seconds = 1e9, .stop = [&] { return ++asked > 5; }};
    auto const result = search(*instance, options);
    ASSERT_TRUE(result);
    EXPECT_TRUE(instance->check(result->solution).valid());
    EXPECT_GT(result->iterations, 0U);
}

TEST(CvrptwSearch, RefusesOptionsThatMakeNoSense) {
    auto const instance = make(three_customers());
    auto const refused = [&](SearchOptions const& options, std::string_view word) {
        auto const result = search(*instance, options);
        ASSERT_FALSE(result);
        EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
    };
    refused({.seconds = -1, .stop = {}}, "seconds: -1");
    refused({.seconds = std::nan(""), .stop = {}}, "seconds: nan");
    refused({.bound = -2, .stop = {}}, "bound: -2");
    refused({.bound = std::nan(""), .stop = {}}, "bound: nan");
    refused({.start = Routes{{{1, 2}}}, .stop = {}}, "the solution to begin with: customer 3");
    refused({.start = Schedule{}, .stop = {}}, "the solution to begin with: the solution is a schedule");
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
