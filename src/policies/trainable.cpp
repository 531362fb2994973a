#include "cax/policies/trainable.hpp"

#include "attention.hpp"
#include "matnet.hpp"
#include "network_policy.hpp"

namespace cax {
namespace {

template <Network Net> class NetworkLesson final : public Lesson {
    using R = typename Net::Real;
    using Input = typename Net::Input;

public:
    explicit NetworkLesson(Net const& net) : net_(net) {}

    void begin(Observation const& reset) override {
        tape_.reset();
        decoded_.clear();
        Input const* const input = &std::get<Input>(reset);
        encoded_ = net_.encode({&input, 1}, tape_, tape_);
    }

    std::vector<std::span<R const>> decode(std::span<Observation const* const> states) override {
        inputs_.clear();
        for (Observation const* const state : states) inputs_.push_back(&std::get<Input>(*state));
        rows_.assign(states.size(), 0);
        decoded_.push_back(net_.decode(encoded_, rows_, inputs_, LogProbKind::policy, tape_));
        std::vector<std::span<R const>> result;
        for (std::size_t i = 0; i < states.size(); ++i) result.push_back(decoded_.back().log_probs.row(i));
        return result;
    }

    void backward(std::span<std::size_t const> actions, std::span<R const> weights, std::span<R> gradient) override {
        auto cotangent = net_.zero_cotangent(encoded_, tape_);
        std::size_t next = 0;
        for (auto const& decoded : decoded_) {
            scratch_.reset();
            auto const offsets = decoded.log_probs.offsets;
            nn::View<R> const spread = scratch_.zeros<R>(1, offsets.back());
            for (std::size_t i = 0; i + 1 < offsets.size(); ++i, ++next)
                spread.data[offsets[i] + actions[next]] = weights[next];
            net_.decode_backward(encoded_, decoded, {spread.data, offsets.back()}, cotangent, {}, gradient, scratch_);
        }
        scratch_.reset();
        net_.encode_backward(encoded_, cotangent, {}, gradient, scratch_);
    }

private:
    Net const& net_;
    nn::Arena tape_, scratch_;
    typename Net::Encoded encoded_;
    std::vector<typename Net::Decoded> decoded_; ///< one per call of decode()
    std::vector<Input const*> inputs_;
    std::vector<std::size_t> rows_;
};

template <Network Net> class NetworkTrainable final : public Trainable {
public:
    NetworkTrainable(std::unique_ptr<Net> net, PolicyOptions const& options)
        : net_(*net), policy_(std::move(net), options) {}

    std::span<float> parameters() override { return net_.parameters().values(); }
    std::vector<std::uint8_t> movable() const override {
        std::vector<std::uint8_t> flags;
        for (auto const& entry : net_.parameters().entries())
            flags.insert(flags.end(), entry.slice.size, entry.trained ? 1 : 0);
        return flags;
    }
    void pack() override { net_.pack(); }
    Policy const& policy() const override { return policy_; }
    std::unique_ptr<Lesson> new_lesson() const override { return std::make_unique<NetworkLesson<Net>>(net_); }
    TensorFile save() const override { return save_parameters(net_.info(), std::as_const(net_).parameters()); }

private:
    Net& net_; ///< owned by the policy
    NetworkPolicy<Net> policy_;
};

template <Network Net> Result<std::unique_ptr<Trainable>> make(WeightFile const& file, PolicyOptions const& options) {
    auto config = Net::configure(file, options);
    if (!config) return config.error();
    auto net = std::make_unique<Net>(*config);
    if (auto loaded = load_parameters(file, net->parameters()); !loaded) return loaded.error();
    net->pack();
    return std::unique_ptr<Trainable>(std::make_unique<NetworkTrainable<Net>>(std::move(net), options));
}

} // namespace

Result<std::unique_ptr<Trainable>> make_trainable(TensorFile const& file, PolicyOptions const& options) {
    auto const weights = WeightFile::open(file);
    if (!weights) return weights.error();
    if (AttentionNetwork<float>::recognises(*weights)) return make<AttentionNetwork<float>>(*weights, options);
    if (MatnetNetwork<float>::recognises(*weights)) return make<MatnetNetwork<float>>(*weights, options);
    return Error{ErrorCode::unsupported, "the tensors are those of no network that can be trained"};
}

} // namespace cax
