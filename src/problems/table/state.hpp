#pragma once
// Which nodes have been dealt with and which may be next: what the states of all problems on the table have in common.
// Action = next node. A problem adds its rules: what an action does (take), when the episode ends (ends), what is
// allowed (allow). float32 arithmetic stays inside the rules, in the environment's order.
#include "field.hpp"

#include "cax/problems/completions.hpp"
#include "cax/problems/presentation.hpp"

namespace cax::table {

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
    /// the table, as shares of what is left where left_of() says so. Context: the rules' own numbers, plus entry 0 of
    /// the fields that say so (Field::context).
    [[nodiscard]] Observation observe(Features const& features) const final;
    [[nodiscard]] Observation observe_for_decoding() const final;
    /// The transpose of observe.
    [[nodiscard]] Features pull_back(Observation const& gradient) const final;
    using cax::State::observe;
    [[nodiscard]] NamedTensors tensors() const;

    [[nodiscard]] virtual std::vector<Slack> slacks(std::size_t action) const = 0;
    /// What an action means at once.
    [[nodiscard]] virtual ActionNumbers numbers(std::size_t /*action*/) const { return {}; }

    [[nodiscard]] virtual std::vector<StateScalar> scalars() const { return {}; }
    /// The same past on another instance of the problem, with these values in place of scalars(): what has been done is
    /// as it was, rules are applied to the new numbers.
    [[nodiscard]] StatePtr resumed(std::shared_ptr<Instance const> instance, std::span<double const> scalars) const;
    [[nodiscard]] std::vector<std::uint8_t> const& visited() const { return visited_; }
    /// Is a node's entry in this field wrong, if its family's data are?
    [[nodiscard]] virtual bool is_open(std::size_t /*field*/, std::size_t node) const { return visited_[node] == 0; }

protected:
    /// A depot counts as visited once it was an action. Whoever makes a state looks around once it is complete.
    explicit State(std::shared_ptr<Instance const> instance);
    virtual void look_around() { allow(mask_); }

    /// What an action does; it is not yet counted as visited.
    virtual void take(std::size_t action) = 0;
    /// In the order of scalars().
    virtual void set_scalars(std::span<double const> /*values*/) {}
    /// Is the episode over with this action, which has been taken?
    [[nodiscard]] virtual bool ends(std::size_t action) const = 0;
    /// Fills the mask for where the episode stands.
    virtual void allow(ActionMask& mask) const = 0;
    /// The context that a policy sees; constants of the state.
    [[nodiscard]] virtual std::vector<double> context() const = 0;
    /// Where a policy sees itself: nowhere, unless the problem says so.
    virtual void show_place(GraphObservation& observation) const { observation.placeless = true; }
    /// How much is left, more than 0, of what nodes take in this field: policies are then shown the share of it that a
    /// node would take, at most all. A constant of the state. Nothing: they are shown the number as it was given.
    [[nodiscard]] virtual std::optional<double> left_of(std::size_t /*field*/) const { return std::nullopt; }
    /// The same among the environment's tensors.
    virtual void add_place(NamedTensors& /*tensors*/) const {}
    /// What the environment's state holds beside the fields of the instance, the place, the mask and the flags.
    virtual void add_tensors(NamedTensors& tensors) const = 0;

    [[nodiscard]] std::size_t steps() const { return steps_; } ///< taken before the present one
    [[nodiscard]] std::size_t first_action() const { return first_action_; }

private:
    class Sight;
    [[nodiscard]] std::span<Field const> fields() const;
    [[nodiscard]] std::size_t first_row() const;
    [[nodiscard]] std::span<float const> values_of(std::size_t field) const; ///< as policies see them
    [[nodiscard]] bool shows_shares() const;                                 ///< of what is left, in any field
    /// Adds mask and place to an observation and brings it into the units that policies are shown (Shown), and a
    /// gradient back from them.
    void show(GraphObservation& observation) const;
    void pull_back_units(GraphObservation& gradient) const;

    std::shared_ptr<Instance const> instance_;
    std::vector<std::uint8_t> visited_;
    ActionMask mask_;
    bool done_ = false;
    std::size_t steps_ = 0;
    std::size_t first_action_ = 0;
    std::size_t last_action_ = 0;
};

/// What the State `S` of every problem has, on its Instance `I`. `Base` is State or what a kit makes of it.
template <class S, class I, class Base = State> class StateOf : public Base {
public:
    explicit StateOf(std::shared_ptr<I const> instance) : Base(std::move(instance)) {}
    /// Where an episode begins.
    [[nodiscard]] static StatePtr first(cax::Instance const& instance) {
        auto state = std::make_unique<S>(std::static_pointer_cast<I const>(instance.shared_from_this()));
        state->look_around();
        return state;
    }
    [[nodiscard]] StatePtr clone() const final { return std::make_unique<S>(static_cast<S const&>(*this)); }
    [[nodiscard]] I const& instance() const final { return static_cast<I const&>(State::instance()); }

protected:
    [[nodiscard]] auto const& data() const { return instance().data(); }
};

/// Tensors of one number.
[[nodiscard]] Tensor float_tensor(Shape shape, float value);
[[nodiscard]] Tensor int_tensor(Shape shape, std::size_t value);

} // namespace cax::table
