#pragma once
// Which decisions a study consists of. A task is one policy on one instance; a task has decisions that speak of the instance
// and decisions for each of its decisions, one per stage. Status, merging and tables all ask here what should be there.
#include "cax/core/result.hpp"
#include "cax/explain/fidelity.hpp"
#include "cax/study/names.hpp"
#include "cax/study/settings.hpp"
#include "cax/study/store.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax::study {

/// With which the store was made.
[[nodiscard]] Result<Settings> settings_of(Store const& store);

struct Task {
    std::size_t policy = 0; ///< index into StoreHeader::policies
    std::size_t instance = 0;
};

/// "2/5"; or "auto", which is this task's place in a Slurm job array (SLURM_ARRAY_TASK_ID and _COUNT), or "auto/64":
/// the same place among 64, whichever tasks the array has. `variable` looks into the environment. Error names the text
/// or the variable; an array that is not 0 to n - 1 cannot say how many shards there are, and is refused by "auto".
using Variable = std::function<std::optional<std::string>(std::string const& name)>;
[[nodiscard]] Result<Shard> shard_in_array(std::string_view text, Variable const& variable);

/// All tasks of a shard, instances first: problems and policies take turns, so that the time left can be guessed.
[[nodiscard]] std::vector<Task> tasks_of(StoreHeader const& header, Settings const& settings);

/// Who looks for the smallest change.
enum class SearchMethod {
    sampler,    ///< random shots, as in the paper's algorithm 1
    guided,     ///< along the gradients of the policy
    one_number, ///< every number alone, without gradients
};
/// How one counterfactual search differs from the paper's.
struct CounterfactualVariant {
    Search search = Search::replay;
    SearchMethod method = SearchMethod::sampler;
    CounterfactualFidelity fidelity = {};
    bool joint = false;    ///< all tensors in every shot
    bool relative = false; ///< the smallest change in units of each tensor's spread
    bool prefix = false;   ///< certified in prefix mode, too
};
/// One per search, in the order of the enum.
[[nodiscard]] std::span<CounterfactualVariant const> counterfactual_variants();
[[nodiscard]] CounterfactualVariant const& variant_of(Search search);

/// The first decision of every task: how many decisions there are.
inline constexpr Stage walk_stage = SingleStage::episode;
/// Stages of a task after the episode, in the order in which they run.
[[nodiscard]] std::vector<Stage> stages_of(StoreHeader const& header, Settings const& settings, Task const& task);

struct StageStatus {
    std::string problem;
    std::size_t seed = 0;
    std::string stage; ///< its name
    std::size_t done = 0;
    std::size_t expected = 0; ///< as far as is known: decisions that no episode has counted yet count as settings.steps
    std::size_t failed = 0;
};
/// One entry per policy and stage, in order. `header.shard` decides which tasks are expected.
[[nodiscard]] Result<std::vector<StageStatus>> status_of(Store const& store, Settings const& settings);
/// Sum of what is expected and not done.
[[nodiscard]] std::size_t missing_cells(std::vector<StageStatus> const& status);

} // namespace cax::study
