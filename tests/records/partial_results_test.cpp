#include "explained.hpp"
#include "parts/partial.hpp"
#include "random_policy.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/registry.hpp"
#include "cax/records/explanation.hpp"

#include <gtest/gtest.h>
#include <map>
#include <mutex>

namespace cax {
namespace {

/// Parts as lines of text, as a partial file has them.
class TextParts final : public PartialResults {
public:
    Json const* recall(std::size_t step, std::string_view part) const override {
        std::scoped_lock const lock(mutex_);
        auto const found = texts_.find(Place(step, part));
        if (found == texts_.end()) return nullptr;
        return &(read_[found->first] = Json::parse(found->second));
    }
    void keep(std::size_t step, std::string_view part, Json const& value) override {
        std::scoped_lock const lock(mutex_);
        texts_[Place(step, part)] = value.dump();
    }
    void forget_every_third() {
        std::size_t place = 0;
        std::erase_if(texts_, [&](auto const&) { return ++place % 3 == 0; });
    }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }

private:
    using Place = std::pair<std::size_t, std::string>;

    std::map<Place, std::string> texts_;
    mutable std::map<Place, Json> read_;
    mutable std::mutex mutex_;
};

Json without_seconds(Explanation const& explanation) {
    Json json = records::explanation_json(explanation);
    json.erase("seconds");
    for (Json& step : json["steps"]) step.erase("seconds");
    return json;
}

class PartialResultsOf : public testing::TestWithParam<Problem const*> {};

TEST_P(PartialResultsOf, AnExplanationThatGoesOnIsTheOneThatWasNotInterrupted) {
    std::string const name(GetParam()->info().name);
    auto const policy = make_policy(test::random_policy(name, {.embed_dim = 16, .layers = 1}, 5),
                                    {.precision = Precision::float64, .threads = 1});
    ASSERT_TRUE(policy) << policy.error().message;
    Rng rng(11);
    auto const instance = GetParam()->generate(name == "fjsp" ? "3x2" : "6", {}, rng);
    ASSERT_TRUE(instance);
    for (Acceptance const accept : {Acceptance::empirical, Acceptance::certified}) {
        ExplainOptions options;
        options.of<parts::Counterfactual>().answer.search.shots = 8;
        options.of<parts::Subset>().k_max = 4;
        options.of<parts::Subset>().accept = accept;
        options.threads = 2;
        auto const whole = test::explained(**policy, *instance, options);
        ASSERT_TRUE(whole) << whole.error().message;
        auto const kept = std::make_shared<TextParts>();
        options.partial = kept;
        auto const first = test::explained(**policy, *instance, options);
        ASSERT_TRUE(first);
        EXPECT_EQ(without_seconds(*first), without_seconds(*whole));
        EXPECT_EQ(kept->size(), 3 * whole->steps.size());
        auto const again = test::explained(**policy, *instance, options); // everything is there
        EXPECT_EQ(without_seconds(*again), without_seconds(*whole));
        kept->forget_every_third();
        auto const part = test::explained(**policy, *instance, options);
        EXPECT_EQ(without_seconds(*part), without_seconds(*whole));
    }
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, PartialResultsOf, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& each) { return std::string(each.param->info().name); });

TEST(PartialResults, AreNotReadFromWhatIsNone) {
    Subset subset;
    Sensitivity sensitivity;
    for (char const* text : {"{}", "[]", "3", R"({"at": [1]})", R"({"at": ["x", 1, 2]})"}) {
        EXPECT_FALSE(read_partial(Json::parse(text), subset)) << text;
        EXPECT_FALSE(read_partial(Json::parse(text), sensitivity)) << text;
    }
}

} // namespace
} // namespace cax
