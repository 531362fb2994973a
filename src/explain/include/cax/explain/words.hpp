#pragma once
// Plain words for cax/explanation/1. Sentences are made from the JSON of a step, number by number from its fields, and
// say for each number which field it is: a sentence can never disagree with the data it stands beside.
//
// Each sentence carries how sure it is:
//   exact      read off the state or the policy's own output
//   computed   follows from its definition; an attribution says how strongly the policy reacts, not what is the cause
//   proved     a checker that shares nothing with the search has verified it
//   bounded    holds with a stated confidence, or between stated limits
//   sampled    found or estimated by random samples
//   not found  searched for in vain; that proves nothing
//   refuted    proved to be impossible
//   undecided  a limit on time or work came first
#include "cax/core/json_fwd.hpp"

#include <string>

namespace cax {

/// "83.4 %", "under 0.1 %", "over 99.9 %".
[[nodiscard]] std::string percent_words(double share);
/// Four significant digits.
[[nodiscard]] std::string number_words(double value);

/// [{about, evidence, text, values: [{path, shown}]}] for a step of an explanation. `path` is a JSON pointer into the
/// step; `problem` is the explanation's "problem" object. Parts that are null are passed over.
[[nodiscard]] Json step_sentences(Json const& problem, Json const& step);

} // namespace cax
