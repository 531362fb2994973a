// What a session says about a changed instance is what explain() says about that instance.
#include "cax/serve/session.hpp"

#include "cax/policies/rollout.hpp"
#include "cax/policies/decode.hpp"
#include "cax/policies/watched_policy.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/registry.hpp"
#include "cax/records/explanation.hpp"
#include "explained.hpp"
#include "what_if.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

namespace cax::serve {
namespace {

using enum RequestKind;
using test::Asking;
using test::without_seconds;

std::vector<std::string> problem_names() {
    std::vector<std::string> names;
    for (Problem const* problem : all_problems()) names.emplace_back(problem->info().name);
    return names;
}

class SessionOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Problems, SessionOf, testing::ValuesIn(problem_names()),
                         [](auto const& chosen) { return chosen.param; });

/// Some number of the instance that is moved a little: the first that is there and may be.
NumberEdit some_edit(Asking& asking, double factor = 1.1) {
    for (std::size_t node = 0; node < 8; ++node) {
        Json const numbers = asking.node(node);
        for (Json const& entry : numbers["entries"]) {
            if (entry["value"] == 0.0) continue;
            return {entry["tensor"], entry["index"], factor * entry["value"].get<double>()};
        }
        if (!numbers["place"].is_null() && numbers["entries"].empty() && node > 3) break;
    }
    return {"locs", 5, 0.4};
}

/// What explain() says of an instance, shown to the policy as every command shows it.
Json explained(Policy const& policy, InstancePtr const& instance, ExplainOptions options) {
    auto const fit = instance->problem().presentation().into_domain(instance);
    EXPECT_TRUE(fit);
    auto const found = test::explained(policy, fit->instance, options);
    EXPECT_TRUE(found) << found.error().message;
    return without_seconds(records::explanation_json(*found));
}

ExplainOptions walk_only() {
    ExplainOptions options = test::what_if_options().explain;
    options.parts = {};
    return options;
}

/// An instance that is changed by hand, without the session's help.
InstancePtr changed_by_hand(Instance const& instance, NumberEdit const& edit) {
    auto const& tensors = instance.problem().info().tensors;
    std::size_t t = 0;
    while (tensors[t].name != edit.tensor) ++t;
    Features change = instance.reset()->features();
    double const before = change[t].values[edit.index];
    for (Feature& feature : change) std::ranges::fill(feature.values, 0.0);
    change[t].values[edit.index] = edit.to / units_of(instance, t).scale - before;
    auto const made = changed(instance, change, ChangeKind::primitive);
    EXPECT_TRUE(made) << made.error().message;
    return *made;
}

TEST_P(SessionOf, BeginsWithThePlanThatSolveMakes) {
    Asking asking(GetParam());
    Json const answer = asking.ask(open);
    ASSERT_EQ(answer["status"], "ok") << answer;
    auto const episode = decode(*asking.policy, std::span(&asking.instance, 1), {});
    ASSERT_TRUE(episode);
    EXPECT_EQ(answer["record"]["solution"]["actions"], Json(episode->front().actions));
    Json record = answer["record"];
    record["steps"][0]["alternatives"] = nullptr;
    Json const plain = explained(*asking.policy, asking.instance, walk_only());
    record = without_seconds(record);
    for (auto const& item : plain.items()) EXPECT_EQ(record[item.key()], item.value()) << item.key();
}

TEST_P(SessionOf, SaysOfAChangedInstanceWhatExplainSaysOfIt) {
    Asking asking(GetParam());
    NumberEdit const edit = some_edit(asking);
    InstancePtr const by_hand = changed_by_hand(*asking.instance, edit);
    Json const dragged = asking.edit({edit}, drag);
    ASSERT_EQ(dragged["status"], "ok") << dragged;
    Json const kept = asking.edit({edit});
    ASSERT_EQ(kept["status"], "ok") << kept;
    Json const moving = without_seconds(dragged["record"]);
    Json const resting = without_seconds(kept["record"]);
    EXPECT_EQ(moving["solution"], resting["solution"]);
    EXPECT_EQ(moving["steps"][0], resting["steps"][0]); // the one that is looked at
    for (std::size_t t = 0; t < resting["steps"].size(); ++t) {
        for (char const* field : {"action", "words", "probability", "runner_up", "mark", "moment"}) {
            EXPECT_EQ(moving["steps"][t][field], resting["steps"][t][field]) << t << field;
        }
    }
    EXPECT_EQ(without_seconds(kept["record"])["solution"], explained(*asking.policy, by_hand, walk_only())["solution"]);
    EXPECT_EQ(to_json(*asking.saved()), to_json(*by_hand));

    for (std::size_t const at : {1U, 0U}) { // the second one finds some of it known
        Json const rested = asking.ask(RequestKind::explain, {.step = at});
        ASSERT_EQ(rested["status"], "ok") << rested;
        ExplainOptions options = test::what_if_options().explain;
        options.steps = {at};
        Json expected = explained(*asking.policy, by_hand, options);
        Json found = without_seconds(rested["record"]);
        for (Json* const step : {&expected["steps"][0], &found["steps"][at]}) {
            for (Json& line : (*step)["lines"]) line.erase("fields");
        }
        EXPECT_EQ(found["steps"][at], expected["steps"][0]);
        EXPECT_TRUE(rested["live"]["explained"]);
    }
}

TEST_P(SessionOf, ShowsAllProbabilitiesOfTheStepThatIsLookedAt) {
    Asking asking(GetParam());
    Json const answer = asking.ask(look, {.step = 1});
    auto const episodes = rollout(*asking.policy, std::span(&asking.instance, 1), {.state = {.encode = EncodeMode::once}});
    ASSERT_TRUE(episodes);
    Decision const& decision = episodes->front().decisions[1];
    Json const& all = answer["record"]["steps"][1]["alternatives"];
    ASSERT_EQ(all.size(), decision.log_probs.size());
    for (std::size_t a = 0; a < all.size(); ++a) {
        EXPECT_EQ(all[a]["probability"], decision.state->action_mask()[a] != 0 ? std::exp(decision.log_probs[a]) : 0.0);
        EXPECT_EQ(all[a]["cost_status"], "unpriced");
    }
    EXPECT_TRUE(answer["record"]["steps"][0]["alternatives"].is_null());
}

TEST_P(SessionOf, GoesBackAndForth) {
    Asking asking(GetParam());
    Json const first = asking.ask(look);
    Json const second = asking.edit({some_edit(asking)});
    EXPECT_TRUE(second["live"]["undo"]);
    EXPECT_EQ(second["live"]["changes"].size(), 1);
    EXPECT_TRUE(second["record"]["instances_sha256"].is_null());
    auto const same = [](Json const& a, Json const& b) {
        return without_seconds(a["record"]) == without_seconds(b["record"]);
    };
    Json const back = asking.ask(undo);
    EXPECT_TRUE(same(back, first));
    EXPECT_FALSE(back["live"]["undo"]);
    EXPECT_TRUE(same(asking.ask(redo), second));
    EXPECT_EQ(asking.ask(redo)["status"], "refused");
    EXPECT_TRUE(same(asking.ask(reset), first));
    EXPECT_TRUE(same(asking.ask(undo), second));
    asking.ask(undo);
    EXPECT_EQ(asking.ask(undo)["words"], "there is nothing to undo");
    EXPECT_EQ(to_json(*asking.saved()), to_json(*asking.instance));
}

TEST_P(SessionOf, InsistsOnADecisionAndComparesIt) {
    Asking asking(GetParam());
    auto const episodes = rollout(*asking.policy, std::span(&asking.instance, 1), {.state = {.encode = EncodeMode::once}});
    std::size_t step = 0;
    while (step < episodes->front().decisions.size() && !episodes->front().decisions[step].runner_up()) ++step;
    ASSERT_LT(step, episodes->front().decisions.size()) << "nothing to decide";
    Decision const& decision = episodes->front().decisions[step];
    std::size_t const other = *decision.runner_up();

    Json const held = asking.ask(lock, {.step = step, .action = other});
    ASSERT_EQ(held["status"], "ok") << held;
    Json const actions = held["record"]["solution"]["actions"];
    EXPECT_EQ(actions[step], other);
    EXPECT_EQ(held["record"]["steps"][step]["policy"]["action"], decision.action) << "what the policy would do";
    EXPECT_EQ(held["record"]["steps"][step]["policy"]["agrees"], false);
    // The naive way: what was done before, the action, then the greedy rest.
    StatePtr const state = decision.state->clone();
    state->step(other);
    for (std::size_t t = step + 1; !state->done(); ++t) {
        Observation const seen = asking.policy->observe(*state);
        std::size_t const next = most_probable(asking.policy->log_probs(std::span(&seen, 1)).front());
        ASSERT_EQ(actions[t], next);
        state->step(next);
    }
    EXPECT_EQ(held["live"]["locks"][0]["words"], describe_action(*decision.state, other));
    EXPECT_TRUE(held["live"]["locks"][0]["comparison"].is_null());

    Json const compared = asking.ask(RequestKind::explain, {.step = step});
    ASSERT_EQ(compared["status"], "ok") << compared;
    Json const& sides = compared["live"]["locks"][0]["comparison"];
    EXPECT_EQ(sides["insisted"]["action"], other);
    EXPECT_EQ(sides["own"]["action"], decision.action);
    bool const valid = held["record"]["solution"]["valid"];
    if (valid) {
        EXPECT_EQ(sides["insisted"]["policy_cost"], held["record"]["solution"]["cost"]);
        double const sign = asking.instance->problem().info().objective == Objective::minimise ? 1 : -1;
        EXPECT_LE(sign * sides["insisted"]["cost"].get<double>(),
                  sign * sides["insisted"]["policy_cost"].get<double>());
    }
    EXPECT_EQ(asking.ask(RequestKind::explain, {.step = step, .whole = true})["status"], "refused");

    Json const freed = asking.ask(unlock, {.step = step});
    EXPECT_EQ(freed["record"]["solution"]["actions"], Json(episodes->front().actions()));
    EXPECT_EQ(asking.ask(unlock, {.step = step})["status"], "refused");
    EXPECT_EQ(asking.ask(lock, {.step = 9999, .action = 0})["status"], "refused");
}

TEST_P(SessionOf, ExplainsTheWholePlan) {
    Asking asking(GetParam());
    asking.edit({some_edit(asking)});
    Json const answer = asking.ask(RequestKind::explain, {.whole = true});
    ASSERT_EQ(answer["status"], "ok") << answer;
    ExplainOptions options = test::what_if_options().explain;
    options.parts.set<parts::Regret>(); // of a whole plan
    Json const expected = explained(*asking.policy, asking.saved(), options);
    Json const found = without_seconds(answer["record"]);
    for (auto const& item : expected.items()) EXPECT_EQ(found[item.key()], item.value()) << item.key();
    EXPECT_TRUE(answer["live"]["whole"]);
    Json const file = asking.ask(save, {.as = SavedAs::explanation});
    Json const saved = Json::parse(file["text"].get<std::string>());
    EXPECT_EQ(saved["story"], found["story"]);
    EXPECT_NE(saved["notes"].dump().find("What if: "), std::string::npos);
}

TEST(Session, RefusesWhatCannotBeInOurWordsAndChangesNothing) {
    Asking asking("cvrptw");
    Json const before = asking.ask(look);
    auto const refused = [&](std::vector<Edit> const& edits) -> std::string {
        for (RequestKind const kind : {drag, edit}) {
            Json const answer = asking.edit(edits, kind);
            EXPECT_EQ(answer["status"], "refused") << answer;
            if (kind == edit) return answer.value("words", "");
        }
        return "";
    };
    Json const window = asking.node(3)["entries"];
    auto const entry = [&](std::string_view what) -> Json {
        for (Json const& each : window) {
            if (each["label"].get<std::string>().find(what) != std::string::npos) return each;
        }
        ADD_FAILURE() << window;
        return {};
    };
    Json const closes = entry("closes");
    Json const opens = entry("opens");
    std::string const late = refused({NumberEdit{"time_windows", closes["index"], opens["value"].get<double>() - 1}});
    EXPECT_TRUE(late.starts_with("customer 3: window closes (")) << late;
    EXPECT_NE(refused({NumberEdit{"demand", 2, 2.0 * entry("demand")["highest"].get<double>() + 1000}}), "");
    EXPECT_EQ(refused({NumberEdit{"prize", 2, 1}}), "cvrptw has no numbers called 'prize'");
    EXPECT_EQ(Asking("fjsp").edit({NumberEdit{"num_eligible", 0, 2}})["words"],
              "operation 1 of job 1: eligible machines cannot be changed");
    EXPECT_NE(refused({PlaceEdit{99, 1, 1}}).find("has no entry"), std::string::npos);
    // So far away that nobody gets there before the window closes.
    std::string const far = refused({PlaceEdit{3, 1e5, 1e5}});
    EXPECT_NE(far.find("it could not visit customer 3 (arrival before the window closes: "), std::string::npos) << far;
    Json const after = asking.ask(look);
    EXPECT_EQ(without_seconds(after["record"]), without_seconds(before["record"]));
    EXPECT_FALSE(after["live"]["undo"]);
}

TEST(Session, MovesPlacesAndSaysSo) {
    Asking asking("op");
    Json const answer = asking.edit({PlaceEdit{3, 0.25, 0.75}});
    ASSERT_EQ(answer["status"], "ok") << answer;
    EXPECT_EQ(answer["record"]["scene"]["nodes"][3]["x"], 0.25);
    EXPECT_EQ(answer["record"]["scene"]["nodes"][3]["y"], 0.75);
    EXPECT_EQ(asking.node(3)["place"], Json({0.25, 0.75}));
    EXPECT_EQ(answer["live"]["changes"].size(), 2);
    EXPECT_EQ(Asking("fjsp").edit({PlaceEdit{3, 1, 1}})["words"], "no operation of fjsp has a place");
}

TEST(Session, AnswersALateRequestAsStale) {
    Asking asking("op");
    asking.ask(look);
    asking.sequence = 0;
    Json const late = asking.ask(undo);
    EXPECT_EQ(late["status"], "stale");
    EXPECT_EQ(late["sequence"], 1);
}

/// Waits at its first question until it is told to go on.
class SlowPolicy final : public Policy {
public:
    explicit SlowPolicy(Policy const& policy) : policy_(policy) {}
    PolicyInfo const& info() const override { return policy_.info(); }
    PolicyTraits traits() const override { return policy_.traits(); }
    Result<void> accepts(Observation const& seen) const override { return policy_.accepts(seen); }
    std::unique_ptr<Encoding> encode(std::span<Observation const> seen) const override {
        wait();
        return policy_.encode(seen);
    }
    std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                 std::span<Observation const> seen, LogProbKind kind) const override {
        ++questions;
        return policy_.decode(encoding, rows, seen, kind);
    }
    std::vector<LogProbs> log_probs(std::span<Observation const> seen, LogProbKind kind) const override {
        ++questions;
        return policy_.log_probs(seen, kind);
    }
    bool encoding_changes() const override { return policy_.encoding_changes(); }
    std::vector<Gradient> gradients(std::span<Observation const> seen, std::span<std::vector<double> const> weights,
                                    LogProbKind kind) const override {
        ++questions;
        return policy_.gradients(seen, weights, kind);
    }

