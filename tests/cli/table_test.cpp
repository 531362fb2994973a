#include "table.hpp"

#include <gtest/gtest.h>

namespace cax::cli {
namespace {

TEST(Table, AlignsWordsToTheLeftAndNumbersToTheRight) {
    Table table({"<name", "cost"});
    table.add({"a", "1.5"});
    table.add({"longer", "100.25"});
    EXPECT_EQ(table.text(), "  name      cost\n"
                            "  ------  ------\n"
                            "  a          1.5\n"
                            "  longer  100.25\n");
}

TEST(Table, IsOnlyAHeadingWithoutRows) { EXPECT_EQ(Table({"<x"}).text(), "  x\n  -\n"); }

} // namespace
} // namespace cax::cli
