#include "cax/nn/pointer.hpp"

#include "cax/core/rng.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace cax::nn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Three states of 3, 1 and 6 keys; four queries, two of them at the same state; width 6, two heads.
struct PointerScene {
    std::vector<std::size_t> segments{0, 3, 4, 10};
    std::vector<std::size_t> rows{2, 0, 2, 1};
    std::vector<std::vector<std::uint8_t>> masks{{1, 0, 1, 1, 0, 1}, {1, 1, 1}, {0, 0, 0, 1, 0, 0}, {1}};
    std::vector<std::uint8_t const*> mask_pointers;
    std::vector<double> queries, keys, values;
    static constexpr std::size_t width = 6, heads = 2;

    PointerScene() {
        Rng rng(1);
        auto const fill = [&](std::vector<double>& v, std::size_t n) {
            for (v.resize(n * width); double& x : v) x = rng.normal();
        };
        fill(queries, 4), fill(keys, 10), fill(values, 10);
        for (auto const& mask : masks) mask_pointers.push_back(mask.data());
    }
    [[nodiscard]] Sight sight() const { return {segments, rows, mask_pointers}; }
    [[nodiscard]] bool visible(std::size_t query, std::size_t key) const { return masks[query][key] != 0; }
};

template <class R> View<R> view(std::vector<R>& v, std::size_t cols) { return {v.data(), v.size() / cols, cols, cols}; }
template <class R> View<R const> view(std::vector<R> const& v, std::size_t cols) {
    return {v.data(), v.size() / cols, cols, cols};
}

/// The definition, written out.
std::vector<double> naive_glimpse(PointerScene const& scene) {
    std::size_t const width = scene.width, d = width / scene.heads;
    std::vector<double> out(scene.rows.size() * width);
    for (std::size_t i = 0; i < scene.rows.size(); ++i)
        for (std::size_t c = 0; c < width; ++c) {
            std::size_t const head = c / d, first = scene.segments[scene.rows[i]];
            double sum = 0, weighted = 0;
            for (std::size_t j = 0; first + j < scene.segments[scene.rows[i] + 1]; ++j) {
                if (!scene.visible(i, j)) continue;
                double score = 0;
                for (std::size_t e = head * d; e < (head + 1) * d; ++e)
                    score += scene.queries[i * width + e] * scene.keys[(first + j) * width + e];
                double const weight = std::exp(score / std::sqrt(static_cast<double>(d)));
                sum += weight;
                weighted += weight * scene.values[(first + j) * width + c];
            }
            out[i * width + c] = weighted / sum;
        }
    return out;
}

std::vector<double> glimpse(PointerScene const& scene) {
    Arena arena;
    std::vector<double> out(scene.queries.size());
    Glimpse<double>(PointerScene::heads)
        .forward(view(scene.queries, 6), view(scene.keys, 6), view(scene.values, 6), scene.sight(), view(out, 6),
                 arena);
    return out;
}

