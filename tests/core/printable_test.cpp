#include "cax/core/printable.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

TEST(Printable, LeavesTextAlone) {
    EXPECT_EQ(printable("locs [4, 51, 2]"), "locs [4, 51, 2]");
    EXPECT_EQ(printable(""), "");
    EXPECT_EQ(printable("d\xC3\xA9p\xC3\xB4t \xE2\x82\xAC \xF0\x9F\x9A\x9A"),
              "d\xC3\xA9p\xC3\xB4t \xE2\x82\xAC \xF0\x9F\x9A\x9A");
}

TEST(Printable, ReplacesWhatATerminalWouldObey) {
    EXPECT_EQ(printable("two\nlines\r\t\x1B[31m\x7F"), "two?lines???[31m?");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
    EXPECT_EQ(printable("\xC2\x9B"), "??");      // the one-character form of ESC [
    EXPECT_EQ(printable("\xE2\x80\xA8"), "???"); // the line separator
}

TEST(Printable, ReplacesWhatIsNotUtf8) {
    EXPECT_EQ(printable("\xFF\xFE"), "??");
    EXPECT_EQ(printable("\xC3"), "?");                // cut off
    EXPECT_EQ(printable("\xC0\xAF"), "??");           // longer than it need be
    EXPECT_EQ(printable("\xED\xA0\x80"), "???");      // half of a surrogate pair
    EXPECT_EQ(printable("\xF4\x90\x80\x80"), "????"); // beyond the last character
}

TEST(Printable, CutsWhatIsLongBetweenCharacters) {
    EXPECT_EQ(printable(std::string(81, 'x')), std::string(80, 'x') + "...");
    EXPECT_EQ(printable(std::string(80, 'x')), std::string(80, 'x'));
    std::string euros;
    for (int i = 0; i < 100; ++i) euros += "\xE2\x82\xAC";
    EXPECT_EQ(printable(euros), euros.substr(0, 81) + "...");
}

} // namespace
} // namespace cax
