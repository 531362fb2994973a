#include "cax/io/models.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace cax::io {
namespace {

namespace fs = std::filesystem;

constexpr char const* extension = ".safetensors";

std::vector<fs::path> model_folders() {
    std::vector<fs::path> folders;
    if (char const* const own = std::getenv("CAX_MODELS"); own != nullptr && *own != 0) folders.emplace_back(own);
    folders.emplace_back("models");
    if (fs::path installed = installed_models(); !installed.empty()) folders.push_back(std::move(installed));
    return folders;
}

} // namespace

fs::path installed_models() {
    std::error_code failed;
    fs::path const program = fs::read_symlink("/proc/self/exe", failed);
    return failed ? fs::path() : program.parent_path().parent_path() / "share" / "cax" / "models";
}

Result<fs::path> find_model(std::string const& given) {
    fs::path const path(given);
    std::error_code ignored;
    if (path.has_parent_path() || fs::exists(fs::symlink_status(path, ignored))) return path;
    fs::path const file = path.extension() == extension ? path : fs::path(given + extension);
    std::string looked;
    for (fs::path const& folder : model_folders()) {
        if (fs::is_regular_file(folder / file, ignored)) return folder / file;
        looked += (looked.empty() ? "" : ", ") + folder.string();
    }
    return Error{ErrorCode::file_not_found,
                 fmt::format("{}: no such file, and no trained policy of that name in {}", given, looked)};
}

std::vector<std::string> models_in(fs::path const& folder) {
    std::vector<std::string> found;
    std::error_code failed;
    for (auto const& entry : fs::directory_iterator(folder, failed)) {
        if (entry.path().extension() == extension) found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
    return found;
}

} // namespace cax::io
