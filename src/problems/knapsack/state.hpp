#pragma once
// What has been packed and what still fits, in float32. An episode packs one item after the other and ends when nothing
// fits any more: there is no reason to stop before.
#include "../table/state.hpp"

#include "cax/problems/knapsack/instance.hpp"

namespace cax::knapsack {

class State final : public table::StateOf<State, Instance> {
public:
    using StateOf::StateOf;
    [[nodiscard]] double cost() const override;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::vector<table::StateScalar> scalars() const override;
    /// Of what there is, packed so far.
    [[nodiscard]] float used_weight() const { return used_weight_; }
    [[nodiscard]] float used_volume() const { return used_volume_; }

private:
    void take(std::size_t action) override;
    void set_scalars(std::span<double const> values) override {
        used_weight_ = static_cast<float>(values[0]);
        used_volume_ = static_cast<float>(values[1]);
    }
    [[nodiscard]] bool ends(std::size_t action) const override;
    void allow(ActionMask& mask) const override;
    [[nodiscard]] bool fits(std::size_t item) const;
    /// What is left of both.
    [[nodiscard]] std::vector<double> context() const override;
    /// Of weight and of volume: what is left of a knapsack is a knapsack, and policies are shown that.
    [[nodiscard]] std::optional<double> left_of(std::size_t field) const override;
    void add_tensors(NamedTensors& tensors) const override;

    float used_weight_ = 0;
    float used_volume_ = 0;
    double packed_value_ = 0; ///< in double precision
};

} // namespace cax::knapsack