    void hold() { hold_ = true; }
    mutable std::latch asked{1};
    std::latch go_on{1};
    mutable std::atomic<int> questions = 0;

private:
    void wait() const {
        if (!hold_.exchange(false)) return;
        asked.count_down();
        go_on.wait();
    }
    Policy const& policy_;
    mutable std::atomic<bool> hold_ = false;
};

TEST(Session, CallsOffAnExplanationThatNobodyWaitsForAnyMore) {
    auto const policy = test::what_if_policy("op");
    SlowPolicy slow(*policy);
    auto const session = Session::make(slow, test::what_if_instance("op"), test::what_if_options());
    ASSERT_TRUE(session);
    slow.hold();
    Json explained;
    std::thread asking(
        [&] { explained = (*session)->answer({.kind = RequestKind::explain, .sequence = 1, .step = 0}); });
    slow.asked.wait();
    // The hand moves again: the answer comes while the explanation still stands where it stood.
    Json const dragged = (*session)->answer({.kind = drag, .sequence = 2, .edits = {PlaceEdit{2, 0.5, 0.5}}});
    EXPECT_EQ(dragged["status"], "ok") << dragged;
    int const questions = slow.questions;
    slow.go_on.count_down();
    asking.join();
    EXPECT_EQ(explained["status"], "stale");
    EXPECT_EQ(slow.questions, questions) << "it went on asking";
}

TEST(Session, EndsWhatIsBeingComputedWhenItIsClosed) {
    auto const policy = test::what_if_policy("op");
    SlowPolicy slow(*policy);
    auto const session = Session::make(slow, test::what_if_instance("op"), test::what_if_options());
    slow.hold();
    Json moved;
    std::thread asking([&] {
        moved = (*session)->answer({.kind = edit, .sequence = 1, .edits = {PlaceEdit{2, 1, 1}}});
    });
    slow.asked.wait();
    (*session)->close();
    slow.go_on.count_down();
    asking.join();
    EXPECT_EQ(moved["status"], "stale");
    EXPECT_EQ((*session)->answer({.kind = look, .sequence = 2})["status"], "stale");
}

} // namespace
} // namespace cax::serve
