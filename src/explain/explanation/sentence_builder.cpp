#include "explanation/sentence_builder.hpp"

#include "cax/core/names.hpp"

#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

constexpr std::array evidences{
    Named<Evidence>{Evidence::exact, "exact", "read off the state or the policy's own output"},
    Named<Evidence>{Evidence::computed, "computed",
                    "follows from its definition; says how strongly the policy reacts, not what the cause is"},
    Named<Evidence>{Evidence::proved, "proved",
                    "verified by a checker that shares nothing with the search, or by an exact method"},
    Named<Evidence>{Evidence::bounded, "bounded", "holds with a stated confidence, or between stated limits"},
    Named<Evidence>{Evidence::sampled, "sampled", "found or estimated by random samples; not proved to be the best"},
    Named<Evidence>{Evidence::not_found, "not found", "searched for in vain, which proves nothing"},
    Named<Evidence>{Evidence::refuted, "refuted", "proved to be impossible"},
    Named<Evidence>{Evidence::undecided, "undecided", "a limit on time or work came first"}};
constexpr std::array topics{
    Named<Topic>{Topic::decision, "decision"},       Named<Topic>{Topic::slack, "slack"},
    Named<Topic>{Topic::families, "families"},       Named<Topic>{Topic::counterfactual, "counterfactual"},
    Named<Topic>{Topic::certificate, "certificate"}, Named<Topic>{Topic::subset, "subset"},
    Named<Topic>{Topic::why_not, "why_not"},         Named<Topic>{Topic::price, "price"},
    Named<Topic>{Topic::forbidden, "forbidden"},     Named<Topic>{Topic::swap, "swap"},
    Named<Topic>{Topic::sensitivity, "sensitivity"}, Named<Topic>{Topic::plan, "plan"}};

/// A share in percent with so many digits behind the point. The rule for all sentences and the page: the share is the
/// decimal that the result file writes, and halves of the last digit go up, away from 0. Such a decimal is a half if it
/// is the double nearest to one: `half / power` below is.
double rounded_percent(double share, int digits) {
    double const power = std::pow(10, digits);
    double const below = std::floor(std::fabs(share) * 100 * power);
    double const half = below + 0.5;
    double const rounded = std::fabs(share) >= half / (100 * power) ? below + 1 : below;
    return std::copysign(rounded, rounded == 0 ? 1 : share) / power;
}

} // namespace

NameTable<Evidence> names_of(Evidence) { return evidences; }
NameTable<Topic> names_of(Topic) { return topics; }

std::string percent_words(double share) {
    if (share > 0 && share < 0.0005) return "under 0.1 %";
    if (share < 1 && share >= 0.9995) return "over 99.9 %";
    return fmt::format("{:.1f} %", rounded_percent(share, 1));
}

std::string whole_percent_words(double share) {
    if (share > 0 && share < 0.005) return "under 1 %";
    if (share < 1 && share >= 0.995) return "over 99 %";
    return fmt::format("{:.0f} %", rounded_percent(share, 0));
}

std::string number_words(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

SentenceBuilder::SentenceBuilder(Topic about, Evidence evidence) {
    sentence_.about = about;
    sentence_.evidence = evidence;
}

SentenceBuilder& SentenceBuilder::say(std::string_view text) {
    sentence_.text += text;
    return *this;
}

SentenceBuilder& SentenceBuilder::quote(std::string field, std::string shown) {
    sentence_.text += shown;
    sentence_.fields.push_back({std::move(field), std::move(shown)});
    return *this;
}

SentenceBuilder& SentenceBuilder::number(std::string field, std::optional<double> value) {
    return quote(std::move(field), value && std::isfinite(*value) ? number_words(*value) : "none");
}

SentenceBuilder& SentenceBuilder::percent(std::string field, std::optional<double> share) {
    return quote(std::move(field), share && std::isfinite(*share) ? percent_words(*share) : "none");
}

SentenceBuilder& SentenceBuilder::whole_percent(std::string field, std::optional<double> share) {
    bool const known = share && std::isfinite(*share);
    return quote(std::move(field), known ? whole_percent_words(*share) : "none");
}

SentenceBuilder& SentenceBuilder::words(std::string field, std::string_view text) {
    return quote(std::move(field), std::string(text));
}

Sentence SentenceBuilder::done() const {
    Sentence sentence = sentence_;
    std::string& text = sentence.text;
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return sentence;
}

} // namespace cax
