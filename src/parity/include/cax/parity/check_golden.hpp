#pragma once
// Does cax compute what the reference computed? A golden folder holds a policy, instances and everything the reference
// recorded while it solved them: states, masks, log-probabilities, gradients, actions, rewards. check_golden recomputes
// all of it and says how far apart the two are, and where.
//
// States, masks and actions must be equal; float32 state values bit for bit. Numbers that a network computed have a
// tolerance, one for double precision and one for single. Sizes, steps and keys are read from the files.
#include "cax/core/json_fwd.hpp"
#include "cax/core/progress.hpp"
#include "cax/core/result.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cax::parity {

struct GoldenOptions {
    bool float32 = true; ///< check single precision
    bool float64 = true; ///< check double precision
    std::size_t threads = 0;
    Progress progress = {}; ///< while it looks for folders (total 0), then in hundredths of a folder
};

/// Things that are equal or not.
struct Count {
    std::size_t compared = 0;
    std::size_t unequal = 0;
};

/// Numbers that are close or not. Log-probabilities: absolute difference. Gradients: difference divided by the largest
/// entry of the tensor (plus the tolerance's absolute part), so that `tolerance` is the bound of `largest` everywhere.
struct Difference {
    double largest = 0;
    double tolerance = 0;
    std::string where;        ///< the tensor with the largest difference
    std::size_t compared = 0; ///< tensors, one per instance
    std::size_t exceeded = 0;
    std::size_t kinks =
        0; ///< float32 gradients that differ because one hidden unit rounds to the other side of its ReLU
};

struct GoldenFolder {
    std::filesystem::path path;
    std::string format;  ///< "rl4co" or "reference"
    std::string problem; ///< of the policy
    std::string network;
    std::size_t decisions = 0; ///< (instance, step) pairs whose probabilities were compared
    Count states;              ///< tensors of states, one per instance, step and key
    Count masks;
    Count actions;
    Count rewards;
    Difference log_probs64;
    Difference gradients64;
    Difference log_probs32;
    Difference gradients32;
    std::map<std::string, Count, std::less<>> counts;           ///< further things, by name: "scores", "winners"
    std::map<std::string, Difference, std::less<>> differences; ///< further numbers, by name: "masses 64"
    std::vector<std::string> failures;                          ///< the first few, in words
    std::size_t failure_count = 0;
    std::vector<std::string> not_compared; ///< tensors in the files that no check reads (inner activations)

    /// Everything agreed, and there was something to compare.
    [[nodiscard]] bool passed() const { return failure_count == 0 && decisions > 0; }
};

/// Every number of it, for machines.
[[nodiscard]] Json to_json(GoldenFolder const& folder);

/// A folder of a problem that cax does not know.
struct SkippedFolder {
    std::filesystem::path path;
    std::string problem;
};

struct GoldenReport {
    std::vector<GoldenFolder> folders;
    std::vector<SkippedFolder> skipped;
    [[nodiscard]] bool passed() const;
};

/// Checks every golden folder below `path` (and `path` itself) whose problem cax knows. Error if there is none or a
/// file cannot be read; disagreement is not an Error but a report that has not passed().
[[nodiscard]] Result<GoldenReport> check_golden(std::filesystem::path const& path, GoldenOptions const& options = {});

} // namespace cax::parity
