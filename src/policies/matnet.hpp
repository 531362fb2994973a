#pragma once
// rl4co's attention policy for flexible job shops (L2DAttnPolicy): operations and machines embedded side by side in a
// MatNet encoder, and a decoder with one query per machine. Depth, width and sizes come from the weights; any number of
// jobs, machines and operations will do.
//
// Each state's mixed scores are divided by their own standard deviation. With PolicyOptions::coupled_batch all states
// of a call share one, as in rl4co.
#include "matnet_decoder.hpp"
#include "matnet_layer.hpp"
#include "network.hpp"

namespace cax {

template <class R> class MatnetNetwork {
public:
    using Real = R;
    using Input = ScheduleObservation;
    static constexpr std::string_view name = "matnet";
    static constexpr bool encoding_changes = true;

    struct Config {
        PolicyInfo info;
        nn::NormKind norm = nn::NormKind::batch;
        std::size_t feed_forward = 0;
        std::size_t positions = 0; ///< rows of the positional encoding
        bool coupled = false;
    };
    [[nodiscard]] static bool recognises(WeightFile const& file);
    [[nodiscard]] static Result<Config> configure(WeightFile const& file, PolicyOptions const& options);

    explicit MatnetNetwork(Config const& config);
    [[nodiscard]] nn::Parameters<R>& parameters() { return parameters_; }
    [[nodiscard]] nn::Parameters<R> const& parameters() const { return parameters_; }
    void pack();

    [[nodiscard]] PolicyInfo const& info() const { return config_.info; }
    [[nodiscard]] Result<void> accepts(ScheduleObservation const& state) const;
    [[nodiscard]] bool couples_states() const { return config_.coupled; }
    [[nodiscard]] static std::size_t rows_of(ScheduleObservation const& state) {
        return state.proc_times.cols() + state.proc_times.rows();
    }
    [[nodiscard]] static ScheduleObservation zero_gradient(ScheduleObservation const& state);

    struct Encoded {
        typename MatnetDecoder<R>::Source source;
        // Tape: what only encode_backward() reads.
        typename MatnetLayer<R>::Batch batch;
        nn::View<R const> features; ///< per operation
        std::span<R const> counts;  ///< per operation: eligible machines + 1e-9
        nn::View<R const> busy;     ///< per machine
        nn::View<R const> x;        ///< operations after the last layer
        std::span<typename MatnetLayer<R>::Saved const> layers;
    };
    using Decoded = typename MatnetDecoder<R>::Decoded;
    using Cotangent = typename MatnetDecoder<R>::Cotangent;

    [[nodiscard]] Encoded encode(std::span<ScheduleObservation const* const> states, nn::Arena& keep,
                                 nn::Arena& scratch, Tape tape = Tape::parameters) const;
    [[nodiscard]] Decoded decode(Encoded const& encoded, std::span<std::size_t const> rows,
                                 std::span<ScheduleObservation const* const> states, LogProbKind kind,
                                 nn::Arena& arena) const {
        return decoder_.decode(encoded.source, rows, states, kind, arena);
    }
    [[nodiscard]] Cotangent zero_cotangent(Encoded const& encoded, nn::Arena& arena) const;
    void decode_backward(Encoded const& encoded, Decoded const& decoded, std::span<R const> weights,
                         Cotangent& cotangent, std::span<ScheduleObservation> inputs, std::span<R> gradient,
                         nn::Arena& arena) const {
        decoder_.backward(encoded.source, decoded, weights, cotangent, inputs, gradient, arena);
    }
    void encode_backward(Encoded const& encoded, Cotangent& cotangent, std::span<ScheduleObservation> inputs,
                         std::span<R> gradient, nn::Arena& arena) const;

private:
    friend class MatnetLesson; // the same equations, arranged for many states of one instance
    void lay_out(std::span<ScheduleObservation const* const> states, Encoded& encoded, nn::Arena& keep) const;
    void read_features(std::span<ScheduleObservation const* const> states, Encoded& encoded, nn::Arena& arena) const;
    [[nodiscard]] nn::View<R> embed_ops(std::span<ScheduleObservation const* const> states, Encoded const& encoded,
                                        nn::Arena& arena) const;
    void embedding_backward(Encoded const& encoded, nn::View<R> dx, nn::View<R const> dy, std::span<R const> dcosts,
                            std::span<ScheduleObservation> inputs, std::span<R> gradient, nn::Arena& arena) const;

    Config config_;
    nn::Parameters<R> parameters_;
    nn::Linear<R> embed_ops_, embed_machines_;
    nn::Slice positions_;
    std::vector<MatnetLayer<R>> layers_;
    MatnetDecoder<R> decoder_;
};

} // namespace cax
