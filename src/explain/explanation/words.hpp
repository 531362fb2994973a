#pragma once
// Plain words for an explained step, number by number from its values; each names the field of the record in which the
// number stands.
#include "cax/explain/explanation.hpp"
#include "cax/problems/presentation.hpp"

#include <span>

namespace cax {

/// What sentences call things.
struct StepWords {
    ProblemInfo const& info;
    std::span<FamilyWords const> families;

    /// "time windows": what the family's numbers are called.
    [[nodiscard]] std::string data(std::size_t family) const {
        FamilyWords const& words = families[family];
        return std::string(words.data.empty() ? words.label : words.data);
    }
    [[nodiscard]] std::string label(std::size_t family) const { return std::string(families[family].label); }
};

/// Parts that are not there are passed over.
[[nodiscard]] std::vector<Sentence> step_sentences(StepWords const& words, Step const& step);

} // namespace cax
