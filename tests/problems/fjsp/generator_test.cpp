#include "shops.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace cax::test {
namespace {

std::shared_ptr<fjsp::Instance const> generated(std::uint64_t seed, std::string_view size = "10x5",
                                                Options const& options = {}) {
    Rng rng(seed);
    auto instance = fjsp_problem().generate(size, options, rng);
    EXPECT_TRUE(instance) << instance.error().message;
    return std::dynamic_pointer_cast<fjsp::Instance const>(*instance);
}

std::string generator_refusal(std::string_view size, Options const& options = {}) {
    Rng rng(1);
    auto const instance = fjsp_problem().generate(size, options, rng);
    return instance ? "accepted" : instance.error().message;
}

/// Counts should be uniform over the keys: each within five standard deviations.
void expect_uniform(std::map<std::size_t, std::size_t> const& counts, std::set<std::size_t> const& keys) {
    std::size_t total = 0;
    for (auto const& [key, count] : counts) {
        EXPECT_TRUE(keys.contains(key)) << key;
        total += count;
    }
    double const share = 1.0 / static_cast<double>(keys.size());
    double const expected = static_cast<double>(total) * share;
    double const deviation = std::sqrt(expected * (1 - share));
    for (std::size_t const key : keys) {
        ASSERT_TRUE(counts.contains(key)) << key;
        EXPECT_NEAR(static_cast<double>(counts.at(key)), expected, 5 * deviation) << key;
    }
}

TEST(FjspGenerator, DrawsLengthsAndEligibleMachinesUniformly) {
    std::map<std::size_t, std::size_t> lengths, counts, machines;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        auto const instance = generated(seed);
        EXPECT_EQ(instance->padded_operation_count(), 60U);
        EXPECT_EQ(instance->size(), "10x5");
        for (std::size_t j = 0; j < 10; ++j) ++lengths[instance->last_operation(j) - instance->first_operation(j) + 1];
        for (std::size_t o = 0; o < instance->operation_count(); ++o) {
            ++counts[instance->alternatives(o).size()];
            for (auto const& way : instance->alternatives(o)) ++machines[way.machine];
        }
    }
    expect_uniform(lengths, {4, 5, 6});
    expect_uniform(counts, {1, 2, 3, 4, 5});
    expect_uniform(machines, {0, 1, 2, 3, 4});
}

TEST(FjspGenerator, DrawsTimesAroundAMeanOfTheOperation) {
    // Times of a mean mu lie in round(0.8 mu)..round(1.2 mu), cut to 1..20; 15..20 has an even number of values and
    // so, as upstream, only 15, 17 and 19.
    std::map<std::size_t, std::size_t> expected_weight; // of each time, in units of 1 / (19 * 3465)
    constexpr std::size_t unit = 3465;                  // divisible by all numbers of values that occur: 1, 3, 5, 7, 9
    for (std::size_t mu = 1; mu < 20; ++mu) {
        auto const low =
            std::max<std::size_t>(1, static_cast<std::size_t>(std::nearbyint(0.8 * static_cast<double>(mu))));
        auto const high =
            std::min<std::size_t>(20, static_cast<std::size_t>(std::nearbyint(1.2 * static_cast<double>(mu))));
        std::size_t const step = (high - low + 1) % 2 == 0 ? 2 : 1;
        std::size_t const values = (high - low) / step + 1;
        ASSERT_EQ(unit % values, 0U);
        for (std::size_t time = low; time <= high; time += step) expected_weight[time] += unit / values;
    }
    std::map<std::size_t, double> observed;
    double total = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        // One machine: one time per operation, so the draws are independent.
        auto const instance = generated(seed, "10x1");
        for (std::size_t o = 0; o < instance->operation_count(); ++o) {
            float const time = instance->alternatives(o)[0].time;
            ASSERT_EQ(time, std::trunc(time));
            ++observed[static_cast<std::size_t>(time)];
            ++total;
        }
    }
    for (std::size_t time = 1; time <= 20; ++time) {
        double const share = static_cast<double>(expected_weight[time]) / (19.0 * unit);
        EXPECT_NEAR(observed[time], total * share, 5 * std::sqrt(total * share * (1 - share)) + 1e-9) << time;
    }
}

