#include "cax/nn/blocks.hpp"
#include "matrices.hpp"

#include <numeric>

namespace cax::nn {
namespace {

using namespace test;

constexpr std::size_t channels = 19;

/// A normalisation with random parameters and states of 5, 1 and 12 rows (`layer` and `instance` average over them).
template <class R> struct Case {
    NormKind kind;
    Parameters<R> parameters;
    Norm<R> norm;
    std::vector<std::size_t> segments{0, 5, 6, 18};
    Grid<R> x;

    Case(NormKind norm_kind, std::uint64_t seed)
        : kind(norm_kind), norm(parameters, "n", norm_kind, channels), x(18, channels) {
        Rng rng(seed);
        for (R& value : parameters.values()) value = static_cast<R>(rng.normal());
        for (auto const& entry : parameters.entries())
            if (entry.name == "n.normalizer.running_var")
                for (R& value : parameters.at(entry.slice)) value = static_cast<R>(0.2 + rng.uniform());
        norm.pack(parameters);
        x = Grid<R>::random(18, channels, rng, 2);
        for (std::size_t r = 0; r < 18; ++r)
            for (std::size_t c = 0; c < channels; ++c) x(r, c) = x(r, c) * R{3} + R{5};
    }
    [[nodiscard]] double parameter(std::string const& name, std::size_t c, double otherwise) const {
        for (auto const& entry : parameters.entries())
            if (entry.name == "n.normalizer." + name) return static_cast<double>(parameters.at(entry.slice)[c]);
        return otherwise;
    }
    /// Section 2 of the specification, written out.
    [[nodiscard]] Grid<double> naive() const {
        Grid<double> y(x.rows, channels);
        for (std::size_t s = 0; s + 1 < segments.size(); ++s)
            for (std::size_t r = segments[s]; r < segments[s + 1]; ++r)
                for (std::size_t c = 0; c < channels; ++c) {
                    auto const [mean, variance] = moments(s, c);
                    y(r, c) =
                        (static_cast<double>(x(r, c)) - mean) / std::sqrt(variance + 1e-5) * parameter("weight", c, 1) +
                        parameter("bias", c, 0);
                }
        return y;
    }
    [[nodiscard]] std::pair<double, double> moments(std::size_t s, std::size_t c) const {
        if (kind == NormKind::batch) return {parameter("running_mean", c, 0), parameter("running_var", c, 1)};
        std::vector<double> pool;
        for (std::size_t r = segments[s]; r < segments[s + 1]; ++r)
            for (std::size_t j = 0; j < channels; ++j)
                if (kind == NormKind::layer || j == c) pool.push_back(static_cast<double>(x(r, j)));
        auto const n = static_cast<double>(pool.size());
        double const mean = std::accumulate(pool.begin(), pool.end(), 0.0) / n;
        double squares = 0;
        for (double const value : pool) squares += (value - mean) * (value - mean);
        return {mean, squares / (kind == NormKind::layer ? n - 1 : n)};
    }
};

class NormOf : public testing::TestWithParam<NormKind> {};
INSTANTIATE_TEST_SUITE_P(AllKinds, NormOf, testing::Values(NormKind::batch, NormKind::instance, NormKind::layer),
                         [](auto const& test) {
                             return std::string(std::array{"batch", "instance", "layer"}[static_cast<int>(test.param)]);
                         });

template <class R> void check_forward(NormKind kind, double allowed) {
    Case<R> c(kind, 1);
    Arena arena;
    Grid<R> y(18, channels, 1);
    c.norm.forward(c.x.view(), c.segments, y.view(), arena);
    EXPECT_LE(worst_difference(y, c.naive()), allowed);
    EXPECT_TRUE(y.gaps_untouched());
    Grid<double> const expected = c.naive();
    Grid<R> unsaved(18, channels);
    c.norm.forward(c.x.view(), c.segments, unsaved.view(), arena, false);
    EXPECT_LE(worst_difference(unsaved, expected), allowed);
    c.norm.forward(c.x.view(), c.segments, c.x.view(), arena); // in place
    EXPECT_LE(worst_difference(c.x, expected), allowed);
}

TEST_P(NormOf, AgreesWithItsDefinition) {
    check_forward<double>(GetParam(), 1e-12);
    check_forward<float>(GetParam(), 1e-5);
}

TEST_P(NormOf, ItsGradientsAgreeWithCentralDifferences) {
    Case<double> c(GetParam(), 2);
    Rng rng(3);
    auto const weights = Grid<double>::random(18, channels, rng);
    Arena arena;
    Grid<double> y(18, channels);
    auto const value = [&] {
        arena.reset();
        c.norm.pack(c.parameters);
        c.norm.forward(c.x.view(), c.segments, y.view(), arena);
        return weighted_sum(weights, y);
    };
    Grid<double> const expected_input = numeric_gradient(c.x, value);
    Grid<double> values(1, c.parameters.values().size());
    std::copy(c.parameters.values().begin(), c.parameters.values().end(), values.values.begin());
    Grid<double> const expected_parameters = numeric_gradient(values, [&] {
        std::copy(values.values.begin(), values.values.end(), c.parameters.values().begin());
        return value();
    });
    std::copy(values.values.begin(), values.values.end(), c.parameters.values().begin());
    arena.reset();
    c.norm.pack(c.parameters);
    auto const saved = c.norm.forward(c.x.view(), c.segments, y.view(), arena);
    Grid<double> gradient(1, values.cols);
    Grid<double> dx(18, channels, 1);
    c.norm.backward(saved, c.segments, weights.view(), dx.view(), gradient.values);
    EXPECT_LE(worst_difference(dx, expected_input), 1e-6);
    for (auto const& entry : c.parameters.entries())
        for (std::size_t i = 0; entry.trained && i < entry.slice.size; ++i)
            EXPECT_NEAR(gradient(0, entry.slice.offset + i), expected_parameters(0, entry.slice.offset + i), 1e-6)
                << entry.name;

    Grid<double> in_place = weights;
    c.norm.backward(saved, c.segments, in_place.view(), in_place.view(), {});
    EXPECT_TRUE(same_bits(in_place, 0, dx));
}

template <class R> void check_independence(NormKind kind) {
    Case<R> c(kind, 4);
    Rng rng(5);
    auto const dy = Grid<R>::random(18, channels, rng);
    auto const run = [&](std::size_t first, std::vector<std::size_t> const& segments) {
        Arena arena;
        Grid<R> const x = middle(c.x, first, segments.back());
        Grid<R> y(x.rows, channels), dx(x.rows, channels);
        auto const saved = c.norm.forward(x.view(), segments, y.view(), arena);
        c.norm.backward(saved, segments, dy.view().middle_rows(first, x.rows), dx.view(), {});
        return std::pair(y, dx);
    };
    auto const [y, dx] = run(0, c.segments);
    for (std::size_t s = 0; s + 1 < c.segments.size(); ++s) {
        auto const [own_y, own_dx] = run(c.segments[s], {0, c.segments[s + 1] - c.segments[s]});
        EXPECT_TRUE(same_bits(y, c.segments[s], own_y)) << "state " << s;
        EXPECT_TRUE(same_bits(dx, c.segments[s], own_dx)) << "state " << s;
    }
}

TEST_P(NormOf, AStateHasTheSameBitsAloneAndInAStack) {
    check_independence<float>(GetParam());
    check_independence<double>(GetParam());
}

TEST(Norm, DeclaresTheParametersOfItsKind) {
    auto const names = [](NormKind kind) {
        Parameters<float> parameters;
        Norm<float> const norm(parameters, "x", kind, 4);
        std::vector<std::string> result;
        for (auto const& entry : parameters.entries())
            result.push_back(entry.name + (entry.trained ? "" : " (buffer)"));
        return result;
    };
    EXPECT_EQ(names(NormKind::batch),
              (std::vector<std::string>{"x.normalizer.weight", "x.normalizer.bias",
                                        "x.normalizer.running_mean (buffer)", "x.normalizer.running_var (buffer)"}));
    EXPECT_EQ(names(NormKind::instance), (std::vector<std::string>{"x.normalizer.weight", "x.normalizer.bias"}));
    EXPECT_TRUE(names(NormKind::layer).empty());
}

TEST(SegmentMeans, AreMeansOfEachStatesRows) {
    Case<double> const each(NormKind::batch, 8);
    Grid<double> means(3, channels, 1), expected(3, channels);
    segment_means<double>(each.x.view(), each.segments, means.view());
    for (std::size_t s = 0; s < 3; ++s)
        for (std::size_t c = 0; c < channels; ++c) {
            for (std::size_t r = each.segments[s]; r < each.segments[s + 1]; ++r) expected(s, c) += each.x(r, c);
            expected(s, c) /= static_cast<double>(each.segments[s + 1] - each.segments[s]);
        }
    EXPECT_LE(worst_difference(means, expected), tolerance<double>);
    EXPECT_TRUE(means.gaps_untouched());
}

TEST(Norm, OfAMeanIsTheMeanOfNormsIfItIsAffine) {
    Case<double> const each(NormKind::batch, 9);
    ASSERT_TRUE(each.norm.is_affine());
    EXPECT_FALSE(Case<double>(NormKind::instance, 9).norm.is_affine());
    EXPECT_FALSE(Case<double>(NormKind::layer, 9).norm.is_affine());
    Arena arena;
    Grid<double> normed(18, channels), means(3, channels), mean_of_norms(3, channels);
    each.norm.forward(each.x.view(), each.segments, normed.view(), arena);
    segment_means<double>(normed.view(), each.segments, mean_of_norms.view());
    segment_means<double>(each.x.view(), each.segments, means.view());
    each.norm.forward(means.view(), {}, means.view(), arena, false);
    EXPECT_LE(worst_difference(means, mean_of_norms), tolerance<double>);
}

} // namespace
} // namespace cax::nn
