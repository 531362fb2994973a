#include "cax/study/plan.hpp"

#include <gmock/gmock.h>
#include <map>

namespace cax::study {
namespace {

using testing::HasSubstr;

Result<Shard> in_array(std::string_view text, std::map<std::string, std::string> const& environment) {
    return shard_in_array(text, [&](std::string const& name) {
        auto const found = environment.find(name);
        return found == environment.end() ? std::nullopt : std::optional(found->second);
    });
}

std::map<std::string, std::string> array(char const* id, char const* first, char const* last, char const* count) {
    return {{"SLURM_ARRAY_TASK_ID", id},
            {"SLURM_ARRAY_TASK_MIN", first},
            {"SLURM_ARRAY_TASK_MAX", last},
            {"SLURM_ARRAY_TASK_COUNT", count}};
}

TEST(ShardInArray, IsTheTasksPlace) {
    EXPECT_EQ(*in_array("auto", array("5", "0", "63", "64")), (Shard{5, 64}));
    EXPECT_EQ(*in_array("auto/64", array("5", "5", "9", "2")), (Shard{5, 64}));
    EXPECT_EQ(*in_array("2/5", array("1", "0", "1", "2")), (Shard{2, 5})); // what is said counts
}

TEST(ShardInArray, RefusesWhatDoesNotSayHowManyThereAre) {
    auto const refusal = [](std::string_view text, std::map<std::string, std::string> const& environment) {
        auto const shard = in_array(text, environment);
        return shard ? std::string("accepted") : shard.error().message;
    };
    EXPECT_THAT(refusal("auto", {}), HasSubstr("SLURM_ARRAY_TASK_ID is not set"));
    EXPECT_THAT(refusal("auto", array("3", "3", "3", "1")), HasSubstr("1 tasks from 3 to 3"));
    EXPECT_THAT(refusal("auto", array("0", "0", "6", "4")), HasSubstr("--shard auto/n"));
    EXPECT_THAT(refusal("auto", array("x", "0", "6", "7")), HasSubstr("SLURM_ARRAY_TASK_ID: 'x' is no number"));
    EXPECT_THAT(refusal("auto/4", array("4", "0", "6", "7")), HasSubstr("4/4"));
    EXPECT_THAT(refusal("automatic", array("0", "0", "6", "7")), HasSubstr("0matic"));
}

TEST(Tasks, OnesOwnInstancesAreAllAskedAbout) {
    StoreHeader header{.version = "",
                       .settings = "",
                       .policies = {{"fjsp", 0, "", "", ""}, {"op", 0, "", "", ""}, {"op", 1, "", "", ""}},
                       .shard = {}};
    Settings settings;
    settings.instances = 2;
    settings.files["op"] = "5:abc";
    EXPECT_EQ(instances_of(settings, "op"), 5U);
    EXPECT_EQ(instances_of(settings, "fjsp"), 2U);
    EXPECT_EQ(tasks_of(header, settings).size(), 2U + 5 + 5);
    std::size_t parts = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        header.shard = {i, 4};
        parts += tasks_of(header, settings).size();
    }
    EXPECT_EQ(parts, 12U);
}

} // namespace
} // namespace cax::study
