#include "cax/core/tensor.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

TEST(Tensor, WidensEveryHalfAndNarrowsItBack) {
    for (int bits = 0; bits < 65536; ++bits) {
        auto const half = static_cast<std::uint16_t>(bits);
        std::vector<std::byte> bytes(2);
        std::memcpy(bytes.data(), &half, 2);
        auto const tensor = Tensor::from_bytes(Dtype::f16, {1}, bytes);
        ASSERT_TRUE(tensor);
        double const value = tensor->as_double(0);
        if (std::isnan(value)) continue;
        Tensor const back = Tensor::from_doubles(Dtype::f16, {1}, std::vector{value});
        ASSERT_EQ(std::memcmp(back.bytes().data(), bytes.data(), 2), 0) << std::hex << bits;
    }
}

TEST(Tensor, RoundsToTheNearestHalfWithTiesToEven) {
    auto const rounded = [](double value) {
        return Tensor::from_doubles(Dtype::f16, {1}, std::vector{value}).as_double(0);
    };
    EXPECT_EQ(rounded(1.0 + 0x1p-11), 1.0);              // tie, down to even
    EXPECT_EQ(rounded(1.0 + 3 * 0x1p-11), 1.0 + 0x1p-9); // tie, up to even
    EXPECT_EQ(rounded(65519.0), 65504.0);
    EXPECT_TRUE(std::isinf(rounded(65520.0)));
    EXPECT_EQ(rounded(0x1p-25), 0.0);
    EXPECT_EQ(rounded(-0x1.8p-24), -0x1p-23);
}

TEST(Tensor, WidensBfloat16) {
    Tensor const tensor = Tensor::from_doubles(Dtype::bf16, {3}, std::vector{1.0, -2.5, 1.00390625});
    EXPECT_EQ(tensor.as_double(0), 1.0);
    EXPECT_EQ(tensor.as_double(1), -2.5);
    EXPECT_EQ(tensor.as_double(2), 1.0); // 1 + 2^-8 is a tie between 1 and 1 + 2^-7
}

TEST(Tensor, RefusesBytesThatDoNotFitTheShape) {
    auto const tensor = Tensor::from_bytes(Dtype::f32, {2, 3}, std::vector<std::byte>(20));
    ASSERT_FALSE(tensor);
    EXPECT_NE(tensor.error().message.find("[2, 3]"), std::string::npos);
}

TEST(Tensor, RefusesShapesWhoseProductOverflows) {
    Shape const shape{std::size_t{1} << 40, std::size_t{1} << 40};
    EXPECT_FALSE(checked_element_count(shape).has_value());
    EXPECT_FALSE(Tensor::from_bytes(Dtype::f32, shape, {}));
    EXPECT_FALSE(Tensor::from_bytes(Dtype::f64, {std::size_t{1} << 61}, {}));
}

TEST(Tensor, SlicesRowsOfTheFirstAxis) {
    Tensor const tensor = Tensor::from_doubles(Dtype::i64, {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6});
    Tensor const row = tensor.slice(1);
    EXPECT_EQ(row.shape(), (Shape{3}));
    EXPECT_EQ(row.to_ints(), (std::vector<std::int64_t>{4, 5, 6}));
}

TEST(Tensor, ConvertsAbsurdFloatsToIntegersWithoutUndefinedBehaviour) {
    Tensor const tensor = Tensor::from_doubles(
        Dtype::f64, {4}, std::vector{1e300, -1e300, std::numeric_limits<double>::quiet_NaN(), -2.9});
    EXPECT_GT(tensor.as_int(0), std::int64_t{1} << 60);
    EXPECT_LT(tensor.as_int(1), -(std::int64_t{1} << 60));
    EXPECT_EQ(tensor.as_int(2), 0);
    EXPECT_EQ(tensor.as_int(3), -2);
}

} // namespace
} // namespace cax
