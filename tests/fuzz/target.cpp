#include "target.hpp"

#include "targets.hpp"

#include <array>

namespace cax::fuzz {

std::span<Target const> all_targets() {
    static constexpr std::array targets{
        Target{"json", run_json, json_seeds},
        Target{"safetensors", run_safetensors, safetensors_seeds},
        Target{"npz", run_npz, npz_seeds},
        Target{"instances", run_instances, instances_seeds},
        Target{"arrays", run_arrays, arrays_seeds},
        Target{"solomon", run_solomon, solomon_seeds},
        Target{"oplib", run_oplib, oplib_seeds},
        Target{"fjs", run_fjs, fjs_seeds},
        Target{"sol", run_sol, sol_seeds},
        Target{"solution", run_solution, solution_seeds},
        Target{"best_known", run_best_known, best_known_seeds},
        Target{"policy", run_policy, policy_seeds},
        Target{"checkpoint", run_checkpoint, checkpoint_seeds},
        Target{"settings", run_settings, settings_seeds},
        Target{"results", run_results, results_seeds},
        Target{"store", run_store, store_seeds},
        Target{"golden", run_golden, golden_seeds},
        Target{"options", run_options, options_seeds},
        Target{"certify", run_certify, certify_seeds},
    };
    return targets;
}

} // namespace cax::fuzz
