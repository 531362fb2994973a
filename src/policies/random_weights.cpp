#include "attention.hpp"
#include "cax/policies/trainable.hpp"
#include "matnet.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace cax {
namespace {

/// Root mean square of each column that a network reads, by the parameter whose columns they are.
using InputScales = std::map<std::string, std::vector<double>, std::less<>>;

class ScaleMeter {
public:
    void add(std::string_view parameter, std::size_t column, double value) {
        Sum& sum = sums_[{std::string(parameter), column}];
        sum.squares += value * value;
        ++sum.count;
    }
    /// A column that is always 0 (durations of generated instances) keeps scale 1.
    [[nodiscard]] InputScales scales() const {
        InputScales scales;
        for (auto const& [place, sum] : sums_) {
            auto& columns = scales[place.first];
            columns.resize(place.second + 1, 1);
            double const root = std::sqrt(sum.squares / static_cast<double>(sum.count));
            columns[place.second] = root > 0 ? root : 1;
        }
        return scales;
    }

private:
    struct Sum {
        double squares = 0;
        std::size_t count = 0;
    };
    std::map<std::pair<std::string, std::size_t>, Sum> sums_;
};

void measure(GraphObservation const& state, NetworkDesign const& design, ScaleMeter& meter) {
    for (std::size_t c = 0; c < state.depot.size(); ++c)
        meter.add("encoder.init_embedding.init_embed_depot", c, state.depot[c]);
    for (std::size_t r = 0; r < state.customers.rows(); ++r)
        for (std::size_t c = 0; c < state.customers.cols(); ++c)
            meter.add("encoder.init_embedding.init_embed", c, state.customers(r, c));
    std::size_t const shown = state.free_start ? 2 : state.placeless ? 0 : 1; // embeddings come first
    for (std::size_t c = 0; c < state.context.size(); ++c)
        meter.add("decoder.context_embedding.project_context", shown * design.embed_dim + c, state.context[c]);
}

void measure(ScheduleObservation const& state, NetworkDesign const&, ScaleMeter& meter) {
    // Columns 2 and 3 are the number of eligible machines and the job's index; the others are of order 1 by themselves.
    for (std::size_t o = 0; o < state.num_eligible.size(); ++o) {
        if (state.padding[o]) continue;
        meter.add("encoder.init_embedding.init_ops_embed", 2, state.num_eligible[o]);
        meter.add("encoder.init_embedding.init_ops_embed", 3, static_cast<double>(state.job_of[o]));
    }
}

void measure(TensorObservation const&, NetworkDesign const&, ScaleMeter&) {} // no network of ours reads it

/// Random episodes on a few generated instances: what the inputs look like.
Result<InputScales> measure_inputs(Problem const& problem, std::string const& size, NetworkDesign const& design,
                                   std::uint64_t seed) {
    ScaleMeter meter;
    for (std::uint32_t i = 0; i < 16; ++i) {
        Rng rng(seed, i, 0, 3);
        auto const instance = problem.generate(size, {}, rng);
        if (!instance) return instance.error();
        StatePtr const state = (*instance)->reset();
        while (!state->done()) {
            std::visit([&](auto const& own) { measure(own, design, meter); }, state->observe());
            std::vector<std::size_t> allowed;
            for (std::size_t a = 0; a < state->action_mask().size(); ++a)
                if (state->action_mask()[a]) allowed.push_back(a);
            if (allowed.empty()) break;
            state->step(allowed[rng.below(allowed.size())]);
        }
    }
    return meter.scales();
}

using nn::Parameters;

/// Sinusoids of rl4co's positional encoding.
void fill_positions(Shape const& shape, std::span<float> values) {
    std::size_t const width = shape.back();
    for (std::size_t k = 0; k < values.size() / width; ++k)
        for (std::size_t c = 0; c < width; ++c) {
            double const rate =
                std::exp(-static_cast<double>(c - c % 2) * std::log(10000.0) / static_cast<double>(width));
            double const angle = static_cast<double>(k) * rate;
            values[k * width + c] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
}

/// Columns of a weight that read inputs, divided by the size of the input.
void divide_columns(Parameters<float>::Entry const& entry, InputScales const& scales, std::span<float> values) {
    std::string_view const name = entry.name;
    constexpr std::string_view weight = ".weight";
    if (!name.ends_with(weight)) return;
    auto const scale = scales.find(name.substr(0, name.size() - weight.size()));
    if (scale == scales.end()) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::size_t const column = i % entry.shape.back();
        if (column < scale->second.size()) values[i] /= static_cast<float>(scale->second[column]);
    }
}

void fill(Parameters<float>& parameters, InputScales const& scales, std::uint64_t seed) {
    double fan_in = 1; // of the weight before a bias
    std::uint32_t index = 0;
    for (auto const& entry : parameters.entries()) {
        std::span<float> const values = parameters.at(entry.slice);
        Rng rng(seed, index++, 0, 4);
        if (entry.name.ends_with("pos_encoder.pe")) {
            fill_positions(entry.shape, values);
        } else if (entry.name.ends_with("normalizer.weight")) {
            std::ranges::fill(values, 1.0F);
        } else if (entry.name.ends_with("normalizer.bias")) {
            std::ranges::fill(values, 0.0F);
        } else {
            if (entry.shape.size() > 1) fan_in = static_cast<double>(entry.shape.back());
            double const bound = 1 / std::sqrt(fan_in);
            for (float& value : values) value = static_cast<float>(rng.uniform(-bound, bound));
        }
        divide_columns(entry, scales, values);
    }
}

/// The matrix that an entry is, in square pieces if it is tall; nothing if it is a small one or no matrix.
std::vector<MatrixSlice> pieces(Parameters<float>::Entry const& entry) {
    constexpr std::size_t smallest = 32;
    std::vector<MatrixSlice> list;
    if (entry.shape.size() != 2 || !entry.trained) return list;
    std::size_t const rows = entry.shape[0], cols = entry.shape[1];
    if (rows < smallest || cols < smallest) return list;
    std::size_t const height = rows % cols == 0 ? cols : rows;
    for (std::size_t row = 0; row < rows; row += height)
        list.push_back({entry.slice.offset + row * cols, height, cols});
    return list;
}

template <Network Net> Result<StepPlan> plan_for(WeightFile const& file, InputScales const& scales) {
    auto const config = Net::configure(file, {});
    if (!config) return config.error();
    Net net(*config);
    StepPlan plan;
    for (auto const& entry : net.parameters().entries()) {
        std::span<float> const own = net.parameters().at(entry.slice);
        std::ranges::fill(own, entry.trained ? 1.0F : 0.0F);
        divide_columns(entry, scales, own);
        plan.scales.insert(plan.scales.end(), own.begin(), own.end());
        bool const reads_inputs = std::ranges::any_of(own, [](float scale) { return scale != 1; });
        if (!reads_inputs) std::ranges::move(pieces(entry), std::back_inserter(plan.matrices));
    }
    return plan;
}

AttentionNetwork<float>::Config config_for(GraphObservation const& state, NetworkDesign const& design) {
    AttentionNetwork<float>::Config config;
    config.depot_features = state.depot.size();
    config.customer_features = state.customers.cols();
    config.context_scalars = state.context.size();
    config.free_start = state.free_start;
    config.placeless = state.placeless;
    config.feed_forward = design.feed_forward > 0 ? design.feed_forward : 4 * design.embed_dim;
    return config;
}

MatnetNetwork<float>::Config config_for(ScheduleObservation const&, NetworkDesign const& design) {
    MatnetNetwork<float>::Config config;
    config.feed_forward = design.feed_forward > 0 ? design.feed_forward : 2 * design.embed_dim;
    config.positions = 1000;
    return config;
}

template <Network Net>
TensorFile random_network(typename Net::Config config, PolicyInfo const& info, InputScales const& scales,
                          std::uint64_t seed) {
    config.info = info;
    config.info.network = Net::name;
    config.norm = info.stepwise ? nn::NormKind::layer : nn::NormKind::instance;
    Net net(config);
    fill(net.parameters(), scales, seed);
    return save_parameters(net.info(), std::as_const(net).parameters());
}

TensorFile random_network_for(GraphObservation const& state, NetworkDesign const& design, PolicyInfo const& info,
                              InputScales const& scales, std::uint64_t seed) {
    return random_network<AttentionNetwork<float>>(config_for(state, design), info, scales, seed);
}
TensorFile random_network_for(ScheduleObservation const& state, NetworkDesign const& design, PolicyInfo const& info,
                              InputScales const& scales, std::uint64_t seed) {
    return random_network<MatnetNetwork<float>>(config_for(state, design), info, scales, seed);
}
TensorFile random_network_for(TensorObservation const&, NetworkDesign const&, PolicyInfo const&, InputScales const&,
                              std::uint64_t) {
    assert(false); // states show themselves to networks
    return {};
}

} // namespace

