#include "explanation/story.hpp"

#include "explanation/sentence_builder.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

std::string step_at(std::size_t place) { return fmt::format("/steps/{}", place); }

class Story {
public:
    Story(StepWords const& words, Explanation const& explanation)
        : words_(words), explanation_(explanation), plan_(*explanation.plan) {}

    std::vector<Sentence> tell() {
        tell_plan();
        tell_given();
        tell_best_known();
        tell_dead_end();
        tell_costs();
        tell_close_calls();
        tell_fragile();
        tell_rules();
        tell_blocked();
        tell_thumb();
        tell_odd();
        return std::move(story_);
    }

private:
    [[nodiscard]] Step const& step(std::size_t place) const { return explanation_.steps[place]; }

    /// "step 3": counted from 1, as people do; the field counts from 0.
    SentenceBuilder& say_step(SentenceBuilder& s, std::size_t place) const {
        return s.say("step ").written(step_at(place) + "/step", fmt::format("{}", step(place).step + 1));
    }

    void tell_plan() {
        SentenceBuilder s(Topic::plan, Evidence::exact);
        std::string const cost(words_.info.cost_word);
        if (explanation_.external) {
            s.say("The plan of ").words("/given/whose", explanation_.external->source).say(", not the policy's own, has ");
        } else {
            s.say("The plan has ");
        }
        s.say(cost + " ").number("/solution/cost", explanation_.report.cost).say(": ");
        s.number("/plan/decisions", plan_.decisions).say(plan_.decisions == 1 ? " decision" : " decisions");
        if (plan_.forced > 0)
            s.say(", and ")
                .number("/plan/forced", plan_.forced)
                .say(plan_.forced == 1 ? " step without a choice" : " steps without a choice");
        s.say(".");
        if (auto const& wrong = explanation_.report.violations; !wrong.empty()) {
            s.say(" It is no solution: ").words("/solution/violations/0", wrong.front());
            if (wrong.size() > 1) s.say(", among others");
            s.say(".");
        }
        story_.push_back(s.done());
    }

    /// A plan that was given, beside what the policy would make of it.
    void tell_given() {
        if (!explanation_.external) return;
        Episode::External const& given = *explanation_.external;
        SentenceBuilder s(Topic::plan, Evidence::exact);
        if (plan_.differing.empty()) {
            s.say("The policy would have decided alike at every step");
        } else {
            std::size_t const place = plan_.differing.front();
            s.say("The policy would have decided otherwise at ");
            s.number("/plan/differing_steps", plan_.differing.size()).say(" of them, first at ");
            say_step(s, place).say(": ").words(step_at(place) + "/policy/words", step(place).favourite->words);
            s.say(", not ").words(step_at(place) + "/words", step(place).choice.words);
        }
        s.say("; left alone it makes a plan of " + std::string(words_.info.cost_word) + " ");
        story_.push_back(s.number("/given/policy_cost", given.policy_cost).say(".").done());
    }

    void tell_best_known() {
        if (!explanation_.best_known) return;
        BestKnown const& best = *explanation_.best_known;
        bool const proved = best.status == CostStatus::proved;
        SentenceBuilder s(Topic::plan, proved                               ? Evidence::proved
                                       : best.status == CostStatus::bounded ? Evidence::bounded
                                                                            : Evidence::sampled);
        if (!explanation_.report.valid()) {
            s.say("A plan that keeps all rules has " + std::string(words_.info.cost_word) + " ");
            s.number("/best_known/cost", best.cost).say(proved ? ", and no such plan is better" : "");
        } else if (best.gap <= 0) {
            s.say(proved ? "No plan is better" : "A search found no better plan");
        } else {
            bool const above = words_.info.objective == Objective::minimise;
            s.say(explanation_.external ? "This plan's " : "The policy's ").say(std::string(words_.info.cost_word)).say(" is ");
            s.number("/best_known/loss", std::fabs(explanation_.report.cost - best.cost));
            s.say(above ? " above the best" : " below the best").say(proved ? ": " : " found: ");
            s.number("/solution/cost", explanation_.report.cost).say(" against ");
            s.number("/best_known/cost", best.cost).say(" (").percent("/best_known/gap", best.gap).say(")");
        }
        if (best.status == CostStatus::bounded && best.bound) {
            s.say(words_.info.objective == Objective::minimise ? "; none is below " : "; none is above ");
            s.number("/best_known/lower_bound", best.bound);
        }
        s.say(".");
        if (best.parts_at) {
            s.say(" They part at ");
            say_step(s, *best.parts_at).say(", where the better one would ");
            s.words("/best_known/instead", best.instead).say(" and this one decides to ");
            s.words(step_at(*best.parts_at) + "/words", step(*best.parts_at).choice.words).say(".");
        }
        story_.push_back(s.done());
    }

