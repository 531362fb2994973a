#pragma once
// Where test data lies: the small sets kept in tests/data, and the full ones in the shared folder, which a user's clone
// does not have.
#include <filesystem>
#include <gtest/gtest.h>

namespace cax::test {

/// A file or folder below tests/data.
[[nodiscard]] std::filesystem::path data_path(std::filesystem::path const& relative);
/// A file or folder below the shared folder, whether it exists or not.
[[nodiscard]] std::filesystem::path shared_path(std::filesystem::path const& relative);

} // namespace cax::test

/// Skips the test, by name, where the shared folder does not hold `relative`.
#define CAX_REQUIRE_SHARED(relative)                                                                                   \
    if (!std::filesystem::exists(cax::test::shared_path(relative)))                                                    \
    GTEST_SKIP() << "needs " << cax::test::shared_path(relative)
