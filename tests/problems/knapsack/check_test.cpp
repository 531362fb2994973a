#include "support.hpp"

#include <gmock/gmock.h>

namespace cax::knapsack::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> wrong(std::vector<std::size_t> items) {
    return make(four_items())->check(Packing{std::move(items)}).violations;
}

TEST(KnapsackCheck, AcceptsWhatFitsAndAddsUpItsValue) {
    EXPECT_THAT(wrong({}), IsEmpty());
    EXPECT_THAT(wrong({1, 2}), IsEmpty()); // exactly full
    EXPECT_EQ(make(four_items())->check(Packing{{1, 2}}).cost, 9);
}

TEST(KnapsackCheck, NamesWhatIsTooMuch) {
    EXPECT_THAT(wrong({0, 1}), ElementsAre("weight 11 is more than 10"));
    EXPECT_THAT(wrong({1, 3}), ElementsAre("volume 10 is more than 8"));
    EXPECT_THAT(wrong({0, 1, 2}), ElementsAre("weight 16 is more than 10", "volume 10 is more than 8"));
}

TEST(KnapsackCheck, RefusesItemsThatDoNotExistOrComeTwice) {
    EXPECT_THAT(wrong({4}), ElementsAre("there is no item 4 (items are 0 to 3)"));
    EXPECT_THAT(wrong({3, 3}), ElementsAre("item 3 is packed twice", "volume 12 is more than 8"));
    EXPECT_THAT(make(four_items())->check(Routes{}).violations, ElementsAre("the solution is no packing"));
}

TEST(KnapsackCheck, TellsWhetherAPackingAnswersAQuestion) {
    auto const instance = make(four_items());
    EXPECT_TRUE(instance->check_answer(Packing{{1, 2}}, {.prefix = {2, 1}, .bound = 9}).valid());
    EXPECT_THAT(instance->check_answer(Packing{{1, 2}}, {.prefix = {0}, .bound = {}}).violations,
                ElementsAre("item 0 is not packed"));
    EXPECT_THAT(instance->check_answer(Packing{{1, 2}}, {.prefix = {}, .bound = 9.1}).violations,
                ElementsAre("the packing is worth 9, less than 9.1"));
}

/// Random subsets of random instances, against the definition in whole units.
TEST(KnapsackCheck, AgreesWithTheDefinitionOnRandomSubsets) {
    std::size_t valid = 0, invalid = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        auto const instance = generated("12", seed);
        Data const& data = instance->data();
        Rng rng(3, static_cast<std::uint32_t>(seed));
        Packing packing;
        long weight = 0, volume = 0;
        for (std::size_t i = 0; i < 12; ++i) {
            if (rng.below(2) == 0) continue;
            packing.items.push_back(i);
            weight += std::lround(double{data.weights[i]} * double{data.max_weight});
            volume += std::lround(double{data.volumes[i]} * double{data.max_volume});
        }
        bool const fits = weight <= std::lround(data.max_weight) && volume <= std::lround(data.max_volume);
        ASSERT_EQ(instance->check(packing).valid(), fits) << seed;
        (fits ? valid : invalid) += 1;
    }
    EXPECT_GT(valid, 200U);
    EXPECT_GT(invalid, 200U);
}

} // namespace
} // namespace cax::knapsack::test
