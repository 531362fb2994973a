#pragma once
// The JSON files that subcommands write. All begin with the same head (schema, version, command, seed, settings,
// policy, instances, wall time), so that a result says by itself how it came about. Everything but wall_seconds is the
// same for the same inputs, whatever the number of threads.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"
#include "inputs.hpp"

#include <chrono>
#include <cstdint>
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

struct ResultHead {
    std::string_view kind;         ///< "solve" gives schema "cax/solve/1"
    std::string_view command = {}; ///< the subcommand; empty: it is called as the kind
    std::uint64_t seed = 0;
    LoadedPolicy const* policy = nullptr;        ///< null where there is none
    io::InstanceFile const* instances = nullptr; ///< null where there is none
    Stopwatch const* stopwatch = nullptr;
};

/// An object with the head's fields, to which a subcommand adds its own. `settings` has every option that can change
/// the result.
[[nodiscard]] Json result_with_head(ResultHead const& head, Json settings);

/// {path, sha256, problem, size}: which policy it was.
[[nodiscard]] Json policy_json(LoadedPolicy const& policy);

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
