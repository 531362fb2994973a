#include "cax/explain/words.hpp"

#include "sentence.hpp"

#include "cax/core/json.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

std::string label_of(Json const& problem, std::string const& family) {
    for (Json const& each : problem["families"]) {
        if (each["name"] == family) return each["label"].get<std::string>();
    }
    return family;
}

Json decision(Json const& step) {
    Sentence s(step, "decision", "exact");
    if (step["runner_up"].is_null()) {
        return s.say("The policy has to ").words("/words").say(": no other action is allowed.").json();
    }
    s.say("The policy decides to ").words("/words").say(" with probability ").percent("/probability");
    s.say("; next best: ").words("/runner_up/words").say(", ").percent("/runner_up/probability").say("; ");
    return s.number("/allowed").say(" of ").number("/actions").say(" actions are allowed.").json();
}

Json slack(Json const& problem, Json const& step, std::size_t index) {
    std::string const at = fmt::format("/slacks/{}", index);
    Sentence s(step, "slack", "exact");
    s.say(label_of(problem, step["slacks"][index]["family"]) + ", ").words(at + "/rule").say(": ");
    s.number(at + "/used").say(" of ").number(at + "/limit").say(", ").number(at + "/slack").say(" to spare.");
    return s.json();
}

Json family(Json const& problem, Json const& step, std::string const& name, bool first) {
    std::string const at = "/attribution/families/" + name;
    Json const& value = step["attribution"]["families"][name];
    if (value["share"].is_null()) {
        Sentence s(step, "families", "not found");
        s.say(label_of(problem, name) + ": sensitivity ").number(at + "/mass");
        if (value["lambda"].is_null()) return s.say(", but no multiplier: ").words(at + "/status").say(".").json();
        s.say(", multiplier ").number(at + "/lambda").say(", but no share: ");
        return s.words(at + "/status").say(".").json();
    }
    Sentence s(step, "families", "computed");
    s.say(label_of(problem, name) + (first ? " counted most: " : ": ")).percent(at + "/share");
    s.say(" of the attribution (sensitivity ").number(at + "/mass").say(", multiplier ").number(at + "/lambda");
    return s.say(").").json();
}

void add_families(Json const& problem, Json const& step, Json& sentences) {
    Json const& part = step["attribution"];
    if (part["status"] == "no_choice") {
        sentences.push_back(
            Sentence(step, "families", "exact").say("With one action allowed, no rule could tip the scales.").json());
        return;
    }
    bool first = true;
    for (Json const& name : part["ranked"]) {
        sentences.push_back(family(problem, step, name.get<std::string>(), first));
        first = false;
    }
    if (!part["top"].is_string() || !part["top_unique"].is_string()) return;
    std::string const top = label_of(problem, part["top"]);
    if (part["top_unique"] == "unique") {
        sentences.push_back(Sentence(step, "families", "proved")
                                .say("First for every optimal set of multipliers: " + top + ".")
                                .json());
    } else if (part["top_unique"] == "not_unique") {
        sentences.push_back(
            Sentence(step, "families", "bounded")
                .say("Which rule comes first is open: another optimal set of multipliers, just as good, "
                     "puts another one before " +
                     top + ".")
                .json());
    } else {
        sentences.push_back(Sentence(step, "families", "undecided")
                                .say("Whether " + top + " comes first for every optimal set of multipliers is open.")
                                .json());
    }
}

/// "if customer 17's window closed at 220 instead of 232 and ...".
void say_changes(Sentence& s, Json const& step, std::string const& at) {
    constexpr std::size_t most = 3;
    std::size_t const count = step.at(Json::json_pointer(at + "/changes")).size();
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        s.say(i == 0 ? "" : i + 1 == count ? " and " : ", ").words(fmt::format("{}/changes/{}/words", at, i));
    }
    if (count > most) s.say(" and more, ").number(at + "/entries").say(" changes in all");
}

void say_flip(Json const& step, std::string const& at, std::string_view about, Json& sentences) {
    Json const& found = step.at(Json::json_pointer(at));
    std::string const status = found["status"];
    std::string const evidence = status == "certified" ? "proved" : status == "flipped" ? "exact" : status;
    {
        Sentence s(step, about, "exact");
        s.say("If ");
        say_changes(s, step, at);
        s.say(", the policy would ").words(at + "/new/words").say(" instead (").percent(at + "/new/probability");
        sentences.push_back(s.say(", tried).").json());
    }
    if (!found["certificate"].is_null()) {
        Sentence s(step, "certificate", evidence);
        s.words(at + "/certificate/words");
        if (status == "certified") {
            s.say("; its ").words(at + "/certificate/cost_word").say(" is ").number(at + "/certificate/cost");
        }
        sentences.push_back(s.say(".").json());
    }
    Sentence s(step, about, "sampled");
    s.say("That is the smallest of ").number(at + "/shots").say(" random changes that do it, total size ");
    s.number(at + "/sampled_l1");
    if (found["refined"].get<bool>()) s.say(", then made smaller and simpler: size ").number(at + "/l1");
    sentences.push_back(s.say("; a smaller one may exist.").json());
}

