#include "cax/study/names.hpp"

#include "cax/study/plan.hpp"

#include <gtest/gtest.h>
#include <set>

namespace cax::study {
namespace {

std::vector<Stage> every_stage() {
    std::vector<Stage> all;
    auto const add = [&](auto kind) {
        for (auto const& entry : names_of(kind)) all.emplace_back(entry.value);
    };
    add(SingleStage{});
    add(Search{});
    add(SubsetVariant{});
    add(Intervention{});
    add(Asked{});
    return all;
}

TEST(StageNames, LeadBackToTheirStagesAndAreDifferent) {
    std::set<std::string> names;
    for (Stage const& stage : every_stage()) {
        EXPECT_EQ(stage_named(stage_name(stage)), stage) << stage_name(stage);
        names.insert(stage_name(stage));
    }
    EXPECT_EQ(names.size(), every_stage().size());
    EXPECT_EQ(stage_name(Search::replay), "counterfactual/replay");
    EXPECT_FALSE(stage_named("counterfactual"));
    EXPECT_FALSE(stage_named("replay"));
    EXPECT_FALSE(stage_named(""));
}

TEST(AttributorNames, LeadBackToSourceAndMasses) {
    for (auto const& source : names_of(Source{})) {
        for (auto const& mass : names_of(MassReading{})) {
            Attributor const attributor(source.value, mass.value);
            auto const read = attributor_named(attributor_name(attributor));
            ASSERT_TRUE(read) << read.error().message;
            EXPECT_EQ(*read, attributor);
        }
    }
    EXPECT_EQ(attributor_name(Source::lp), "lp");
    EXPECT_FALSE(attributor_named("lp/heavy"));
    EXPECT_FALSE(attributor_named("/node"));
}

TEST(UnitNames, LeadBackToTheNormAndItsUnits) {
    for (Norm const norm : {Norm::l1, Norm::l2, Norm::linf}) {
        for (bool const relative : {false, true}) {
            auto const read = unit_named(unit_name({norm, relative}));
            ASSERT_TRUE(read) << read.error().message;
            EXPECT_EQ(*read, (MassUnit{norm, relative}));
        }
    }
    EXPECT_FALSE(unit_named("relative-l7"));
}

TEST(Variants, ThereIsOneForEverySearch) {
    ASSERT_EQ(counterfactual_variants().size(), names_of(Search{}).size());
    for (auto const& search : names_of(Search{})) EXPECT_EQ(variant_of(search.value).search, search.value);
}

} // namespace
} // namespace cax::study
