#pragma once
// What has been packed and what still fits, in float32. An episode packs one item after the other and ends when nothing
// fits any more: there is no reason to stop before.
#include "../table/state.hpp"

#include "cax/problems/knapsack/instance.hpp"

namespace cax::knapsack {

class State final : public table::State {
public:
    explicit State(std::shared_ptr<Instance const> const& instance);
    [[nodiscard]] StatePtr clone() const override { return std::make_unique<State>(*this); }
    [[nodiscard]] Instance const& instance() const override {
        return static_cast<Instance const&>(table::State::instance());
    }
    [[nodiscard]] double cost() const override;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::vector<table::StateScalar> scalars() const override;
    [[nodiscard]] std::unique_ptr<table::State> resumed(std::shared_ptr<table::Instance const> const& instance,
                                                        std::span<double const> scalars) const override;
    /// Of what there is, packed so far.
    [[nodiscard]] float used_weight() const { return used_weight_; }
    [[nodiscard]] float used_volume() const { return used_volume_; }

private:
    void take(std::size_t action) override;
    [[nodiscard]] bool ends(std::size_t action) const override;
    void allow(ActionMask& mask) const override;
    [[nodiscard]] bool fits(std::size_t item) const;
    /// What is left of both.
    [[nodiscard]] std::vector<double> context() const override;
    void add_tensors(NamedTensors& tensors) const override;

    Data const& data_;
    float used_weight_ = 0;
    float used_volume_ = 0;
    double packed_value_ = 0; ///< in double precision
};

} // namespace cax::knapsack
