#include "small_attention.hpp"

namespace cax::test {

template <class R> std::unique_ptr<AttentionNetwork<R>> small_network(SmallShape const& shape, Rng rng) {
    typename AttentionNetwork<R>::Config config;
    config.info.problem = "a test";
    config.info.network = "attention";
    config.info.embed_dim = shape.width;
    config.info.heads = shape.heads;
    config.info.layers = shape.layers;
    config.info.graph_context = shape.graph_context;
    config.info.temperature = shape.temperature;
    config.norm = shape.norm;
    config.customer_features = 3;
    config.context_scalars = 2;
    config.feed_forward = 2 * shape.width;
    auto net = std::make_unique<AttentionNetwork<R>>(config);
    for (auto const& entry : net->parameters().entries()) {
        double const spread = entry.shape.size() == 2 ? 2 / std::sqrt(static_cast<double>(entry.shape[1])) : 1;
        bool const positive = entry.name.ends_with("running_var");
        for (R& value : net->parameters().at(entry.slice))
            value = static_cast<R>(positive ? rng.uniform(0.5, 2) : rng.uniform(-spread, spread));
    }
    net->pack();
    return net;
}

GraphObservation random_state(std::size_t customers, Rng rng) {
    GraphObservation state;
    state.depot = {rng.normal(), rng.normal()};
    state.customers = Matrix<double>(customers, 3);
    for (double& value : state.customers.values()) value = rng.normal();
    state.context = {rng.normal(), rng.normal()};
    state.current_node = rng.below(customers + 1);
    for (std::size_t i = 0; i <= customers; ++i) state.mask.push_back(rng.below(3) > 0);
    state.mask[rng.below(customers + 1)] = 1;
    return state;
}

template <class R> Result<std::unique_ptr<Policy>> policy_from(TensorFile const& file, PolicyOptions const& options) {
    using Net = AttentionNetwork<R>;
    auto const weights = WeightFile::open(file);
    if (!weights) return weights.error();
    auto const config = Net::configure(*weights, options);
    if (!config) return config.error();
    auto net = std::make_unique<Net>(*config);
    if (auto loaded = load_parameters(*weights, net->parameters()); !loaded) return loaded.error();
    net->pack();
    return std::unique_ptr<Policy>(std::make_unique<NetworkPolicy<Net>>(std::move(net), options));
}

template std::unique_ptr<AttentionNetwork<float>> small_network(SmallShape const&, Rng);
template std::unique_ptr<AttentionNetwork<double>> small_network(SmallShape const&, Rng);
template Result<std::unique_ptr<Policy>> policy_from<float>(TensorFile const&, PolicyOptions const&);
template Result<std::unique_ptr<Policy>> policy_from<double>(TensorFile const&, PolicyOptions const&);

} // namespace cax::test
