#pragma once
// Where the vehicle is and where it may go: what the states of all routing problems have in common. A problem adds its
// rules: what an action does (drive), when the episode ends (ends), what is allowed (allow). float32 arithmetic stays
// inside the rules, in rl4co's order.
#include "field.hpp"

#include "cax/problems/completions.hpp"
#include "cax/problems/presentation.hpp"

namespace cax::routing {

/// A number of the state that belongs to a family: the load, the clock, the length so far.
struct StateScalar {
    std::string_view name;
    std::size_t family = 0;
    double value = 0;
    double low = 0; ///< what it cannot fall below, and rise above
    double high = 0;
    bool open = true; ///< says something about this moment: a vehicle at the depot carries nothing, for certain
};

class State : public cax::State {
public:
    [[nodiscard]] Instance const& instance() const override { return *instance_; }
    [[nodiscard]] std::span<std::uint8_t const> action_mask() const override { return mask_; }
    [[nodiscard]] bool done() const override { return done_; }
    void step(std::size_t action) final;

    /// They do not change during an episode.
    [[nodiscard]] Features features() const final;
    /// Depot: its place, if it stands apart. Others: the components of all features that nodes have, in the order of
    /// the table. Context: the rules' own numbers, plus entry 0 of the fields that say so (Field::context).
    [[nodiscard]] Observation observe(Features const& features) const final;
    [[nodiscard]] Observation observe_for_decoding() const final;
    /// The transpose of observe.
    [[nodiscard]] Features pull_back(Observation const& gradient) const final;
    using cax::State::observe;

    [[nodiscard]] std::size_t current_node() const { return current_node_; }
    /// Where the way ends: the depot, or the city that the tour began with. Nothing before there is one.
    [[nodiscard]] std::optional<std::size_t> home() const;
    /// From the current node to every node.
    [[nodiscard]] std::span<float const> distances() const { return distances_; }
    [[nodiscard]] NamedTensors tensors() const;

    [[nodiscard]] virtual std::vector<Slack> slacks(std::size_t action) const = 0;
    /// The time of day, where there is one.
    [[nodiscard]] virtual std::optional<float> clock() const { return std::nullopt; }

    /// What an action means at once: the detour over its node, against going home at once (the way home itself for
    /// home). Nothing where the way has not begun and would end where it begins.
    [[nodiscard]] virtual ActionNumbers numbers(std::size_t action) const;

    [[nodiscard]] virtual std::vector<StateScalar> scalars() const { return {}; }
    /// The same past on another instance of the problem, with these values in place of scalars(): visits and place are
    /// as they were, rules are applied to the new numbers.
    [[nodiscard]] std::unique_ptr<State> resumed(std::shared_ptr<Instance const> instance,
                                                 std::span<double const> scalars) const;
    [[nodiscard]] std::vector<std::uint8_t> const& visited() const { return visited_; }

protected:
    /// The depot counts as visited once it was an action. The problem's constructor calls look_around() at its end.
    explicit State(std::shared_ptr<Instance const> instance);
    void look_around();

    /// What driving to `action` does; the vehicle is still where it was.
    virtual void drive(std::size_t action) = 0;
    /// In the order of scalars().
    virtual void set_scalars(std::span<double const> /*values*/) {}
    /// Is the episode over with this action, which has been taken?
    [[nodiscard]] virtual bool ends(std::size_t action) const = 0;
    /// Fills the mask for where the vehicle is.
    virtual void allow(ActionMask& mask) const = 0;
    /// The context that a policy sees; constants of the state.
    [[nodiscard]] virtual std::vector<double> context() const = 0;
    /// What a driver who looks ahead would choose from (GraphObservation::lookahead).
    [[nodiscard]] virtual ActionMask lookahead() const { return {}; }
    /// What the environment's state holds beside the fields of the instance, the place, the mask and the flags.
    virtual void add_tensors(NamedTensors& tensors) const = 0;

    /// Of what has been driven and the way home, in double precision. Precondition: done().
    [[nodiscard]] double exact_length() const;
    [[nodiscard]] bool all_visited() const;
    [[nodiscard]] std::size_t steps() const { return steps_; } ///< taken before the present one
    [[nodiscard]] std::size_t first_action() const { return first_action_; }

private:
    [[nodiscard]] std::span<Field const> fields() const;
    [[nodiscard]] std::size_t first_row() const;
    void show_place(GraphObservation& observation) const;
    [[nodiscard]] double first_entry(std::size_t field) const;
    /// Brings an observation into the units that policies are shown (Shown), and a gradient back from them.
    void show(GraphObservation& observation) const;
    void pull_back_units(GraphObservation& gradient) const;

    std::shared_ptr<Instance const> instance_;
    std::size_t current_node_ = 0;
    std::vector<std::uint8_t> visited_;
    std::vector<float> distances_;
    ActionMask mask_;
    bool done_ = false;
    std::size_t steps_ = 0;
    std::size_t first_action_ = 0;
    std::size_t last_action_ = 0;
    double length_ = 0;         ///< driven so far, in double precision
    std::size_t last_node_ = 0; ///< of the solution, also when the others of a batch still drive
};

/// Of a problem's State `S`.
template <class S> [[nodiscard]] StatePtr first_state(Instance const& instance) {
    return std::make_unique<S>(std::static_pointer_cast<Instance const>(instance.shared_from_this()));
}

/// Tensors of one number.
[[nodiscard]] Tensor float_tensor(Shape shape, float value);
[[nodiscard]] Tensor int_tensor(Shape shape, std::size_t value);
/// Flags as the vehicle problems of rl4co keep them, as bytes.
[[nodiscard]] Tensor byte_tensor(std::span<std::uint8_t const> flags);

/// A customer fits if its demand, rounded to float32 with the load, exceeds the capacity of 1 by no more than rl4co
/// allows. The depot is closed to a vehicle that has not left it, as long as it could load something.
void allow_loads(ActionMask& mask, std::span<std::uint8_t const> visited, std::span<float const> demand, float used,
                 std::size_t current_node);
/// Lengths in double precision, for costs.
[[nodiscard]] double exact_distance(Point a, Point b);

} // namespace cax::routing