double inner(std::vector<double> const& a, std::vector<double> const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// Central differences of f, moving every entry of `values`.
template <class F> std::vector<double> slopes(std::vector<double>& values, F const& f) {
    std::vector<double> result;
    for (double& value : values) {
        double const middle = value, step = 1e-6;
        value = middle + step;
        double const above = f();
        value = middle - step;
        double const below = f();
        value = middle;
        result.push_back((above - below) / (2 * step));
    }
    return result;
}

void expect_close(std::vector<double> const& a, std::vector<double> const& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(GlimpseForward, IsTheSoftmaxOverVisibleKeys) {
    PointerScene const scene;
    expect_close(glimpse(scene), naive_glimpse(scene), 1e-13);
}

TEST(GlimpseForward, OfOneVisibleKeyIsItsValue) {
    PointerScene const scene;
    std::vector<double> const out = glimpse(scene);
    for (std::size_t c = 0; c < 6; ++c) {
        EXPECT_EQ(out[2 * 6 + c], scene.values[(4 + 3) * 6 + c]); // query 2 sees key 3 of the state at rows 4..9
        EXPECT_EQ(out[3 * 6 + c], scene.values[3 * 6 + c]);
    }
}

TEST(GlimpseForward, SeesEverythingWithoutMasks) {
    PointerScene scene;
    PointerScene open;
    for (auto& mask : open.masks) mask.assign(mask.size(), 1);
    scene.mask_pointers.clear();
    expect_close(glimpse(scene), naive_glimpse(open), 1e-13);
}

TEST(GlimpseForward, GivesAQueryTheSameBitsAlone) {
    PointerScene const scene;
    Arena arena;
    auto const run = [&](std::size_t first, std::size_t count) {
        std::vector<float> const q(scene.queries.begin(), scene.queries.end());
        std::vector<float> const k(scene.keys.begin(), scene.keys.end()), v(scene.values.begin(), scene.values.end());
        std::vector<float> out(count * 6);
        Sight const sight{scene.segments, std::span(scene.rows).subspan(first, count),
                          std::span(scene.mask_pointers).subspan(first, count)};
        Glimpse<float>(2).forward(view(q, 6).middle_rows(first, count), view(k, 6), view(v, 6), sight, view(out, 6),
                                  arena);
        return out;
    };
    std::vector<float> const all = run(0, 4);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(std::equal(all.begin() + i * 6, all.begin() + (i + 1) * 6, run(i, 1).begin()));
}

TEST(GlimpseBackward, IsTheSlope) {
    PointerScene scene;
    Rng rng(2);
    std::vector<double> weights(24);
    for (double& w : weights) w = rng.normal();
    auto const objective = [&] { return inner(weights, glimpse(scene)); };

    Arena arena;
    Glimpse<double> const block(2);
    std::vector<double> out(24), dq(24), dk(60, 0.5), dv(60, -0.5); // what is there already is added to
    auto const saved = block.forward(view(std::as_const(scene.queries), 6), view(std::as_const(scene.keys), 6),
                                     view(std::as_const(scene.values), 6), scene.sight(), view(out, 6), arena);
    block.backward(saved, scene.sight(), view(std::as_const(weights), 6), view(dq, 6), view(dk, 6), view(dv, 6), arena);
    for (double& g : dk) g -= 0.5;
    for (double& g : dv) g += 0.5;
    expect_close(dq, slopes(scene.queries, objective), 1e-7);
    expect_close(dk, slopes(scene.keys, objective), 1e-7);
    expect_close(dv, slopes(scene.values, objective), 1e-7);
}

TEST(PointerLogits, CompareTheQueryWithEveryKey) {
    PointerScene scene;
    Arena arena;
    auto const offsets = pair_offsets(scene.sight(), arena);
    ASSERT_EQ(offsets.size(), 5);
    EXPECT_EQ(offsets.back(), 6 + 3 + 6 + 1);
    auto const logits = [&] {
        std::vector<double> result(offsets.back());
        pointer_logits<double>(view(std::as_const(scene.queries), 6), view(std::as_const(scene.keys), 6), scene.sight(),
                               offsets, 0.25, result.data(), arena);
        return result;
    };
    std::vector<double> const result = logits();
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < offsets[i + 1] - offsets[i]; ++j) {
            double sum = 0;
            for (std::size_t c = 0; c < 6; ++c)
                sum += scene.queries[i * 6 + c] * scene.keys[(scene.segments[scene.rows[i]] + j) * 6 + c];
            EXPECT_NEAR(result[offsets[i] + j], 0.25 * sum, 1e-14);
        }

    std::vector<double> weights(result.size()), dq(24), dk(60);
    Rng rng(3);
    for (double& w : weights) w = rng.normal();
    weights[4] = 0;
    pointer_logits_backward<double>(view(std::as_const(scene.queries), 6), view(std::as_const(scene.keys), 6),
                                    scene.sight(), offsets, 0.25, weights.data(), view(dq, 6), view(dk, 6), arena);
    auto const objective = [&] { return inner(weights, logits()); };
    expect_close(dq, slopes(scene.queries, objective), 1e-8);
    expect_close(dk, slopes(scene.keys, objective), 1e-8);
}

std::vector<double> log_probs(std::vector<double> const& logits, std::vector<std::uint8_t> const& mask,
                              Squash<double> const& squash) {
    std::vector<double> result(logits.size());
    log_softmax(logits.data(), mask.data(), logits.size(), squash, result.data());
    return result;
}

TEST(LogSoftmax, ClipsThenMasksThenDividesByTheTemperature) {
    std::vector<double> const logits{0.3, -1.2, 5, 0.7};
    std::vector<std::uint8_t> const mask{1, 1, 0, 1};
    std::vector<double> const result = log_probs(logits, mask, {10, 2});
    double sum = 0;
    for (std::size_t j : {0, 1, 3}) sum += std::exp(10 * std::tanh(logits[j]) / 2);
    for (std::size_t j : {0, 1, 3}) EXPECT_NEAR(result[j], 10 * std::tanh(logits[j]) / 2 - std::log(sum), 1e-14);
    EXPECT_EQ(result[2], -infinity);
}

TEST(LogSoftmax, LeavesLogitsAsTheyAreWithoutClipping) {
    std::vector<double> const logits{300, -700, 5};
    std::vector<double> const result = log_probs(logits, {1, 1, 1}, {0, 1});
    EXPECT_EQ(result[0], 0);
    EXPECT_EQ(result[1], -1000);
    EXPECT_EQ(result[2], -295);
}

TEST(LogSoftmax, OfOneAllowedActionIsExactlyZeroWithoutSlope) {
    std::vector<double> const logits{1.7, -0.3, 2.2};
    std::vector<std::uint8_t> const mask{0, 1, 0};
    std::vector<double> const result = log_probs(logits, mask, {10, 0.3});
    EXPECT_EQ(result[1], 0);
    std::vector<double> const weights{1e9, 1, 1e9}; // those of masked actions are not read
    std::vector<double> dlogits(3, 7);
    log_softmax_backward(logits.data(), result.data(), weights.data(), mask.data(), 3, Squash<double>{10, 0.3},
                         dlogits.data());
    for (double const g : dlogits) EXPECT_EQ(g, 0);
}

TEST(LogSoftmax, HasTheSlopeThatBackwardGives) {
    std::vector<std::uint8_t> const mask{1, 1, 0, 1, 1};
    std::vector<double> const weights{0.4, -1, 0, 2, 0.1};
    for (Squash<double> const squash : {Squash<double>{10, 1}, {10, 0.5}, {0, 3}}) {
        std::vector<double> logits{0.1, -0.4, 0.9, 0.3, -0.2};
        std::vector<double> dlogits(5);
        log_softmax_backward(logits.data(), log_probs(logits, mask, squash).data(), weights.data(), mask.data(), 5,
                             squash, dlogits.data());
        auto const objective = [&] {
            std::vector<double> result = log_probs(logits, mask, squash);
            result[2] = 0; // -infinity times weight 0
            return inner(weights, result);
        };
        expect_close(dlogits, slopes(logits, objective), 1e-8);
    }
}

} // namespace
} // namespace cax::nn
