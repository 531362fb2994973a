#pragma once
// Where the salesman is: rl4co's TSP environment in float32, bit for bit. The first action is where the tour begins.
#include "../routing/state.hpp"

#include "cax/problems/tsp/instance.hpp"

namespace cax::tsp {

class State final : public routing::State {
public:
    explicit State(std::shared_ptr<Instance const> instance);
    [[nodiscard]] StatePtr clone() const override { return std::make_unique<State>(*this); }
    [[nodiscard]] double cost() const override;
    /// No rule is ever tight: every city that is left may be next.
    [[nodiscard]] std::vector<Slack> slacks(std::size_t) const override { return {}; }
    [[nodiscard]] std::unique_ptr<table::State> resumed(std::shared_ptr<table::Instance const> const& instance,
                                                        std::span<double const> scalars) const override;

private:
    void drive(std::size_t action) override;
    [[nodiscard]] bool ends(std::size_t action) const override;
    void allow(ActionMask& mask) const override;
    [[nodiscard]] std::vector<double> context() const override { return {}; }
    void add_tensors(NamedTensors& tensors) const override;

    Data const& data_;
    double length_ = 0;         ///< driven so far, in double precision
    std::size_t last_city_ = 0; ///< of the tour, also when the others of a batch still drive
};

} // namespace cax::tsp
