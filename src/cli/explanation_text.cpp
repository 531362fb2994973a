#include "explanation_text.hpp"

#include "help.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/explain/words.hpp"

#include <cctype>
#include <fmt/format.h>
#include <set>

namespace cax::cli {
namespace {

constexpr std::size_t page_width = 110;
constexpr std::size_t label_width = 13; // two spaces, the longest evidence word, two spaces

struct Meaning {
    std::string_view evidence;
    std::string_view words;
};
constexpr Meaning meanings[] = {
    {"exact", "read off the state or the policy's own output"},
    {"computed", "follows from its definition; says how strongly the policy reacts, not what the cause is"},
    {"proved", "verified by a checker that shares nothing with the search"},
    {"bounded", "holds with a stated confidence, or between stated limits"},
    {"sampled", "found or estimated by random samples; not proved to be the best"},
    {"not found", "searched for in vain, which proves nothing"},
    {"refuted", "proved to be impossible"},
    {"undecided", "a limit on time or work came first"},
};

/// A label, then text wrapped beside it.
std::string beside(std::string_view label, std::string const& text) {
    std::string lines = wrapped(text, page_width - label_width);
    std::string result;
    std::string const indent(label_width, ' ');
    for (char const c : lines) {
        result += c;
        if (c == '\n') result += indent;
    }
    return fmt::format("  {:<{}}{}\n", label, label_width - 2, result);
}

/// What a brief account leaves out.
bool is_detail(Json const& sentence, std::size_t earlier_about_families) {
    std::string const about = sentence["about"];
    if (about == "slack" || about == "certificate") return true;
    if (about == "families") return earlier_about_families > 0;
    return about == "counterfactual" && sentence["evidence"] == "sampled";
}

std::string step_text(Json const& step, bool brief, std::set<std::string>& used) {
    std::string text =
        fmt::format("\nStep {}: {}\n", step["step"].get<std::size_t>() + 1, printable_line(step["words"]));
    std::size_t families = 0;
    for (Json const& sentence : step["sentences"]) {
        bool const detail = is_detail(sentence, families);
        families += sentence["about"] == "families" ? 1 : 0;
        if (brief && detail) continue;
        std::string const evidence = sentence["evidence"];
        used.insert(evidence);
        text += beside(evidence, printable_line(sentence["text"]));
    }
    return text;
}

} // namespace

std::string printable_line(std::string const& text) {
    std::string safe = text;
    for (char& c : safe) {
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
    }
    return safe;
}

std::string explanation_text(Json const& explanation, bool brief) {
    Json const& problem = explanation["problem"];
    Json const& solution = explanation["solution"];
    std::string const name = explanation["instance"]["name"];
    std::string text =
        fmt::format("{}{}; the policy's solution: {} {}, {}, {} steps\n", name.empty() ? "" : printable(name) + ": ",
                    printable_line(explanation["instance"]["description"]), problem["cost_word"].get<std::string>(),
                    number_words(solution["cost"].get<double>()), solution["valid"].get<bool>() ? "valid" : "NOT VALID",
                    solution["actions"].size());
    for (Json const& note : explanation["notes"]) text += wrapped("note: " + printable_line(note), page_width) + "\n";
    std::set<std::string> used;
    for (Json const& step : explanation["steps"]) text += step_text(step, brief, used);
    text += "\nHow sure is that?\n";
    for (auto const& [evidence, words] : meanings) {
        if (used.contains(std::string(evidence))) text += beside(evidence, std::string(words));
    }
    return text;
}

} // namespace cax::cli