TEST(FjspGenerator, KeepsTheTimesOfAnOperationTogetherUnlessAskedNotTo) {
    bool far_apart = false;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        auto const together = generated(seed);
        auto const apart = generated(seed, "10x5", {{"same-mean", "0"}});
        for (std::size_t o = 0; o < together->operation_count(); ++o) {
            for (auto const& a : together->alternatives(o)) {
                for (auto const& b : together->alternatives(o)) EXPECT_LE(a.time, 1.5F * b.time + 1);
            }
        }
        for (std::size_t o = 0; o < apart->operation_count(); ++o) {
            for (auto const& a : apart->alternatives(o)) {
                EXPECT_TRUE(a.time >= 1 && a.time <= 20);
                for (auto const& b : apart->alternatives(o)) far_apart |= a.time > 10 * b.time;
            }
        }
    }
    EXPECT_TRUE(far_apart);
}

TEST(FjspGenerator, ObeysItsOptions) {
    Options const options{
        {"min-ops", "2"}, {"max-ops", "3"}, {"min-time", "5"}, {"max-time", "9"}, {"max-eligible", "2"}};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        auto const instance = generated(seed, "4x6", options);
        EXPECT_EQ(instance->job_count(), 4U);
        EXPECT_EQ(instance->machine_count(), 6U);
        EXPECT_EQ(instance->padded_operation_count(), 12U);
        for (std::size_t o = 0; o < instance->operation_count(); ++o) {
            EXPECT_LE(instance->alternatives(o).size(), 2U);
            for (auto const& way : instance->alternatives(o)) EXPECT_TRUE(way.time >= 5 && way.time <= 9);
        }
        for (std::size_t j = 0; j < 4; ++j) EXPECT_LE(instance->last_operation(j) - instance->first_operation(j), 2U);
    }
    EXPECT_EQ(fjsp_problem().info().generator_options.size(), 6U);
}

TEST(FjspGenerator, GivesTheSameInstanceForTheSameSeed) {
    EXPECT_EQ(generated(5)->data(), generated(5)->data());
    EXPECT_NE(generated(5)->data(), generated(6)->data());
    Rng one(7);
    auto const first = fjsp_problem().generate("3x2", {}, one);
    auto const second = fjsp_problem().generate("3x2", {}, one);
    ASSERT_TRUE(first && second);
    EXPECT_NE(dynamic_cast<fjsp::Instance const&>(**first).data(),
              dynamic_cast<fjsp::Instance const&>(**second).data());
}

TEST(FjspGenerator, NamesWhatIsWrongWithSizeAndOptions) {
    EXPECT_EQ(generator_refusal("10"), "size '10' is not of the form JxM");
    EXPECT_EQ(generator_refusal("0x5"), "jobs: '0' is not a whole number from 1 to 10000");
    EXPECT_EQ(generator_refusal("5x"), "machines: '' is not a whole number from 1 to 10000");
    EXPECT_EQ(generator_refusal("5x-1"), "machines: '-1' is not a whole number from 1 to 10000");
    EXPECT_EQ(generator_refusal("9999x5"), "9999 jobs of max-ops (6) operations exceed 10000 operations");
    EXPECT_EQ(generator_refusal("1000x1000"), "machines (1000) times operations (6000) exceeds 1000000");
    EXPECT_EQ(generator_refusal("3x2", {{"min-ops", "7"}}), "min-ops (7) exceeds max-ops (6)");
    EXPECT_EQ(generator_refusal("3x2", {{"min-time", "30"}}), "min-time (30) exceeds max-time (20)");
    EXPECT_EQ(generator_refusal("3x2", {{"min-time", "20"}}),
              "min-time and max-time are both 20, which needs same-mean=0");
    EXPECT_EQ(generator_refusal("3x2", {{"min-time", "20"}, {"same-mean", "0"}}), "accepted");
    EXPECT_EQ(generator_refusal("3x2", {{"max-eligible", "3"}}), "max-eligible: '3' is not a whole number from 1 to 2");
    EXPECT_EQ(generator_refusal("3x2", {{"max-ops", "lots"}}), "max-ops: 'lots' is not a whole number from 1 to 10000");
    EXPECT_NE(generator_refusal("3x2", {{"speed", "1"}}).find("unknown option 'speed'"), std::string::npos);
}

} // namespace
} // namespace cax::test
