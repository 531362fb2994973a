#pragma once
// Where the vehicle is, what it carries and what time it is: rl4co's CVRPTW environment in float32, bit for bit.
//
// A state may offer no action at all without being done: nothing forbids an instance in which a customer can be reached
// but not left again in time. Generated instances have no such dead ends.
#include "../routing/state.hpp"

#include "cax/problems/cvrptw/instance.hpp"

namespace cax::cvrptw {

class State final : public routing::StateOf<State, Instance> {
public:
    using StateOf::StateOf;
    [[nodiscard]] double cost() const override { return exact_length(); }
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::vector<routing::StateScalar> scalars() const override;
    [[nodiscard]] std::optional<float> clock() const override { return current_time_; }
    [[nodiscard]] ActionNumbers numbers(std::size_t action) const override;

private:
    void drive(std::size_t action) override;
    void set_scalars(std::span<double const> values) override {
        used_capacity_ = static_cast<float>(values[0]);
        current_time_ = static_cast<float>(values[1]);
    }
    [[nodiscard]] bool ends(std::size_t) const override { return all_visited(); }
    void allow(ActionMask& mask) const override;
    [[nodiscard]] std::vector<double> context() const override;
    void add_tensors(NamedTensors& tensors) const override;

    float current_time_ = 0;  ///< restarts at 0 with every route
    float used_capacity_ = 0; ///< load, as a fraction of the capacity
};

} // namespace cax::cvrptw
