#include "cax/explain/explanation.hpp"

#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"

#include "cax/core/options.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// Why this rather than the next best?
std::optional<Sentence> swap_line(StepWords const& words, Step const& step) {
    Swap const& swap = step.of<parts::Swap>()->swap;
    auto const top = swap.top();
    if (!top || words.info.families.size() < 2 || is_tie(step)) return std::nullopt;
    // A probability of 0 leaves no lead that could be taken apart.
    auto const finite = [](double value) { return std::isfinite(value); };
    if (!finite(swap.margin) || !std::ranges::all_of(swap.phi, finite)) return std::nullopt;
    SentenceBuilder s(Topic::swap, Evidence::computed);
    if (step.differs()) {
        s.say("Why does the policy not ").words("/swap/other_words", step.of<parts::Swap>()->other_words).say(" as the plan does? ");
    } else {
        s.say("Why not ").words("/swap/other_words", step.of<parts::Swap>()->other_words);
        s.say(swap.other_is_runner_up ? "? " : ", the likeliest that can be compared? ");
    }
    s.say("Mostly because of the " + words.data(*top) + ": ");
    if (swap.single[*top] < 0) {
        s.say("had the two exchanged theirs, the policy would have preferred that one");
    } else {
        s.say("but even with theirs exchanged the policy would have preferred its choice to that one");
    }
    auto const least = static_cast<std::size_t>(std::ranges::min_element(swap.phi) - swap.phi.begin());
    if (swap.phi[least] < -swap.notable_effect()) {
        s.say("; the " + words.data(least) + " spoke for it");
    }
    return s.say(".").done();
}

} // namespace

namespace parts {

void Swap::describe(OptionTable& table, Request& request) {
    table.value("other", request.other, "A",
                "Compare with this action, by its number; by default the next best one that can be compared");
}

Result<StepSwap> Swap::explain(ExplanationContext const& context, Step const& so_far) {
    Decision const& decision = context.decision(so_far.step);
    SwapOptions options;
    if (auto const& other = context.options.of<Swap>().other) {
        auto const mask = decision.state->action_mask();
        if (*other >= mask.size()) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("other: {}: there are {} actions", *other, mask.size())};
        }
        options.other = *other;
    } else if (decision.taken() != decision.action) { // a forced action: why would the policy not do that?
        options.other = decision.taken();
    }
    auto found = swap(*context.policy, decision, options);
    if (!found) return found.error();
    StepSwap result{*std::move(found), {}};
    if (result.swap.other) result.other_words = describe_action(*decision.state, *result.swap.other);
    return result;
}

void Swap::add_lines(StepWords const& words, Step const& step, Lines& lines) {
    if (step.forced()) return;
    if (auto line = swap_line(words, step)) lines.push_back({40, *std::move(line)});
}

} // namespace parts
} // namespace cax
