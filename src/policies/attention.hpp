#pragma once
// rl4co's attention model (Kool, van Hoof and Welling, ICLR 2019): a transformer encoder over the nodes of a graph and
// a pointer decoder. It knows no problem: how many features a depot, a node and the context have is in the weights; so
// is whether the depot has an embedding of its own, whether tours may begin anywhere, and whether there is a place to
// be.
#include "cax/nn/pointer.hpp"
#include "network.hpp"
#include "row_selection.hpp"
#include "transformer_layer.hpp"

namespace cax {

template <class R> class AttentionNetwork {
public:
    using Real = R;
    using Input = GraphObservation;
    static constexpr std::string_view name = "attention";
    static constexpr bool encoding_changes = false;

    struct Config {
        PolicyInfo info{};
        nn::NormKind norm = nn::NormKind::batch;
        std::size_t depot_features = 2; ///< 0: all nodes have the same embedding
        std::size_t customer_features = 3;
        std::size_t context_scalars = 1;
        bool free_start = false; ///< the decoder is shown where the tour began, and a placeholder before it has
        bool placeless = false;  ///< the decoder is shown no node: fewer columns than an embedding has
        std::size_t feed_forward = 512;
        /// Embeddings among the columns of the context.
        [[nodiscard]] std::size_t nodes_shown() const { return free_start ? 2 : placeless ? 0 : 1; }
    };
    [[nodiscard]] static bool recognises(WeightFile const& file);
    [[nodiscard]] static Result<Config> configure(WeightFile const& file, PolicyOptions const& options);

    explicit AttentionNetwork(Config const& config);
    [[nodiscard]] nn::Parameters<R>& parameters() { return parameters_; }
    [[nodiscard]] nn::Parameters<R> const& parameters() const { return parameters_; }
    void pack();

    [[nodiscard]] PolicyInfo const& info() const { return config_.info; }
    [[nodiscard]] Result<void> accepts(GraphObservation const& state) const;
    [[nodiscard]] bool couples_states() const { return false; }
    /// And it alone.
    [[nodiscard]] bool shows_current_node() const { return config_.nodes_shown() == 1; }
    [[nodiscard]] static std::size_t rows_of(GraphObservation const& state) { return state.nodes(); }
    [[nodiscard]] static GraphObservation zero_gradient(GraphObservation const& state);

    /// Node embeddings h of every state, stacked, and what the decoder derives from them once.
    struct Encoded {
        nn::Segments segments;       ///< state s owns rows segments[s] .. segments[s+1]-1, the depot first
        nn::View<R const> nodes;     ///< h
        nn::View<R const> projected; ///< glimpse key | glimpse value | logit key of every node
        nn::View<R const> graph;     ///< g, one row per state; no data without graph context
        nn::View<R const> depot;     ///< tape: depot features, one row per state
        nn::View<R const> customers; ///< tape: customer features of all states
        nn::View<R const> mean;      ///< tape: mean of h over each state's nodes
        std::span<typename TransformerLayer<R>::Saved const> layers; ///< tape
    };
    struct Decoded {
        LogProbRows<R> log_probs;
        nn::Sight sight;                      ///< who looks at which nodes: rows and masks
        nn::Squash<R> squash;                 ///< clipping and temperature in use
        std::span<std::size_t const> current; ///< row of each state's current node in Encoded::nodes
        std::span<std::size_t const> first;   ///< free start: row of its first node, or nowhere
        nn::View<R const> context;            ///< what is shown of nodes | scalars
        typename nn::Glimpse<R>::Saved glimpse;
        nn::View<R const> attended; ///< glimpse before project_out
        nn::View<R const> pointer;  ///< u
        std::span<R const> logits;
    };
    /// Gradients of what Encoded offers the decoder.
    struct Cotangent {
        nn::View<R> nodes, projected, graph;
    };

    [[nodiscard]] Encoded encode(std::span<GraphObservation const* const> states, nn::Arena& keep, nn::Arena& scratch,
                                 Tape tape = Tape::parameters) const;
    [[nodiscard]] Decoded decode(Encoded const& encoded, std::span<std::size_t const> rows,
                                 std::span<GraphObservation const* const> states, LogProbKind kind,
                                 nn::Arena& arena) const;
    [[nodiscard]] Cotangent zero_cotangent(Encoded const& encoded, nn::Arena& arena) const;
    void decode_backward(Encoded const& encoded, Decoded const& decoded, std::span<R const> weights,
                         Cotangent& cotangent, std::span<GraphObservation> inputs, std::span<R> gradient,
                         nn::Arena& arena) const;
    void encode_backward(Encoded const& encoded, Cotangent& cotangent, std::span<GraphObservation> inputs,
                         std::span<R> gradient, nn::Arena& arena) const;

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    /// Numbers of the context that are embeddings.
    [[nodiscard]] std::size_t shown_width() const { return config_.nodes_shown() * config_.info.embed_dim; }
    /// What the policy chooses from: it may be one that looks ahead.
    [[nodiscard]] ActionMask const& allowed(GraphObservation const& state) const {
        return config_.info.lookahead_mask && !state.lookahead.empty() ? state.lookahead : state.mask;
    }
    /// Rows of the stacked nodes that their own states may choose, or are shown to be at.
    [[nodiscard]] RowSelection seen_rows(std::span<GraphObservation const* const> states, nn::Arena& arena) const;

    friend class AttentionLesson; // the same equations, arranged for many states of one instance
    Config config_;
    nn::Parameters<R> parameters_;
    nn::Linear<R> embed_depot_, embed_;
    nn::Linear<R> depot_to_qkv_, to_qkv_; ///< embedded, then projected by the first layer, in one product
    std::vector<TransformerLayer<R>> layers_;
    nn::Linear<R> project_nodes_, project_graph_, project_context_, project_out_;
    nn::Slice placeholder_;
    std::span<R const> nothing_yet_; ///< the placeholder's values
    nn::Glimpse<R> glimpse_;
};

} // namespace cax
