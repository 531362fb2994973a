#include "cax/core/options.hpp"

#include "cax/core/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

enum class Colour { red, green, blue };
constexpr std::array colours{Named<Colour>{Colour::red, "red", "like a rose"}, Named<Colour>{Colour::green, "green"},
                             Named<Colour>{Colour::blue, "blue"}};
NameTable<Colour> names_of(Colour) { return colours; }

struct Paint {
    bool matt = false;
    bool dry = true;
    std::uint64_t coats = 2;
    std::optional<std::uint64_t> room;
    double litres = 1.5;
    std::string name;
    Texts brushes{"wide"};
    Colour colour = Colour::green;
    std::vector<Colour> stripes;
    std::vector<std::size_t> walls;
    TextMap sizes;
};

void describe(OptionTable& table, Paint& paint) {
    table.flag("matt", paint.matt, "Without a shine");
    table.flag("dry", paint.dry, "Wait until it is dry").on_or_off();
    table.value("coats", paint.coats, "n", "How many coats").range(1, 1'000'000'000'000'000'000);
    table.value("room", paint.room, "n", "Which room");
    table.value("litres", paint.litres, "L", "How much").between(0, 100);
    table.value("name", paint.name, "NAME", "What it is called");
    table.value("brush", paint.brushes, "BRUSH", "With what").or_commas().as("brushes");
    table.choice("colour", paint.colour, "Which colour", {Colour::blue});
    table.choices("stripes", paint.stripes, "Which stripes");
    table.places("wall", {&paint.walls, 1, "walls"}, "LIST", "Which walls");
    table.value("sizes", paint.sizes, "SIZE", "Of things").as("inner.sizes");
    table.value("hidden-name", paint.name, "NAME", "The same, in another place").as("inner.name");
}

class Options : public testing::Test {
protected:
    Paint paint_;

    /// What the option says against it; empty if it took it.
    std::string set(std::string const& option, Texts const& values) {
        auto const ok = table_of(paint_).set({{option, values}});
        return ok ? "" : ok.error().message;
    }
    std::string read(Json const& json) {
        auto const ok = table_of(paint_).read(json);
        return ok ? "" : ok.error().message;
    }
};

