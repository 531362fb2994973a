#pragma once
// A golden folder written by ourselves: what the reference would have recorded if it computed exactly what we compute.
// A test then changes one thing in it and expects the check to find that thing.
#include "cax/core/tensor.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace cax::test {

class GoldenBuilder {
public:
    /// Records `steps` greedy steps of two small random instances under a small random policy, whole greedy episodes
    /// and a random episode of the environment.
    GoldenBuilder(std::string_view problem, std::size_t steps);

    TensorFile weights;
    TensorFile trace;
    TensorFile env_random;
    std::string trace_json;

    /// Adds `by` to the first finite entry of a tensor of the trace (flips a boolean).
    void corrupt(std::string const& name, double by);

    /// Writes the four files into `folder`, which is made if need be.
    void write(std::filesystem::path const& folder) const;
};

/// A fresh, empty folder below the system's temporary one.
[[nodiscard]] std::filesystem::path fresh_folder(std::string const& name);

} // namespace cax::test
