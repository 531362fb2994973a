#pragma once
// One way in which golden numbers are stored. A format is one file that offers one of these; check_golden.cpp lists
// them.
#include "cax/parity/check_golden.hpp"

#include <filesystem>

namespace cax::parity {

struct GoldenFormat {
    std::string_view name;
    bool (*recognises)(std::filesystem::path const& folder);
    Result<GoldenFolder> (*check)(std::filesystem::path const& folder, GoldenOptions const& options);
    /// What the folder calls its problem, if it says so where one need not know the problem to read it.
    std::string (*problem)(std::filesystem::path const& folder) = nullptr;
};

/// rl4co's traces: weights.safetensors, trace.safetensors, trace.json, env_random*.safetensors.
[[nodiscard]] GoldenFormat rl4co_format();
/// The published code's results: manifest.json and one file per method, with the weights of rl4co's traces beside them.
[[nodiscard]] GoldenFormat reference_format();

} // namespace cax::parity
