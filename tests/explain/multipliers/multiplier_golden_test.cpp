// The multipliers of the published code on its four instances per problem (reference-golden, README sections 2 and 8).
#include "cax/explain/multipliers.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"
#include "data.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class MultiplierGolden : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        std::string const file = "reference-golden/" + std::string(GetParam()->info().name) + "/lambda.safetensors";
        CAX_REQUIRE_SHARED(file);
        auto golden = io::read_safetensors(test::shared_path(file));
        ASSERT_TRUE(golden) << golden.error().message;
        golden_ = std::move(golden->tensors);
        NamedTensors arrays;
        std::string const prefix = "instance/";
        for (auto const& [name, tensor] : golden_) {
            if (name.starts_with(prefix)) arrays.emplace(name.substr(prefix.size()), tensor);
        }
        auto instances = GetParam()->exchange().from_tensors(arrays);
        ASSERT_TRUE(instances) << instances.error().message;
        instances_ = std::move(*instances);
    }

    [[nodiscard]] std::size_t families() const { return GetParam()->info().families.size(); }
    /// Entry [b, k] of a [B, K] tensor.
    [[nodiscard]] double golden(std::string const& name, std::size_t b, std::size_t k) const {
        return golden_.at(name).as_double(b * families() + k);
    }
    [[nodiscard]] double golden_sum(std::size_t b, std::size_t k, bool least) const {
        return golden(least ? "lp_dual_face_min_sum" : "lp_dual_face_max_sum", b, k);
    }
    /// Do smallest and largest value over the face agree, up to the accuracy that they are stored with?
    [[nodiscard]] bool determined(std::size_t b, std::size_t k) const {
        double const low = golden_sum(b, k, true);
        return golden_sum(b, k, false) - low <= 1e-5 * (1 + low);
    }
    [[nodiscard]] Multipliers multipliers(std::size_t b, Aggregate aggregate, bool range = false,
                                          DualVertex vertex = DualVertex::simplex) const {
        MultiplierOptions options;
        options.aggregate = aggregate;
        options.dual_range = range;
        options.vertex = vertex;
        auto result = compute_multipliers(*instances_[b], options);
        EXPECT_TRUE(result) << result.error().message;
        return *result;
    }

    NamedTensors golden_;
    std::vector<InstancePtr> instances_;
};

TEST_P(MultiplierGolden, AgreesOnTheObjective) {
    for (std::size_t b = 0; b < instances_.size(); ++b) {
        double const expected = golden_.at("lp_objective").as_double(b);
        Multipliers const found = multipliers(b, Aggregate::mean);
        EXPECT_NEAR(found.lp->objective, expected, 1e-7 * expected);
        EXPECT_TRUE(found.lp->audit.within(1e-6));
    }
}

TEST_P(MultiplierGolden, AgreesOnTheNumberOfRows) {
    for (std::size_t b = 0; b < instances_.size(); ++b) {
        LinearProgram const program = *relaxation_of(*instances_[b]);
        for (std::size_t k = 0; k < families(); ++k) {
            EXPECT_EQ(program.rows_of(k), static_cast<std::size_t>(golden("lp_rows", b, k)));
        }
    }
}

TEST_P(MultiplierGolden, AgreesOnMultipliersThatTheProgramDetermines) {
    std::size_t compared = 0;
    for (std::size_t b = 0; b < instances_.size(); ++b) {
        Multipliers const mean = multipliers(b, Aggregate::mean);
        Multipliers const sum = multipliers(b, Aggregate::sum);
        for (std::size_t k = 0; k < families(); ++k) {
            double const least = golden_sum(b, k, true);
            EXPECT_GE(*sum.families[k].value, least * (1 - 1e-6));
            if (!determined(b, k)) continue;
            double const expected = golden("lp_multiplier/mean", b, k);
            EXPECT_NEAR(*mean.families[k].value, expected, 1e-6 * (1 + expected));
            EXPECT_NEAR(*sum.families[k].value, golden("lp_multiplier/sum", b, k), 1e-6 * (1 + least));
            ++compared;
        }
    }
    EXPECT_GE(compared, instances_.size());
}

/// The stored duals are optimal for our program in our row order: their worth and their sum fit.
TEST_P(MultiplierGolden, FindsTheStoredDualsOptimalForItsOwnRows) {
    for (std::size_t b = 0; b < instances_.size(); ++b) {
        LinearProgram const program = *relaxation_of(*instances_[b]);
        std::vector<double> dual(program.rows());
        for (std::size_t k = 0; k < families(); ++k) {
            std::string const family(GetParam()->info().families[k]);
            Tensor const& stored = golden_.at("lp_dual/b" + std::to_string(b) + "/" + family);
            std::size_t next = 0;
            for (std::size_t i = 0; i < program.rows(); ++i) {
                if (program.family(i) == k) dual[i] = stored.as_double(next++);
            }
            EXPECT_EQ(next, stored.size());
        }
        auto solution = clp_solver().solve(program);
        ASSERT_TRUE(solution);
        solution->dual = dual; // our primal, their dual
        EXPECT_TRUE(audit(program, *solution).within(1e-6)) << "instance " << b;
    }
}

TEST_P(MultiplierGolden, AgreesOnTheEndsOfTheDualFace) {
    for (std::size_t b = 0; b < instances_.size(); ++b) {
        Multipliers const found = multipliers(b, Aggregate::sum, true);
        for (std::size_t k = 0; k < families(); ++k) {
            MultiplierRange const& range = found.range->with_redundant_rows.families[k];
            double const low = golden_sum(b, k, true);
            double const high = golden_sum(b, k, false);
            EXPECT_NEAR(range.low, low, 1e-5 * (1e-3 + low)) << "instance " << b << ", family " << k;
            if (std::isinf(high)) {
                EXPECT_TRUE(std::isinf(range.high));
                EXPECT_FALSE(range.unbounded_along.empty());
            } else {
                EXPECT_NEAR(range.high, high, 1e-5 * (1e-3 + high)) << "instance " << b << ", family " << k;
            }
            EXPECT_TRUE(std::isfinite(found.range->without_redundant_rows.families[k].high_bound));
        }
    }
}

TEST_P(MultiplierGolden, AgreesOnTheLeastMultiplier) {
    for (std::size_t b = 0; b < instances_.size(); ++b) {
        Multipliers const found = multipliers(b, Aggregate::sum, false, DualVertex::least);
        for (std::size_t k = 0; k < families(); ++k) {
            double const expected = golden_sum(b, k, true);
            // The stored value was found on a slightly enlarged face.
            EXPECT_NEAR(*found.families[k].value, expected, 5e-6 * (1 + expected));
        }
    }
}

TEST_P(MultiplierGolden, AgreesOnThePublishedSubgradientControl) {
    MultiplierOptions options;
    options.backend = Backend::subgrad;
    for (std::size_t b = 0; b < instances_.size(); ++b) {
        auto const found = compute_multipliers(*instances_[b], options);
        ASSERT_TRUE(found);
        for (std::size_t k = 0; k < families(); ++k) {
            EXPECT_NEAR(*found->families[k].value, golden("subgrad_multiplier", b, k), 1e-9);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, MultiplierGolden, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
