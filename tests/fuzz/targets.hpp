#pragma once
// The functions of all targets; target.cpp has the list. Each pair is in the file named after its group.
#include "finding.hpp"

#include <vector>

namespace cax::fuzz {

// readers.cpp: files of instances and solutions
void run_json(Bytes bytes);
void run_instances(Bytes bytes);
void run_solomon(Bytes bytes);
void run_oplib(Bytes bytes);
void run_fjs(Bytes bytes);
void run_sol(Bytes bytes);
void run_solution(Bytes bytes);
void run_best_known(Bytes bytes);
[[nodiscard]] std::vector<std::string> json_seeds();
[[nodiscard]] std::vector<std::string> instances_seeds();
[[nodiscard]] std::vector<std::string> solomon_seeds();
[[nodiscard]] std::vector<std::string> oplib_seeds();
[[nodiscard]] std::vector<std::string> fjs_seeds();
[[nodiscard]] std::vector<std::string> sol_seeds();
[[nodiscard]] std::vector<std::string> solution_seeds();
[[nodiscard]] std::vector<std::string> best_known_seeds();

// tensors.cpp: files of arrays
void run_safetensors(Bytes bytes);
void run_npz(Bytes bytes);
void run_arrays(Bytes bytes);
[[nodiscard]] std::vector<std::string> safetensors_seeds();
[[nodiscard]] std::vector<std::string> npz_seeds();
[[nodiscard]] std::vector<std::string> arrays_seeds();

// policies.cpp: files of weights
void run_policy(Bytes bytes);
void run_checkpoint(Bytes bytes);
[[nodiscard]] std::vector<std::string> policy_seeds();
[[nodiscard]] std::vector<std::string> checkpoint_seeds();

// commands.cpp: what only commands read, through the command line itself
void run_settings(Bytes bytes);
void run_results(Bytes bytes);
void run_store(Bytes bytes);
void run_options(Bytes bytes);
[[nodiscard]] std::vector<std::string> settings_seeds();
[[nodiscard]] std::vector<std::string> results_seeds();
[[nodiscard]] std::vector<std::string> store_seeds();
[[nodiscard]] std::vector<std::string> options_seeds();

// golden.cpp: recorded traces
void run_golden(Bytes bytes);
[[nodiscard]] std::vector<std::string> golden_seeds();

// certify.cpp: certificates against trying everything
void run_certify(Bytes bytes);
[[nodiscard]] std::vector<std::string> certify_seeds();

} // namespace cax::fuzz
