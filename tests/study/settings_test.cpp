#include "cax/study/settings.hpp"

#include "cax/core/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cax::study {
namespace {

using testing::HasSubstr;

TEST(StudySettings, DefaultsAreThePapers) {
    Settings const settings;
    EXPECT_EQ(settings.instances, 16U);
    EXPECT_EQ(settings.steps, 8U);
    EXPECT_EQ(settings.shots, 128U);
    EXPECT_EQ(settings.resamples, 10000U);
    EXPECT_EQ(settings.subset.k_max, 25U);
}

TEST(StudySettings, SurviveTheirOwnJson) {
    Settings settings = quick_settings();
    settings.seed = ~std::uint64_t{0};
    settings.sizes["op"] = "30";
    auto const back = settings_from_json(to_json(settings));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(to_json(*back), to_json(settings));
}

TEST(StudySettings, ChangeOnlyWhatIsNamed) {
    auto const changed = settings_from_json(Json::parse(R"({"shots": 7, "subset": {"k_max": 3}})"));
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->shots, 7U);
    EXPECT_EQ(changed->subset.k_max, 3U);
    EXPECT_EQ(changed->instances, 16U);
    EXPECT_EQ(changed->subset.instances, 8U);
}

TEST(StudySettings, ErrorsNameTheFieldAndTheValue) {
    auto const message = [](char const* text) {
        auto const settings = settings_from_json(Json::parse(text));
        return settings ? std::string("accepted") : settings.error().message;
    };
    EXPECT_THAT(message(R"({"shots": 0})"), HasSubstr("shots: 0 is not a whole number from 1"));
    EXPECT_THAT(message(R"({"shots": -3})"), HasSubstr("shots: -3"));
    EXPECT_THAT(message(R"({"shots": "many"})"), HasSubstr("shots: \"many\""));
    EXPECT_THAT(message(R"({"shoots": 3})"), HasSubstr("shoots: no such setting; there are instances, steps"));
    EXPECT_THAT(message(R"({"subset": {"epsilon": 1.5}})"), HasSubstr("subset.epsilon: 1.5"));
    EXPECT_THAT(message(R"({"subset": 4})"), HasSubstr("subset: 4 is not an object"));
    EXPECT_THAT(message(R"({"subset": {"x": 4}})"), HasSubstr("subset.x: no such setting"));
    EXPECT_THAT(message(R"({"sizes": {"op": 20}})"), HasSubstr("sizes.op: 20 is not a size in quotes"));
    EXPECT_THAT(message(R"({"confidence": 1})"), HasSubstr("confidence: 1"));
    EXPECT_THAT(message("[]"), HasSubstr("settings: [] is not an object"));
    EXPECT_THAT(message("{}"), "accepted");
}

} // namespace
} // namespace cax::study