    /// The decision after which no solution was left.
    void tell_dead_end() {
        auto const impossible = [](Alternative const& each) { return each.impossible || !each.allowed; };
        auto const lost = std::ranges::find_if(explanation_.steps, [](Step const& each) {
            return each.of<parts::Alternatives>() && each.of<parts::Alternatives>()->all[each.of<parts::Alternatives>()->chosen].impossible;
        });
        if (lost == explanation_.steps.end()) return;
        auto const place = static_cast<std::size_t>(lost - explanation_.steps.begin());
        auto const& all = lost->of<parts::Alternatives>()->all;
        dead_end_ = true;
        SentenceBuilder s(Topic::price, Evidence::proved);
        if (std::ranges::all_of(all, impossible)) {
            if (lost->step == 0)
                s.say("No plan keeps all rules");
            else
                say_step(s.say("From "), place).say(" on nothing could keep all rules");
        } else {
            say_step(s.say("It was lost at "), place).say(": after ");
            s.words(step_at(place) + "/words", lost->choice.words).say(" nothing keeps all rules");
            auto const other = std::ranges::find_if(all, [](Alternative const& each) { return each.cost.has_value(); });
            if (other != all.end()) {
                s.say("; after ")
                    .words(fmt::format("{}/alternatives/{}/words", step_at(place), other->action), other->words);
                s.say(" there still was a plan that does");
            }
        }
        story_.push_back(s.say(".").done());
    }

    /// "to visit customer 7, better: visit customer 19: 74".
    void say_cost(SentenceBuilder& s, std::size_t place) const {
        StepRegret const& part = *step(place).of<parts::Regret>();
        std::string const at = step_at(place) + "/regret";
        say_step(s, place).say(" (").words(step_at(place) + "/words", step(place).choice.words);
        if (part.better) s.say("; better: ").words(at + "/better/words", part.better->words);
        s.say("): ").number(at + "/estimate", part.found.estimate);
    }

    /// How sure a statement about several decisions is: as sure as the least sure of them.
    [[nodiscard]] Evidence evidence_of_costs(std::size_t count) const {
        bool bounded = false;
        for (std::size_t k = 0; k < count; ++k) {
            DecisionRegret const& found = step(plan_.costly[k]).of<parts::Regret>()->found;
            if (found.is_proved()) continue;
            if (found.status != RegretStatus::bounded) return Evidence::sampled;
            bounded = true;
        }
        return bounded ? Evidence::bounded : Evidence::proved;
    }

    /// Where the gap went: the regrets add up to it.
    void tell_regrets() {
        if (plan_.costly.empty()) return;
        std::size_t const named = std::min(plan_.costly.size(), most_named_costs);
        std::size_t const others = plan_.costly.size() - named;
        SentenceBuilder s(Topic::price, evidence_of_costs(plan_.costly.size()));
        if (named == 1) {
            s.say("One decision accounts for it: ");
        } else {
            s.written("/plan/costly_named", fmt::format("{}", named)).say(" decisions account for ");
            if (others > 0)
                s.number("/plan/named_cost", plan_.named_cost).say(" of it: ");
            else
                s.say("it: ");
        }
        for (std::size_t k = 0; k < named; ++k) {
            if (k > 0) s.say(", ");
            say_cost(s, plan_.costly[k]);
        }
        if (others > 0) {
            s.say("; ").number("/plan/costly_others", others).say(others == 1 ? " more costs " : " more cost ");
            s.number("/plan/other_cost", plan_.other_cost).say(others == 1 ? "" : " together");
        }
        if (plan_.costless > 0) {
            s.say("; ").number("/plan/costless", plan_.costless).say(plan_.costless == 1 ? " costs nothing" : " cost nothing");
        }
        story_.push_back(s.say(".").done());
    }

