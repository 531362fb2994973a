#include "cax/explain/explanation_request.hpp"

#include "cax/core/json.hpp"
#include "cax/core/options.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cax {
namespace {

/// The parts that can be asked for, by name.
WordsTarget parts_target(ChosenParts& chosen) {
    WordsTarget target{.words = {}, .many = true, .get = {}, .set = {}};
    Parts::each([&]<class Part> {
        if constexpr (Part::in_parts_option) target.words.push_back({Part::name, ""});
    });
    target.get = [&chosen] {
        WordList words;
        Parts::each([&]<class Part> {
            if (Part::in_parts_option && chosen.has<Part>()) words.push_back(Part::name);
        });
        return words;
    };
    target.set = [&chosen](WordList const& words) {
        Parts::each([&]<class Part> {
            if (Part::in_parts_option) chosen.set<Part>(std::ranges::find(words, Part::name) != words.end());
        });
    };
    return target;
}

} // namespace

void describe_parts(OptionTable& table, ChosenParts& chosen) {
    WordsTarget const parts = parts_target(chosen);
    table.words("parts", parts, "Which explanations, separated by commas").default_is("all").as("parts", [parts] {
        auto const words = parts.get();
        return words.empty() ? Json("none") : Json(fmt::format("{}", fmt::join(words, ",")));
    });
}

void describe(OptionTable& table, ExplanationRequest& request) {
    table.choose({"step", "steps", "encode"}, request.decisions);
    table.find("step")->as("step", [&decisions = request.decisions] {
        return decisions.steps.empty() ? Json("all") : table_of(decisions).find("step")->get();
    });
    describe_parts(table, request.parts);
    Parts::each([&]<class Part> {
        table.group(std::string(Part::group));
        Part::describe(table, request.of<Part>());
    });
    table.group("");
}

Result<ExplainOptions> ExplanationRequest::resolve(ProblemInfo const& info) {
    ExplainOptions explain;
    explain.steps = decisions.steps;
    explain.first_steps = decisions.first;
    explain.parts = parts;
    std::optional<Error> error;
    Parts::each([&]<class Part> {
        if (error) return;
        auto options = Part::resolve(of<Part>(), info);
        if (options)
            explain.of<Part>() = *std::move(options);
        else
            error = options.error();
    });
    if (error) return *error;
    return explain;
}

} // namespace cax
