#pragma once
// Where the salesman is and what time it is: the environment of PIP (Bi et al., 2024) in float32, bit for bit. Late
// visits are allowed, and the clock goes on from them: whether a tour was on time is for the checker to say. The depot
// is no action.
//
// Policies of PIP look one visit ahead (lookahead): a node is out of the question if some other one could then only be
// reached after its window has closed. If that leaves nothing, everything is allowed.
#include "../routing/state.hpp"

#include "cax/problems/tsptw/instance.hpp"

namespace cax::tsptw {

class State final : public routing::StateOf<State, Instance> {
public:
    using StateOf::StateOf;
    [[nodiscard]] double cost() const override { return exact_length(); }
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::optional<float> clock() const override { return time_; }
    [[nodiscard]] ActionNumbers numbers(std::size_t action) const override;
    /// When service would start there.
    [[nodiscard]] float start_at(std::size_t node) const;
    [[nodiscard]] std::vector<routing::StateScalar> scalars() const override;

private:
    void drive(std::size_t action) override;
    void set_scalars(std::span<double const> values) override { time_ = static_cast<float>(values[0]); }
    [[nodiscard]] bool ends(std::size_t) const override { return steps() + 2 >= data().locs.size(); }
    void allow(ActionMask& mask) const override;
    [[nodiscard]] ActionMask lookahead() const override;
    /// The time, in the instance's own unit.
    [[nodiscard]] std::vector<double> context() const override { return {double{time_}}; }
    void add_tensors(NamedTensors& tensors) const override;
    /// Who could be reached with least to spare, straight from that node.
    [[nodiscard]] std::optional<Slack> tightest_after(std::size_t node) const;
    /// 1 for nodes after which some other one is late for certain.
    [[nodiscard]] std::vector<std::uint8_t> strands_others() const;

    float time_ = 0;
    float length_ = 0;
};

} // namespace cax::tsptw