    /// Without regrets: what the alternatives tell.
    void tell_alternatives() {
        if (!plan_.costly.empty()) {
            SentenceBuilder s(Topic::price, Evidence::proved);
            std::size_t const worst = plan_.costly.front();
            Alternatives const& table = *step(worst).of<parts::Alternatives>();
            bool const adds = words_.info.objective == Objective::minimise;
            s.say("Most costly of the decisions whose alternatives are proved: ");
            say_step(s, worst).say(", to ").words(step_at(worst) + "/words", step(worst).choice.words);
            s.say(adds ? ", adds " : ", loses ");
            s.number(fmt::format("{}/alternatives/{}/regret", step_at(worst), table.chosen), plan_.regret);
            s.say((adds ? " to the " : " of ") + std::string(words_.info.cost_word) + "; better: ");
            s.words(fmt::format("{}/alternatives/{}/words", step_at(worst), *table.best_action),
                    table.all[*table.best_action].words);
            story_.push_back(s.say(".").done());
        } else if (!plan_.better_found.empty()) {
            SentenceBuilder s(Topic::price, Evidence::sampled);
            s.say("A better plan was found for another choice at ");
            if (plan_.better_found.size() > 1) {
                s.number("/plan/better_found_steps", plan_.better_found.size()).say(" steps, first at ");
            }
            story_.push_back(say_step(s, plan_.better_found.front()).say(".").done());
        } else if (plan_.compared > 0 && !dead_end_) {
            SentenceBuilder s(Topic::price, Evidence::proved);
            s.say("All alternatives were compared at ").number("/plan/compared", plan_.compared);
            story_.push_back(s.say(plan_.compared == 1 ? " step, and none is better there."
                                                       : " steps, and none is better there.").done());
        }
    }

    void tell_costs() {
        if (explanation_.regret)
            tell_regrets();
        else
            tell_alternatives();
    }

    void tell_close_calls() {
        tell_ties();
        SentenceBuilder s(Topic::decision, Evidence::exact);
        if (plan_.close_calls.empty()) {
            if (plan_.decisions == plan_.ties.size()) return;
            story_.push_back(s.say("There was no close call.").done());
            return;
        }
        s.number("/plan/close_call_steps", plan_.close_calls.size());
        s.say(plan_.close_calls.size() == 1 ? " close call: " : " close calls, the closest at ");
        std::size_t const place = plan_.close_calls.front();
        Step const& closest = step(place);
        say_step(s, place).say(", ").words(step_at(place) + "/words", closest.choice.words).say(" (");
        s.whole_percent(step_at(place) + "/probability", closest.choice.probability).say(") or ");
        s.words(step_at(place) + "/runner_up/words", closest.runner_up->words).say(" (");
        s.whole_percent(step_at(place) + "/runner_up/probability", closest.runner_up->probability);
        story_.push_back(s.say(").").done());
    }

    void tell_ties() {
        if (plan_.ties.empty()) return;
        SentenceBuilder s(Topic::decision, Evidence::exact);
        s.say("No preference at ").number("/plan/tie_steps", plan_.ties.size());
        s.say(plan_.ties.size() == 1 ? " step: " : " steps, first at ");
        std::size_t const place = plan_.ties.front();
        Step const& first = step(place);
        say_step(s, place).say(", where to ").words(step_at(place) + "/words", first.choice.words).say(" and to ");
        s.words(step_at(place) + "/runner_up/words", first.runner_up->words).say(" are equally probable (");
        s.whole_percent(step_at(place) + "/probability", first.choice.probability);
        story_.push_back(s.say(").").done());
    }

