// Text formats of the tour problems, as others write them.
#include "tour_support.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/tsp/instance.hpp"
#include "cax/problems/tsptw/instance.hpp"

#include <gmock/gmock.h>

namespace cax::test {
namespace {

TextFormat const& format_of(std::string_view problem) {
    return find_problem(problem)->exchange().text_formats().front();
}

std::string refused(std::string_view problem, std::string_view text) {
    auto const read = format_of(problem).read(text, {});
    return read ? "" : read.error().message;
}

TEST(Tsplib, ReadsCitiesInTheOrderOfTheirNumbers) {
    std::string_view const text = "NAME: tri\nTYPE: TSP\nCOMMENT : three\nDIMENSION: 3\nEDGE_WEIGHT_TYPE : EUC_2D\n"
                                  "NODE_COORD_SECTION\n2 3.5 0\n1 0 0\n3 0 4e0\nEOF\n";
    ASSERT_TRUE(format_of("tsp").recognises(text));
    auto const read = format_of("tsp").read(text, {});
    ASSERT_TRUE(read) << read.error().message;
    auto const& data = dynamic_cast<tsp::Instance const&>(**read).data();
    EXPECT_EQ(data, (tsp::Data{.name = "tri", .locs = {{0, 0}, {3.5, 0}, {0, 4}}}));
    EXPECT_EQ((*read)->check(Routes{{{0, 1, 2}}}, DistanceRule::nearest_integer).cost, 4 + 5 + 4);
}

TEST(Tsplib, NamesTheLineThatIsWrong) {
    std::string const head = "NAME: x\nTYPE: TSP\nDIMENSION: 2\n";
    EXPECT_EQ(refused("tsp", head + "EDGE_WEIGHT_TYPE: GEO\n"),
              "line 4: EDGE_WEIGHT_TYPE 'GEO': only EUC_2D is supported");
    EXPECT_EQ(refused("tsp", "TYPE: ATSP\n"), "line 1: TYPE is 'ATSP', expected TSP");
    std::string const ready = head + "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n";
    EXPECT_EQ(refused("tsp", ready + "1 0 0\n"), "the coordinate of node 2 is missing");
    EXPECT_EQ(refused("tsp", ready + "1 0 0\n1 0 0\n"), "line 7: node 1 is listed twice");
    EXPECT_EQ(refused("tsp", ready + "3 0 0\n"), "line 6: '3' is not a node (1 to 2)");
    EXPECT_EQ(refused("tsp", ready + "1 0\n"), "line 6: expected 3 columns (node, x, y), found 2");
}

constexpr std::string_view dumas = "!! n3w20.001   16.75 391\n\nCUST NO.  XCOORD.    YCOORD.    DEMAND   [READY TIME]  "
                                   "[DUE DATE]   [SERVICE TIME]\n\n    1  16.00  23.00   0.00   0.00 408.00   0.00\n"
                                   "    2  22.00   4.00   0.00  62.00  68.00   0.00\n"
                                   "    3  12.00   6.00   0.00 181.00 205.00   0.00\n"
                                   "  999   0.00   0.00   0.00   0.00   0.00   0.00\n";

TEST(Dumas, ReadsRowsUpToTheirEndMark) {
    ASSERT_TRUE(format_of("tsptw").recognises(dumas));
    auto const read = format_of("tsptw").read(dumas, {});
    ASSERT_TRUE(read) << read.error().message;
    auto const& data = dynamic_cast<tsptw::Instance const&>(**read).data();
    EXPECT_EQ(data.name, "n3w20.001");
    EXPECT_EQ(data.time_windows, (std::vector<routing::Window>{{0, 408}, {62, 68}, {181, 205}}));
    EXPECT_TRUE(data.whole_windows);
    EXPECT_EQ((*read)->size(), "3");
}

TEST(Dumas, NamesTheLineThatIsWrong) {
    EXPECT_EQ(refused("tsptw", "CUST NO.\n1 0 0 0 0 9 0\n2 1 1 0 0 5 3\n"),
              "line 3: service time 3: only 0 is supported");
    EXPECT_EQ(refused("tsptw", "CUST NO.\n1 0 0 0 0 9 0\n3 1 1 0 0 5 0\n"), "line 3: node 3 where 2 was expected");
    EXPECT_EQ(refused("tsptw", "CUST NO.\n1 0 0 0 2 9 0\n"), "line 2: the depot opens at 2: the tour leaves at 0");
    EXPECT_EQ(refused("tsptw", "CUST NO.\n1 0 0 0 0 9 0\n2 1 1 0 7 5 0\n"),
              "customer 1: window closes (5) before it opens (7)");
}

} // namespace
} // namespace cax::test
