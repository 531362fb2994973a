#pragma once
// Mixed-score cross attention between two kinds of rows, operations and machines (MatNet; Kwon et al. 2021): a small
// network turns the heads' dot products and the cost of every (operation, machine) pair into scores, one per head, and
// both sides attend over the same scores. The scores are divided by their own standard deviation, which the backward
// pass differentiates too.
//
// Projections before and after belong to the network. States do not see each other unless `coupled`, where one
// deviation serves the whole stack (rl4co's behaviour).
#include "cax/nn/arena.hpp"
#include "cax/nn/gemm.hpp"
#include "cax/nn/pairs.hpp"
#include "cax/nn/parameters.hpp"
#include "cax/nn/view.hpp"

#include <span>
#include <string>
#include <vector>

namespace cax::nn {

template <class R> class MixedScoreAttention {
public:
    MixedScoreAttention() = default;
    /// Declares `name.lin1.weight` [E, 2H] and `name.lin2.weight` [H, E].
    MixedScoreAttention(Parameters<R>& parameters, std::string const& name, std::size_t embed_dim, std::size_t heads);
    void pack(Parameters<R> const& parameters);

    /// One value per pair and head is a row of H; `pairs` has the cost as its last column.
    struct Saved {
        View<R const> ops, machines;                ///< the inputs
        View<R const> pairs;                        ///< dot products of the heads, then the cost: input of lin1
        View<R const> hidden;                       ///< after the ReLU
        View<R const> mix;                          ///< the scores before division
        View<R const> over_machines;                ///< softmax weights of each operation
        View<R const> over_ops;                     ///< softmax weights of each machine
        std::span<R const> mean, inverse_deviation; ///< of the scores, per state
        bool coupled = false;
    };

    /// ops (left rows): query | value, machines (right rows): key | value, 2E columns each; costs: one per pair. Writes
    /// the concatenated heads, E columns each. Scores that do not vary at all (deviation 0) give weights 0.
    Saved forward(View<R const> ops, View<R const> machines, std::span<R const> costs, PairSegments const& segments,
                  bool coupled, View<R> out_ops, View<R> out_machines, Arena& arena) const;
    /// Writes dops and dmachines, adds to dcosts (unless empty) and to gradient (unless empty).
    void backward(Saved const& saved, PairSegments const& segments, View<R const> dout_ops, View<R const> dout_machines,
                  View<R> dops, View<R> dmachines, std::span<R> dcosts, std::span<R> gradient, Arena& arena) const;

private:
    void measure_deviation(Saved& saved, PairSegments const& segments, Arena& arena) const;
    /// dz -> dmix in place, through z = mix / deviation(mix).
    void deviation_backward(Saved const& saved, PairSegments const& segments, View<R> dz) const;
    void parameters_backward(Saved const& saved, View<R const> dmix, View<R const> dhidden, std::span<R> gradient,
                             Arena& arena) const;

    std::size_t embed_dim_ = 0;
    std::size_t heads_ = 1;
    Slice lin1_, lin2_;
    PackedMatrix<R> lin1_forward_, lin1_backward_; ///< folded: H dot columns and one cost column
    PackedMatrix<R> lin2_forward_, lin2_backward_;
};

} // namespace cax::nn
