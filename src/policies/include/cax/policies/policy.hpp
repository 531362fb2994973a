#pragma once
// The seam between policies and everything that asks them: a batch of observations in, log-probabilities out; a batch
// of (observation, weights on actions) in, gradients out. Nothing above this header knows a network.
//
// What callers may rely on: the result for one observation does not depend, in any bit, on the others in the batch, on
// their order or on the number of threads. Observations of one call may differ in size, and there may be none.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"
#include "cax/core/tensor.hpp"
#include "cax/problems/observation.hpp"
#include "cax/problems/problem.hpp"

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cax {

enum class Precision { float32, float64 };
[[nodiscard]] NameTable<Precision> names_of(Precision); ///< "float", "double"

/// Which log-probability: the policy's own distribution, or the one its logits would give without tanh clipping (what
/// the published code of the paper differentiates).
enum class LogProbKind { policy, raw };

/// What a policy file says about itself.
struct PolicyInfo {
    std::string problem; ///< "cvrptw"
    std::string network; ///< "attention" or "matnet"
    std::string size;    ///< size it was trained on, if the file says so ("50", "10x5"), else empty
    std::size_t embed_dim = 0;
    std::size_t layers = 0;
    std::size_t heads = 0;
    std::string normalization; ///< "batch", "instance", "layer"
    bool graph_context = true;
    bool lookahead_mask = false; ///< chooses among GraphObservation::lookahead, where there is one
    bool stepwise = false;       ///< encodes every state as it stands (GraphObservation::stepwise)
    double tanh_clipping = 10;
    double temperature = 1;
    double scaling_factor = 1; ///< matnet: times are divided by it
    std::size_t parameters = 0;
};

/// What one may ask of a policy, and how it keeps the promises above.
struct PolicyTraits {
    /// An answer has the same bits alone or among others. If not, the policy is asked about one state at a time.
    bool batch_invariant = true;
    bool thread_safe = true;    ///< if not, one call at a time
    bool differentiable = true; ///< gradients() may be called
    /// It has an encoder of its own, which can be run once per episode. If not, every state is taken by itself.
    bool has_encoder = true;
    bool has_raw = true; ///< LogProbKind::raw means something
    /// It sees an instance's numbers as they are, even where they are brought into the range of the generators for
    /// others.
    bool own_numbers = false;
};

/// A policy that is not ours broke (crashed, late, an answer that cannot be): thrown by whatever asks it, because a
/// callable that fails cannot be told from one that never should have been asked. Whoever owns the program catches it.
class PolicyFailure : public std::exception {
public:
    explicit PolicyFailure(Error error) : error_(std::move(error)) {}
    [[nodiscard]] Error const& error() const { return error_; }
    [[nodiscard]] char const* what() const noexcept override { return error_.message.c_str(); }

private:
    Error error_;
};

/// log pi(a | s) for every action a; -infinity where the mask forbids it.
using LogProbs = std::vector<double>;

/// Encoder output of a batch, for decoding many states of the same instances. Opaque; belongs to the policy that made
/// it.
class Encoding {
public:
    virtual ~Encoding() = default;
};

class Policy {
public:
    virtual ~Policy() = default;
    [[nodiscard]] virtual PolicyInfo const& info() const = 0;
    [[nodiscard]] virtual PolicyTraits traits() const { return {}; }

    /// What this policy sees of a state whose feature tensors are `features`: by default the state's own observation.
    [[nodiscard]] virtual Observation observe(State const& state, Features const& features) const;
    [[nodiscard]] Observation observe(State const& state) const { return observe(state, state.features()); }
    /// The same without what only an encoder reads, for decode().
    [[nodiscard]] virtual Observation observe_for_decoding(State const& state) const;
    /// A gradient of gradients() as one with respect to the feature tensors.
    [[nodiscard]] virtual Features pull_back(State const& state, Observation const& gradient) const;

    /// Error if this policy cannot read the observation (another network, other feature counts).
    [[nodiscard]] virtual Result<void> accepts(Observation const& observation) const = 0;

    /// Runs the encoder. Preconditions here and below: accepts() holds for every observation, and every mask allows
    /// at least one action.
    [[nodiscard]] virtual std::unique_ptr<Encoding> encode(std::span<Observation const> observations) const = 0;
    /// Decodes observations[i] with row rows[i] of the encoding.
    [[nodiscard]] virtual std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                                       std::span<Observation const> observations,
                                                       LogProbKind kind = LogProbKind::policy) const = 0;
    /// encode, then decode each with its own encoding: log pi(. | s) of states taken by themselves.
    [[nodiscard]] virtual std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                          LogProbKind kind = LogProbKind::policy) const = 0;

    /// Do encoder inputs change during an episode? If not, encoding once and encoding at every step are the same.
    [[nodiscard]] virtual bool encoding_changes() const = 0;

    struct Gradient {
        LogProbs log_probs;
        Observation gradient; ///< d (sum_a weights[a] log pi(a)) / d observation, encoder included
    };
    /// weights[i] has one entry per action and is 0 where the mask forbids. A unit vector gives the gradient of one
    /// log-probability; +1 and -1 give the contrast between two. Precondition: traits().differentiable.
    [[nodiscard]] virtual std::vector<Gradient> gradients(std::span<Observation const> observations,
                                                          std::span<std::vector<double> const> weights,
                                                          LogProbKind kind = LogProbKind::policy) const = 0;
};

struct PolicyOptions {
    Precision precision = Precision::float32;
    std::size_t threads = 0; ///< 0 = all cores
    /// matnet only: one standard deviation over the whole batch, as rl4co's encoder has it, instead of each state's
    /// own. Results then depend on the batch; for parity checks alone.
    bool coupled_batch = false;
};

/// Builds the network that the tensors and metadata describe. Errors name the tensor and the shapes.
[[nodiscard]] Result<std::unique_ptr<Policy>> make_policy(TensorFile const& file, PolicyOptions const& options = {});

} // namespace cax
