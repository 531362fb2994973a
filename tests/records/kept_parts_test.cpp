#include "cax/records/kept_parts.hpp"

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
class TextParts final : public KeptParts {
public:
    explicit TextParts(InstancePtr instance) : instance_(std::move(instance)) {}

    bool recall(std::size_t step, Subset& part) const override {
        auto const json = find(step, "subset");
        return json && records::read_kept(*json, part);
    }
    bool recall(std::size_t step, Sensitivity& part) const override {
        auto const json = find(step, "sensitivity");
        return json && records::read_kept(*json, part);
    }
    bool recall(std::size_t step, Alternatives& part) const override {
        auto const json = find(step, "alternatives");
        return json && records::read_kept(*instance_, *json, part);
    }
    void keep(std::size_t step, Subset const& part) override { keep(step, "subset", records::kept_json(part)); }
    void keep(std::size_t step, Sensitivity const& part) override {
        keep(step, "sensitivity", records::kept_json(part));
    }
    void keep(std::size_t step, Alternatives const& part) override {
        keep(step, "alternatives", records::kept_json(*instance_, part));
    }
    void forget_every_third() {
        std::size_t place = 0;
        std::erase_if(texts_, [&](auto const&) { return ++place % 3 == 0; });
    }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }

private:
    using Place = std::pair<std::size_t, std::string>;
    [[nodiscard]] std::optional<Json> find(std::size_t step, char const* part) const {
        std::scoped_lock const lock(mutex_);
        auto const found = texts_.find(Place(step, part));
        return found == texts_.end() ? std::nullopt : std::optional(Json::parse(found->second));
    }
    void keep(std::size_t step, char const* part, Json const& json) {
        std::scoped_lock const lock(mutex_);
        texts_[Place(step, part)] = json.dump();
    }

    InstancePtr instance_;
    std::map<Place, std::string> texts_;
    mutable std::mutex mutex_;
};

Json without_seconds(Explanation const& explanation) {
    Json json = records::explanation_json(explanation);
    json.erase("seconds");
    for (Json& step : json["steps"]) step.erase("seconds");
    return json;
}

class KeptPartsOf : public testing::TestWithParam<Problem const*> {};

TEST_P(KeptPartsOf, AnExplanationThatGoesOnIsTheOneThatWasNotInterrupted) {
    std::string const name(GetParam()->info().name);
    auto const policy = make_policy(test::random_policy(name, {.embed_dim = 16, .layers = 1}, 5),
                                    {.precision = Precision::float64, .threads = 1});
    ASSERT_TRUE(policy) << policy.error().message;
    Rng rng(11);
    auto const instance = GetParam()->generate(name == "fjsp" ? "3x2" : "6", {}, rng);
    ASSERT_TRUE(instance);
    for (Acceptance const accept : {Acceptance::empirical, Acceptance::certified}) {
        ExplainOptions options;
        options.counterfactuals.search.shots = 8;
        options.subsets.k_max = 4;
        options.subsets.accept = accept;
        options.threads = 2;
        auto const whole = explain(**policy, *instance, options);
        ASSERT_TRUE(whole) << whole.error().message;
        auto const kept = std::make_shared<TextParts>(*instance);
        options.kept = kept;
        auto const first = explain(**policy, *instance, options);
        ASSERT_TRUE(first);
        EXPECT_EQ(without_seconds(*first), without_seconds(*whole));
        EXPECT_EQ(kept->size(), 3 * whole->steps.size());
        auto const again = explain(**policy, *instance, options); // everything is there
        EXPECT_EQ(without_seconds(*again), without_seconds(*whole));
        kept->forget_every_third();
        auto const part = explain(**policy, *instance, options);
        EXPECT_EQ(without_seconds(*part), without_seconds(*whole));
    }
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, KeptPartsOf, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& each) { return std::string(each.param->info().name); });

TEST(KeptParts, AreNotReadFromWhatIsNone) {
    Subset subset;
    Sensitivity sensitivity;
    for (char const* text : {"{}", "[]", "3", R"({"at": [1]})", R"({"at": ["x", 1, 2]})"}) {
        EXPECT_FALSE(records::read_kept(Json::parse(text), subset)) << text;
        EXPECT_FALSE(records::read_kept(Json::parse(text), sensitivity)) << text;
    }
}

} // namespace
} // namespace cax
