#include "cax/explain/fidelity.hpp"

#include "cax/explain/attribution.hpp"
#include "cax/explain/counterfactual.hpp"
#include "cax/explain/ordering.hpp"
#include "cax/explain/subset.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

TEST(Fidelity, IsThePapersUnlessSomebodyAsksForMore) {
    EXPECT_EQ(AttributionOptions{}.fidelity, AttributionFidelity::paper());
    EXPECT_EQ(CounterfactualOptions{}.fidelity, CounterfactualFidelity::paper());
    EXPECT_EQ(SubsetOptions{}.fidelity, SubsetFidelity::paper());
    EXPECT_EQ(OrderingOptions{}.fidelity, AttributionFidelity::paper());
    EXPECT_EQ(Fidelity{}, Fidelity::paper());
}

TEST(Fidelity, OfThePublishedCodeDiffersInEveryPart) {
    Fidelity const paper = Fidelity::paper();
    Fidelity const code = Fidelity::published();
    EXPECT_NE(paper.attribution.mass, code.attribution.mass);
    EXPECT_NE(paper.attribution.log_prob, code.attribution.log_prob);
    EXPECT_NE(paper.attribution.keep_spent_nodes, code.attribution.keep_spent_nodes);
    EXPECT_NE(paper.attribution.duals_from, code.attribution.duals_from);
    EXPECT_NE(paper.counterfactual.state, code.counterfactual.state);
    EXPECT_NE(paper.counterfactual.envelope, code.counterfactual.envelope);
    EXPECT_NE(paper.counterfactual.truncate, code.counterfactual.truncate);
    EXPECT_NE(paper.counterfactual.log_prob, code.counterfactual.log_prob);
    EXPECT_NE(paper.subset.compare, code.subset.compare);
    EXPECT_NE(paper.subset.fresh_noise, code.subset.fresh_noise);
    EXPECT_NE(paper.subset.hide_short_tensors, code.subset.hide_short_tensors);
    EXPECT_NE(paper.subset.truncate_integers, code.subset.truncate_integers);
    EXPECT_NE(paper.subset.spent_are_nodes, code.subset.spent_are_nodes);
    EXPECT_NE(paper.subset.missing_entries, code.subset.missing_entries);
    EXPECT_NE(paper.subset.log_prob, code.subset.log_prob);
}

} // namespace
} // namespace cax
