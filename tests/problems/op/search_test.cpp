#include "support.hpp"

#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>

namespace cax::op::test {
namespace {

/// Tries every order of every set of customers, by the definition.
class BruteForce {
public:
    explicit BruteForce(Data const& data) : data_(data), visited_(data.locs.size(), false) { drive(0, 0, 0); }

    double prize = 0;

private:
    double distance(std::size_t a, std::size_t b) const {
        return std::hypot(double{data_.locs[a].x} - data_.locs[b].x, double{data_.locs[a].y} - data_.locs[b].y);
    }
    void drive(std::size_t here, double length, double collected) {
        if (length + distance(here, 0) <= double{data_.max_length}) prize = std::max(prize, collected);
        for (std::size_t next = 1; next < visited_.size(); ++next) {
            double const there = length + distance(here, next);
            if (visited_[next] || there > double{data_.max_length}) continue;
            visited_[next] = true;
            drive(next, there, collected + double{data_.prize[next]});
            visited_[next] = false;
        }
    }

    Data const& data_;
    std::vector<bool> visited_;
};

SearchOptions iterations(std::uint64_t count, std::uint64_t seed = 1) {
    return {.seconds = 60, .iterations = count, .seed = seed, .bound = {}, .stop = {}};
}

/// Every customer twice at the same place, with half its prize each: the best tour collects what it did before.
Data doubled(Data const& data) {
    Data twice = data;
    for (std::size_t i = 1; i < data.locs.size(); ++i) {
        twice.prize[i] /= 2;
        twice.locs.push_back(data.locs[i]);
        twice.prize.push_back(twice.prize[i]);
    }
    return twice;
}

TEST(OpSearch, ProvesTheOptimumOfSmallInstances) {
    for (std::uint32_t seed = 0; seed < 80; ++seed) {
        Rng rng(seed, 9);
        auto const instance = seed % 2 == 0 ? generated(7, seed) : make(rough_data(1 + seed % 7, rng));
        auto const result = search(*instance, iterations(1));
        ASSERT_TRUE(result) << result.error().message;
        double const best = BruteForce(instance->data()).prize;
        EXPECT_NEAR(result->cost, best, 1e-9 * (1 + best)) << "seed " << seed;
        EXPECT_TRUE(result->optimal);
        EXPECT_EQ(result->lower_bound, result->cost);
        EXPECT_TRUE(instance->check(result->solution).valid());
    }
}

TEST(OpSearch, AllowsATourOfExactlyTheLimit) {
    Data data = three_customers();
    data.max_length = 10; // to customer 1 and back
    auto const result = search(*make(data), iterations(1));
    ASSERT_TRUE(result);
    EXPECT_EQ(std::get<Routes>(result->solution), (Routes{{{1}}}));
}

TEST(OpSearch, TakesTheShortestOfEqualTours) {
    auto const instance = generated(8, 3);
    auto const result = search(*instance, iterations(1));
    ASSERT_TRUE(result);
    auto stops = std::get<Routes>(result->solution).routes[0];
    auto const length = [&](std::vector<std::size_t> const& tour) {
        double sum = 0;
        std::size_t here = 0;
        for (std::size_t const next : tour) {
            sum += std::hypot(double{instance->data().locs[here].x} - instance->data().locs[next].x,
                              double{instance->data().locs[here].y} - instance->data().locs[next].y);
            here = next;
        }
        return sum + std::hypot(double{instance->data().locs[here].x} - instance->data().locs[0].x,
                                double{instance->data().locs[here].y} - instance->data().locs[0].y);
    };
    double const found = length(stops);
    ASSERT_GE(stops.size(), 4U);
    std::ranges::sort(stops);
    double shortest = found;
    do shortest = std::min(shortest, length(stops));
    while (std::ranges::next_permutation(stops).found);
    EXPECT_NEAR(found, shortest, 1e-12);
}

TEST(OpSearch, StaysHomeWhereNobodyIsInReach) {
    Data data = three_customers();
    data.max_length = 1;
    auto const result = search(*make(data), iterations(10));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->cost, 0);
    EXPECT_TRUE(result->optimal);
}

TEST(OpSearch, FindsWithoutProofWhatIsProvenForHalfAsManyCustomers) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        auto const half = generated(14, seed);
        auto const exact = search(*half, iterations(1));
        auto const whole = make(doubled(half->data()));
        auto const found = search(*whole, iterations(3000));
        ASSERT_TRUE(exact && found);
        EXPECT_FALSE(found->optimal);
        EXPECT_FALSE(found->lower_bound.has_value());
        EXPECT_NEAR(found->cost, exact->cost, 1e-6) << "seed " << seed;
    }
}

TEST(OpSearch, ComesCloseWithoutTheExactProgramme) {
    double proven = 0, quick = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        auto const instance = generated(14, seed);
        auto const exact = search(*instance, iterations(1));
        SearchOptions options = iterations(200);
        options.exact = false;
        auto const found = search(*instance, options);
        ASSERT_TRUE(exact && found);
        EXPECT_FALSE(found->optimal);
        EXPECT_EQ(found->iterations, 200U);
        EXPECT_LE(found->cost, exact->cost + 1e-9);
        EXPECT_TRUE(instance->check(found->solution).valid());
        proven += exact->cost;
        quick += found->cost;
    }
    EXPECT_GT(quick, 0.98 * proven);
}

TEST(OpSearch, EndsWithTheFirstTourOfEnoughPrize) {
    auto const instance = generated(60, 2);
    auto const first = search(*instance, iterations(0));
    ASSERT_TRUE(first);
    SearchOptions options = iterations(100'000);
    options.bound = first->cost + 0.01;
    auto const result = search(*instance, options);
    ASSERT_TRUE(result);
    EXPECT_GE(result->cost, first->cost + 0.01);
    EXPECT_LT(result->iterations, 100'000U);
}

} // namespace
} // namespace cax::op::test
