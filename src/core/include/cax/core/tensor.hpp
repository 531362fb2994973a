#pragma once
// A Tensor is an n-dimensional array as it stands in a file (safetensors, npz): element type, shape, values. It is the
// currency between file formats and the layers that build instances and policies from named arrays. Nothing computes
// on a Tensor; numerical code copies it into its own floats first.
#include "cax/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

enum class Dtype { f16, bf16, f32, f64, i32, i64, u8, boolean };

[[nodiscard]] std::size_t size_of(Dtype dtype);      ///< bytes per element
[[nodiscard]] std::string_view name_of(Dtype dtype); ///< safetensors' name: "F32", "BOOL", ...

using Shape = std::vector<std::size_t>;

[[nodiscard]] std::string to_string(Shape const& shape); ///< "[4, 51, 2]"

/// Number of elements, or nothing if the product overflows: shapes come from files and may be hostile.
[[nodiscard]] std::optional<std::size_t> checked_element_count(Shape const& shape);

class Tensor {
public:
    /// An empty f32 array of shape [0].
    Tensor() = default;

    /// Takes raw little-endian bytes; their length must be elements * size_of(dtype).
    [[nodiscard]] static Result<Tensor> from_bytes(Dtype dtype, Shape shape, std::vector<std::byte> bytes);

    /// Copies values into the given element type. The count must match the shape (asserted).
    [[nodiscard]] static Tensor from_doubles(Dtype dtype, Shape shape, std::span<double const> values);
    [[nodiscard]] static Tensor from_floats(Shape shape, std::span<float const> values);
    [[nodiscard]] static Tensor from_ints(Dtype dtype, Shape shape, std::span<std::int64_t const> values);
    [[nodiscard]] static Tensor from_bools(Shape shape, std::span<std::uint8_t const> values);

    [[nodiscard]] Dtype dtype() const { return dtype_; }
    [[nodiscard]] Shape const& shape() const { return shape_; }
    [[nodiscard]] std::size_t size() const; ///< number of elements
    [[nodiscard]] std::span<std::byte const> bytes() const { return bytes_; }

    /// Element i of the row-major order, widened (f16, bf16, f32) or converted (integers, booleans).
    [[nodiscard]] double as_double(std::size_t i) const;
    [[nodiscard]] std::int64_t as_int(std::size_t i) const; ///< truncates floats toward zero; NaN gives 0
    [[nodiscard]] std::vector<double> to_doubles() const;
    [[nodiscard]] std::vector<float> to_floats() const;
    [[nodiscard]] std::vector<std::int64_t> to_ints() const;

    /// Row i of the first axis as a tensor of one dimension less. Precondition: i < shape()[0].
    [[nodiscard]] Tensor slice(std::size_t i) const;

private:
    Dtype dtype_ = Dtype::f32;
    Shape shape_{0};
    std::vector<std::byte> bytes_;
};

/// Arrays by name, as an npz holds them.
using NamedTensors = std::map<std::string, Tensor, std::less<>>;

/// Arrays by name with string metadata, as a safetensors file holds them.
struct TensorFile {
    NamedTensors tensors;
    std::map<std::string, std::string, std::less<>> metadata;
};

} // namespace cax
