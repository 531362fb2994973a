#pragma once
// The decisions of a study as values: what tables are made of. Reads the store once and names no stage's fields but those
// that tables need.
#include "cax/core/result.hpp"
#include "cax/explain/certify.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/problem.hpp"
#include "cax/study/names.hpp"
#include "cax/study/store.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cax::study {

using FamilyIndex = std::optional<std::size_t>;

/// One counterfactual search.
struct FlipFinding {
    bool flip = false;
    FamilyIndex family;
    double l1 = 0;                           ///< of the change
    std::optional<Verdict> instance_verdict; ///< nothing if nobody asked
    std::optional<Verdict> prefix_verdict;
    std::map<MassUnit, std::vector<double>> masses; ///< per family
    std::vector<double> dimensions;                 ///< entries per family
};

struct SubsetFinding {
    bool accepted = false;
    double size = 0;
    double rate = 0;
    double lower_bound = 0;
    std::int64_t samples = 0;
    std::optional<double> margin;
};

/// What an intervention has shown, in two halves with random numbers of their own.
struct TruthHalf {
    std::vector<double> score; ///< per family: mean total variation
    std::vector<double> flip;  ///< per family: how often the decision was another
};
using Truth = std::array<TruthHalf, 2>;

/// What methods say of a decision, per family; those that say nothing are absent.
using Sayings = std::map<Method, std::vector<double>>;

struct ThumbFinding {
    bool agrees = false;
    double chance = 0; ///< that a coin among the allowed actions agrees
};

/// Mean probability of the chosen action along the way.
struct NodeCurve {
    double deletion = 0;
    double insertion = 0;
};

/// One decision. Failed decisions are absent from the maps.
struct DecisionFinding {
    std::size_t seed = 0;
    std::size_t instance = 0;
    std::size_t step = 0;
    std::map<Attributor, FamilyIndex> top = {};
    std::optional<TopFamily> dual = {};                 ///< nothing without a range
    std::map<SamplerReading, FamilyIndex> sampler = {}; ///< what the sampler names if every shot flips
    std::map<Search, FlipFinding> flips = {};
    std::map<SubsetVariant, SubsetFinding> subsets = {};
    std::map<Intervention, Truth> truths = {};
    std::map<Asked, Sayings> sayings = {};
    std::vector<double> exchanged = {}; ///< the lead after exchanging each family; empty without
    std::vector<double> hidden = {};    ///< probability of the action by set of hidden families, a bit each; or empty
    std::map<Method, NodeCurve> curves = {};
    std::optional<std::size_t> chosen = {};                      ///< the action; nothing without a choice
    std::map<std::string, ThumbFinding, std::less<>> thumb = {}; ///< by the rule's name
    std::size_t allowed = 0;                                     ///< actions; 0 where no rule of thumb counted them
};

struct InstanceFinding {
    std::size_t seed = 0;
    std::int64_t wachter_shots = 0;
    std::int64_t wachter_passing = 0;
    std::map<DecodeMode, std::optional<double>> gaps; ///< none of a solution that breaks rules
    bool optimal = false;                             ///< the reference cost is proven
    std::vector<double> lambda = {};                  ///< lp's, per family; empty if one is missing
    std::vector<double> entries = {};                 ///< of the feature tensors, per family
};

struct ProblemFindings {
    std::string name;
    std::vector<std::string> families;
    std::vector<std::size_t> seeds; ///< of its policies, ascending
    std::vector<DecisionFinding> decisions;
    std::vector<InstanceFinding> instances;
};

struct Failure {
    std::string problem;
    std::string stage;
    std::size_t decisions = 0;
    std::string first_reason;
};

struct Findings {
    std::vector<ProblemFindings> problems; ///< in the order of the registry
    std::vector<Failure> failures;
};

/// Error names the decision that cannot be read.
[[nodiscard]] Result<Findings> read_findings(Store const& store);

} // namespace cax::study
