#include "table.hpp"

#include <gtest/gtest.h>

namespace cax::cli {
namespace {

TEST(Table, AlignsWordsToTheLeftAndNumbersToTheRight) {
    Table table({"<name", "cost"});
    table.add("a", 1.5);
    table.add("longer", 100.25);
    EXPECT_EQ(table.text(), "  name      cost\n"
                            "  ------  ------\n"
                            "  a          1.5\n"
                            "  longer  100.25\n");
}

TEST(Table, LeavesOutAColumnThatMayBeEmptyAndIs) {
    Table table({"<name", "?cost", "?<why"});
    table.add("a", "", "so");
    table.add("b", "", "");
    EXPECT_EQ(table.text(), "  name  why\n"
                            "  ----  ---\n"
                            "  a     so\n"
                            "  b\n");
}

TEST(Table, CountsCharactersAndNotBytesNorColours) {
    Table table({"<name", "n"});
    table.add("Köln", 1);
    table.add("\033[38;5;17m░░\033[0m", 12);
    EXPECT_EQ(table.text(), "  name   n\n"
                            "  ----  --\n"
                            "  Köln   1\n"
                            "  \033[38;5;17m░░\033[0m    12\n");
}

TEST(Table, SaysHowManyRowsItDoesNotShow) {
    Table table({"n"});
    for (int i = 0; i < 5; ++i) table.add(i == 4 ? "wide" : "1");
    EXPECT_EQ(table.text(3), "  n\n  -\n  1\n  1\n  1\n  ... and 2 more\n");
    EXPECT_EQ(Table({"n"}).text(3), "  n\n  -\n");
}

TEST(Table, IsOnlyAHeadingWithoutRows) { EXPECT_EQ(Table({"<x"}).text(), "  x\n  -\n"); }

} // namespace
} // namespace cax::cli
