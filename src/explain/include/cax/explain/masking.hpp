#pragma once
// Noise on a state's features and a baseline in place of hidden nodes: what sufficient subsets (and the parity check of
// recorded noise) do to an instance before they show it to a policy. Values are rounded to float32, as the policy's own
// inputs are.
#include "cax/explain/subset.hpp"

#include <cstdint>
#include <vector>

namespace cax {

/// One entry per node of the state: 1 = its features are shown.
using NodeSet = std::vector<std::uint8_t>;

class Masking {
public:
    /// Error if the baseline is the depot and the state has none.
    [[nodiscard]] static Result<Masking> make(State const& state, SubsetOptions const& options);

    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    /// The nodes that a subset can contain, ascending.
    [[nodiscard]] std::vector<std::size_t> const& candidates() const { return candidates_; }
    /// Gaussian noise with the options' sigma; none on nodes that are no candidates.
    [[nodiscard]] Features noise(Rng& rng) const;
    /// The state's features plus noise, whole numbers cut off if the options say so.
    [[nodiscard]] Features shaken(Features const& noise) const;
    /// Overwrites the features of candidates that are not kept.
    void hide(Features& features, NodeSet const& kept) const;

private:
    struct Entry {
        std::size_t node = 0;
        double baseline = 0;
        bool touched = true; ///< shaken, and hidden unless its node is kept
    };
    struct TensorPart {
        std::vector<Entry> entries;
        double sigma = 0;
        bool truncated = false;
        bool hidden = true; ///< can be hidden at all
    };
    Masking() = default;

    Features clean_;
    std::vector<TensorPart> tensors_;
    std::vector<std::size_t> candidates_;
    std::size_t nodes_ = 0;
};

} // namespace cax
