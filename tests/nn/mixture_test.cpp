#include "cax/nn/mixture.hpp"

#include "matrices.hpp"

namespace cax::nn {
namespace {

using test::Grid;

/// Rows picked from a table (one of them twice), a few targets.
struct MixtureScene {
    std::size_t heads, dim, targets;
    std::vector<std::size_t> picked{4, 1, 6, 1};
    Grid<double> table, y, weights;

    MixtureScene(std::size_t head_count, std::size_t head_dim, std::size_t target_count, std::uint64_t seed)
        : heads(head_count), dim(head_dim), targets(target_count), table(0, 1), y(0, 1), weights(0, 1) {
        Rng rng(seed);
        table = Grid<double>::random(7, heads * dim, rng, 2);
        y = Grid<double>::random(targets, heads * dim, rng);
        weights = Grid<double>::random(picked.size(), targets * heads, rng);
    }
    [[nodiscard]] std::vector<double const*> rows() const {
        std::vector<double const*> pointers;
        for (std::size_t const p : picked) pointers.push_back(table.view().row(p));
        return pointers;
    }
    [[nodiscard]] std::vector<double*> rows_of(Grid<double>& grid) const {
        std::vector<double*> pointers;
        for (std::size_t const p : picked) pointers.push_back(grid.view().row(p));
        return pointers;
    }
    /// The definition.
    [[nodiscard]] Grid<double> mix() const {
        Grid<double> out(targets, heads * dim);
        for (std::size_t t = 0; t < targets; ++t)
            for (std::size_t c = 0; c < heads * dim; ++c)
                for (std::size_t s = 0; s < picked.size(); ++s)
                    out(t, c) += weights(s, t * heads + c % heads) * table(picked[s], c);
        return out;
    }
    [[nodiscard]] Grid<double> dots(double factor) const {
        Grid<double> out(picked.size(), targets);
        for (std::size_t s = 0; s < picked.size(); ++s)
            for (std::size_t t = 0; t < targets; ++t)
                for (std::size_t c = 0; c < heads * dim; ++c) out(s, t) += factor * table(picked[s], c) * y(t, c);
        return out;
    }
};

std::vector<MixtureScene> scenes() { return {{8, 16, 5, 1}, {1, 7, 2, 2}, {4, 3, 1, 3}, {13, 5, 3, 4}}; }

TEST(Mixture, SumsAndComparesRowsAsDefined) {
    for (MixtureScene const& scene : scenes()) {
        auto const rows = scene.rows();
        Mixture<double> const mixture{scene.heads, scene.targets, rows, scene.dim};
        Grid<double> out(scene.targets, scene.heads * scene.dim), dots(scene.picked.size(), scene.targets);
        mix_rows(mixture, scene.weights.values.data(), out.values.data());
        compare_rows(mixture, scene.y.values.data(), 0.3, dots.values.data());
        EXPECT_LT(test::worst_difference(out, scene.mix()), 1e-12);
        EXPECT_LT(test::worst_difference(dots, scene.dots(0.3)), 1e-12);
    }
}

TEST(Mixture, GoesBackThroughSums) {
    for (MixtureScene scene : scenes()) {
        Rng rng(9);
        Grid<double> const dout = Grid<double>::random(scene.targets, scene.heads * scene.dim, rng);
        Grid<double> dweights(scene.weights.rows, scene.weights.cols), dtable(7, scene.heads * scene.dim);
        auto const rows = scene.rows();
        mix_rows_backward<double>({scene.heads, scene.targets, rows, scene.dim}, scene.weights.values.data(),
                                  dout.values.data(), dweights.values.data(), scene.rows_of(dtable));
        auto const objective = [&] { return test::weighted_sum(dout, scene.mix()); };
        EXPECT_LT(test::worst_difference(dweights, test::numeric_gradient(scene.weights, objective)), 1e-8);
        EXPECT_LT(test::worst_difference(dtable, test::numeric_gradient(scene.table, objective)), 1e-8);
    }
}

TEST(Mixture, GoesBackThroughComparisons) {
    for (MixtureScene scene : scenes()) {
        Rng rng(8);
        Grid<double> ddots = Grid<double>::random(scene.picked.size(), scene.targets, rng);
        ddots(0, 0) = 0; // nothing to do there
        Grid<double> dy(scene.targets, scene.heads * scene.dim), dtable(7, scene.heads * scene.dim);
        auto const rows = scene.rows();
        compare_rows_backward<double>({scene.heads, scene.targets, rows, scene.dim}, scene.y.values.data(), 0.3,
                                      ddots.values.data(), dy.values.data(), scene.rows_of(dtable));
        auto const objective = [&] { return test::weighted_sum(ddots, scene.dots(0.3)); };
        EXPECT_LT(test::worst_difference(dy, test::numeric_gradient(scene.y, objective)), 1e-8);
        EXPECT_LT(test::worst_difference(dtable, test::numeric_gradient(scene.table, objective)), 1e-8);
    }
}

TEST(Mixture, InterleavesHeadsAndSeparatesThemAgain) {
    Rng rng(3);
    Grid<double> const rows = Grid<double>::random(3, 12, rng, 1);
    Grid<double> mixed(3, 12), back(3, 12);
    interleave_heads<double>(rows.view(), 4, mixed.view());
    EXPECT_EQ(mixed(1, 2 * 4 + 3), rows(1, 3 * 3 + 2)); // channel 2 of head 3
    add_separated_heads<double>(mixed.view(), 4, back.view());
    EXPECT_TRUE(test::same_bits(back, 0, test::middle(rows, 0, 3)));
}

} // namespace
} // namespace cax::nn
