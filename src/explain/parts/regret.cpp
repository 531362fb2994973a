#include "cax/explain/explanation.hpp"

#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"

#include "cax/core/options.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace cax {
namespace {

/// The plan that V after a step belongs to: the next better one that is known for a later prefix, or else this plan.
KnownPlan plan_after(ExplanationContext const& context, std::size_t step) {
    auto const& decisions = context.regret->decisions;
    for (std::size_t t = step + 1; t < decisions.size(); ++t) {
        if (decisions[t].better) return *decisions[t].better;
    }
    return {context.solution, context.actions, context.report.cost};
}

std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// "customer 7, customer 19 and 2 more".
std::string listed(ExplanationContext const& context, std::vector<std::size_t> const& nodes) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(nodes.size(), most); ++i) {
        bool const last = i + 1 == nodes.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + context.presentation().node_label(context.instance(), nodes[i]);
    }
    if (nodes.size() > most) text += fmt::format(" and {} more", nodes.size() - most);
    return text;
}

/// By node, who comes next: another customer, or 0 for the way home.
std::map<std::size_t, std::size_t> successors(Routes const& routes) {
    std::map<std::size_t, std::size_t> next;
    for (auto const& route : routes.routes) {
        for (std::size_t i = 0; i < route.size(); ++i) next[route[i]] = i + 1 < route.size() ? route[i + 1] : 0;
    }
    return next;
}

std::size_t used_vehicles(Routes const& routes) {
    return static_cast<std::size_t>(std::ranges::count_if(routes.routes, [](auto const& route) { return !route.empty(); }));
}

std::vector<std::size_t> without(std::set<std::size_t> const& all, std::set<std::size_t> const& those) {
    std::vector<std::size_t> rest;
    std::ranges::set_difference(all, those, std::back_inserter(rest));
    return rest;
}

/// "customer 4 is left out, customer 9 is added" of two sets of nodes; empty if they are equal.
std::string exchange_words(ExplanationContext const& context, std::set<std::size_t> const& before,
                           std::set<std::size_t> const& after, std::string_view verb) {
    auto const dropped = without(before, after);
    auto const added = without(after, before);
    std::string words;
    if (!dropped.empty()) words = fmt::format("{} {} not {}", listed(context, dropped), dropped.size() == 1 ? "is" : "are", verb);
    if (!added.empty()) {
        words += fmt::format("{}{} {} {}{}", words.empty() ? "" : "; ", listed(context, added),
                             added.size() == 1 ? "is" : "are", verb, dropped.empty() ? "" : " instead");
    }
    return words;
}

std::string route_words(ExplanationContext const& context, Routes const& better, Routes const& after) {
    auto const before_next = successors(better);
    auto const after_next = successors(after);
    std::set<std::size_t> before_nodes, after_nodes;
    std::size_t moved = 0;
    for (auto const& [node, next] : before_next) before_nodes.insert(node);
    for (auto const& [node, next] : after_next) {
        after_nodes.insert(node);
        auto const was = before_next.find(node);
        if (was != before_next.end() && was->second != next) ++moved;
    }
    std::string words = exchange_words(context, before_nodes, after_nodes, "visited");
    std::size_t const had = used_vehicles(better), has = used_vehicles(after);
    auto const add = [&words](std::string const& text) { words += (words.empty() ? "" : "; ") + text; };
    if (has > had) add(counted(has - had, "vehicle") + " more");
    if (has < had) add(counted(had - has, "vehicle") + " fewer");
    if (moved > 0) add(counted(moved, "customer") + (moved == 1 ? " has" : " have") + " another next stop");
    return words;
}

std::string schedule_words(Schedule const& better, Schedule const& after) {
    std::map<std::size_t, Schedule::Entry> before;
    for (auto const& entry : better.entries) before.emplace(entry.operation, entry);
    std::size_t moved = 0, later = 0;
    for (auto const& entry : after.entries) {
        auto const was = before.find(entry.operation);
        if (was == before.end()) continue;
        if (was->second.machine != entry.machine)
            ++moved;
        else if (entry.start > was->second.start)
            ++later;
    }
    std::string words;
    if (moved > 0) words = counted(moved, "operation") + (moved == 1 ? " runs" : " run") + " on another machine";
    if (later > 0)
        words += (words.empty() ? "" : "; ") + counted(later, "operation") + (later == 1 ? " begins" : " begin") + " later";
    return words;
}

