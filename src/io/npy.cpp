#include "npy.hpp"

#include "cax/core/printable.hpp"
#include "malformed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace cax::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct NumpyName {
    Dtype dtype;
    std::string_view descr;
};
constexpr std::array<NumpyName, 7> numpy_names{{{Dtype::f16, "<f2"},
                                                {Dtype::f32, "<f4"},
                                                {Dtype::f64, "<f8"},
                                                {Dtype::i32, "<i4"},
                                                {Dtype::i64, "<i8"},
                                                {Dtype::u8, "|u1"},
                                                {Dtype::boolean, "|b1"}}};

/// Reads the header: a Python dict literal with exactly the keys descr, fortran_order and shape.
class HeaderReader {
public:
    explicit HeaderReader(std::string_view text) : rest_(text) {}

    std::optional<std::string_view> descr;
    std::optional<bool> fortran_order;
    std::optional<Shape> shape;

    bool read() {
        if (!take("{")) return false;
        while (!take("}")) {
            auto const key = quoted();
            if (!key || !take(":") || !value(*key)) return false;
            if (take(",")) continue;
            if (!take("}")) return false;
            break;
        }
        skip_blanks();
        return rest_.empty() && descr && fortran_order && shape;
    }

private:
    void skip_blanks() {
        auto const first = rest_.find_first_not_of(" \n");
        rest_.remove_prefix(std::min(first, rest_.size()));
    }
    bool take(std::string_view token) {
        skip_blanks();
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    std::optional<std::string_view> quoted() {
        skip_blanks();
        if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
        auto const end = rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) return std::nullopt;
        auto const text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool value(std::string_view key) {
        if (key == "descr" && !descr) return (descr = quoted()).has_value();
        if (key == "shape" && !shape) return tuple();
        if (key != "fortran_order" || fortran_order) return false;
        if (take("True"))
            fortran_order = true;
        else if (take("False"))
            fortran_order = false;
        return fortran_order.has_value();
    }
    bool tuple() {
        if (!take("(")) return false;
        shape.emplace();
        for (bool comma = true; !take(")"); comma = take(",")) {
            skip_blanks();
            std::size_t extent = 0;
            auto const [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
            if (!comma || error != std::errc{} || shape->size() == highest_rank) return false;
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            shape->push_back(extent);
        }
        return true;
    }

    std::string_view rest_;
};

/// Splits the bytes into header text and data.
Result<std::pair<std::string_view, std::span<std::byte const>>> split(std::span<std::byte const> bytes) {
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (!text.starts_with(magic) || text.size() < magic.size() + 4) return malformed("not a .npy array");
    int const version = static_cast<unsigned char>(text[magic.size()]);
    if (version < 1 || version > 3) {
        return Error{ErrorCode::unsupported, fmt::format(".npy version {} is not supported", version)};
    }
    std::size_t const length_size = version == 1 ? 2 : 4;
    std::size_t const header_begin = magic.size() + 2 + length_size;
    if (text.size() < header_begin) return malformed("the header is cut off");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + magic.size() + 2, length_size);
    if (length > text.size() - header_begin)
        return malformed(fmt::format("header length {} exceeds the array", length));
    return std::pair{text.substr(header_begin, length), bytes.subspan(header_begin + length)};
}

} // namespace

Result<Tensor> parse_npy(std::vector<std::byte> bytes) {
    auto const parts = split(bytes);
    if (!parts) return parts.error();
    auto const& [text, data] = *parts;
    HeaderReader header(text);
    if (!header.read()) return malformed(fmt::format("unreadable header: {}", printable(text)));
    auto const* const name = std::ranges::find(numpy_names, *header.descr, &NumpyName::descr);
    if (name == numpy_names.end()) {
        return Error{
            ErrorCode::unsupported,
            fmt::format("dtype '{}' is not supported (known: <f2 <f4 <f8 <i4 <i8 |u1 |b1)", printable(*header.descr))};
    }
    if (*header.fortran_order) {
        return Error{ErrorCode::unsupported,
                     "the array is in Fortran order; save numpy.ascontiguousarray(...) instead"};
    }
    // Moved to the front in place: arrays may be large, and two of them too much.
    bytes.erase(bytes.begin(), bytes.end() - static_cast<std::ptrdiff_t>(data.size()));
    return Tensor::from_bytes(name->dtype, *std::move(header.shape), std::move(bytes));
}

std::vector<std::byte> format_npy(Tensor const& tensor) {
    if (tensor.dtype() == Dtype::bf16) return format_npy(Tensor::from_floats(tensor.shape(), tensor.to_floats()));
    auto const* const name = std::ranges::find(numpy_names, tensor.dtype(), &NumpyName::dtype);
    std::string extents;
    for (std::size_t const extent : tensor.shape()) extents += fmt::format("{}{}", extents.empty() ? "" : ", ", extent);
    if (tensor.shape().size() == 1) extents += ",";
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", name->descr, extents);
    // Data begin at a multiple of 64; the header ends with a line break. As numpy does it.
    std::size_t const front = magic.size() + 4;
    header.resize((front + header.size() + 1 + 63) / 64 * 64 - front - 1, ' ');
    header += '\n';

    std::string start(magic);
    start += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    start += header;
    std::vector<std::byte> bytes(start.size() + tensor.bytes().size());
    std::ranges::copy(tensor.bytes(), std::ranges::copy(std::as_bytes(std::span(start)), bytes.begin()).out);
    return bytes;
}

} // namespace cax::io
