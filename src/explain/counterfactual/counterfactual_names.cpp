#include "cax/explain/counterfactual.hpp"

namespace cax {

std::string_view name_of(StateMode mode) { return mode == StateMode::replay ? "replay" : "frozen"; }

std::string_view name_of(Certification certification) {
    switch (certification) {
    case Certification::instance: return "instance";
    case Certification::bound: return "bound";
    case Certification::prefix: return "prefix";
    case Certification::none: return "none";
    }
    return "";
}

std::string_view name_of(CounterfactualStatus status) {
    switch (status) {
    case CounterfactualStatus::certified: return "certified";
    case CounterfactualStatus::refuted: return "refuted";
    case CounterfactualStatus::undecided: return "undecided";
    case CounterfactualStatus::flipped: return "flipped";
    case CounterfactualStatus::no_flip: return "no_flip";
    }
    return "";
}

} // namespace cax
