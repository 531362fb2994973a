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

class State final : public routing::State {
public:
    explicit State(std::shared_ptr<Instance const> instance);
    [[nodiscard]] StatePtr clone() const override { return std::make_unique<State>(*this); }
    [[nodiscard]] double cost() const override;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::optional<float> clock() const override { return time_; }
    /// When service would start there.
    [[nodiscard]] float start_at(std::size_t node) const;
    [[nodiscard]] std::vector<routing::StateScalar> scalars() const override;
    [[nodiscard]] std::unique_ptr<table::State> resumed(std::shared_ptr<table::Instance const> const& instance,
                                                        std::span<double const> scalars) const override;

private:
    void drive(std::size_t action) override;
    [[nodiscard]] bool ends(std::size_t) const override { return steps() + 2 >= data_.locs.size(); }
    void allow(ActionMask& mask) const override;
    [[nodiscard]] ActionMask lookahead() const override;
    /// The time, in the instance's own unit.
    [[nodiscard]] std::vector<double> context() const override { return {double{time_}}; }
    void add_tensors(NamedTensors& tensors) const override;
    /// Who could be reached with least to spare, straight from that node.
    [[nodiscard]] std::optional<Slack> tightest_after(std::size_t node) const;
    /// 1 for nodes after which some other one is late for certain.
    [[nodiscard]] std::vector<std::uint8_t> strands_others() const;

    Instance const& own_;
    Data const& data_;
    float time_ = 0;
    float length_ = 0;
    double exact_length_ = 0;   ///< the same in double precision
    std::size_t last_node_ = 0; ///< of the tour, also when the others of a batch still drive
};

} // namespace cax::tsptw
