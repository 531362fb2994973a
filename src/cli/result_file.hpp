#pragma once
// The files that subcommands write: results (cax/app/result.hpp) as JSON and as tables.
#include "cax/app/result.hpp"
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace cax::cli {

class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// "-", in place of a file's name.
inline constexpr std::string_view standard_output = "-";
/// From now on, what is printed goes to standard error: standard output is for the result alone.
void set_standard_output_aside();

/// A failure names the file.
[[nodiscard]] Json read_json(std::string const& path);
/// Where `path` says, if it says anything. Numbers read back to the same double, broken UTF-8 is replaced, the file is
/// whole or untouched.
void write_json(std::string const& path, Json const& json);
/// With all folders above it, if it is not there.
void make_folder(std::filesystem::path const& folder);
/// The tables of a result (cax/records/tables.hpp), a file each, in a folder that is made if it is not there. Every
/// file is whole or untouched; what else is in the folder stays.
void write_csv(std::string const& folder, Json const& result);

} // namespace cax::cli
