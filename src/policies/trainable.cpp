#include "cax/policies/trainable.hpp"

#include "attention.hpp"
#include "attention_lesson.hpp"
#include "matnet.hpp"
#include "matnet_lesson.hpp"
#include "network_lesson.hpp"
#include "network_policy.hpp"
#include "stepwise.hpp"

namespace cax {
namespace {

template <class Net> struct FastestLesson { using Type = NetworkLesson<Net>; };
template <> struct FastestLesson<AttentionNetwork<float>> { using Type = AttentionLesson; };
template <> struct FastestLesson<MatnetNetwork<float>> { using Type = MatnetLesson; };

template <Network Net> class NetworkTrainable final : public Trainable {
public:
    NetworkTrainable(std::unique_ptr<Net> net, PolicyOptions const& options)
        : net_(*net), policy_(std::make_unique<NetworkPolicy<Net>>(std::move(net), options)) {
        if (net_.info().stepwise) policy_ = std::make_unique<StepwisePolicy>(std::move(policy_));
    }

    std::span<float> parameters() override { return net_.parameters().values(); }
    std::vector<std::uint8_t> movable() const override {
        std::vector<std::uint8_t> flags;
        for (auto const& entry : net_.parameters().entries())
            flags.insert(flags.end(), entry.slice.size, entry.trained ? 1 : 0);
        return flags;
    }
    void pack() override { net_.pack(); }
    Policy const& policy() const override { return *policy_; }
    std::unique_ptr<Lesson> new_lesson() const override {
        if (net_.info().stepwise)
            return std::make_unique<StepwiseLesson>(std::make_unique<NetworkLesson<Net>>(net_, true));
        if constexpr (std::same_as<Net, AttentionNetwork<float>>) {
            if (!net_.shows_current_node()) return std::make_unique<NetworkLesson<Net>>(net_);
        }
        return std::make_unique<typename FastestLesson<Net>::Type>(net_);
    }
    TensorFile save() const override { return save_parameters(net_.info(), std::as_const(net_).parameters()); }

private:
    Net& net_; ///< owned by the policy
    std::unique_ptr<Policy> policy_;
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
