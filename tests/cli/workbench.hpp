#pragma once
// A folder of its own for a test, with policies and instances in it, in which the test runs the real `cax` binary.
#include "cax/core/json.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace cax::test {

/// What a run left behind.
struct Ran {
    int exit_code = -1;
    std::string out;
    std::string err;
};

/// What a run finds when it starts, if it is not the usual.
struct Surroundings {
    std::string out = {};      ///< where standard output goes: a device; empty = it is caught
    bool close_out = false;    ///< standard output is closed
    std::size_t memory_kb = 0; ///< as `ulimit -v`; 0 = no limit
};

/// Address sanitizer takes all addresses for itself: with it there is nothing to limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool memory_can_be_limited = false;
#else
inline constexpr bool memory_can_be_limited = true;
#endif

class Workbench : public testing::Test {
protected:
    Workbench();
    ~Workbench() override;

    /// Runs `cax` with these arguments in the folder.
    Ran cax(std::vector<std::string> const& arguments) const;
    Ran cax(std::vector<std::string> const& arguments, Surroundings const& surroundings) const;
    /// The same, expecting success; the output is shown if it fails.
    Ran cax_ok(std::vector<std::string> const& arguments) const;

    /// The same for `cax solve` on a problem whose policies may break rules: then it ends with 1, and says which.
    Ran cax_solved(std::string_view problem, std::vector<std::string> const& arguments) const;

    [[nodiscard]] std::string path(std::string const& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::string text_of(std::string const& name) const;
    [[nodiscard]] Json json_of(std::string const& name) const;
    void write(std::string const& name, std::string_view text) const;
    /// A small policy with random weights; returns the file's name.
    std::string policy(std::string_view problem, std::string const& size = "") const;
    /// Random instances; returns the file's name.
    std::string instances(std::string const& problem, std::string const& size, std::size_t count,
                          std::string const& extension = ".json") const;

private:
    std::filesystem::path folder_;
};

/// The names of all problems, for tests that go through all of them, and small sizes for these.
[[nodiscard]] std::vector<std::string> every_problem();
[[nodiscard]] std::string small_size(std::string_view problem);

/// A result file without the one field that may differ between equal runs.
[[nodiscard]] Json without_wall_time(Json json);

} // namespace cax::test
