#pragma once
// A problem small enough to know every answer: pick each of n items once, in an order; the cost is the sum of
// position * item. And a policy whose preferences are a function given by the test. Together they show what a decoder
// does and nothing else.
#include "cax/policies/policy.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>

namespace cax::test {

class ToyProblem final : public Problem {
public:
    explicit ToyProblem(Objective objective) { info_.objective = objective; }
    [[nodiscard]] ProblemInfo const& info() const override { return info_; }
    [[nodiscard]] Result<InstancePtr> generate(std::string_view, Options const&, Rng&) const override {
        return Error{ErrorCode::unsupported, "toy"};
    }
    [[nodiscard]] Exchange const& exchange() const override { std::abort(); }         // nobody reads a toy
    [[nodiscard]] Presentation const& presentation() const override { std::abort(); } // or looks at one

private:
    ProblemInfo info_;
};

struct ToySettings {
    std::size_t items = 4;
    std::vector<std::size_t> starts = {}; ///< Instance::start_actions
    std::size_t stuck_after = 1000;       ///< from this step on nothing is allowed
    bool endless = false;                 ///< items are never used up
    std::size_t number = 0;               ///< which instance this is: the policy sees it
};

class ToyInstance final : public Instance {
public:
    ToyInstance(Problem const& problem, ToySettings given) : settings(std::move(given)), problem_(problem) {}
    [[nodiscard]] Problem const& problem() const override { return problem_; }
    [[nodiscard]] std::string name() const override { return "toy"; }
    [[nodiscard]] std::string size() const override { return std::to_string(settings.items); }
    [[nodiscard]] std::string description() const override { return "toy"; }
    [[nodiscard]] StatePtr reset(StateOptions const& options) const override;
    [[nodiscard]] std::vector<std::size_t> start_actions() const override { return settings.starts; }
    [[nodiscard]] Result<Solution> solution_of(std::span<std::size_t const>) const override { return Solution{}; }
    [[nodiscard]] CheckReport check(Solution const&, DistanceRule) const override { return {}; }

    ToySettings const settings;

private:
    Problem const& problem_;
};

class ToyState final : public State {
public:
    explicit ToyState(ToyInstance const& instance) : instance_(instance), mask_(instance.settings.items, 1) {}
    [[nodiscard]] StatePtr clone() const override { return std::make_unique<ToyState>(*this); }
    [[nodiscard]] Instance const& instance() const override { return instance_; }
    [[nodiscard]] std::span<std::uint8_t const> action_mask() const override { return mask_; }
    [[nodiscard]] bool done() const override { return taken_.size() == mask_.size() && !instance_.settings.endless; }
    void step(std::size_t action) override {
        taken_.push_back(action);
        if (!instance_.settings.endless) mask_[action] = 0;
        if (taken_.size() >= instance_.settings.stuck_after) mask_.assign(mask_.size(), 0);
    }
    [[nodiscard]] double cost() const override {
        double sum = 0;
        for (std::size_t i = 0; i < taken_.size(); ++i) sum += static_cast<double>(i * taken_[i]);
        return sum;
    }
    [[nodiscard]] Features features() const override { return {{{mask_.size()}, std::vector<double>(mask_.size())}}; }
    [[nodiscard]] Observation observe(Features const&) const override {
        GraphObservation seen;
        seen.current_node = taken_.size();
        seen.context = {static_cast<double>(instance_.settings.number)};
        seen.mask = mask_;
        return seen;
    }
    [[nodiscard]] Features pull_back(Observation const&) const override { return {}; }

private:
    ToyInstance const& instance_;
    ActionMask mask_;
    std::vector<std::size_t> taken_;
};

inline StatePtr ToyInstance::reset(StateOptions const&) const { return std::make_unique<ToyState>(*this); }

/// Unnormalised probability of an action: what a test wants the policy to prefer. `encoded` is the state whose encoding
/// is in use, `seen` the state to decide in.
using Preference =
    std::function<double(GraphObservation const& encoded, GraphObservation const& seen, std::size_t action)>;

class ToyPolicy final : public Policy {
public:
    explicit ToyPolicy(Preference preference) : preference_(std::move(preference)) {}
    [[nodiscard]] PolicyInfo const& info() const override { return info_; }
    [[nodiscard]] Result<void> accepts(Observation const& observation) const override {
        if (action_count(observation) < 100) return {};
        return Error{ErrorCode::mismatch, "too many items"};
    }
    [[nodiscard]] bool encoding_changes() const override { return true; }

    struct Rows final : Encoding {
        std::vector<Observation> states;
    };
    [[nodiscard]] std::unique_ptr<Encoding> encode(std::span<Observation const> observations) const override {
        auto rows = std::make_unique<Rows>();
        rows->states.assign(observations.begin(), observations.end());
        return rows;
    }
    [[nodiscard]] std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                               std::span<Observation const> observations, LogProbKind) const override {
        std::vector<LogProbs> result;
        for (std::size_t i = 0; i < rows.size(); ++i)
            result.push_back(row(static_cast<Rows const&>(encoding).states[rows[i]], observations[i]));
        return result;
    }
    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                  LogProbKind) const override {
        std::vector<LogProbs> result;
        for (Observation const& observation : observations) result.push_back(row(observation, observation));
        return result;
    }
    [[nodiscard]] std::vector<Gradient> gradients(std::span<Observation const>, std::span<std::vector<double> const>,
                                                  LogProbKind) const override {
        return {};
    }

private:
    [[nodiscard]] LogProbs row(Observation const& encoded, Observation const& seen) const {
        auto const& from = std::get<GraphObservation>(encoded);
        auto const& state = std::get<GraphObservation>(seen);
        std::vector<double> weights;
        double sum = 0;
        for (std::size_t a = 0; a < state.mask.size(); ++a) {
            weights.push_back(state.mask[a] ? preference_(from, state, a) : 0);
            sum += weights[a];
        }
        for (double& weight : weights) weight = std::log(weight / sum);
        return weights;
    }
    Preference preference_;
    PolicyInfo info_;
};

} // namespace cax::test
