#include "cax/records/tables.hpp"

#include "cax/records/parts.hpp"

#include <gtest/gtest.h>

namespace cax::records {
namespace {

TidyTable const& named(std::vector<TidyTable> const& tables, std::string const& name) {
    for (TidyTable const& table : tables) {
        if (table.name == name) return table;
    }
    ADD_FAILURE() << "no table " << name;
    return tables.front();
}

Json swaps() {
    return {{"schema", "cax/swap/1"},
            {"cells",
             {{{"instance", 3},
               {"step", 1},
               {"action", 4},
               {"words", "visit customer 4, \"quickly\""},
               {"swap",
                {{"status", "computed"},
                 {"other", 2},
                 {"other_words", "visit customer 2"},
                 {"margin", 0.5},
                 {"families", {{"prize", 0.75}, {"spatial", -0.25}}},
                 {"single", {{"prize", -1.0}, {"spatial", 1.0}}},
                 {"top", "prize"}}}},
              {{"instance", 3},
               {"step", 2},
               {"action", 0},
               {"words", "return"},
               {"swap",
                {{"status", "no_choice"},
                 {"other", nullptr},
                 {"other_words", nullptr},
                 {"margin", nullptr},
                 {"families", nullptr},
                 {"single", nullptr},
                 {"top", nullptr}}}}}}};
}

TEST(TidyTables, HaveOneRowPerDecisionAndFamily) {
    auto const tables = tables_of(swaps());
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(tables[0].name, "swaps");
    ASSERT_EQ(tables[0].rows.size(), 3u);
    EXPECT_EQ(Json(tables[0].rows[1]), Json({3, 1, 4, "visit customer 4, \"quickly\"", "computed", 2,
                                             "visit customer 2", 0.5, "spatial", -0.25, 1.0, false}));
    EXPECT_EQ(tables[0].rows[2][4], "no_choice"); // a decision without an answer keeps its row
    for (auto const& row : tables[0].rows) EXPECT_EQ(row.size(), tables[0].columns.size());
}

TEST(TidyTables, QuoteAsCsvAsksFor) {
    std::string const csv = tables_of(swaps())[0].csv();
    EXPECT_EQ(csv.substr(0, csv.find("\r\n")),
              "instance,step,action,words,status,other,other_words,margin,family,effect,single,top");
    EXPECT_NE(
        csv.find(
            "3,1,4,\"visit customer 4, \"\"quickly\"\"\",computed,2,visit customer 2,0.5,prize,0.75,-1.0,true\r\n"),
        std::string::npos)
        << csv;
    EXPECT_NE(csv.find("3,2,0,return,no_choice,,,,,,,\r\n"), std::string::npos) << csv;
}

TEST(TidyTables, ReadNodesOfAttributionsByFamily) {
    Json const result = {
        {"schema", "cax/attribution/1"},
        {"families", {"prize", "spatial"}},
        {"instances",
         {{{"instance", 0},
           {"steps",
            {{{"step", 0},
              {"action", 1},
              {"words", "visit customer 1"},
              {"status", "computed"},
              {"top", "spatial"},
              {"families",
               {{"prize", {{"mass", 3.0}, {"lambda", nullptr}, {"score", nullptr}, {"share", nullptr}}},
                {"spatial", {{"mass", 7.0}, {"lambda", 1.0}, {"score", 7.0}, {"share", 1.0}}}}},
              {"nodes", {{1.0, 3.0}, {2.0, 4.0}}}}}}}}}};
    auto const tables = tables_of(result);
    auto const& nodes = named(tables, "attribution_nodes");
    ASSERT_EQ(nodes.rows.size(), 4u);
    EXPECT_EQ(Json(nodes.rows[3]), Json({0, 0, 1, "visit customer 1", "spatial", 1, 4.0}));
    EXPECT_EQ(named(tables, "attributions").rows[1].back(), true);
}

TEST(TidyTables, AreNoneForKindsThatExplainNothing) {
    EXPECT_TRUE(tables_of({{"schema", "cax/solve/1"}, {"instances", Json::array()}}).empty());
}

TEST(Position, IsThatOfTheFlatIndexInTheTensorsShape) {
    EXPECT_EQ(position({4, 3, 2}, 17), Json({2, 2, 1}));
    EXPECT_EQ(position({5}, 3), Json({3}));
    EXPECT_EQ(position({}, 0), Json::array());
}

} // namespace
} // namespace cax::records
