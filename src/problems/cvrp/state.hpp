#pragma once
// Where the vehicle is and what it carries: rl4co's CVRP environment in float32, bit for bit. An episode is over with
// the last customer if the depot has been visited before, else with the return to it.
#include "../routing/state.hpp"

#include "cax/problems/cvrp/instance.hpp"

namespace cax::cvrp {

class State final : public routing::State {
public:
    explicit State(std::shared_ptr<Instance const> instance);
    [[nodiscard]] StatePtr clone() const override { return std::make_unique<State>(*this); }
    [[nodiscard]] double cost() const override;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::vector<routing::StateScalar> scalars() const override;
    [[nodiscard]] std::unique_ptr<table::State> resumed(std::shared_ptr<table::Instance const> const& instance,
                                                        std::span<double const> scalars) const override;

private:
    void drive(std::size_t action) override;
    [[nodiscard]] bool ends(std::size_t action) const override;
    void allow(ActionMask& mask) const override;
    /// Capacity left.
    [[nodiscard]] std::vector<double> context() const override { return {1.0 - double{used_capacity_}}; }
    void add_tensors(NamedTensors& tensors) const override;

    Data const& data_;
    float used_capacity_ = 0; ///< load, as a fraction of the capacity
    double length_ = 0;       ///< driven so far, in double precision
};

} // namespace cax::cvrp
