#pragma once
// Where the tour stands, how long it is and what it has collected: rl4co's OP environment in float32, bit for bit.
//
// The depot is always allowed. Choosing it first does not end the episode: it closes everything else, and the second
// choice of the depot ends it (with an empty tour).
#include "cax/problems/op/instance.hpp"
#include "cax/problems/presentation.hpp"

namespace cax::op {

class State final : public cax::State {
public:
    explicit State(std::shared_ptr<Instance const> instance);

    [[nodiscard]] StatePtr clone() const override { return std::make_unique<State>(*this); }
    [[nodiscard]] Instance const& instance() const override { return *instance_; }

    [[nodiscard]] std::span<std::uint8_t const> action_mask() const override { return mask_; }
    [[nodiscard]] bool done() const override { return done_; }
    void step(std::size_t action) override;
    [[nodiscard]] double cost() const override;
    [[nodiscard]] NamedTensors tensors() const;

    [[nodiscard]] Features features() const override;
    [[nodiscard]] Observation observe(Features const& features) const override;
    [[nodiscard]] Observation observe_for_decoding() const override;
    [[nodiscard]] Features pull_back(Observation const& gradient) const override;
    [[nodiscard]] std::optional<std::string> envelope_violation(Features const& features,
                                                                Envelope rules = Envelope::paper) const;
    [[nodiscard]] std::vector<Slack> slacks(std::size_t action) const;
    [[nodiscard]] std::string describe_action(std::size_t action) const;
    using cax::State::observe;

    [[nodiscard]] std::size_t current_node() const { return current_node_; }
    [[nodiscard]] float tour_length() const { return tour_length_; } ///< so far, without the way home
    /// From the current node to every node.
    [[nodiscard]] std::span<float const> distances() const { return distances_; }

private:
    void update_mask();

    std::shared_ptr<Instance const> instance_;
    std::size_t current_node_ = 0;
    float tour_length_ = 0;
    float total_prize_ = 0;
    std::vector<std::uint8_t> visited_; ///< N+1; the depot counts as visited once it was an action
    std::vector<float> distances_;
    ActionMask mask_;
    bool done_ = false;
    std::size_t steps_ = 0;
    std::size_t last_action_ = 0;
    double exact_prize_ = 0; ///< collected so far, in double precision
};

} // namespace cax::op
