#include "cax/parity/check_golden.hpp"

#include "golden_format.hpp"

#include "cax/core/printable.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
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

/// Goes through everything below `root`, which may be a whole disk: tells how many folders it has seen.
Result<std::vector<Found>> find_folders(fs::path const& root, Progress const& progress) {
    std::error_code error;
    if (!fs::is_directory(root, error)) {
        return Error{ErrorCode::file_not_found, root.string() + ": is not a directory"};
    }
    std::vector<Found> found;
    std::size_t seen = 0;
    add_if_golden(found, root);
    fs::recursive_directory_iterator entries(root, fs::directory_options::skip_permission_denied, error);
    for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
        std::error_code gone; // a link that leads nowhere, a file that has just been removed
        if (!entries->is_directory(gone)) continue;
        add_if_golden(found, entries->path());
        if (progress) progress(++seen, 0);
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

/// Sorts out folders of problems that cax does not know. Error if no other is left.
Result<std::vector<Found>> known_ones(std::vector<Found> found, fs::path const& root, GoldenReport& report) {
    auto const unknown = [&](Found const& each) {
        std::string const problem = each.format.problem != nullptr ? each.format.problem(each.folder) : "";
        if (problem.empty() || find_problem(problem) != nullptr) return false;
        report.skipped.push_back({each.folder, printable(problem)});
        return true;
    };
    std::erase_if(found, unknown);
    if (!found.empty()) return found;
    return Error{ErrorCode::unsupported,
                 fmt::format("{}: no golden folder is of a problem that cax knows ({}); the first is of \"{}\"",
                             root.string(), problem_names(), report.skipped.front().problem)};
}

} // namespace

bool GoldenReport::passed() const { return !folders.empty() && std::ranges::all_of(folders, &GoldenFolder::passed); }

Result<GoldenReport> check_golden(fs::path const& path, GoldenOptions const& options) {
    auto all = find_folders(path, options.progress);
    if (!all) return all.error();
    GoldenReport report;
    auto const found = known_ones(*std::move(all), path, report);
    if (!found) return found.error();
    for (Found const& each : *found) {
        // A folder may take minutes: its own steps count as hundredths of it.
        GoldenOptions within = options;
        if (options.progress) {
            within.progress = [&](std::size_t finished, std::size_t total) {
                std::size_t const before = 100 * report.folders.size();
                options.progress(before + 100 * finished / total, 100 * found->size());
            };
        }
        auto folder = each.format.check(each.folder, within);
        if (!folder) return folder.error();
        report.folders.push_back(std::move(*folder));
        if (options.progress) options.progress(100 * report.folders.size(), 100 * found->size());
    }
    return report;
}

} // namespace cax::parity
