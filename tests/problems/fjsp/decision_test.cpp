// Whole numbers of a decision model: whatever the times are, a model can hold them.
#include "shops.hpp"

#include "cax/model/constraint_model.hpp"
#include "cax/problems/questions.hpp"

#include <gtest/gtest.h>

namespace cax::test {
namespace {

bool needs_no_search(DecisionModel const& decision) { return decision.model.variables.empty(); }

TEST(FjspDecision, LeavesOutMachinesThatTakeLongerThanTheHorizon) {
    fjsp::Data data{
        .machines = 2,
        .jobs = {{{{0, 0.1F}, {1, 5000}}, {{0, 0.2F}, {1, 0.3F}}}, {{{0, 0.1F}, {1, 0.3F}}, {{0, 0.7F}, {1, 0.4F}}}}};
    for (float const time : {5.0F, 500.0F, 5000.0F, 1e9F, 1e30F}) {
        data.jobs[0][0][1].time = time;
        auto const shop = make_shop(data);
        for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
            auto const decision = decision_model_of(*shop, {.prefix = {}, .bound = 0.45}, rounding);
            ASSERT_TRUE(decision) << time << ": " << decision.error().message;
            auto const fits = validate(decision->model);
            EXPECT_TRUE(fits) << time << ": " << fits.error().message;
        }
    }
}

TEST(FjspDecision, SaysWhichOperationNoMachineCanDoInTime) {
    auto const shop = make_shop({.machines = 2, .jobs = {{{{0, 1}}, {{0, 3e9F}, {1, 2e9F}}}}});
    for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
        auto const decision = decision_model_of(*shop, {.prefix = {}, .bound = 2}, rounding);
        ASSERT_TRUE(decision);
        EXPECT_TRUE(needs_no_search(*decision));
        ASSERT_EQ(decision->model.constraints.size(), 1);
    }
}

TEST(FjspDecision, HoldsTimesOfAnySizeBesideAHorizonOfAnySize) {
    for (float const time : {1e-37F, 1e-12F, 1e-3F, 1.0F, 1e6F, 1e30F}) {
        auto const shop =
            make_shop({.machines = 2, .jobs = {{{{0, time}, {1, 2 * time}}, {{0, time}}}, {{{0, time}}}}});
        for (double const share : {1e-9, 0.5, 1.0, 2.0, 2.999999999, 3.0, 1e9}) {
            for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
                auto const decision = decision_model_of(*shop, {.prefix = {}, .bound = share * double{time}}, rounding);
                ASSERT_TRUE(decision) << time << " " << share << ": " << decision.error().message;
                EXPECT_TRUE(validate(decision->model)) << time << " " << share;
            }
        }
    }
}

} // namespace
} // namespace cax::test
