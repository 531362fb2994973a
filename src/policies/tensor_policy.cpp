#include "cax/policies/tensor_policy.hpp"

#include "tensor_batch.hpp"

#include "cax/core/printable.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <mutex>

namespace cax {
namespace {

constexpr std::array score_kinds{Named<ScoreKind>{ScoreKind::logits, "logits"},
                                 Named<ScoreKind>{ScoreKind::log_probs, "log_probs"}};
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
/// What float32 makes of probabilities of a few hundred actions, with room to spare.
constexpr double sum_tolerance = 1e-3;

/// Every state stands by itself: nothing is encoded, and decode() sees the whole state.
struct NoEncoding final : Encoding {};

/// Scores of one batch, checked, as log-probabilities.
class Answer {
public:
    Answer(std::string const& policy, TensorBatch const& batch, ScoreKind kind, std::span<double const> scores)
        : policy_(policy), actions_(batch.actions), mask_(batch.tensors.find("action_mask")->second.bytes()) {
        if (scores.size() != batch.states * batch.actions) {
            throw failure(fmt::format("{} scores for {} states of {} actions", scores.size(), batch.states, actions_));
        }
        for (std::size_t i = 0; i < batch.states; ++i) rows_.push_back(normalised(i, scores, kind));
    }

    [[nodiscard]] std::vector<LogProbs> const& rows() const { return rows_; }

    /// d (sum_a weights[a] log pi(a)) / d scores, per state.
    [[nodiscard]] std::vector<double> cotangents(std::span<std::vector<double> const* const> weights) const {
        std::vector<double> result(rows_.size() * actions_);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            double sum = 0;
            for (double const weight : *weights[i]) sum += weight;
            for (std::size_t a = 0; a < actions_; ++a) {
                if (allowed(i, a)) result[i * actions_ + a] = (*weights[i])[a] - std::exp(rows_[i][a]) * sum;
            }
        }
        return result;
    }

private:
    [[nodiscard]] bool allowed(std::size_t i, std::size_t a) const { return mask_[i * actions_ + a] != std::byte{0}; }
    [[nodiscard]] PolicyFailure failure(std::string const& what) const {
        return PolicyFailure({ErrorCode::invalid_value, fmt::format("policy {}: {}", policy_, what)});
    }

    [[nodiscard]] LogProbs normalised(std::size_t i, std::span<double const> scores, ScoreKind kind) const {
        double largest = minus_infinity;
        for (std::size_t a = 0; a < actions_; ++a) {
            double const score = scores[i * actions_ + a];
            if (!allowed(i, a)) continue;
            if (std::isnan(score) || score == -minus_infinity) {
                throw failure(fmt::format("the score of action {} is {}", a, score));
            }
            largest = std::max(largest, score);
        }
        if (largest == minus_infinity) throw failure("the score of every allowed action is -inf");
        double sum = 0;
        for (std::size_t a = 0; a < actions_; ++a) {
            if (allowed(i, a)) sum += std::exp(scores[i * actions_ + a] - largest);
        }
        double const log_sum = largest + std::log(sum);
        if (kind == ScoreKind::log_probs && !(std::abs(std::expm1(log_sum)) <= sum_tolerance)) {
            throw failure(
                fmt::format("the probabilities of the allowed actions add up to {:.6g}, not 1", std::exp(log_sum)));
        }
        LogProbs row(actions_, minus_infinity);
        for (std::size_t a = 0; a < actions_; ++a) {
            if (allowed(i, a)) row[a] = scores[i * actions_ + a] - log_sum;
        }
        return row;
    }

    std::string const& policy_;
    std::size_t actions_;
    std::span<std::byte const> mask_;
    std::vector<LogProbs> rows_;
};

class TensorPolicy final : public Policy {
public:
    TensorPolicy(std::unique_ptr<TensorScorer> scorer, TensorPolicyOptions options)
        : scorer_(std::move(scorer)), options_(std::move(options)) {
        options_.traits.has_encoder = false;
        options_.traits.has_raw = false;
        options_.traits.own_numbers = true;
        info_.problem = options_.problem;
        info_.network = options_.name;
    }

    [[nodiscard]] PolicyInfo const& info() const override { return info_; }
    [[nodiscard]] PolicyTraits traits() const override { return options_.traits; }
    [[nodiscard]] bool encoding_changes() const override { return true; }

    [[nodiscard]] Observation observe(State const& state, Features const& features) const override {
        TensorObservation seen = observe_tensors(state, features);
        if (!options_.reads.empty()) {
            std::erase_if(seen.tensors, [&](auto const& each) {
                return std::ranges::find(options_.reads, each.first) == options_.reads.end();
            });
        }
        return seen;
    }
    [[nodiscard]] Observation observe_for_decoding(State const& state) const override {
        return observe(state, state.features());
    }
    [[nodiscard]] Features pull_back(State const& state, Observation const& gradient) const override {
        return pull_back_tensors(state, std::get<TensorObservation>(gradient));
    }
    [[nodiscard]] Result<void> accepts(Observation const& observation) const override {
        if (std::holds_alternative<TensorObservation>(observation)) return {};
        return Error{ErrorCode::mismatch,
                     fmt::format("policy {} reads the tensors of {}", options_.name, info_.problem)};
    }

