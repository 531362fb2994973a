#include "cax/parity/check_golden.hpp"

#include "golden_format.hpp"

#include <algorithm>
#include <array>
#include <system_error>

namespace cax::parity {
namespace {

namespace fs = std::filesystem;

std::array<GoldenFormat, 2> formats() { return {rl4co_format(), reference_format()}; }

struct Found {
    fs::path folder;
    GoldenFormat format;
};

void add_if_golden(std::vector<Found>& found, fs::path const& folder) {
    for (GoldenFormat const& format : formats()) {
        if (format.recognises(folder)) found.push_back({folder, format});
    }
}

Result<std::vector<Found>> find_folders(fs::path const& root) {
    std::error_code error;
    if (!fs::is_directory(root, error)) {
        return Error{ErrorCode::file_not_found, root.string() + ": is not a directory"};
    }
    std::vector<Found> found;
    add_if_golden(found, root);
    fs::recursive_directory_iterator entries(root, fs::directory_options::skip_permission_denied, error);
    for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
        if (entries->is_directory(error)) add_if_golden(found, entries->path());
    }
    if (error) return Error{ErrorCode::file_not_found, root.string() + ": " + error.message()};
    if (found.empty()) {
        return Error{ErrorCode::file_not_found,
                     root.string() +
                         ": holds no golden folder (trace.safetensors, or manifest.json and lambda.safetensors)"};
    }
    std::ranges::sort(found, {}, &Found::folder);
    return found;
}

} // namespace

bool GoldenReport::passed() const { return !folders.empty() && std::ranges::all_of(folders, &GoldenFolder::passed); }

Result<GoldenReport> check_golden(fs::path const& path, GoldenOptions const& options) {
    auto const found = find_folders(path);
    if (!found) return found.error();
    GoldenReport report;
    for (Found const& each : *found) {
        auto folder = each.format.check(each.folder, options);
        if (!folder) return folder.error();
        report.folders.push_back(std::move(*folder));
        if (options.progress) options.progress(report.folders.size(), found->size());
    }
    return report;
}

} // namespace cax::parity