    void tell_fragile() {
        if (!plan_.fragile) return;
        SentenceBuilder s(Topic::sensitivity, Evidence::sampled);
        s.say("Most fragile is ");
        say_step(s, *plan_.fragile).say(": wrong " + words_.data(*plan_.fragile_family) + " change it in ");
        s.whole_percent(fmt::format("{}/sensitivity/families/{}/flip_rate", step_at(*plan_.fragile),
                                    words_.info.families[*plan_.fragile_family]),
                        plan_.fragile_rate);
        s.say(" of the cases tried");
        if (plan_.firm > 0) {
            s.say("; ").number("/plan/firm", plan_.firm);
            s.say(plan_.firm == 1 ? " decision stood in every case" : " decisions stood in every case");
        }
        story_.push_back(s.say(".").done());
    }

    void tell_rules() {
        if (plan_.tight.empty()) return;
        SentenceBuilder s(Topic::slack, Evidence::exact);
        for (std::size_t i = 0; i < plan_.tight.size(); ++i) {
            TightRule const& rule = plan_.tight[i];
            std::string const at = fmt::format("/plan/tight/{}", i);
            s.say(i == 0 ? words_.label(rule.slack.family) : "; " + words_.label(rule.slack.family));
            s.say(i == 0 ? " became tight at " : " at ");
            say_step(s, rule.step).say(" (").number(at + "/used", rule.slack.used).say(" of ");
            s.number(at + "/limit", rule.slack.limit).say(")");
        }
        story_.push_back(s.say(".").done());
    }

    void tell_blocked() {
        if (!plan_.blocked) return;
        SentenceBuilder s(Topic::forbidden, Evidence::exact);
        s.say("A rule kept the policy from what it wanted most at ");
        if (plan_.blocked_steps > 1) s.number("/plan/blocked_steps", plan_.blocked_steps).say(" steps, first at ");
        auto const& list = *step(*plan_.blocked).of<parts::Forbidden>();
        auto const most = std::ranges::max_element(list, {}, [](StepForbidden const& f) { return f.what.probability; });
        std::string const at = fmt::format("{}/forbidden/{}", step_at(*plan_.blocked), most - list.begin());
        say_step(s, *plan_.blocked).say(" (").words(at + "/words", most->words);
        story_.push_back(s.say(").").done());
    }

    void tell_thumb() {
        if (!explanation_.thumb) return;
        auto const best = explanation_.thumb->best();
        if (!best) return;
        ThumbRecord const& rule = explanation_.thumb->rules[*best];
        std::string const at = fmt::format("/thumb/rules/{}", *best);
        SentenceBuilder s(Topic::plan, Evidence::exact);
        s.say("Of the simple rules, ").words(at + "/words", rule.rule.words).say(" comes closest: the same choice in ");
        s.whole_percent(at + "/rate", rule.rate()).say(" of the decisions (by chance in ");
        s.whole_percent(at + "/chance", rule.chance).say(")");
        if (!rule.departures.empty()) {
            s.say(", the first other one at step ");
            s.written(at + "/departures/0", fmt::format("{}", rule.departures.front() + 1));
        }
        story_.push_back(s.say(".").done());
    }

    /// Where there is room for it.
    void tell_odd() {
        if (plan_.odd.empty() || story_.size() >= most_sentences) return;
        SentenceBuilder s(Topic::counterfactual, Evidence::exact);
        s.say("The policy answers a small change the wrong way round, as the simple rules see it, at ");
        if (plan_.odd.size() > 1) s.number("/plan/odd_steps", plan_.odd.size()).say(" steps, first at ");
        story_.push_back(say_step(s, plan_.odd.front()).say(".").done());
    }

    static constexpr std::size_t most_sentences = 8;

    StepWords const& words_;
    Explanation const& explanation_;
    PlanSummary const& plan_;
    std::vector<Sentence> story_;
    bool dead_end_ = false;
};

} // namespace

std::vector<Sentence> tell_story(StepWords const& words, Explanation const& explanation) {
    return Story(words, explanation).tell();
}

} // namespace cax
