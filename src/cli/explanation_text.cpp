#include "explanation_text.hpp"

#include "table.hpp"

#include "cax/core/printable.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cax::cli {
namespace {

constexpr std::size_t usual_width = 110;
constexpr std::size_t label_width = 13; // two spaces, the longest evidence word, two spaces

/// Columns of the terminal, within reason; a usual number where there is none.
std::size_t terminal_width() {
    constexpr std::size_t least = 60;
    constexpr std::size_t most = 120;
    winsize size = {};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return usual_width;
    }
    return std::clamp<std::size_t>(size.ws_col, least, most);
}

/// Text that comes from files, safe for a terminal: control characters are replaced.
std::string printable_line(std::string const& text) {
    std::string safe = text;
    for (char& c : safe) {
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
    }
    return safe;
}

/// A label, then text wrapped beside it.
std::string beside(std::string_view label, std::string const& text, std::size_t width) {
    std::string lines = wrapped(text, width - label_width);
    std::string result;
    std::string const indent(label_width, ' ');
    for (char const c : lines) {
        result += c;
        if (c == '\n') result += indent;
    }
    return fmt::format("  {:<{}}{}\n", label, label_width - 2, result);
}

std::string told(std::vector<Sentence> const& sentences, std::size_t most, std::size_t width,
                 std::set<Evidence>& used) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, sentences.size()); ++i) {
        used.insert(sentences[i].evidence);
        text += beside(name_of(sentences[i].evidence), printable_line(sentences[i].text), width);
    }
    return text;
}

std::string step_text(Step const& step, Detail detail, std::size_t width, std::set<Evidence>& used) {
    bool const nothing_to_tell = step.forced() && step.lines.size() == 1 && !step.of<parts::WhyNot>();
    if (nothing_to_tell && detail != Detail::everything) {
        return fmt::format("\nStep {}: {} (no other choice)\n", step.step + 1, printable_line(step.choice.words));
    }
    std::string text = fmt::format("\nStep {}: {}\n", step.step + 1, printable_line(step.choice.words));
    text += told(step.lines, detail == Detail::one_line ? 1 : step.lines.size(), width, used);
    if (detail != Detail::everything) {
        std::vector<Sentence> asked; // whoever asks "why not that one?" gets an answer
        std::ranges::copy_if(step.sentences, std::back_inserter(asked),
                             [](Sentence const& sentence) { return sentence.about == Topic::why_not; });
        return text + told(asked, asked.size(), width, used);
    }
    return text + "\n" + told(step.sentences, step.sentences.size(), width, used);
}

} // namespace

std::string decision_text(std::string const& where, Step const& step) {
    std::string text = fmt::format("\n{}, step {}\n", where, step.step + 1);
    for (Sentence const& line : step.lines) {
        text += beside(name_of(line.evidence), printable_line(line.text), terminal_width());
    }
    auto const& alternatives = step.of<parts::Alternatives>();
    if (!alternatives) return text;
    Table table({"<action", "probability", "cost", "<status", "regret", "<forbidden by"});
    for (std::size_t const a : alternatives->reading_order()) {
        Alternative const& each = alternatives->all[a];
        if (each.spent) continue;
        auto const shown = [](std::optional<double> value) { return value ? number_words(*value) : std::string(); };
        table.add(printable_line(each.words), each.allowed ? percent_words(each.probability) : "", shown(each.cost),
                  !each.allowed     ? ""
                  : each.impossible ? "impossible"
                                    : name_of(each.status),
                  shown(each.regret),
                  each.forbidden_by
                      ? fmt::format("{}: {} of {}", each.forbidden_by->rule, number_words(each.forbidden_by->used),
                                    number_words(each.forbidden_by->limit))
                      : "");
    }
    return text + table.text();
}

std::string explanation_text(Explanation const& explanation, std::vector<std::string> const& notes, Detail detail) {
    std::size_t const width = terminal_width();
    Instance const& instance = *explanation.instance;
    std::string const name = instance.name();
    std::string const whose =
        explanation.external ? "the plan of " + printable(explanation.external->source) : "the policy's solution";
    std::string text = fmt::format("{}{}; {}: {} {}, {}, {} steps\n", name.empty() ? "" : printable(name) + ": ",
                                   printable_line(instance.description()), whose, instance.problem().info().cost_word,
                                   number_words(explanation.report.cost),
                                   explanation.report.valid() ? "valid" : "NOT VALID", explanation.actions.size());
    for (std::string const& note : notes) text += wrapped("note: " + printable_line(note), width) + "\n";
    std::set<Evidence> used;
    if (!explanation.story.empty()) text += "\n" + told(explanation.story, explanation.story.size(), width, used);
    for (Step const& step : explanation.steps) text += step_text(step, detail, width, used);
    text += "\nHow sure is that?\n";
    for (auto const& [evidence, word, meaning] : names_of(Evidence{})) {
        if (used.contains(evidence)) text += beside(word, std::string(meaning), width);
    }
    return text;
}

} // namespace cax::cli