TEST_F(Options, CountsAreWholeNumbersHoweverTheyAreWritten) {
    for (auto const& [text, value] :
         std::vector<std::pair<std::string, std::uint64_t>>{{"7", 7},
                                                            {"007", 7},
                                                            {"2.5e5", 250'000},
                                                            {"1E3", 1000},
                                                            {"1e+2", 100},
                                                            {"30e-1", 3},
                                                            {"4.0", 4},
                                                            {"1e18", 1'000'000'000'000'000'000}}) {
        EXPECT_EQ(set("coats", {text}), "") << text;
        EXPECT_EQ(paint_.coats, value) << text;
    }
    EXPECT_EQ(set("room", {"18446744073709551615"}), "");
    EXPECT_EQ(*paint_.room, ~std::uint64_t{0});
}

TEST_F(Options, CountsRefuseWhatIsNegativeBrokenOrTooLarge) {
    EXPECT_EQ(set("coats", {"-3"}), "--coats: -3 is negative");
    EXPECT_EQ(set("coats", {"2.5"}), "--coats: 2.5 is not a whole number");
    EXPECT_EQ(set("coats", {"1e-1"}), "--coats: 1e-1 is not a whole number");
    for (std::string const text : {"", "x", "3x", "e5", ".", "1e", "0x10", "1 000", "+3", "nan"}) {
        EXPECT_EQ(set("coats", {text}), "--coats: '" + text + "' is not a whole number");
    }
    for (std::string const text : {"18446744073709551616", "1e20", "1e999999999", "99999999999999999999999"}) {
        EXPECT_THAT(set("room", {text}), HasSubstr("--room: " + text + " is too large")) << text;
    }
    EXPECT_EQ(set("coats", {"0"}), "--coats: 0 is not a whole number from 1 to 1000000000000000000");
    EXPECT_EQ(paint_.coats, 2U);
}

TEST_F(Options, ValuesThatAProgramSetAreCheckedLikeTypedOnes) {
    auto const check = [&] {
        auto const ok = table_of(paint_).check();
        return ok ? std::string() : ok.error().message;
    };
    EXPECT_EQ(check(), "");
    paint_.coats = 0;
    EXPECT_EQ(check(), "coats: 0 is not a whole number from 1 to 1000000000000000000");
    paint_.coats = 1;
    paint_.litres = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(check(), "litres: nan is not a number between 0 and 100");
}

TEST_F(Options, ARangeMayExcludeItsUpperEndAlone) {
    double share = 0;
    OptionTable table;
    table.value("share", share, "P", "Of the budget").from_to_below(0, 1);
    EXPECT_TRUE(table.check());
    share = 1;
    auto const ok = table.check();
    ASSERT_FALSE(ok);
    EXPECT_EQ(ok.error().message, "share: 1 is not a number from 0 to below 1");
}

TEST_F(Options, NumbersAreFiniteAndInTheirRange) {
    EXPECT_EQ(set("litres", {"2.25"}), "");
    EXPECT_EQ(paint_.litres, 2.25);
    EXPECT_EQ(set("litres", {"-1"}), "--litres: -1 is negative");
    EXPECT_EQ(set("litres", {"0"}), "--litres: 0 is not a number between 0 and 100");
    for (std::string const text : {"nan", "inf", "two", "", "1e999", "-nan"}) {
        EXPECT_EQ(set("litres", {text}), "--litres: '" + text + "' is not a number");
    }
}

TEST_F(Options, WordsComeFromTheEnumsOwnTableAndAnUnknownOneListsThem) {
    EXPECT_EQ(set("colour", {"red"}), "");
    EXPECT_EQ(paint_.colour, Colour::red);
    EXPECT_EQ(set("colour", {"pink"}), "--colour: 'pink' is not one of red, green");
    EXPECT_EQ(set("colour", {"blue"}), "--colour: 'blue' is not one of red, green"); // programs alone choose that
    EXPECT_EQ(set("stripes", {"red,blue"}), "");
    EXPECT_THAT(paint_.stripes, ElementsAre(Colour::red, Colour::blue));
    EXPECT_EQ(set("stripes", {"all"}), "");
    EXPECT_EQ(paint_.stripes.size(), 3U);
    EXPECT_EQ(set("stripes", {"none"}), "");
    EXPECT_THAT(paint_.stripes, IsEmpty());
    EXPECT_EQ(set("stripes", {"green", "red", "green"}), "");
    EXPECT_THAT(paint_.stripes, ElementsAre(Colour::green, Colour::red));
    EXPECT_EQ(set("stripes", {"red,pink"}), "--stripes: 'pink' is not one of red, green, blue, all, none");
}

TEST_F(Options, PlacesAreListsAndRangesCountedAsPeopleDo) {
    EXPECT_EQ(set("wall", {"3,5,8-10"}), "");
    EXPECT_THAT(paint_.walls, ElementsAre(2, 4, 7, 8, 9));
    EXPECT_EQ(set("wall", {"4,1-2,2"}), "");
    EXPECT_THAT(paint_.walls, ElementsAre(0, 1, 3));
    EXPECT_EQ(set("wall", {"all"}), "");
    EXPECT_THAT(paint_.walls, IsEmpty());
    EXPECT_EQ(set("wall", {"0"}), "--wall: 0: walls count from 1");
    EXPECT_EQ(set("wall", {"0-3"}), "--wall: 0: walls count from 1");
    for (std::string const part : {"", "x", "5-2", "3-", "1.5", "2--3"}) {
        EXPECT_EQ(set("wall", {"1," + part}), "--wall: '" + part + "' is not a list of walls such as 3 or 3,5,8-12");
    }
    EXPECT_THAT(set("wall", {"1-99999999999"}), HasSubstr("there are not so many walls"));
    EXPECT_EQ(set("wall", {"-1"}), "--wall: -1 is negative");
}

TEST_F(Options, FlagsTextsAndListsTakeWhatIsGiven) {
    EXPECT_EQ(set("dry", {"false"}), "");
    EXPECT_FALSE(paint_.dry);
    EXPECT_EQ(set("name", {"dawn, early"}), "");
    EXPECT_EQ(paint_.name, "dawn, early");
    EXPECT_EQ(set("brush", {"a,b", "c"}), "");
    EXPECT_THAT(paint_.brushes, ElementsAre("a", "b", "c"));
}

TEST_F(Options, ShowThemselvesInJsonInTheirOrderAndReadThatBack) {
    paint_.walls = {0, 2};
    paint_.sizes["door"] = "2x1";
    paint_.name = "dawn";
    Json const json = table_of(paint_).json();
    EXPECT_EQ(json.dump(), R"({"matt":false,"dry":true,"coats":2,"room":null,"litres":1.5,"name":"dawn",)"
                           R"("brushes":["wide"],"colour":"green","stripes":[],"wall":[0,2],)"
                           R"("inner":{"sizes":{"door":"2x1"},"name":"dawn"}})");
    Paint other;
    other.room = 3;
    ASSERT_TRUE(table_of(other).read(json));
    EXPECT_EQ(table_of(other).json(), json);
    paint_.walls = {4};
    EXPECT_EQ(table_of(paint_).json()["wall"], 4);
    paint_.walls.clear();
    EXPECT_TRUE(table_of(paint_).json()["wall"].is_null());
}

TEST_F(Options, ErrorsInJsonNameTheFieldAndTheValue) {
    EXPECT_EQ(read(Json{{"coats", "many"}}), "coats: \"many\" is not a whole number from 1 to 1000000000000000000");
    EXPECT_EQ(read(Json{{"coats", -1}}), "coats: -1 is not a whole number from 1 to 1000000000000000000");
    EXPECT_EQ(read(Json{{"matt", 1}}), "matt: 1 is not true or false");
    EXPECT_EQ(read(Json{{"name", 1}}), "name: 1 is not a name in quotes");
    EXPECT_EQ(read(Json{{"colour", "pink"}}), "colour: 'pink' is not one of red, green");
    EXPECT_EQ(read(Json{{"inner", {{"sizes", {{"door", 2}}}}}}), "inner.sizes.door: 2 is not a size in quotes");
    EXPECT_EQ(read(Json{{"inner", 3}}), "inner: 3 is not an object");
    EXPECT_EQ(read(Json{{"inner", {{"x", 3}}}}), "inner.x: no such setting; there are sizes, name");
    EXPECT_THAT(read(Json{{"coat", 3}}), HasSubstr("coat: no such setting; there are matt, dry, coats"));
    EXPECT_EQ(read(Json::array()), "settings: [] is not an object");
}

TEST_F(Options, HelpKnowsWordsAndDefaults) {
    OptionTable table = table_of(paint_);
    EXPECT_EQ(table.find("colour")->help_text(), "Which colour. red: like a rose; green");
    EXPECT_EQ(table.find("colour")->default_text(), "green");
    EXPECT_EQ(table.find("stripes")->help_text(), "Which stripes. red: like a rose; green; blue; all; none");
    EXPECT_EQ(table.find("coats")->help_text(), "How many coats");
    EXPECT_EQ(table.find("coats")->default_text(), "2");
    EXPECT_EQ(table.find("brush")->default_text(), "wide");
    EXPECT_EQ(table.find("matt")->default_text(), "");
    EXPECT_EQ(table.find("room")->default_text(), "");
}

struct Preset {
    bool old = false;
    std::uint64_t coats = 2;
    double litres = 1;
};
void describe(OptionTable& table, Preset& preset) {
    table.value("coats", preset.coats, "n", "How many coats").then([&] { preset.litres = 5; });
    table.value("litres", preset.litres, "L", "How much");
    table.flag("old", preset.old, "As it was done before").first().then([&] { preset.coats = 9; });
}

TEST(OptionOrder, PresetsComeFirstAndWhatIsGivenBesideThemWins) {
    Preset preset;
    ASSERT_TRUE(table_of(preset).set({{"coats", {"3"}}, {"old", {"true"}}}));
    EXPECT_TRUE(preset.old);
    EXPECT_EQ(preset.coats, 3U);
    EXPECT_EQ(preset.litres, 5);
    ASSERT_TRUE(table_of(preset).set({{"coats", {"4"}}, {"litres", {"2"}}}));
    EXPECT_EQ(preset.litres, 2); // after the effect of coats, which comes before it
    preset = {};
    ASSERT_TRUE(table_of(preset).set({{"old", {"false"}}}));
    EXPECT_EQ(preset.coats, 2U); // switched off: nothing happens
}

TEST(OptionChoice, TakesSomeOptionsOfAStructInAnotherOrder) {
    Preset preset;
    OptionTable table;
    table.choose({"litres", "coats"}, preset);
    ASSERT_EQ(table.options().size(), 2U);
    EXPECT_EQ(table.options().front().name, "litres");
    ASSERT_TRUE(table.set({{"coats", {"7"}}}));
    EXPECT_EQ(preset.coats, 7U);
    EXPECT_EQ(table.json().dump(), R"({"litres":5.0,"coats":7})");
}

struct Renamed {
    std::uint64_t samples = 1;
    double tolerance = 0;
    std::vector<Colour> colours;
};
void describe(OptionTable& table, Renamed& renamed) {
    table.value("samples", renamed.samples, "n", "How many").formerly({"shots", "noise-shots"});
    table.value("tolerance", renamed.tolerance, "T", "How exact").as("search.tolerance").formerly({"grain"});
    table.choices("colours", renamed.colours, "Which").word_formerly("crimson", "red");
}

TEST(RenamedOptions, AreUnderstoodByTheirFormerNamesWhichAreReported) {
    Renamed renamed;
    std::map<std::string, Texts> const given{{"noise-shots", {"5"}}, {"grain", {"2"}}, {"colours", {"blue,crimson"}}};
    OptionTable const table = table_of(renamed);
    ASSERT_TRUE(table.set(given));
    EXPECT_EQ(renamed.samples, 5U);
    EXPECT_EQ(renamed.tolerance, 2);
    EXPECT_THAT(renamed.colours, ElementsAre(Colour::blue, Colour::red));
    EXPECT_THAT(table.deprecations(given), ElementsAre("--noise-shots is now --samples", "--grain is now --tolerance",
                                                       "crimson of --colours is now red"));
}

TEST(RenamedOptions, GiveWayToTheirPresentNames) {
    Renamed renamed;
    std::map<std::string, Texts> const given{{"shots", {"5"}}, {"samples", {"7"}}};
    ASSERT_TRUE(table_of(renamed).set(given));
    EXPECT_EQ(renamed.samples, 7U);
    EXPECT_THAT(table_of(renamed).deprecations({{"samples", {"7"}}, {"colours", {"red"}}}), IsEmpty());
}

TEST(RenamedOptions, AreReadFromSettingsOfTheVersionBefore) {
    Renamed renamed;
    auto const ok = table_of(renamed).read(Json::parse(R"({"shots":5,"search":{"grain":0.5},"colours":["crimson"]})"));
    ASSERT_TRUE(ok) << ok.error().message;
    EXPECT_EQ(renamed.samples, 5U);
    EXPECT_EQ(renamed.tolerance, 0.5);
    EXPECT_THAT(renamed.colours, ElementsAre(Colour::red));
    EXPECT_EQ(table_of(renamed).json().dump(), R"({"samples":5,"search":{"tolerance":0.5},"colours":["red"]})");
    auto const wrong = table_of(renamed).read({{"shots", "many"}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message.substr(0, 7), "shots: ");
}

TEST(RenamedOptions, OfAnErrorAreCalledAsTheyWereTyped) {
    Renamed renamed;
    auto const wrong = table_of(renamed).set({{"shots", {"many"}}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message, "--shots: 'many' is not a whole number");
}

TEST(Pairs, AreSplitAtTheFirstEqualsSign) {
    auto const pairs = parse_pairs({"a=1", "b=c=d", "e="}, "--set");
    ASSERT_TRUE(pairs);
    EXPECT_EQ(*pairs, (TextMap{{"a", "1"}, {"b", "c=d"}, {"e", ""}}));
    EXPECT_EQ(parse_pairs({"a"}, "--set").error().message, "--set: 'a' is not key=value");
    EXPECT_EQ(parse_pairs({"=1"}, "--set").error().message, "--set: '=1' is not key=value");
    EXPECT_EQ(*parse_number("-0.5", "x"), -0.5);
    EXPECT_EQ(parse_number("inf", "--box locs").error().message, "--box locs: 'inf' is not a number");
}

} // namespace
} // namespace cax
