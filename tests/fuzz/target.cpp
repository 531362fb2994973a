#include "target.hpp"

#include "targets.hpp"

#include <array>

namespace cax::fuzz {

std::span<Target const> all_targets() {
    static constexpr std::array targets{
#define CAX_FUZZ_TARGET(name) Target{#name, run_##name, name##_seeds},
#include "target_list.inc"
#undef CAX_FUZZ_TARGET
    };
    return targets;
}

} // namespace cax::fuzz
