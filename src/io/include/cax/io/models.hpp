#pragma once
// Trained policies by name: "op-20-s0" instead of the path to a file. They are looked for in the folder that CAX_MODELS
// names, in ./models, and where the program was installed.
#include "cax/core/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cax::io {

/// PREFIX/share/cax/models, with the PREFIX of the running program: PREFIX/bin/cax.
[[nodiscard]] std::filesystem::path installed_models();

/// The file itself if there is one of that name; else that of the trained policy so called. Error lists the folders
/// that do not have it. What has a folder in its name is a file.
[[nodiscard]] Result<std::filesystem::path> find_model(std::string const& given);

/// Every .safetensors file of a folder, sorted; none if there is no such folder.
[[nodiscard]] std::vector<std::string> models_in(std::filesystem::path const& folder);

} // namespace cax::io
