#pragma once
// What a study runs. The defaults are the paper's; a JSON file changes any of them by name. Two studies may share a
// store only if their settings are equal, whoever writes them down.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace cax {
class OptionTable;
}

namespace cax::study {

struct SubsetSettings {
    std::size_t policies = 1;  ///< the first so many policies of every problem
    std::size_t instances = 8; ///< the first so many instances of each
    double epsilon = 0.2;
    double delta = 0.2;
    double sigma = 0.05;
    std::size_t k_max = 25;
};

/// The search that tries every number alone.
struct OneNumberSettings {
    std::size_t instances = 16; ///< the first so many instances of every policy
    std::size_t levels = 6;     ///< sizes that every number is tried at, each four times the one before
    std::size_t rounds = 6;     ///< of bisection below the first size that flips
};

/// How explanations are judged against what interventions show (docs/study.md).
struct JudgeSettings {
    std::size_t instances = 8; ///< the first so many instances of every policy
    std::size_t curves = 8;    ///< of them, the first so many whose data are hidden piece by piece
    std::size_t noise = 16;    ///< directions per size, family and half of the truth by noise
    std::size_t redraws = 32;  ///< fresh draws per family and half of the other truth
    std::size_t shots = 8;     ///< of sensitivity, per size and family
    std::size_t points = 32;   ///< of integrated gradients
};

struct Settings {
    std::size_t instances = 16; ///< B, per policy
    std::size_t steps = 8;      ///< T, the first decisions of each instance
    std::size_t shots = 128;    ///< M, per counterfactual
    std::uint64_t seed = 0;     ///< names every random number of the study
    SubsetSettings subset;
    JudgeSettings judge;
    OneNumberSettings one_number;
    std::size_t guided_passes = 28; ///< forward passes of each guided search
    /// Iterations of the classical search that gaps are measured against: a budget that does not depend on the machine.
    std::uint64_t search_iterations = 100000;
    /// Work units of the constraint solver per certificate, for the same reason.
    std::uint64_t certify_work = 20000;
    std::size_t resamples = 10000; ///< of every bootstrap
    double confidence = 0.95;
    /// Instance size per problem; what is not here has the size that the policy was trained on.
    std::map<std::string, std::string, std::less<>> sizes;
    /// One's own instances per problem, as "count:sha256" of their file; what is not here is generated.
    std::map<std::string, std::string, std::less<>> files;
};
/// How many instances each policy of the problem is asked about: `instances`, or all of one's own.
[[nodiscard]] std::size_t instances_of(Settings const& settings, std::string_view problem);

/// A minute instead of half an hour: too few decisions to conclude anything, every table there.
[[nodiscard]] Settings quick_settings();

/// Every setting, with its range.
void describe(OptionTable& table, Settings& settings);
/// Every setting by name, in a fixed order.
[[nodiscard]] Json to_json(Settings const& settings);
/// `base` with the fields of `json` changed. Error names an unknown field, a wrong type or a value out of range.
[[nodiscard]] Result<Settings> settings_from_json(Json const& json, Settings const& base = {});

} // namespace cax::study
