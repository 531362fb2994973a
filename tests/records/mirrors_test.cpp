// What cannot include the table of parts repeats it: schemas, the page's types, Python's stubs, documents. A part that
// is missing in one of them fails here.
#include "cax/explain/parts.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace cax {
namespace {

std::string text_of(std::string const& path) {
    std::ifstream const file(std::filesystem::path(CAX_SOURCE_DIR) / path);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Json schema(std::string const& kind) { return Json::parse(text_of("docs/schemas/" + kind + ".json")); }

bool has(std::string const& text, std::string const& what) { return text.find(what) != std::string::npos; }

/// From a line that begins like this to the next line that begins at the margin.
std::string block(std::string const& text, std::string const& opening) {
    std::size_t const from = text.find("\n" + opening);
    EXPECT_NE(from, std::string::npos) << opening;
    std::size_t end = text.find('\n', from + 1);
    while (end != std::string::npos && end + 1 < text.size() && (text[end + 1] == ' ' || text[end + 1] == '\n')) {
        end = text.find('\n', end + 1);
    }
    return text.substr(from, end - from);
}

/// visit(field, it is a step's) for every field that a part fills.
template <class Part> void each_field(auto const& visit) {
    visit(std::string(Part::name), Part::about_decisions);
    for (std::string_view const field : Part::record_fields) visit(std::string(field), false);
}

bool contains(Json const& list, std::string const& word) { return std::ranges::find(list, Json(word)) != list.end(); }

TEST(PartMirrors, TheSchemaOfExplanationsDescribesAndRequiresEveryPart) {
    Json const whole = schema("explanation");
    Parts::each([&]<class Part> {
        each_field<Part>([&](std::string const& field, bool of_step) {
            Json const& place = of_step ? whole["properties"]["steps"]["items"] : whole;
            EXPECT_TRUE(place["properties"].contains(field)) << field;
            EXPECT_TRUE(contains(place["required"], field)) << field;
        });
    });
}

TEST(PartMirrors, EveryPartWithACommandHasASchemaOfItsResult) {
    std::size_t commands = 0;
    Parts::each([&]<class Part> {
        if constexpr (Part::command) {
            std::string const name(Part::name);
            Json const own = schema(name);
            EXPECT_EQ(own["properties"]["schema"]["const"], "cax/" + name + "/1");
            Json const& cell = own["properties"]["cells"]["items"];
            EXPECT_TRUE(cell["properties"].contains(name)) << name;
            EXPECT_TRUE(contains(cell["required"], name)) << name;
            ++commands;
        }
    });
    EXPECT_GE(commands, 1u);
}

TEST(PartMirrors, TheTypesOfThePageHaveEveryPart) {
    std::string const types = text_of("web/src/types.ts");
    std::string const step = block(types, "export interface Step ");
    std::string const explanation = block(types, "export interface Explanation ");
    Parts::each([&]<class Part> {
        each_field<Part>([&](std::string const& field, bool of_step) {
            std::string const& place = of_step ? step : explanation;
            EXPECT_TRUE(has(place, "\n    " + field + ":") || has(place, "\n    " + field + "?:")) << field;
        });
    });
}

TEST(PartMirrors, PythonAndItsStubsHaveEveryPart) {
    std::string const source = text_of("python/cax/explanation.py");
    std::string const stub = text_of("python/cax/explanation.pyi");
    std::string const own = block(stub, "class ExplainedDecision(");
    std::string const whole = block(stub, "class Explanation(");
    Parts::each([&]<class Part> {
        std::string const name(Part::name);
        EXPECT_TRUE(has(Part::about_decisions ? own : whole, fmt::format("    def {}(self)", name))) << name;
        EXPECT_TRUE(has(source, fmt::format("    {} = property(", name)) ||
                    has(source, fmt::format("    def {}(self)", name)))
            << name;
        if constexpr (Part::command) {
            EXPECT_TRUE(has(source, fmt::format("\"{}\": ", name))) << name << " is missing in PARTS";
            for (char const* file : {"python/cax/_explainer.py", "python/cax/__init__.pyi"}) {
                EXPECT_TRUE(has(text_of(file), fmt::format("    def {}(self, ", name))) << name << ": " << file;
            }
        }
    });
}

TEST(PartMirrors, GlossaryRecipeAndResultsNameEveryPart) {
    std::string const glossary = text_of("docs/glossary.md");
    std::size_t const entry = glossary.find("\n| **part** |");
    ASSERT_NE(entry, std::string::npos);
    std::string const part = glossary.substr(entry, glossary.find('\n', entry + 1) - entry);
    std::string const recipe = text_of("docs/howto/add-a-part.md");
    std::string const results = text_of("docs/results.md");
    Parts::each([&]<class Part> {
        std::string const quoted = fmt::format("`{}`", Part::name);
        EXPECT_TRUE(has(part, quoted)) << "glossary: " << quoted;
        EXPECT_TRUE(has(recipe, fmt::format("\n| {} | `", quoted))) << "add-a-part.md: " << quoted;
        if constexpr (Part::command) {
            EXPECT_TRUE(has(results, quoted)) << "results.md: " << quoted;
        }
    });
}

} // namespace
} // namespace cax
