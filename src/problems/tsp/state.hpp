#pragma once
// Where the salesman is: rl4co's TSP environment in float32, bit for bit. The first action is where the tour begins.
#include "../routing/state.hpp"

#include "cax/problems/tsp/instance.hpp"

namespace cax::tsp {

class State final : public routing::StateOf<State, Instance> {
public:
    using StateOf::StateOf;
    [[nodiscard]] double cost() const override { return exact_length(); }
    /// No rule is ever tight: every city that is left may be next.
    [[nodiscard]] std::vector<Slack> slacks(std::size_t) const override { return {}; }

private:
    void drive(std::size_t) override {}
    [[nodiscard]] bool ends(std::size_t) const override { return all_visited(); }
    void allow(ActionMask& mask) const override;
    [[nodiscard]] std::vector<double> context() const override { return {}; }
    void add_tensors(NamedTensors& tensors) const override;
};

} // namespace cax::tsp
