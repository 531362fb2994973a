#include "cax/nn/blocks.hpp"
#include "matrices.hpp"

#include <rapidcheck/gtest.h>

namespace cax::nn {
namespace {

using namespace test;

/// States of the given sizes, stacked, with random queries, keys and values.
template <class R> struct Stack {
    std::size_t heads, width;
    std::vector<std::size_t> segments{0};
    std::vector<std::uint8_t> hidden;
    Grid<R> qkv;

    Stack(std::vector<std::size_t> const& sizes, std::size_t head_count, std::size_t head_dim, Rng& rng)
        : heads(head_count), width(head_count * head_dim), qkv(0, 0) {
        for (std::size_t const size : sizes) segments.push_back(segments.back() + size);
        qkv = Grid<R>::random(segments.back(), 3 * width, rng, 2);
    }
    /// Hides some keys, never the first of a state.
    void hide_some(Rng& rng) {
        hidden.assign(segments.back(), 0);
        for (auto& flag : hidden) flag = rng.uniform() < 0.3;
        for (std::size_t s = 0; s + 1 < segments.size(); ++s) hidden[segments[s]] = 0;
    }
    [[nodiscard]] bool visible(std::size_t row) const { return hidden.empty() || hidden[row] == 0; }

    [[nodiscard]] Grid<double> naive() const {
        Grid<double> out(qkv.rows, width);
        std::size_t const d = width / heads;
        auto const at = [&](std::size_t row, std::size_t col) { return static_cast<double>(qkv(row, col)); };
        for (std::size_t s = 0; s + 1 < segments.size(); ++s)
            for (std::size_t i = segments[s]; i < segments[s + 1]; ++i)
                for (std::size_t h = 0; h < heads; ++h) {
                    double sum = 0;
                    for (std::size_t j = segments[s]; j < segments[s + 1]; ++j) {
                        if (!visible(j)) continue;
                        double score = 0;
                        for (std::size_t c = h * d; c < (h + 1) * d; ++c) score += at(i, c) * at(j, width + c);
                        double const weight = std::exp(score / std::sqrt(static_cast<double>(d)));
                        sum += weight;
                        for (std::size_t c = h * d; c < (h + 1) * d; ++c) out(i, c) += weight * at(j, 2 * width + c);
                    }
                    for (std::size_t c = h * d; c < (h + 1) * d; ++c) out(i, c) /= sum;
                }
        return out;
    }
    Grid<R> forward(Arena& arena, bool keep = true) const {
        Grid<R> out(qkv.rows, width, 1);
        SelfAttention<R>(heads).forward(qkv.view(), segments, hidden, out.view(), arena, keep);
        return out;
    }
    Grid<R> backward(Grid<R> const& dout, Arena& arena) const {
        Grid<R> out(qkv.rows, width), dqkv(qkv.rows, 3 * width, 1);
        SelfAttention<R> const block(heads);
        auto const saved = block.forward(qkv.view(), segments, hidden, out.view(), arena);
        block.backward(saved, segments, dout.view(), dqkv.view(), arena);
        return dqkv;
    }
};

template <class R> void check_forward(std::uint64_t seed, bool hide) {
    auto const sizes =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 70)));
    Rng rng(seed);
    Stack<R> stack(sizes, *rc::gen::inRange<std::size_t>(1, 4), *rc::gen::inRange<std::size_t>(1, 20), rng);
    if (hide) stack.hide_some(rng);
    Arena arena;
    Grid<R> const out = stack.forward(arena);
    RC_ASSERT(worst_difference(out, stack.naive()) <= tolerance<R>);
    RC_ASSERT(out.gaps_untouched());
}

RC_GTEST_PROP(SelfAttention, AgreesWithItsDefinitionInFloat, (std::uint64_t seed, bool hide)) {
    check_forward<float>(seed, hide);
}
RC_GTEST_PROP(SelfAttention, AgreesWithItsDefinitionInDouble, (std::uint64_t seed, bool hide)) {
    check_forward<double>(seed, hide);
}

