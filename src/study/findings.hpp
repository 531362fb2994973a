#pragma once
// The cells of a study as values: what tables are made of. Reads the store once and names no stage's fields but those
// that tables need.
#include "cax/core/result.hpp"
#include "cax/explain/certify.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/problems/problem.hpp"
#include "cax/study/store.hpp"

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
    std::optional<Verdict> instance_verdict; ///< nothing if nobody asked
    std::optional<Verdict> prefix_verdict;
    std::map<std::string, std::vector<double>, std::less<>> masses; ///< "l1", "relative-l1", ...: per family
    std::vector<double> dimensions;                                 ///< entries per family
};

struct SubsetFinding {
    bool accepted = false;
    double size = 0;
    double rate = 0;
    double lower_bound = 0;
    std::int64_t samples = 0;
    std::optional<double> margin;
};

/// One decision. Failed cells are absent from the maps.
struct DecisionFinding {
    std::size_t seed = 0;
    std::size_t instance = 0;
    std::size_t step = 0;
    std::map<std::string, FamilyIndex, std::less<>> top = {}; ///< by source
    std::optional<TopFamily> dual = {};                       ///< nothing without a range
    std::map<std::string, FlipFinding, std::less<>> flips = {};
    std::map<std::string, SubsetFinding, std::less<>> subsets = {};
};

struct InstanceFinding {
    std::size_t seed = 0;
    std::int64_t wachter_shots = 0;
    std::int64_t wachter_passing = 0;
    std::map<std::string, double, std::less<>> gaps; ///< by way of decoding
    bool optimal = false;                            ///< the reference cost is proven
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
    std::size_t cells = 0;
    std::string first_reason;
};

struct Findings {
    std::vector<ProblemFindings> problems; ///< in the order of the registry
    std::vector<Failure> failures;
};

/// Error names the cell that cannot be read.
[[nodiscard]] Result<Findings> read_findings(Store const& store);

} // namespace cax::study