void add_counterfactual(Json const& step, Json& sentences) {
    Json const& found = step["counterfactual"];
    if (!found["new"].is_null()) {
        say_flip(step, "/counterfactual", "counterfactual", sentences);
        return;
    }
    Sentence s(step, "counterfactual", "not found");
    if (step["runner_up"].is_null()) {
        s.say("None of ").number("/counterfactual/shots").say(" random changes makes another action possible.");
    } else {
        s.say("None of ").number("/counterfactual/shots").say(" random changes makes the policy decide otherwise");
        if (found["best_margin"].is_number()) {
            s.say("; the closest one left it ahead by ").number("/counterfactual/best_margin");
            s.say(" in log-probability");
        }
        s.say(".");
    }
    sentences.push_back(s.json());
}

Json subset(Json const& problem, Json const& step) {
    Json const& found = step["subset"];
    std::string const node = problem["node_word"];
    if (found["forced"].get<bool>()) {
        return Sentence(step, "subset", "exact").say("With one action allowed, nothing else matters.").json();
    }
    bool const accepted = found["accepted"];
    if (accepted && found["size"] > 1 && found["size"] == found["nodes_in_all"]) {
        Sentence all(step, "subset", "not found");
        return all.say("Taken in the attribution's order, no fewer than all ")
            .number("/subset/nodes_in_all")
            .say(" nodes were enough.")
            .json();
    }
    Sentence s(step, "subset", !accepted ? "not found" : found["guaranteed"].get<bool>() ? "bounded" : "sampled");
    std::size_t const count = found["labels"].size();
    if (accepted) {
        s.say("Enough to know ").number("/subset/size").say(" of ").number("/subset/nodes_in_all").say(" nodes: ");
        for (std::size_t i = 0; i < count; ++i) {
            s.say(i == 0 ? "" : i + 1 == count ? " and " : ", ").words(fmt::format("/subset/labels/{}", i));
        }
        s.say(". With the others hidden, the decision is the same in ");
    } else {
        s.say("Taken in the attribution's order, up to ")
            .number("/subset/k_max")
            .say(" " + node + "s are not enough: ");
        s.say("with that many shown, the decision is the same in only ");
    }
    s.percent("/subset/rate").say(" of ").number("/subset/samples").say(" random variations");
    s.say(" (with confidence ").percent("/subset/confidence").say(" in at least ").percent("/subset/lower_bound");
    return s.say(" of all).").json();
}

void add_why_not(Json const& step, Json& sentences) {
    Json const& asked = step["why_not"];
    if (!asked["allowed"].get<bool>()) {
        Sentence s(step, "why_not", "exact");
        s.say("Why not ").words("/why_not/label").say("? It is not allowed now: ").words("/why_not/reason");
        if (asked.contains("used")) {
            s.say(", ").number("/why_not/used").say(" where ").number("/why_not/limit").say(" is the limit");
        }
        sentences.push_back(s.say(".").json());
        return;
    }
    if (asked["chosen"].get<bool>()) {
        Sentence s(step, "why_not", "exact");
        sentences.push_back(s.say("Why not ").words("/why_not/label").say("? It was chosen.").json());
        return;
    }
    Sentence s(step, "why_not", "exact");
    s.say("Why not ").words("/why_not/label").say("? The policy gives it ").percent("/why_not/probability");
    s.say(" at best, against ").percent("/probability").say(" for its choice.");
    sentences.push_back(s.json());
    if (asked["counterfactual"].is_null()) return;
    if (!asked["counterfactual"]["new"].is_null()) {
        say_flip(step, "/why_not/counterfactual", "why_not", sentences);
        return;
    }
    Sentence none(step, "why_not", "not found");
    none.say("None of ").number("/why_not/counterfactual/shots").say(" random changes makes the policy choose it.");
    sentences.push_back(none.json());
}

} // namespace

std::string percent_words(double share) {
    if (share > 0 && share < 0.0005) return "under 0.1 %";
    if (share < 1 && share > 0.9995) return "over 99.9 %";
    return fmt::format("{:.1f} %", 100 * share);
}

std::string number_words(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

Json step_sentences(Json const& problem, Json const& step) {
    Json sentences = Json::array();
    sentences.push_back(decision(step));
    if (!step["why_not"].is_null()) add_why_not(step, sentences);
    for (std::size_t i = 0; i < step["slacks"].size(); ++i) sentences.push_back(slack(problem, step, i));
    if (!step["attribution"].is_null()) add_families(problem, step, sentences);
    if (!step["counterfactual"].is_null()) add_counterfactual(step, sentences);
    if (!step["subset"].is_null()) sentences.push_back(subset(problem, step));
    return sentences;
}

} // namespace cax