TEST(SelfAttention, HasTheSameBitsWhetherOrNotItKeepsWhatGradientsNeed) {
    Rng rng(2);
    for (std::size_t const head_dim : {3, 16}) {
        Stack<float> stack({63, 64, 65, 200}, 2, head_dim, rng);
        stack.hide_some(rng);
        Arena arena;
        Grid<float> const kept = stack.forward(arena, true);
        Grid<float> const forgotten = stack.forward(arena, false);
        EXPECT_EQ(worst_difference(kept, forgotten), 0);
        EXPECT_TRUE(forgotten.gaps_untouched());
    }
}

TEST(SelfAttention, ItsGradientsAgreeWithCentralDifferences) {
    Rng rng(1);
    for (std::size_t const head_dim : {3, 16})
        for (bool const hide : {false, true}) {
            Stack<double> stack({7, 1, 18}, 2, head_dim, rng);
            if (hide) stack.hide_some(rng);
            auto const weights = Grid<double>::random(26, stack.width, rng);
            Arena arena;
            Grid<double> const expected = numeric_gradient(stack.qkv, [&] {
                arena.reset();
                return weighted_sum(weights, stack.forward(arena));
            });
            Grid<double> const dqkv = stack.backward(weights, arena);
            EXPECT_LE(worst_difference(dqkv, expected), 1e-6);
            EXPECT_TRUE(dqkv.gaps_untouched());
        }
}

TEST(SelfAttention, ItsFloatGradientsAgreeWithDouble) {
    Rng rng(2);
    Stack<float> stack({51, 20}, 8, 16, rng);
    auto const dout = Grid<float>::random(71, 128, rng);
    Stack<double> exact({51, 20}, 8, 16, rng);
    Grid<double> exact_dout(71, 128);
    for (std::size_t r = 0; r < 71; ++r) {
        for (std::size_t c = 0; c < 384; ++c) exact.qkv(r, c) = stack.qkv(r, c);
        for (std::size_t c = 0; c < 128; ++c) exact_dout(r, c) = dout(r, c);
    }
    Arena arena;
    EXPECT_LE(worst_difference(stack.backward(dout, arena), exact.backward(exact_dout, arena)), 1e-5);
}

TEST(SelfAttention, HiddenKeysHaveNoInfluenceAndNoGradient) {
    Rng rng(3);
    Stack<double> stack({9}, 2, 5, rng);
    stack.hidden = {0, 1, 0, 0, 1, 1, 0, 0, 0};
    Arena arena;
    auto const dout = Grid<double>::random(9, 10, rng);
    Grid<double> const before = stack.forward(arena);
    Grid<double> const gradient = stack.backward(dout, arena);
    for (std::size_t const row : {1, 4, 5})
        for (std::size_t c = stack.width; c < 3 * stack.width; ++c) {
            EXPECT_EQ(gradient(row, c), 0.0);
            stack.qkv(row, c) = 1e6;
        }
    EXPECT_TRUE(same_bits(stack.forward(arena), 0, before));
}

template <class R> void check_independence() {
    Rng rng(4);
    std::vector<std::size_t> const sizes{51, 3, 16, 1, 21, 51, 40};
    Stack<R> stack(sizes, 4, 16, rng);
    stack.hide_some(rng);
    auto const dout = Grid<R>::random(stack.qkv.rows, stack.width, rng);
    Arena arena;
    Grid<R> const out = stack.forward(arena);
    Grid<R> const dqkv = stack.backward(dout, arena);
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        std::size_t const first = stack.segments[s];
        Stack<R> alone({sizes[s]}, 4, 16, rng);
        alone.qkv = middle(stack.qkv, first, sizes[s]);
        alone.hidden.assign(stack.hidden.begin() + static_cast<std::ptrdiff_t>(first),
                            stack.hidden.begin() + static_cast<std::ptrdiff_t>(first + sizes[s]));
        EXPECT_TRUE(same_bits(out, first, alone.forward(arena))) << "state " << s;
        EXPECT_TRUE(same_bits(dqkv, first, alone.backward(middle(dout, first, sizes[s]), arena))) << "state " << s;
    }
}

TEST(SelfAttention, AStateHasTheSameBitsAloneAndInAStack) {
    check_independence<float>();
    check_independence<double>();
}

} // namespace
} // namespace cax::nn
