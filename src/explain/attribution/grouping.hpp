#pragma once
// Numbers per entry of the feature tensors become numbers per node and family: the one place that knows which entry
// belongs to which node. All attribution methods group here.
#include "cax/explain/attribution.hpp"

namespace cax {

/// Where the nodes are in one tensor of a certain shape.
class NodeMap {
public:
    NodeMap(TensorInfo const& info, Shape const& shape);
    [[nodiscard]] std::size_t node_of(std::size_t entry) const { return entry / inner_ % extent_ + offset_; }
    /// Which coordinate, window end or machine of its node.
    [[nodiscard]] std::size_t coordinate_of(std::size_t entry) const {
        return entry / (inner_ * extent_) * inner_ + entry % inner_;
    }
    [[nodiscard]] std::size_t coordinates() const { return coordinates_; }
    [[nodiscard]] std::size_t nodes() const { return extent_ + offset_; } ///< largest node + 1
    [[nodiscard]] std::size_t offset() const { return offset_; }

private:
    std::size_t extent_ = 1;
    std::size_t inner_ = 1;
    std::size_t coordinates_ = 1;
    std::size_t offset_ = 0;
};

/// Number of nodes that the tensors tell about.
[[nodiscard]] std::size_t node_count(ProblemInfo const& info, Features const& features);

/// Fills mass and nodes of `result` from one number per entry, or sets the status if some number is not finite or all
/// are 0. `spent` is empty or has a 1 for each node to be left out.
void group_entries(ProblemInfo const& info, Features const& entries, MassKind kind, std::span<std::uint8_t const> spent,
                   DecisionAttribution& result);

/// All masses 0, in the right sizes.
void clear_masses(DecisionAttribution& result, std::size_t families, std::size_t nodes);

} // namespace cax
