#include "cax/explain/explanation.hpp"

#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax {
namespace {

/// The rule that kept the policy from what it wanted more.
std::optional<Sentence> forbidden_line(Step const& step) {
    auto const& list = *step.of<parts::Forbidden>();
    auto const most = std::ranges::max_element(list, {}, [](StepForbidden const& f) { return f.what.probability; });
    if (most == list.end() || most->what.probability < notable_favourite) return std::nullopt;
    std::string const at = fmt::format("/forbidden/{}", most - list.begin());
    SentenceBuilder s(Topic::forbidden, Evidence::exact);
    s.say("It would rather ").words(at + "/words", most->words).say(" (");
    s.whole_percent(at + "/probability", most->what.probability)
        .say(most->what.by_policy ? "), but looks ahead: " : "), but a rule forbids it: ");
    s.words(at + "/rule", most->what.rule.rule).say(" (").number(at + "/used", most->what.rule.used);
    return s.say(", at most ").number(at + "/limit", most->what.rule.limit).say(").").done();
}

} // namespace

namespace parts {

Result<std::vector<StepForbidden>> Forbidden::explain(ExplanationContext const& context, Step const& so_far) {
    Decision const& decision = context.decision(so_far.step);
    std::vector<StepForbidden> result;
    for (cax::Forbidden& each : forbidden(*context.policy, decision, context.before(so_far.step))) {
        std::string words = describe_action(*decision.state, each.action);
        result.push_back({std::move(each), std::move(words)});
    }
    return result;
}

void Forbidden::add_lines(StepWords const&, Step const& step, Lines& lines) {
    if (auto line = forbidden_line(step)) lines.push_back({20, *std::move(line)});
}

} // namespace parts
} // namespace cax
