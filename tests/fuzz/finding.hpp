#pragma once
// What counts as a finding, for everything that throws bytes at a reader.
#include "cax/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cax::fuzz {

using Bytes = std::span<std::byte const>;

/// A finding.
class Violation : public std::logic_error {
public:
    using std::logic_error::logic_error;
};
void require(bool holds, std::string const& what);

/// An error that a person can read: one line, not empty, not endless, and no library's inner words (unless the input
/// has them and is quoted).
void expect_readable(std::string_view message);
inline void expect_readable(Error const& error) { expect_readable(std::string_view(error.message)); }

[[nodiscard]] inline std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// Tells what may be quoted from now on.
void set_current_input(Bytes bytes);

/// Takes numbers off the front of the input: how structure-aware targets make instances of bytes. Zeros at the end.
class Dial {
public:
    explicit Dial(Bytes bytes) : rest_(bytes) {}
    [[nodiscard]] std::uint8_t byte();
    [[nodiscard]] std::size_t below(std::size_t bound) { return byte() % bound; }
    [[nodiscard]] bool flag() { return byte() % 2 == 1; }
    [[nodiscard]] bool empty() const { return rest_.empty(); }
    [[nodiscard]] Bytes rest() const { return rest_; }

private:
    Bytes rest_;
};

} // namespace cax::fuzz
