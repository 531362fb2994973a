#include "cax/records/parts.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace cax::records {
namespace {

TEST(RecordParts, NumbersThatJsonHasNotAreNull) {
    double const infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(number(1.5), Json(1.5));
    EXPECT_TRUE(number(infinite).is_null());
    EXPECT_TRUE(number(std::numeric_limits<double>::quiet_NaN()).is_null());
    EXPECT_TRUE(number(std::optional<double>()).is_null());
    EXPECT_TRUE(number(std::optional(-infinite)).is_null());
    EXPECT_EQ(count(std::size_t{3}), Json(3));
    EXPECT_TRUE(count(std::nullopt).is_null());
}

TEST(RecordParts, AFormKeepsItsOwnFieldsAndTheirOrder) {
    Json form = {{"b", nullptr}, {"a", 1}, {"c", "kept"}};
    fill(form, {{"a", 2}, {"b", 3}, {"d", 4}});
    EXPECT_EQ(form.dump(), R"({"b":3,"a":2,"c":"kept"})");
}

} // namespace
} // namespace cax::records
