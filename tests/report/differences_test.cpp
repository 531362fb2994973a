// A change in any part of an explanation is seen, and the part is named.
#include "cax/report/differences.hpp"

#include "cax/core/json.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/registry.hpp"
#include "cax/records/explanation.hpp"
#include "explained.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace cax::report {
namespace {

/// All parts of all decisions of a small tour, as their record.
Json const& record_with_all_parts() {
    static Json const record = [] {
        Rng rng(3);
        auto const instance = find_problem("cvrptw")->generate("6", {}, rng);
        auto const policy = make_policy(test::random_policy("cvrptw", 16, 1, 5));
        EXPECT_TRUE(instance && policy);
        ExplainOptions options;
        Parts::each([&]<class Part> { options.parts.set<Part>(); });
        options.of<parts::WhyNot>().node = "2";
        options.of<parts::Counterfactual>().answer.search.shots = 16;
        options.of<parts::Alternatives>().search_work = 200;
        options.of<parts::Story>().work = 200;
        options.threads = 1;
        auto const found = test::explained(**policy, *instance, options);
        EXPECT_TRUE(found) << found.error().message;
        Json json = records::explanation_json(*found);
        json["schema"] = "cax/explanation/1";
        return json;
    }();
    return record;
}

/// The pointers to all numbers of a value that are compared.
void add_numbers(Json const& json, std::string const& at, std::vector<std::string>& all) {
    if (json.is_number()) all.push_back(at);
    if (!json.is_structured()) return;
    for (auto const& [name, value] : json.items()) {
        bool const drawn = name == "drawing" || name == "mark" || name == "scene" || name == "moment";
        if (drawn || name == "forward_passes" || name == "work") continue;
        add_numbers(value, at + "/" + name, all);
    }
}

/// Where a part stands in the record: in fields of the whole, and of every step.
template <class Part> std::vector<std::string> places_of(Json const& record) {
    std::vector<std::string> places;
    for (std::string_view const field : Part::record_fields) places.push_back("/" + std::string(field));
    if (Part::about_decisions) {
        for (std::size_t i = 0; i < record["steps"].size(); ++i) {
            places.push_back("/steps/" + std::to_string(i) + "/" + std::string(Part::name));
        }
    }
    return places;
}

std::vector<std::string> differences_after(Json const& record, std::string const& number) {
    Json changed = record;
    Json& value = changed[Json::json_pointer(number)];
    value = value.get<double>() + 1;
    auto const found = differences({"a.json", record}, {"b.json", changed});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : std::vector<std::string>{};
}

/// Without the indentation.
std::string bare(std::string const& line) { return line.substr(std::min(line.size(), line.find_first_not_of(' '))); }

TEST(Differences, AnyNumberOfAnyPartThatChangesIsSeenUnderTheNameOfThePart) {
    Json const& record = record_with_all_parts();
    std::map<std::string_view, std::size_t> tried;
    Parts::each([&]<class Part> {
        for (std::string const& place : places_of<Part>(record)) {
            std::vector<std::string> numbers;
            add_numbers(record.at(Json::json_pointer(place)), place, numbers);
            // The first and the last, which differ in how deep they are.
            if (numbers.size() > 2) numbers.erase(numbers.begin() + 1, numbers.end() - 1);
            for (std::string const& number : numbers) {
                auto const lines = differences_after(record, number);
                bool const step = place.starts_with("/steps");
                ASSERT_EQ(lines.size(), step ? 3u : 2u) << number << " of " << Part::name;
                EXPECT_EQ(bare(lines[step ? 1 : 0]), Part::name) << number;
                EXPECT_NE(lines.back().find(" -> "), std::string::npos) << lines.back();
                ++tried[Part::name];
            }
        }
    });
    // Heuristics say yes or no about a decision: those parts have no numbers.
    for (std::string_view const name : Parts::names) {
        EXPECT_TRUE(tried.contains(name) || name == parts::Thumb::name || name == parts::Forbidden::name) << name;
    }
}

TEST(Differences, AHeuristicThatChangesItsMindIsSeen) {
    Json changed = record_with_all_parts();
    Json& rules = changed["steps"][0]["thumb"];
    ASSERT_FALSE(rules.empty());
    rules.front() = !rules.front().get<bool>();
    auto const found = differences({"a.json", record_with_all_parts()}, {"b.json", changed});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 3u);
    EXPECT_EQ(bare((*found)[1]), "thumb");
}

TEST(Differences, ABlockedFavouriteThatAppearsIsSeen) {
    Json const& record = record_with_all_parts();
    Json changed = record;
    Json& blocked = changed["steps"][0]["forbidden"];
    ASSERT_TRUE(blocked.is_array());
    blocked.push_back({{"family", "capacity"}, {"action", 3}, {"probability", 0.5}});
    auto const found = differences({"a.json", record}, {"b.json", changed});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_FALSE(found->empty());
    EXPECT_EQ(bare((*found)[1]), "forbidden");
}

TEST(Differences, NothingDiffersFromItself) {
    auto const found = differences({"a.json", record_with_all_parts()}, {"b.json", record_with_all_parts()});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->empty());
}

} // namespace
} // namespace cax::report
