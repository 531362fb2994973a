#include "cax/explain/explanation_request.hpp"
#include "cax/explain/requests.hpp"

#include "cax/core/json.hpp"
#include "cax/core/options.hpp"
#include "cax/problems/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace cax {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ProblemInfo const& info_of(char const* problem) { return find_problem(problem)->info(); }

template <class Request> void set(Request& request, std::map<std::string, Texts> const& given) {
    auto const ok = table_of(request).set(given);
    EXPECT_TRUE(ok) << ok.error().message;
}
/// What resolving says against it; empty if it is content.
template <class Request> std::string refusal(Request& request, ProblemInfo const& info) {
    auto const ok = request.resolve(info);
    return ok ? "" : ok.error().message;
}

template <class Request> class EveryRequest : public testing::Test {};
using Requests =
    testing::Types<DecisionChoice, AttributionRequest, CounterfactualRequest, SubsetRequest, ExplanationRequest>;
TYPED_TEST_SUITE(EveryRequest, Requests);

TYPED_TEST(EveryRequest, CanBeListedWithoutDoingAnything) {
    TypeParam request;
    OptionTable const table = table_of(request);
    std::set<std::string> names, fields;
    for (Option const& option : table.options()) {
        EXPECT_TRUE(names.insert(option.name).second) << option.name << " is there twice";
        if (!option.key.empty()) {
            EXPECT_TRUE(fields.insert(option.key).second) << option.key << " is there twice";
        }
        if (option.typed) {
            EXPECT_FALSE(option.help_text().empty()) << option.name;
            EXPECT_EQ(option.value.empty(), option.is_flag()) << option.name;
        }
    }
    EXPECT_EQ(table.json().size(), fields.size());
}

TEST(DecisionChoice, NamesStepsOfAnEpisode) {
    DecisionChoice choice;
    EXPECT_THAT(*choice.of(3), ElementsAre(0, 1, 2));
    EXPECT_EQ(choice.rollout_options().steps, 0U);
    set(choice, {{"steps", {"2"}}});
    EXPECT_THAT(*choice.of(3), ElementsAre(0, 1));
    EXPECT_THAT(*choice.of(1), ElementsAre(0)); // an episode may be shorter than that
    EXPECT_EQ(choice.rollout_options().steps, 2U);
    set(choice, {{"step", {"2,4"}}, {"encode", {"once"}}});
    EXPECT_THAT(*choice.of(4), ElementsAre(1, 3));
    EXPECT_EQ(choice.rollout_options().steps, 4U);
    EXPECT_EQ(choice.rollout_options().state.encode, EncodeMode::once);
    EXPECT_EQ(choice.of(3).error().message, "--step 4: the policy takes 3 decisions");
}

TEST(CounterfactualRequest, NamesTensorsOfTheProblem) {
    CounterfactualRequest request;
    set(request, {{"budget", {"locs=0.25"}}, {"box", {"prize=-1:2"}}, {"fix", {"max_length"}}});
    ASSERT_EQ(refusal(request, info_of("op")), "");
    PerturbationOptions const& moves = request.options.search.perturbation;
    EXPECT_EQ(moves.budgets[0], 0.25);
    EXPECT_FALSE(moves.budgets[1].has_value());
    EXPECT_EQ(moves.boxes[1]->low, -1);
    EXPECT_EQ(moves.boxes[1]->high, 2);
    EXPECT_THAT(moves.fixed, ElementsAre(0, 0, 1));
    Json const json = table_of(request).json();
    EXPECT_EQ(json["budgets"]["locs"], 0.25);
    EXPECT_EQ(json["budgets"]["prize"], info_of("op").tensors[1].budget);
    EXPECT_EQ(json["fixed"], Json::array({"max_length"}));
    EXPECT_EQ(refusal(request, info_of("fjsp")), "--budget: fjsp has no tensor 'locs', only proc_times, num_eligible");
}

TEST(CounterfactualRequest, BoundsAreKeptByACertificateThatCanKeepThem) {
    auto const asked = [](std::map<std::string, Texts> const& given) {
        CounterfactualRequest request;
        set(request, given);
        EXPECT_EQ(refusal(request, info_of("cvrptw")), "");
        EXPECT_EQ(request.options.certification.bound, 5.0);
        return request.options.certification.mode;
    };
    EXPECT_EQ(asked({{"fleet", {"5"}}}), Certification::bound);
    EXPECT_EQ(asked({{"fleet", {"5"}}, {"certify", {"prefix"}}}), Certification::prefix);
    CounterfactualRequest torn;
    set(torn, {{"fleet", {"5"}}, {"certify", {"none"}}});
    EXPECT_THAT(refusal(torn, info_of("cvrptw")), HasSubstr("choose one"));
    CounterfactualRequest foreign;
    set(foreign, {{"horizon", {"5"}}});
    EXPECT_EQ(refusal(foreign, info_of("cvrptw")), "--horizon: cvrptw is bounded by --fleet");
    ExplanationRequest explanation; // which certifies with the prefix
    set(explanation, {{"fleet", {"5"}}});
    auto const options = explanation.resolve(info_of("cvrptw"));
    ASSERT_TRUE(options);
    EXPECT_EQ(options->of<parts::Counterfactual>().answer.certification.mode, Certification::prefix);
    EXPECT_EQ(options->of<parts::Counterfactual>().answer.certification.bound, 5.0);
}

TEST(AttributionRequest, GivenMultipliersAndComputedOnesExcludeEachOther) {
    AttributionRequest given;
    set(given, {{"lambda", {"prize=2"}}});
    ASSERT_EQ(refusal(given, info_of("op")), "");
    EXPECT_EQ(given.multipliers.backend, Backend::given);
    EXPECT_EQ(given.multipliers.given[0], 2.0);
    AttributionRequest both;
    set(both, {{"lambda", {"prize=2"}}, {"backend", {"lp"}}});
    EXPECT_THAT(refusal(both, info_of("op")), HasSubstr("choose one"));
}

TEST(ExplanationRequest, StartsFromTheDefaultsOfTheLibraryAndTakesPartsByName) {
    ExplanationRequest request;
    auto const plain = request.resolve(info_of("op"));
    ASSERT_TRUE(plain);
    EXPECT_TRUE(plain->of<parts::Counterfactual>().answer.refine && plain->parts.has<parts::Attribution>() &&
                plain->parts.has<parts::Subset>());
    EXPECT_THAT(plain->steps, IsEmpty());
    set(request, {{"parts", {"subset"}}, {"step", {"3"}}, {"refine", {"false"}}, {"method", {"occlusion"}}});
    auto const options = request.resolve(info_of("op"));
    ASSERT_TRUE(options);
    EXPECT_EQ(options->parts, ChosenParts::of<parts::Subset>());
    EXPECT_FALSE(options->of<parts::Counterfactual>().answer.refine);
    EXPECT_EQ(options->of<parts::Attribution>().attribution.method, AttributionMethod::occlusion);
    EXPECT_THAT(options->steps, ElementsAre(2));
}

} // namespace
} // namespace cax
