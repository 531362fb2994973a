#pragma once
// Where the vehicle is and what it carries: rl4co's CVRP environment in float32, bit for bit. An episode is over with
// the last customer if the depot has been visited before, else with the return to it.
#include "../routing/state.hpp"

#include "cax/problems/cvrp/instance.hpp"

namespace cax::cvrp {

class State final : public routing::StateOf<State, Instance> {
public:
    using StateOf::StateOf;
    [[nodiscard]] double cost() const override { return exact_length(); }
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::vector<routing::StateScalar> scalars() const override;

private:
    void drive(std::size_t action) override;
    void set_scalars(std::span<double const> values) override { used_capacity_ = static_cast<float>(values[0]); }
    [[nodiscard]] bool ends(std::size_t) const override { return all_visited(); }
    void allow(ActionMask& mask) const override;
    /// Capacity left.
    [[nodiscard]] std::vector<double> context() const override { return {1.0 - double{used_capacity_}}; }
    void add_tensors(NamedTensors& tensors) const override;

    float used_capacity_ = 0; ///< load, as a fraction of the capacity
};

} // namespace cax::cvrp
