#pragma once
// What a network is, and the one class that makes a Policy of any of them.
//
// A network works on a block of states on one thread, with scratch memory from arenas. Encoder and decoder are separate
// passes, because one encoding serves many decoded states: all steps of an episode, all episodes of an instance.
// `rows[i]` says which encoded state the i-th decoded one belongs to. The two backward passes mirror that: each decoder
// backward adds to the gradient of the encoding, and one encoder backward carries the sum on to the inputs and
// parameters. Attribution wants the inputs' gradient, training the parameters'; each may be left out (an empty span).
//
//     Encoded encoded = net.encode(states, keep, scratch, Tape::parameters);
//     auto cotangent = net.zero_cotangent(encoded, scratch);
//     for (each chunk of decoded states) {
//         Decoded decoded = net.decode(encoded, rows, chunk, kind, scratch);
//         net.decode_backward(encoded, decoded, weights, cotangent, chunk_gradients, parameter_gradient, scratch);
//     }
//     net.encode_backward(encoded, cotangent, state_gradients, parameter_gradient, scratch);
//
// No state may influence another's numbers, except where couples_states() says so.
#include "cax/core/parallel.hpp"
#include "cax/nn/arena.hpp"
#include "cax/nn/parameters.hpp"
#include "cax/policies/policy.hpp"
#include "weights.hpp"

#include <concepts>
#include <span>
#include <string_view>

namespace cax {

/// The decoder's output, which every network's Decoded offers: log-probabilities of all states one after another, state
/// i owning offsets[i] .. offsets[i+1]-1. Memory: the arena given to decode().
template <class R> struct LogProbRows {
    std::span<std::size_t const> offsets;
    std::span<R const> values;
    [[nodiscard]] std::span<R const> row(std::size_t i) const {
        return values.subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
};

/// How far back will somebody go through this pass? The less is kept, the more of it stays in the cache.
enum class Tape {
    glance,     ///< nowhere, and every state is decoded once, by its own mask: what that hides need not be there
    none,       ///< nowhere: memory is reused from layer to layer
    inputs,     ///< to the gradient of the inputs
    parameters, ///< to that of the parameters too
};
[[nodiscard]] constexpr bool goes_back(Tape tape) { return tape == Tape::inputs || tape == Tape::parameters; }

template <class N>
concept Network = requires(N& network, N const& net, WeightFile const& file, PolicyOptions const& options,
                           typename N::Config const& config, typename N::Input const& input,
                           std::span<typename N::Input const* const> states, std::span<typename N::Input> gradients,
                           typename N::Encoded const& encoded, typename N::Decoded const& decoded,
                           typename N::Cotangent& cotangent, std::span<std::size_t const> rows, LogProbKind kind,
                           std::span<typename N::Real const> weights, std::span<typename N::Real> parameter_gradient,
                           nn::Arena& arena) {
    { N::name } -> std::convertible_to<std::string_view>;
    /// Do encoder inputs change during an episode?
    { N::encoding_changes } -> std::convertible_to<bool>;
    /// Do the tensors' names look like this network's?
    { N::recognises(file) } -> std::same_as<bool>;
    /// Sizes and settings from shapes and metadata; no allocation follows from a hostile file.
    { N::configure(file, options) } -> std::same_as<Result<typename N::Config>>;
    requires std::constructible_from<N, typename N::Config const&>; // declares parameters, all 0
    { network.parameters() } -> std::same_as<nn::Parameters<typename N::Real>&>;
    {network.pack()}; // call after parameters have changed
    { net.info() } -> std::same_as<PolicyInfo const&>;
    { net.accepts(input) } -> std::same_as<Result<void>>;
    /// True: all states of one call are one batch whose statistics mix (parity checks alone); never split or threaded.
    { net.couples_states() } -> std::same_as<bool>;
    /// How much work a state is, in encoder rows: what blocks are measured in.
    { N::rows_of(input) } -> std::same_as<std::size_t>;
    /// An observation of zeros in the shape of a gradient.
    { N::zero_gradient(input) } -> std::same_as<typename N::Input>;

    /// What decode() reads goes to the first arena, what only encode_backward() reads to the second. The two may be
    /// one.
    { net.encode(states, arena, arena, Tape::parameters) } -> std::same_as<typename N::Encoded>;
    /// Decoded has a member `log_probs` of type LogProbRows<Real>.
    { net.decode(encoded, rows, states, kind, arena) } -> std::same_as<typename N::Decoded>;
    { net.zero_cotangent(encoded, arena) } -> std::same_as<typename N::Cotangent>;
    /// `weights` has the layout of decoded.log_probs.values: d objective / d log-probability. Adds to all outputs.
    {net.decode_backward(encoded, decoded, weights, cotangent, gradients, parameter_gradient, arena)};
    /// May overwrite the cotangent. Adds to the other outputs.
    {net.encode_backward(encoded, cotangent, gradients, parameter_gradient, arena)};
};

} // namespace cax
