// The largest instances that the readers let through must not cost more memory than their numbers.
#include "allocation_guard.hpp"
#include "bytes.hpp"
#include "cax/io/instances.hpp"
#include "cax/problems/registry.hpp"

#include <fmt/format.h>

namespace cax::io {
namespace {

/// Reads, starts and plays a little, all within the guard.
void expect_modest(std::string const& text, std::string_view size) {
    test::AllocationGuard const guard;
    auto const file = parse_instances(test::bytes_of(text));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->instances[0]->size(), size);
    auto const state = file->instances[0]->reset();
    for (int i = 0; i < 3; ++i) {
        auto const mask = state->action_mask();
        auto const allowed = std::find(mask.rbegin(), mask.rend(), 1);
        ASSERT_NE(allowed, mask.rend());
        (void)state->observe();
        state->step(static_cast<std::size_t>(mask.rend() - allowed) - 1);
    }
    EXPECT_FALSE(file->instances[0]->check(Routes{{{1}}}).cost < 0);
}

TEST(LargeInstances, OfSolomonTakeLinearMemory) {
    std::string text = "large\nVEHICLE\nNUMBER CAPACITY\n1 1000\nCUSTOMER\nCUST NO. X Y DEMAND READY DUE SERVICE\n";
    text += "0 0 0 0 0 100000 0\n";
    for (int i = 1; i < 10'000; ++i) text += fmt::format("{} {} {} 1 0 90000 1\n", i, i % 100, i / 100);
    expect_modest(text, "9999");
}

TEST(LargeInstances, OfOplibTakeLinearMemory) {
    std::string text = "NAME : large\nTYPE : OP\nDIMENSION : 10000\nCOST_LIMIT : 5000\nEDGE_WEIGHT_TYPE : EUC_2D\n";
    text += "NODE_COORD_SECTION\n";
    for (int i = 1; i <= 10'000; ++i) text += fmt::format("{} {} {}\n", i, i % 100, i / 100);
    text += "NODE_SCORE_SECTION\n1 0\n";
    for (int i = 2; i <= 10'000; ++i) text += fmt::format("{} 5\n", i);
    expect_modest(text + "DEPOT_SECTION\n1\n-1\nEOF\n", "9999");
}

TEST(LargeInstances, OfFjsTakeLinearMemory) {
    std::string text = "1000 100\n";
    for (int j = 0; j < 1000; ++j) {
        text += "10";
        for (int k = 0; k < 10; ++k) text += fmt::format(" 1 {} 5", 1 + (j + k) % 100);
        text += '\n';
    }
    expect_modest(text, "1000x100");
}

TEST(LargeInstances, BeyondTheLimitsAreRefused) {
    auto const refusal = [](std::string const& text) {
        auto const file = parse_instances(test::bytes_of(text));
        return file ? "accepted" : file.error().message;
    };
    EXPECT_NE(refusal("1 1000000\n1 1 1 5\n").find("1000000"), std::string::npos);
    EXPECT_NE(refusal("99999999 5\n1 1 1 5\n").find("99999999"), std::string::npos);
    EXPECT_NE(refusal("NAME : x\nTYPE : OP\nDIMENSION : 99999999\nNODE_SCORE_SECTION\n").find("99999999"),
              std::string::npos);
}

} // namespace
} // namespace cax::io
