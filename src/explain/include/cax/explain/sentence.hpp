#pragma once
// One sentence of an explanation, as a value: what it says, how sure that is, and where every number and every word
// that it quotes stands in the record of the explanation, so that a sentence can never disagree with the data beside
// it.
#include "cax/core/names.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

/// How sure a sentence is.
enum class Evidence {
    exact,    ///< read off the state or the policy's own output
    computed, ///< follows from its definition, in floating point; no checker has looked at it
    proved,   ///< a checker that shares nothing with the search has verified it, or an exact method leaves nothing else
    bounded,  ///< holds with a stated confidence, or between stated limits
    sampled,  ///< found or estimated by random samples
    not_found, ///< searched for in vain; that proves nothing
    refuted,   ///< proved to be impossible
    undecided, ///< a limit on time or work came first
};
[[nodiscard]] NameTable<Evidence> names_of(Evidence); ///< "not found"

/// What a sentence is about.
enum class Topic {
    decision,
    slack,
    families,
    counterfactual,
    certificate,
    subset,
    why_not,
    price,
    forbidden,
    swap,
    sensitivity,
    plan
};
[[nodiscard]] NameTable<Topic> names_of(Topic); ///< "why_not"

/// A field that a sentence quotes.
struct Quote {
    std::string field; ///< JSON pointer into the record of the step
    std::string shown; ///< as it stands in the text
};

struct Sentence {
    Topic about = Topic::decision;
    Evidence evidence = Evidence::exact;
    std::string text;
    std::vector<Quote> fields; ///< in the order of the text
};

/// Percentages follow one rule, in sentences and on the page: the share, as the result file writes it, with one digit
/// behind the point or none, halves up. What would be rounded to 0 % or 100 % and is neither is "under" or "over" the
/// nearest that can be written.
/// "83.4 %", "under 0.1 %", "over 99.9 %".
[[nodiscard]] std::string percent_words(double share);
/// Four significant digits.
/// "38 %", never "0 %" or "100 %" for what is neither.
[[nodiscard]] std::string whole_percent_words(double share);
[[nodiscard]] std::string number_words(double value);

} // namespace cax
