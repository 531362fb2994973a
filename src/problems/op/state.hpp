#pragma once
// Where the tour stands, how long it is and what it has collected: rl4co's OP environment in float32, bit for bit.
//
// The depot is always allowed. Choosing it first does not end the episode: it closes everything else, and the second
// choice of the depot ends it (with an empty tour).
#include "../routing/state.hpp"

#include "cax/problems/op/instance.hpp"

namespace cax::op {

class State final : public routing::StateOf<State, Instance> {
public:
    using StateOf::StateOf;
    [[nodiscard]] double cost() const override;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::vector<routing::StateScalar> scalars() const override;

private:
    void drive(std::size_t action) override;
    void set_scalars(std::span<double const> values) override { tour_length_ = static_cast<float>(values[0]); }
    [[nodiscard]] bool ends(std::size_t action) const override { return action == 0 && steps() > 0; }
    void allow(ActionMask& mask) const override;
    /// What is left of the length; the limit is added as a feature.
    [[nodiscard]] std::vector<double> context() const override { return {-double{tour_length_}}; }
    void add_tensors(NamedTensors& tensors) const override;

    float tour_length_ = 0; ///< so far, without the way home
    float total_prize_ = 0;
    double exact_prize_ = 0; ///< collected so far, in double precision
};

} // namespace cax::op
