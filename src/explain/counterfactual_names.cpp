#include "cax/explain/counterfactual.hpp"

namespace cax {
namespace {

constexpr std::array state_modes{
    Named<StateMode>{StateMode::replay, "replay", "repeat the actions so far on the changed instance"},
    Named<StateMode>{StateMode::frozen, "frozen", "change only the tensors"}};
constexpr std::array certifications{
    Named<Certification>{Certification::instance, "instance", "a solution"},
    Named<Certification>{Certification::bound, "bound", "one that keeps a bound"},
    Named<Certification>{Certification::prefix, "prefix", "one that begins with the actions so far and the new one"},
    Named<Certification>{Certification::none, "none", "nothing"}};
constexpr std::array counterfactual_statuses{Named<CounterfactualStatus>{CounterfactualStatus::certified, "certified"},
                                             Named<CounterfactualStatus>{CounterfactualStatus::refuted, "refuted"},
                                             Named<CounterfactualStatus>{CounterfactualStatus::undecided, "undecided"},
                                             Named<CounterfactualStatus>{CounterfactualStatus::flipped, "flipped"},
                                             Named<CounterfactualStatus>{CounterfactualStatus::no_flip, "no_flip"}};

} // namespace

NameTable<StateMode> names_of(StateMode) { return state_modes; }
NameTable<Certification> names_of(Certification) { return certifications; }
NameTable<CounterfactualStatus> names_of(CounterfactualStatus) { return counterfactual_statuses; }

} // namespace cax
