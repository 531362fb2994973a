#pragma once
// The attention network's lesson. All decoded states of an instance look at the same nodes, so that what a decoder
// computes per state moves to the nodes wherever it is linear:
//
//     q = W_context [h_current, scalars] + g  =  table_current + sum_k scalar_k * table_k
//     logit_j = (W_out a) . lk_j              =  a . (lk_j W_out)
//
// The table has a row per node and one per scalar; lk_j W_out are the folded logit keys. For networks that are shown
// their current node, and it alone.
//
// What is left per state is the glimpse and the pointer itself (nn::PointerTape).
#include "attention.hpp"
#include "cax/nn/pointer_tape.hpp"
#include "cax/policies/trainable.hpp"

namespace cax {

class AttentionLesson final : public Lesson {
public:
    explicit AttentionLesson(AttentionNetwork<float> const& net);
    void begin(Observation const& reset) override;
    std::vector<std::span<float const>> decode(std::span<Observation const* const> states) override;
    void backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) override;

private:
    void tabulate_queries();
    void queries_backward(nn::View<float const> dqueries, AttentionNetwork<float>::Cotangent& cotangent,
                          std::span<float> gradient);

    AttentionNetwork<float> const& net_;
    nn::Arena tape_, scratch_;
    nn::PointerTape<float> pointer_;
    AttentionNetwork<float>::Encoded encoded_;
    nn::View<float> context_;                ///< what project_context reads: [h_i, 0] for places, [0, e_k] for scalars
    nn::View<float> table_;                  ///< what it makes of them; the graph's share is in the places' rows
    nn::View<float> folded_;                 ///< lk W_out
    std::vector<std::size_t> current_;       ///< node of every decoded state
    std::vector<float> scalars_;             ///< scalars of every decoded state
    std::vector<std::uint8_t const*> masks_; ///< of the states of this step
};

} // namespace cax