    [[nodiscard]] std::unique_ptr<Encoding> encode(std::span<Observation const>) const override {
        return std::make_unique<NoEncoding>();
    }
    [[nodiscard]] std::vector<LogProbs> decode(Encoding const&, std::span<std::size_t const>,
                                               std::span<Observation const> observations,
                                               LogProbKind kind) const override {
        return log_probs(observations, kind);
    }

    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                  LogProbKind kind) const override {
        require_policy_kind(kind);
        std::vector<LogProbs> result(observations.size());
        for (auto const& places : stackable(observations, batch_size())) {
            TensorBatch const batch = stack(observations, places);
            auto const lock = exclusive();
            Answer const answer(options_.name, batch, options_.scores, scorer_->scores(batch));
            for (std::size_t k = 0; k < places.size(); ++k) result[places[k]] = answer.rows()[k];
        }
        return result;
    }

    [[nodiscard]] std::vector<Gradient> gradients(std::span<Observation const> observations,
                                                  std::span<std::vector<double> const> weights,
                                                  LogProbKind kind) const override {
        require_policy_kind(kind);
        if (!options_.traits.differentiable) throw failure("it has no gradients");
        assert(weights.size() == observations.size());
        std::vector<Gradient> result(observations.size());
        for (auto const& places : stackable(observations, batch_size())) {
            TensorBatch const batch = stack(observations, places);
            std::vector<std::vector<double> const*> own;
            for (std::size_t const i : places) own.push_back(&weights[i]);
            auto const lock = exclusive();
            auto const found = scorer_->differentiate(batch, [&](std::span<double const> scores) {
                return Answer(options_.name, batch, options_.scores, scores).cotangents(own);
            });
            Answer const answer(options_.name, batch, options_.scores, found.scores);
            check(found.gradients, batch);
            for (std::size_t k = 0; k < places.size(); ++k) {
                result[places[k]] = {answer.rows()[k], unstack(found.gradients, k)};
            }
        }
        return result;
    }

private:
    [[nodiscard]] PolicyFailure failure(std::string const& what, ErrorCode code = ErrorCode::unsupported) const {
        return PolicyFailure({code, fmt::format("policy {}: {}", options_.name, what)});
    }
    void require_policy_kind(LogProbKind kind) const {
        if (kind != LogProbKind::policy) throw failure("it has no logits before clipping (--log-prob raw)");
    }
    [[nodiscard]] std::size_t batch_size() const { return options_.traits.batch_invariant ? options_.batch : 1; }
    [[nodiscard]] std::unique_lock<std::mutex> exclusive() const {
        return options_.traits.thread_safe ? std::unique_lock<std::mutex>() : std::unique_lock(mutex_);
    }

    void check(NamedTensors const& gradients, TensorBatch const& batch) const {
        for (auto const& [name, gradient] : gradients) {
            auto const place = batch.tensors.find(name);
            if (place == batch.tensors.end())
                throw failure("a gradient of " + printable(name) + ", which it was not given");
            if (gradient.shape() != place->second.shape()) {
                throw failure(fmt::format("the gradient of {} has shape {}, expected {}", name,
                                          to_string(gradient.shape()), to_string(place->second.shape())),
                              ErrorCode::invalid_value);
            }
            for (double const value : gradient.to_doubles()) {
                if (!std::isfinite(value)) {
                    throw failure(fmt::format("the gradient of {} has an entry {}", name, value),
                                  ErrorCode::invalid_value);
                }
            }
        }
    }

    std::unique_ptr<TensorScorer> scorer_;
    TensorPolicyOptions options_;
    PolicyInfo info_;
    mutable std::mutex mutex_;
};

/// A tensor that the environment writes with the first step counts: so two states are asked.
Result<void> has_tensors(Problem const& problem, std::vector<std::string> const& names) {
    Rng rng(0);
    auto const instance = problem.generate(problem.info().default_size, {}, rng);
    if (!instance) return instance.error();
    StatePtr const state = (*instance)->reset();
    NamedTensors known = tensors_of(*state);
    auto const mask = state->action_mask();
    state->step(
        static_cast<std::size_t>(std::ranges::find_if(mask, [](auto allowed) { return allowed != 0; }) - mask.begin()));
    known.merge(tensors_of(*state));
    for (std::string const& name : names) {
        if (known.contains(name)) continue;
        std::string all;
        for (auto const& each : known) all += (all.empty() ? "" : ", ") + each.first;
        return Error{ErrorCode::invalid_value, fmt::format("reads: \"{}\" is not a tensor of {} ({})", printable(name),
                                                           problem.info().name, all)};
    }
    return {};
}

} // namespace

NameTable<ScoreKind> names_of(ScoreKind) { return score_kinds; }

Result<std::unique_ptr<Policy>> make_tensor_policy(std::unique_ptr<TensorScorer> scorer, TensorPolicyOptions options) {
    Problem const* const problem = find_problem(options.problem);
    if (problem == nullptr) {
        return Error{ErrorCode::unsupported, fmt::format("problem: \"{}\" is not a problem of cax ({})",
                                                         printable(options.problem), problem_names())};
    }
    if (options.batch == 0) return Error{ErrorCode::invalid_value, "batch: 0, expected at least 1"};
    if (auto ok = has_tensors(*problem, options.reads); !ok) return ok.error();
    options.name = printable(options.name);
    return std::unique_ptr<Policy>(std::make_unique<TensorPolicy>(std::move(scorer), std::move(options)));
}

} // namespace cax
