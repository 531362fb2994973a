#include "file_arguments.hpp"

#include "common_options.hpp"
#include "must.hpp"

#include "cax/io/files.hpp"

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

/// Options that name a file to write, or a folder to write to. Whatever else names an existing file is read.
constexpr std::array<std::string_view, 7> output_options{"json", "html",       "solutions", "output",
                                                         "log",  "checkpoint", "csv"};
/// Commands whose folder is only read.
constexpr std::array<std::string_view, 2> reading_commands{"study status", "study merge"};
/// What is read from a folder that is given as a whole.
constexpr std::array<std::string_view, 3> read_in_folders{"tables.json", "trace.json", "manifest.json"};

bool among(auto const& list, std::string_view word) { return std::ranges::find(list, word) != list.end(); }

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

std::vector<Option const*> TypedCommand::options() const {
    std::vector<Option const*> all;
    for (Option const& option : table.options()) {
        if (option.typed) all.push_back(&option);
    }
    std::stable_partition(all.begin(), all.end(), [](auto const* option) { return option->group != common_group; });
    return all;
}

void check_file_arguments(std::vector<TypedCommand const*> const& commands) {
    std::vector<FileArgument> inputs;
    std::vector<FileArgument> outputs;
    for (TypedCommand const* const command : commands) {
        bool const writes = command == commands.back() && !among(reading_commands, command->path);
        for (Option const* const option : command->options()) {
            std::string const name = (option->positional ? "" : "--") + option->name;
            auto const given = command->given.find(option->name);
            Texts const values = given != command->given.end() ? given->second : Texts();
            if (among(output_options, option->name) && option->value == "DIR") {
                std::string const folder = values.empty() ? option->default_text() : values.back();
                if (writes && !folder.empty()) check_folder({name, folder});
                continue;
            }
            for (std::string const& value : values) {
                std::error_code ignored;
                if (among(output_options, option->name))
                    outputs.push_back({name, value});
                else if (fs::exists(value, ignored))
                    inputs.push_back({name, value});
            }
        }
    }
    check_files(inputs, outputs);
}

} // namespace cax::cli
