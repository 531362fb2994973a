#include "file_arguments.hpp"

#include "must.hpp"

#include "cax/io/files.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace cax::cli {
namespace {

namespace fs = std::filesystem;

/// Options that name a file to write. Whatever else names an existing file is read.
constexpr std::array<std::string_view, 6> output_options{"--json",   "--html", "--solutions",
                                                         "--output", "--log",  "--checkpoint"};
/// Commands whose --output is a folder, and those of them that only read there.
constexpr std::array<std::string_view, 4> folder_commands{"study", "study export", "study status", "study merge"};
constexpr std::array<std::string_view, 2> reading_commands{"study status", "study merge"};
/// What is read from a folder that is given as a whole.
constexpr std::array<std::string_view, 3> read_in_folders{"tables.json", "trace.json", "manifest.json"};

bool among(auto const& list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

/// "--output" of "-o,--output", "INSTANCES" of a positional.
std::string name_of(CLI::Option const& option) {
    return option.get_lnames().empty() ? option.get_name(true) : "--" + option.get_lnames().front();
}

bool is_regular_or_new(std::string const& path) {
    std::error_code ignored;
    auto const status = fs::status(path, ignored);
    return !fs::exists(status) || fs::is_regular_file(status);
}

/// Would writing `output` change something that `folder` is read for?
bool read_below(fs::path const& folder, fs::path const& output) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored) || !fs::exists(output, ignored)) return false;
    fs::path const inside = fs::weakly_canonical(output, ignored).lexically_relative(fs::canonical(folder, ignored));
    bool const below = !inside.empty() && *inside.begin() != "..";
    return below && (inside.extension() == ".safetensors" || among(read_in_folders, inside.filename().string()));
}

/// The folder, or the nearest one above it that exists, must be writable.
void check_folder(FileArgument const& output) {
    std::error_code ignored;
    fs::path folder = fs::absolute(output.path, ignored);
    while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
    if (!fs::is_directory(folder, ignored))
        fail("{} {}: {} is not a folder", output.option, output.path, folder.string());
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        fail("{} {}: cannot be written: {}", output.option, output.path, std::strerror(errno));
}

} // namespace

void check_files(std::vector<FileArgument> const& inputs, std::vector<FileArgument> const& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        FileArgument const& output = outputs[i];
        must(io::check_writable(output.path), output.option);
        if (!is_regular_or_new(output.path)) continue;
        auto const refuse = [&](FileArgument const& other, std::string_view what) {
            fail("{} {}: is {} {} {}; choose another file", output.option, output.path, what, other.option, other.path);
        };
        for (FileArgument const& input : inputs) {
            if (io::same_file(input.path, output.path)) refuse(input, "also read, as");
            if (read_below(input.path, output.path)) refuse(input, "read, too: it lies in");
        }
        for (std::size_t k = 0; k < i; ++k) {
            if (io::same_file(outputs[k].path, output.path)) refuse(outputs[k], "also the file of");
        }
    }
}

void check_file_arguments(CLI::App const& app) {
    std::vector<FileArgument> inputs;
    std::vector<FileArgument> outputs;
    std::string path; // of subcommands: "study export"
    CLI::App const* command = &app;
    while (!command->get_subcommands().empty()) {
        command = command->get_subcommands().front();
        path += (path.empty() ? "" : " ") + command->get_name();
        bool const last = command->get_subcommands().empty();
        for (CLI::Option const* option : command->get_options()) {
            std::string const name = name_of(*option);
            if (name == "--output" && among(folder_commands, path)) {
                std::string const folder =
                    option->count() > 0 ? option->as<std::string>() : std::string(option->get_default_str());
                if (!last || folder.empty() || among(reading_commands, path)) continue;
                check_folder({name, folder});
                continue;
            }
            for (std::string const& value : option->results()) {
                std::error_code ignored;
                if (name == "--csv") { // a folder
                    check_folder({name, value});
                } else if (among(output_options, name)) {
                    outputs.push_back({name, value});
                } else if (fs::exists(value, ignored)) {
                    inputs.push_back({name, value});
                }
            }
        }
    }
    check_files(inputs, outputs);
}

} // namespace cax::cli
