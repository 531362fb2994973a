#include "cax/core/tensor.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace cax {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian and copied as they are");

template <class T> T load(std::span<std::byte const> bytes, std::size_t i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
}

template <class T> void store(std::vector<std::byte>& bytes, std::size_t i, T value) {
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

float widen_half(std::uint16_t half) {
    bool const negative = (half & 0x8000U) != 0;
    int const exponent = (half >> 10) & 0x1F;
    int const mantissa = half & 0x3FF;
    float magnitude = 0;
    if (exponent == 31) {
        magnitude = mantissa == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    } else if (exponent == 0) {
        magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    } else {
        magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    }
    return negative ? -magnitude : magnitude;
}

/// Nearest half, ties to even; overflow gives infinity.
std::uint16_t narrow_half(double value) {
    std::uint16_t const sign = std::signbit(value) ? 0x8000 : 0;
    double const magnitude = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7E00;
    if (magnitude >= 65520.0) return sign | 0x7C00;
    if (magnitude == 0) return sign;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    exponent = std::max(exponent, -13); // below 2^-14 halves are evenly spaced by 2^-24
    double const units = std::nearbyint(std::ldexp(magnitude, 11 - exponent));
    // For normal numbers `units` is 1024..2048 and carries into the exponent field by itself.
    auto const bits = static_cast<std::uint16_t>(units) + ((exponent + 13) << 10);
    return sign | static_cast<std::uint16_t>(bits);
}

float widen_bfloat(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

std::uint16_t narrow_bfloat(float value) {
    auto const bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
    return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

void store_double(std::vector<std::byte>& bytes, Dtype dtype, std::size_t i, double value) {
    switch (dtype) {
    case Dtype::f16: return store(bytes, i, narrow_half(value));
    case Dtype::bf16: return store(bytes, i, narrow_bfloat(static_cast<float>(value)));
    case Dtype::f32: return store(bytes, i, static_cast<float>(value));
    case Dtype::f64: return store(bytes, i, value);
    case Dtype::i32: return store(bytes, i, static_cast<std::int32_t>(value));
    case Dtype::i64: return store(bytes, i, static_cast<std::int64_t>(value));
    case Dtype::u8: return store(bytes, i, static_cast<std::uint8_t>(value));
    case Dtype::boolean: return store(bytes, i, static_cast<std::uint8_t>(value != 0));
    }
}

} // namespace

std::size_t size_of(Dtype dtype) {
    switch (dtype) {
    case Dtype::f64:
    case Dtype::i64: return 8;
    case Dtype::f32:
    case Dtype::i32: return 4;
    case Dtype::f16:
    case Dtype::bf16: return 2;
    case Dtype::u8:
    case Dtype::boolean: return 1;
    }
    return 0;
}

std::string_view name_of(Dtype dtype) {
    switch (dtype) {
    case Dtype::f16: return "F16";
    case Dtype::bf16: return "BF16";
    case Dtype::f32: return "F32";
    case Dtype::f64: return "F64";
    case Dtype::i32: return "I32";
    case Dtype::i64: return "I64";
    case Dtype::u8: return "U8";
    case Dtype::boolean: return "BOOL";
    }
    return "?";
}

std::string to_string(Shape const& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + "]";
}

std::optional<std::size_t> checked_element_count(Shape const& shape) {
    std::size_t count = 1;
    for (std::size_t const extent : shape) {
        if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
    }
    return count;
}

Result<Tensor> Tensor::from_bytes(Dtype dtype, Shape shape, std::vector<std::byte> bytes) {
    auto const count = checked_element_count(shape);
    if (!count || *count > bytes.size() || *count * size_of(dtype) != bytes.size()) {
        return Error{ErrorCode::file_malformed, "shape " + to_string(shape) + " of " + std::string(name_of(dtype)) +
                                                    " does not match its " + std::to_string(bytes.size()) + " bytes"};
    }
    Tensor tensor;
    tensor.dtype_ = dtype;
    tensor.shape_ = std::move(shape);
    tensor.bytes_ = std::move(bytes);
    return tensor;
}

Tensor Tensor::from_doubles(Dtype dtype, Shape shape, std::span<double const> values) {
    assert(checked_element_count(shape) == values.size());
    Tensor tensor;
    tensor.dtype_ = dtype;
    tensor.shape_ = std::move(shape);
    tensor.bytes_.resize(values.size() * size_of(dtype));
    for (std::size_t i = 0; i < values.size(); ++i) store_double(tensor.bytes_, dtype, i, values[i]);
    return tensor;
}

Tensor Tensor::from_floats(Shape shape, std::span<float const> values) {
    assert(checked_element_count(shape) == values.size());
    Tensor tensor;
    tensor.shape_ = std::move(shape);
    auto const bytes = std::as_bytes(values);
    tensor.bytes_.assign(bytes.begin(), bytes.end());
    return tensor;
}

Tensor Tensor::from_ints(Dtype dtype, Shape shape, std::span<std::int64_t const> values) {
    assert(dtype == Dtype::i32 || dtype == Dtype::i64);
    std::vector<double> const doubles(values.begin(), values.end());
    return from_doubles(dtype, std::move(shape), doubles);
}

Tensor Tensor::from_bools(Shape shape, std::span<std::uint8_t const> values) {
    std::vector<double> const doubles(values.begin(), values.end());
    return from_doubles(Dtype::boolean, std::move(shape), doubles);
}

std::size_t Tensor::size() const { return bytes_.size() / size_of(dtype_); }

double Tensor::as_double(std::size_t i) const {
    assert(i < size());
    switch (dtype_) {
    case Dtype::f16: return widen_half(load<std::uint16_t>(bytes_, i));
    case Dtype::bf16: return widen_bfloat(load<std::uint16_t>(bytes_, i));
    case Dtype::f32: return load<float>(bytes_, i);
    case Dtype::f64: return load<double>(bytes_, i);
    case Dtype::i32: return load<std::int32_t>(bytes_, i);
    case Dtype::i64: return static_cast<double>(load<std::int64_t>(bytes_, i));
    case Dtype::u8: return load<std::uint8_t>(bytes_, i);
    case Dtype::boolean: return load<std::uint8_t>(bytes_, i) != 0 ? 1.0 : 0.0;
    }
    return 0;
}

std::int64_t Tensor::as_int(std::size_t i) const {
    if (dtype_ == Dtype::i64) return assert(i < size()), load<std::int64_t>(bytes_, i);
    double const value = as_double(i);
    if (std::isnan(value)) return 0;
    constexpr double limit = 9.2e18; // inside the range of int64, so that the conversion is defined
    return static_cast<std::int64_t>(std::clamp(value, -limit, limit));
}

std::vector<double> Tensor::to_doubles() const {
    std::vector<double> values(size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = as_double(i);
    return values;
}

std::vector<float> Tensor::to_floats() const {
    std::vector<float> values(size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(as_double(i));
    return values;
}

std::vector<std::int64_t> Tensor::to_ints() const {
    std::vector<std::int64_t> values(size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = as_int(i);
    return values;
}

Tensor Tensor::slice(std::size_t i) const {
    assert(!shape_.empty() && i < shape_[0]);
    Tensor row;
    row.dtype_ = dtype_;
    row.shape_.assign(shape_.begin() + 1, shape_.end());
    std::size_t const stride = bytes_.size() / shape_[0];
    row.bytes_.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(i * stride),
                      bytes_.begin() + static_cast<std::ptrdiff_t>((i + 1) * stride));
    return row;
}

} // namespace cax