Result<TensorFile> random_weights(Problem const& problem, std::string const& size, NetworkDesign const& design,
                                  std::uint64_t seed) {
    if (design.embed_dim == 0 || design.embed_dim > 4096 || design.layers == 0 || design.layers > 64 ||
        design.heads == 0 || design.embed_dim % design.heads != 0) {
        return Error{
            ErrorCode::invalid_value,
            fmt::format("embedding {}, {} layers, {} heads: expected 1..4096, 1..64, and heads that divide the "
                        "embedding",
                        design.embed_dim, design.layers, design.heads)};
    }
    auto const scales = measure_inputs(problem, size, design, seed);
    if (!scales) return scales.error();
    Rng rng(seed);
    auto const instance = problem.generate(size, {}, rng);
    if (!instance) return instance.error();
    PolicyInfo info;
    info.problem = problem.info().name;
    info.size = (*instance)->size();
    info.embed_dim = design.embed_dim;
    info.layers = design.layers;
    info.heads = design.heads;
    info.scaling_factor = design.scaling_factor;
    Observation const first = (*instance)->reset()->observe();
    if (auto const* const graph = std::get_if<GraphObservation>(&first)) info.stepwise = graph->stepwise;
    // Compared only with one another, a few nodes that are left would not show how large they are.
    info.normalization = info.stepwise ? "layer" : "instance";
    return std::visit([&](auto const& state) { return random_network_for(state, design, info, *scales, seed); }, first);
}

Result<StepPlan> step_plan(Problem const& problem, std::string const& size, TensorFile const& policy,
                           std::uint64_t seed) {
    auto const file = WeightFile::open(policy);
    if (!file) return file.error();
    bool const graph = AttentionNetwork<float>::recognises(*file);
    auto const config = AttentionNetwork<float>::configure(*file, {});
    NetworkDesign design;
    if (graph && config) design.embed_dim = config->info.embed_dim;
    auto const scales = measure_inputs(problem, size, design, seed);
    if (!scales) return scales.error();
    if (graph) return plan_for<AttentionNetwork<float>>(*file, *scales);
    return plan_for<MatnetNetwork<float>>(*file, *scales);
}

} // namespace cax
