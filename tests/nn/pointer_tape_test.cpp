#include "cax/nn/pointer_tape.hpp"

#include "matrices.hpp"

namespace cax::nn {
namespace {

using test::Grid;

/// Queries of several steps at one state, answered by the tape and by the blocks it replaces.
struct TapeScene {
    std::size_t nodes, width, heads;
    std::vector<std::size_t> steps; ///< queries per step
    Squash<double> squash{};
    Grid<double> keys, values, logit_keys, queries;
    std::vector<std::vector<std::uint8_t>> masks{};
    std::vector<double> weights{}; ///< of every node for every query, 0 where hidden
    double entropy_weight = 0;

    TapeScene(std::size_t node_count, std::size_t cols, std::size_t head_count, std::vector<std::size_t> step_sizes)
        : nodes(node_count),
          width(cols),
          heads(head_count),
          steps(std::move(step_sizes)),
          keys(nodes, width, 3),
          values(nodes, width, 3),
          logit_keys(nodes, width, 3),
          queries(0, width) {
        Rng rng(nodes, static_cast<std::uint32_t>(width));
        std::size_t count = 0;
        for (std::size_t const step : steps) count += step;
        keys = Grid<double>::random(nodes, width, rng, 3);
        values = Grid<double>::random(nodes, width, rng, 3);
        logit_keys = Grid<double>::random(nodes, width, rng, 3);
        queries = Grid<double>::random(count, width, rng);
        for (std::size_t i = 0; i < count; ++i) {
            auto& mask = masks.emplace_back(nodes);
            for (auto& open : mask) open = rng.below(2) == 0;
            mask[rng.below(nodes)] = 1;
            for (auto const open : mask) weights.push_back(open != 0 && rng.below(3) == 0 ? rng.normal() : 0);
        }
    }
    [[nodiscard]] std::vector<std::uint8_t const*> mask_pointers(std::size_t first, std::size_t count) const {
        std::vector<std::uint8_t const*> pointers;
        for (std::size_t i = first; i < first + count; ++i) pointers.push_back(masks[i].data());
        return pointers;
    }
};

struct Outcome {
    Grid<double> log_probs, dqueries, dkeys, dvalues, dlogit_keys;
    explicit Outcome(TapeScene const& s)
        : log_probs(s.queries.rows, s.nodes),
          dqueries(s.queries.rows, s.width),
          dkeys(s.nodes, s.width),
          dvalues(s.nodes, s.width),
          dlogit_keys(s.nodes, s.width) {}
};

void run(PointerTape<double>& tape, TapeScene const& s, Outcome& outcome) {
    tape.begin(s.keys.view(), s.values.view(), s.logit_keys.view());
    std::size_t first = 0;
    for (std::size_t const count : s.steps) {
        View<double> const room = tape.ask(count);
        for (std::size_t i = 0; i < count; ++i) std::copy_n(s.queries.view().row(first + i), s.width, room.row(i));
        View<double const> const answers = tape.answer(s.mask_pointers(first, count));
        for (std::size_t i = 0; i < count; ++i)
            std::copy_n(answers.row(i), s.nodes, outcome.log_probs.view().row(first + i));
        first += count;
    }
    tape.backward(s.weights, s.entropy_weight,
                  {outcome.dkeys.view(), outcome.dvalues.view(), outcome.dlogit_keys.view()}, outcome.dqueries.view());
}

Outcome by_blocks(TapeScene const& s) {
    Outcome outcome(s);
    Arena arena;
    std::size_t const count = s.queries.rows;
    std::vector<std::size_t> const segments{0, s.nodes}, rows(count, 0);
    auto const masks = s.mask_pointers(0, count);
    Sight const sight{segments, rows, masks};
    Glimpse<double> const glimpse(s.heads);
    View<double> const attended = arena.matrix<double>(count, s.width);
    auto const saved = glimpse.forward(s.queries.view(), s.keys.view(), s.values.view(), sight, attended, arena);
    double const scale = 1 / std::sqrt(static_cast<double>(s.width));
    std::vector<double> logits(count * s.nodes), dlogits(count * s.nodes);
    pointer_logits<double>(attended, s.logit_keys.view(), sight, saved.offsets, scale, logits.data(), arena);
    for (std::size_t i = 0; i < count; ++i) {
        auto const first = s.weights.begin() + static_cast<std::ptrdiff_t>(i * s.nodes);
        std::vector<double> weights(first, first + static_cast<std::ptrdiff_t>(s.nodes));
        double* const log_probs = outcome.log_probs.view().row(i);
        log_softmax(logits.data() + i * s.nodes, masks[i], s.nodes, s.squash, log_probs);
        // The gradient of -sum p log p is that of log-probabilities with these weights: p's own part sums to nothing.
        for (std::size_t j = 0; j < s.nodes; ++j)
            if (masks[i][j]) weights[j] -= s.entropy_weight * std::exp(log_probs[j]) * log_probs[j];
        log_softmax_backward<double>(logits.data() + i * s.nodes, log_probs, weights.data(), masks[i], s.nodes,
                                     s.squash, dlogits.data() + i * s.nodes);
    }
    View<double> const dattended = arena.matrix<double>(count, s.width);
    pointer_logits_backward<double>(attended, s.logit_keys.view(), sight, saved.offsets, scale, dlogits.data(),
                                    dattended, outcome.dlogit_keys.view(), arena);
    glimpse.backward(saved, sight, dattended, outcome.dqueries.view(), outcome.dkeys.view(), outcome.dvalues.view(),
                     arena);
    return outcome;
}

void expect_close(Outcome const& actual, Outcome const& expected) {
    for (std::size_t i = 0; i < expected.log_probs.rows; ++i)
        for (std::size_t j = 0; j < expected.log_probs.cols; ++j) {
            double const want = expected.log_probs(i, j), got = actual.log_probs(i, j);
            if (std::isinf(want))
                EXPECT_EQ(got, want) << i << ' ' << j;
            else
                EXPECT_NEAR(got, want, 1e-10) << i << ' ' << j;
        }
    EXPECT_LT(test::worst_difference(actual.dqueries, expected.dqueries), 1e-10);
    EXPECT_LT(test::worst_difference(actual.dkeys, expected.dkeys), 1e-10);
    EXPECT_LT(test::worst_difference(actual.dvalues, expected.dvalues), 1e-10);
    EXPECT_LT(test::worst_difference(actual.dlogit_keys, expected.dlogit_keys), 1e-10);
}

TEST(PointerTape, ComputesWhatGlimpseAndPointerDo) {
    std::vector<TapeScene> scenes{
        {1, 4, 2, {1}}, {5, 6, 2, {3, 2, 1}}, {21, 32, 4, {7, 7, 5, 1}}, {51, 64, 8, {40, 90, 130, 3}}};
    scenes.emplace_back(9, std::size_t{8}, std::size_t{1}, std::vector<std::size_t>{4, 4}).squash = {0, 2.5};
    scenes.emplace_back(21, std::size_t{32}, std::size_t{4}, std::vector<std::size_t>{5, 9}).entropy_weight = 0.7;
    for (TapeScene const& scene : scenes) {
        PointerTape<double> tape(scene.heads, scene.squash);
        Outcome outcome(scene);
        run(tape, scene, outcome);
        SCOPED_TRACE(scene.nodes);
        expect_close(outcome, by_blocks(scene));
    }
}

TEST(PointerTape, ForgetsWhatItWasAskedBefore) {
    TapeScene const large(30, 16, 4, {20, 150}), small(7, 16, 4, {3, 2});
    PointerTape<double> used(4, {}), fresh(4, {});
    Outcome first(large), second(small), alone(small);
    run(used, large, first);
    run(used, small, second);
    run(fresh, small, alone);
    EXPECT_TRUE(test::same_bits(second.log_probs, 0, alone.log_probs));
    EXPECT_TRUE(test::same_bits(second.dqueries, 0, alone.dqueries));
    EXPECT_TRUE(test::same_bits(second.dkeys, 0, alone.dkeys));
}

TEST(PointerTape, AnswersAQueryTheSameWayAloneAndAmongOthers) {
    TapeScene const together(13, 16, 2, {6}), apart(13, 16, 2, {1, 2, 3});
    PointerTape<double> tape(2, {});
    Outcome one(together), many(apart);
    run(tape, together, one);
    run(tape, apart, many);
    EXPECT_TRUE(test::same_bits(one.log_probs, 0, many.log_probs));
    EXPECT_TRUE(test::same_bits(one.dqueries, 0, many.dqueries));
}

} // namespace
} // namespace cax::nn
