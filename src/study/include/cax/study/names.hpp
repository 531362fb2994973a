#pragma once
// What a study asks, as values: the stages of a task, the searches, rules and interventions that some stages come in,
// the sources of multipliers and the methods that are judged. Every one has a name, which the store and the tables use;
// nothing in the study decides by a name.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"
#include "cax/explain/perturbation.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace cax::study {

/// Stages that come in one kind only.
enum class SingleStage { episode, multipliers, attribution, sampler, wachter, gap, curve, thumb };
/// How a counterfactual is looked for ("counterfactual/replay").
enum class Search { replay, frozen, truncate, envelope, published, joint, relative, guided, one_number };
/// When a subset counts as sufficient ("subset/bonferroni").
enum class SubsetVariant { bonferroni, per_test, certified, anchor, published, random };
/// What is done to the data to see what a decision depends on ("truth/noise").
enum class Intervention { noise, redraw };
/// Whose decision the methods explain ("judged/own").
enum class Asked { own, sibling, untrained };

[[nodiscard]] NameTable<SingleStage> names_of(SingleStage);
[[nodiscard]] NameTable<Search> names_of(Search);
[[nodiscard]] NameTable<SubsetVariant> names_of(SubsetVariant);
[[nodiscard]] NameTable<Intervention> names_of(Intervention);
[[nodiscard]] NameTable<Asked> names_of(Asked);

/// What a decision is the result of.
using Stage = std::variant<SingleStage, Search, SubsetVariant, Intervention, Asked>;
[[nodiscard]] std::string stage_name(Stage const& stage);
/// Nothing if no stage has this name.
[[nodiscard]] std::optional<Stage> stage_named(std::string_view name);
/// One decision per instance, not one per decision.
[[nodiscard]] bool is_whole_instance(Stage const& stage);

/// Where the multipliers of the families come from. `lp_first`: the first instance's, for all.
enum class Source { proxy, lp, lp_sum, lp_max, lp_share, lp_least, subgrad, lagrangian, lp_first };
[[nodiscard]] NameTable<Source> names_of(Source);
/// How a gradient becomes masses: the paper's reading, each difference of the published code alone, all of them.
enum class MassReading { paper, node, raw, spent, published };
[[nodiscard]] NameTable<MassReading> names_of(MassReading);

/// Multipliers of a source on masses of a reading: an attribution. "lp" or "lp/node".
struct Attributor {
    Source source = Source::proxy;
    MassReading mass = MassReading::paper;
    constexpr Attributor(Source from, MassReading reading = MassReading::paper) : source(from), mass(reading) {}
    auto operator<=>(Attributor const&) const = default;
};
[[nodiscard]] std::string attributor_name(Attributor attributor);
[[nodiscard]] Result<Attributor> attributor_named(std::string_view name);

/// The smallest random shot without a question to the policy: which family it would name if every shot flipped. One
/// tensor per shot or all, in the tensors' own units or in units of their spread.
enum class SamplerReading { one_tensor, one_tensor_relative, joint, joint_relative };
[[nodiscard]] NameTable<SamplerReading> names_of(SamplerReading);

/// What explains a decision and is judged. `random_order` ranks nodes by nothing: chance.
enum class Method { proxy, lp, integrated, occlusion, swap, sensitivity, sensitivity_again, random_order };
[[nodiscard]] NameTable<Method> names_of(Method);

/// How large a change is: a norm, in the tensors' own units or in units of each tensor's spread ("relative-l1").
struct MassUnit {
    Norm norm = Norm::l1;
    bool relative = false;
    auto operator<=>(MassUnit const&) const = default;
};
[[nodiscard]] std::string unit_name(MassUnit unit);
[[nodiscard]] Result<MassUnit> unit_named(std::string_view name);

} // namespace cax::study
