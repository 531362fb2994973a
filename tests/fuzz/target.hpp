#pragma once
// What is fuzzed. A target takes any bytes and must survive them: no crash, no undefined behaviour, no absurd memory,
// an error that a person can read, and what is accepted must be usable. Violations throw, which every runner takes for
// a finding: libFuzzer (scripts/fuzz, with clang) and replay_test (every build: corpus, seeds, and damage to both).
#include "finding.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax::fuzz {

struct Target {
    std::string_view name;
    void (*run)(Bytes bytes);
    /// Good inputs to begin with: made by our own generators and writers, so that none has to be kept in files.
    std::vector<std::string> (*seeds)();
};

/// All of them. Adding one is a file, and a line in CMakeLists.txt.
[[nodiscard]] std::span<Target const> all_targets();

} // namespace cax::fuzz
