#pragma once
// Sentences about a change that flips a decision, for the two parts that look for one.
#include "cax/explain/parts/counterfactual.hpp"
#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"

namespace cax {

/// `at`: where the part stands in the record of the step. Precondition: there is a flip.
void add_flip(StepWords const& words, StepCounterfactual const& part, std::string const& at, Topic about,
              std::vector<Sentence>& sentences);
/// Why nothing was found, or how hard it was tried: "None of 128 random changes ", "None of 40 numbers, ... ".
[[nodiscard]] SentenceBuilder none_of(StepCounterfactual const& part, std::string const& at, Topic about);

/// A change that makes the policy choose otherwise, by these options.
[[nodiscard]] Result<StepCounterfactual> find_flip(ExplanationContext const& context, std::size_t step,
                                                   AnswerOptions const& request);
[[nodiscard]] Choice choice_of(Decision const& decision, std::size_t action);

} // namespace cax
