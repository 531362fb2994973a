// Against optima that were proved by others.
#include "cax/oracle/cost_to_go.hpp"

#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "data.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

TEST(CostToGo, OfTheValidationSetsFleetsEqualsTheirProvenOptima) {
    CAX_REQUIRE_SHARED("validation/cvrptw50.npz");
    auto const file = io::read_instances(test::shared_path("validation/cvrptw50.npz"));
    ASSERT_TRUE(file) << file.error().message;
    auto const text = io::read_text(test::shared_path("validation/best_known.json"));
    ASSERT_TRUE(text);
    auto const best = io::parse_best_known(*text, "cvrptw50", file->instances);
    ASSERT_TRUE(best) << best.error().message;
    for (std::size_t const i : {3U, 4U, 6U}) {
        auto const answer = cost_to_go(file->instances[i], {});
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_TRUE(answer->proved) << i;
        ASSERT_TRUE((*best)[i].optimal);
        EXPECT_NEAR(answer->cost, (*best)[i].cost, 1e-5) << i;
    }
}

} // namespace
} // namespace cax
