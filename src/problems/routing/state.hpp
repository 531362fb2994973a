#pragma once
// Where the vehicle is and where it may go: what the states of all routing problems have in common. A problem adds its
// rules: what an action does (drive), when the episode ends (ends), what is allowed (allow). float32 arithmetic stays
// inside the rules, in rl4co's order.
#include "../table/state.hpp"
#include "field.hpp"

namespace cax::routing {

using table::float_tensor;
using table::int_tensor;
using table::StateScalar;

class State : public table::State {
public:
    [[nodiscard]] Instance const& instance() const override {
        return static_cast<Instance const&>(table::State::instance());
    }
    [[nodiscard]] std::size_t current_node() const { return current_node_; }
    /// Where the way ends: the depot, or the city that the tour began with. Nothing before there is one.
    [[nodiscard]] std::optional<std::size_t> home() const;
    /// From the current node to every node.
    [[nodiscard]] std::span<float const> distances() const { return distances_; }
    /// What driving from one node to another adds to the cost, in double precision.
    [[nodiscard]] double leg(std::size_t from, std::size_t to) const;
    /// The time of day, where there is one.
    [[nodiscard]] virtual std::optional<float> clock() const { return std::nullopt; }
    /// The detour over the node, against going home at once; the way home itself for home. Nothing where the way has
    /// not begun and would end where it begins.
    [[nodiscard]] ActionNumbers numbers(std::size_t action) const override;
    /// Customers that have not been visited, and of places also where the way ends and where the vehicle stands.
    [[nodiscard]] bool is_open(std::size_t field, std::size_t node) const final;

protected:
    explicit State(std::shared_ptr<Instance const> const& instance)
        : table::State(instance), distances_(instance->nodes()) {}
    void look_around() final;

    /// What driving to `action` does; the vehicle is still where it was.
    virtual void drive(std::size_t action) = 0;
    /// What a driver who looks ahead would choose from (GraphObservation::lookahead).
    [[nodiscard]] virtual ActionMask lookahead() const { return {}; }

    /// Of what has been driven and the way home, as the problem counts it, in double precision. Precondition: done().
    [[nodiscard]] double exact_length() const;
    [[nodiscard]] bool all_visited() const;

private:
    void take(std::size_t action) final;
    void show_place(GraphObservation& observation) const final;
    void add_place(NamedTensors& tensors) const final;

    std::size_t current_node_ = 0;
    std::vector<float> distances_;
    double length_ = 0;         ///< driven so far, in double precision
    std::size_t last_node_ = 0; ///< of the solution, also when the others of a batch still drive
};

/// What the State `S` of every routing problem has, on its Instance `I`.
template <class S, class I> using StateOf = table::StateOf<S, I, State>;

/// Flags as the vehicle problems of rl4co keep them, as bytes.
[[nodiscard]] Tensor byte_tensor(std::span<std::uint8_t const> flags);

/// A customer fits if its demand, rounded to float32 with the load, exceeds the capacity of 1 by no more than rl4co
/// allows. The depot is closed to a vehicle that has not left it, as long as it could load something.
void allow_loads(ActionMask& mask, std::span<std::uint8_t const> visited, std::span<float const> demand, float used,
                 std::size_t current_node);
/// Lengths in double precision, for costs.
[[nodiscard]] double exact_distance(Point a, Point b);

} // namespace cax::routing
