#pragma once
// The functions of all targets: void run_NAME(Bytes) and std::vector<std::string> NAME_seeds(). CMakeLists.txt has the
// list, and says in which file each of them is.
#include "finding.hpp"

#include <vector>

namespace cax::fuzz {

#define CAX_FUZZ_TARGET(name)                                                                                          \
    void run_##name(Bytes bytes);                                                                                      \
    [[nodiscard]] std::vector<std::string> name##_seeds();
#include "target_list.inc"
#undef CAX_FUZZ_TARGET

} // namespace cax::fuzz
