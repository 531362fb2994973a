#pragma once
// Where the tour stands and what it has collected: rl4co's PCTSP environment in float32, bit for bit.
//
// The way home is closed until a prize of exactly 1 or more is collected, added up in float32, or nobody is left.
#include "../routing/state.hpp"

#include "cax/problems/pctsp/instance.hpp"

namespace cax::pctsp {

class State final : public routing::StateOf<State, Instance> {
public:
    explicit State(std::shared_ptr<Instance const> instance);
    [[nodiscard]] double cost() const override;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const override;
    [[nodiscard]] std::vector<double> pull_back_constant(std::string_view name,
                                                         Observation const& gradient) const override;
    [[nodiscard]] std::vector<routing::StateScalar> scalars() const override;

private:
    void drive(std::size_t action) override;
    void set_scalars(std::span<double const> values) override { total_prize_ = static_cast<float>(values[0]); }
    [[nodiscard]] bool ends(std::size_t action) const override { return action == 0 && steps() > 0; }
    void allow(ActionMask& mask) const override;
    /// Prize that is still missing.
    [[nodiscard]] std::vector<double> context() const override;
    void add_tensors(NamedTensors& tensors) const override;
    [[nodiscard]] float prize_at(std::size_t node) const { return node == 0 ? 0 : data().prize[node - 1]; }

    float total_prize_ = 0;
    float total_penalty_ = 0; ///< as the environment counts it: of all customers, and once more of those visited
    double spared_ = 0;       ///< penalties of those visited, in double precision
};

} // namespace cax::pctsp
