#include "cax/nn/arena.hpp"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace cax::nn {
namespace {

TEST(Arena, GivesMemoryOnCacheLines) {
    Arena arena;
    for (std::size_t const count : {1, 3, 17, 100, 100000})
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.make<float>(count)) % 64, 0U);
}

TEST(Arena, KeepsEarlierMemoryValidWhileItGrows) {
    Arena arena;
    std::vector<View<int>> views;
    for (int i = 0; i < 200; ++i) {
        views.push_back(arena.matrix<int>(7, static_cast<std::size_t>(i * i % 900) + 1));
        for (std::size_t j = 0; j < 7 * views.back().cols; ++j) views.back().data[j] = i;
    }
    for (int i = 0; i < 200; ++i)
        for (std::size_t j = 0; j < 7 * views[static_cast<std::size_t>(i)].cols; ++j)
            ASSERT_EQ(views[static_cast<std::size_t>(i)].data[j], i);
}

TEST(Arena, ReusesTheSameMemoryAfterAReset) {
    Arena arena;
    auto const pass = [&] {
        std::vector<void*> places;
        for (std::size_t i = 1; i < 60; ++i) places.push_back(arena.make<double>(i * 500));
        return places;
    };
    pass();
    arena.reset(); // what the first pass took in pieces becomes one piece
    auto const second = pass();
    arena.reset();
    EXPECT_EQ(pass(), second);
}

TEST(Arena, ReleasesWhatCameAfterAMarkAndKeepsWhatCameBefore) {
    Arena arena;
    View<int> const kept = arena.zeros<int>(3, 1000);
    Arena::Mark const mark = arena.mark();
    int* const first = arena.make<int>(2000);
    for (int round = 0; round < 20; ++round) {
        arena.release(mark);
        ASSERT_EQ(arena.make<int>(2000), first);
        // Ever larger, so that the arena has to grow while earlier chunks are partly free.
        std::size_t const count = static_cast<std::size_t>(round + 1) * 30000;
        std::memset(arena.make<int>(count), 0x55, count * sizeof(int));
    }
    for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(kept.data[i], 0);
}

TEST(Arena, ZeroesWhatIsAskedForAsZeros) {
    Arena arena;
    std::memset(arena.make<char>(4000), 0x55, 4000);
    arena.reset();
    View<double> const zeros = arena.zeros<double>(20, 20);
    for (std::size_t i = 0; i < 400; ++i) ASSERT_EQ(zeros.data[i], 0.0);
}

} // namespace
} // namespace cax::nn
