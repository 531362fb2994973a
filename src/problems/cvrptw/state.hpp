#pragma once
// Where the vehicle is, what it carries and what time it is: rl4co's CVRPTW environment in float32, bit for bit.
//
// A state may offer no action at all without being done: nothing forbids an instance in which a customer can be reached
// but not left again in time. Generated instances have no such dead ends.
#include "cax/problems/cvrptw/instance.hpp"
#include "cax/problems/presentation.hpp"

namespace cax::cvrptw {

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
    [[nodiscard]] float current_time() const { return current_time_; }   ///< restarts at 0 with every route
    [[nodiscard]] float used_capacity() const { return used_capacity_; } ///< load, as a fraction of the capacity
    /// From the current node to every node.
    [[nodiscard]] std::span<float const> distances() const { return distances_; }

private:
    void update_mask();

    std::shared_ptr<Instance const> instance_;
    std::size_t current_node_ = 0;
    float current_time_ = 0;
    float used_capacity_ = 0;
    std::vector<std::uint8_t> visited_; ///< N+1; the depot counts as visited after the first return
    std::vector<float> distances_;
    ActionMask mask_;
    bool done_ = false;
    std::optional<std::size_t> last_action_;
    double length_ = 0; ///< driven so far, in double precision
};

} // namespace cax::cvrptw
