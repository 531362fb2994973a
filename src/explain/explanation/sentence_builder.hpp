#pragma once
// Puts a sentence together from plain text and from values that stand in a field of the step's record. It remembers
// which fields it used and how they were written.
#include "cax/explain/sentence.hpp"

#include <concepts>

namespace cax {

class SentenceBuilder {
public:
    SentenceBuilder(Topic about, Evidence evidence);

    SentenceBuilder& say(std::string_view text);
    /// A value, with the JSON pointer of the field that holds it: a number, a share as a percentage, words. A number
    /// that is missing or not finite is "none".
    SentenceBuilder& number(std::string field, std::optional<double> value);
    SentenceBuilder& number(std::string field, std::integral auto value) {
        return number(std::move(field), static_cast<double>(value));
    }
    SentenceBuilder& percent(std::string field, std::optional<double> share);
    /// Rounded to whole percents: "38 %".
    SentenceBuilder& whole_percent(std::string field, std::optional<double> share);
    SentenceBuilder& words(std::string field, std::string_view text);
    /// A number written in a way of its own: "+0.73".
    SentenceBuilder& written(std::string field, std::string shown) { return quote(std::move(field), std::move(shown)); }

    /// The text begins with a capital.
    [[nodiscard]] Sentence done() const;

private:
    SentenceBuilder& quote(std::string field, std::string shown);

    Sentence sentence_;
};

} // namespace cax
