#include "table.hpp"

#include <gtest/gtest.h>

namespace cax::cli {
namespace {

TEST(Wrapped, BreaksLinesAtSpaces) {
    EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
    EXPECT_EQ(wrapped("one two three", 100), "one two three");
}

TEST(Wrapped, KeepsLineBreaksOfTheText) {
    EXPECT_EQ(wrapped("a title\n\nand more words", 9), "a title\n\nand more\nwords");
}

TEST(Wrapped, LeavesAWordThatIsLongerThanTheLine) {
    EXPECT_EQ(wrapped("a verylongword b", 4), "a\nverylongword\nb");
    EXPECT_EQ(wrapped("", 4), "");
}

} // namespace
} // namespace cax::cli
