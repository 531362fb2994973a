#pragma once
// Byte strings and scratch folders for the tests of readers and writers.
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace cax::test {

inline std::vector<std::byte> bytes_of(std::string_view text) {
    auto const bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

inline std::string text_of(std::span<std::byte const> bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

/// A little-endian number as it stands in a file.
template <class T> std::string raw(T value) {
    std::string text(sizeof value, '\0');
    std::memcpy(text.data(), &value, sizeof value);
    return text;
}

/// A folder of its own for each test, gone afterwards.
class InScratchFolder : public testing::Test {
protected:
    void SetUp() override {
        auto const* const info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() / (std::string("cax-") + info->test_suite_name() + "-" +
                                                            info->name() + "-" + std::to_string(::getpid()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::filesystem::path path(std::string const& name) const { return folder_ / name; }

    std::filesystem::path folder_;
};

} // namespace cax::test