/// What is different in the best plan that the decision left, against the best one before it. Empty if nothing is.
std::string consequence_of(ExplanationContext const& context, Solution const& better, Solution const& after) {
    if (auto const* routes = std::get_if<Routes>(&better)) return route_words(context, *routes, std::get<Routes>(after));
    if (auto const* schedule = std::get_if<Schedule>(&better)) return schedule_words(*schedule, std::get<Schedule>(after));
    auto const items = [](Solution const& packing) {
        auto const& all = std::get<Packing>(packing).items;
        return std::set<std::size_t>(all.begin(), all.end());
    };
    return exchange_words(context, items(better), items(after), "packed");
}

std::size_t differing(std::vector<std::size_t> const& a, std::vector<std::size_t> const& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += i >= b.size() || a[i] != b[i] ? 1 : 0;
    return count;
}

/// "Regret 8.94 (proved): ..." of a decision that costs something; nothing if it does not, or nobody knows.
std::optional<Sentence> cost_line(StepWords const& words, StepRegret const& part) {
    DecisionRegret const& found = part.found;
    bool const proved = found.is_proved();
    std::string const unit(words.info.cost_word);
    if (found.estimate <= 0) {
        if (!proved) return std::nullopt;
        return SentenceBuilder(Topic::price, Evidence::proved).say("No regret: nothing better was possible here.").done();
    }
    SentenceBuilder s(Topic::price, proved                                    ? Evidence::proved
                                    : found.status == RegretStatus::bounded ? Evidence::bounded
                                                                              : Evidence::sampled);
    s.say(proved ? "Costs " : "Costs, as far as was searched, ").number("/regret/estimate", found.estimate);
    s.say(" " + unit);
    if (part.better) s.say(". Better: ").words("/regret/better/words", part.better->words);
    if (!part.consequence.empty()) s.say(". Because of it: ").words("/regret/consequence", part.consequence);
    return s.say(".").done();
}

/// What a better plan does at a step, if an episode that begins like this one makes it: schedules may have to wait.
std::optional<std::size_t> action_of(KnownPlan const& better, ExplanationContext const& context, std::size_t step) {
    if (step >= better.actions.size()) return std::nullopt;
    bool const alike = std::ranges::equal(std::span(better.actions).first(step), context.before(step));
    std::size_t const action = better.actions[step];
    auto const mask = context.decision(step).state->action_mask();
    return alike && action < mask.size() && mask[action] != 0 ? std::optional(action) : std::nullopt;
}

} // namespace

namespace parts {

void Regret::describe(OptionTable& table, Request& request) {
    table.value("work", request.work, "W",
                "For the exact method, per decision: units of about ten nanoseconds; where it ends, regrets are "
                "intervals");
    table.value("regret-search", request.search_work, "n",
                "Iterations of a search for each decision where nothing is proved; 0 = none");
}

Result<void> Regret::prepare(ExplanationContext& context) {
    if (!context.options.parts.has<Regret>()) return {};
    if (!context.episode->finished || !context.report.valid()) {
        context.no_regret = "the plan breaks a rule, so that there is no gap to explain";
        return {};
    }
    RegretOptions options = context.options.of<Regret>();
    options.seed = context.options.seed;
    auto found = plan_regret(context.episode->instance, context.actions, options);
    if (!found && found.error().code == ErrorCode::unsupported) {
        context.no_regret = found.error().message;
        return {};
    }
    if (!found) return found.error().within("regret");
    context.regret = std::make_shared<PlanRegret const>(*std::move(found));
    context.known.push_back(context.regret->best.solution);
    return {};
}

Result<std::optional<StepRegret>> Regret::explain(ExplanationContext const& context, Step const& so_far) {
    if (!context.regret) return std::optional<StepRegret>();
    StepRegret result{context.regret->decisions[so_far.step], {}, {}, {}, 0};
    if (!result.found.better) return std::optional(std::move(result));
    KnownPlan const& better = *result.found.better;
    result.after = plan_after(context, so_far.step);
    result.consequence = consequence_of(context, better.solution, result.after->solution);
    Decision const& decision = context.decision(so_far.step);
    if (auto const other = action_of(better, context, so_far.step)) {
        std::size_t const action = *other;
        result.better = Choice{action, describe_action(*decision.state, action), std::exp(decision.log_probs[action]),
                               decision.state};
        result.changes = differing(better.actions, context.actions);
    }
    return std::optional(std::move(result));
}

void Regret::add_lines(StepWords const& words, Step const& step, Lines& lines) {
    if (step.forced()) return;
    if (auto line = cost_line(words, *step.of<Regret>())) lines.push_back({5, *std::move(line)});
}

} // namespace parts
} // namespace cax
