#include "attention_lesson.hpp"

#include <algorithm>
#include <cassert>

namespace cax {

using nn::View;

AttentionLesson::AttentionLesson(AttentionNetwork<float> const& net)
    : net_(net),
      pointer_(net.info().heads,
               {static_cast<float>(net.info().tanh_clipping), static_cast<float>(net.info().temperature)}) {
    assert(net.shows_current_node() && !net.info().stepwise);
}

void AttentionLesson::begin(Observation const& reset) {
    tape_.reset();
    current_.clear();
    scalars_.clear();
    auto const* const input = &std::get<GraphObservation>(reset);
    encoded_ = net_.encode({&input, 1}, tape_, tape_);
    tabulate_queries();
    std::size_t const width = net_.info().embed_dim;
    folded_ = tape_.matrix<float>(encoded_.nodes.rows, width);
    net_.project_out_.backward_input(encoded_.projected.columns(2 * width, width), folded_);
    pointer_.begin(encoded_.projected.columns(0, width), encoded_.projected.columns(width, width), folded_);
}

void AttentionLesson::tabulate_queries() {
    std::size_t const width = net_.info().embed_dim, shown = net_.shown_width(), places = encoded_.nodes.rows;
    std::size_t const scalars = net_.config_.context_scalars, rows = places + scalars;
    context_ = tape_.zeros<float>(rows, shown + scalars);
    table_ = tape_.matrix<float>(rows, width);
    View<float> const graph = encoded_.graph.data ? tape_.zeros<float>(rows, width) : View<float>{};
    for (std::size_t i = 0; i < places; ++i) {
        std::copy_n(encoded_.nodes.row(i), shown, context_.row(i));
        if (graph.data) std::copy_n(encoded_.graph.row(0), width, graph.row(i));
    }
    for (std::size_t k = 0; k < scalars; ++k) context_(places + k, shown + k) = 1;
    net_.project_context_.forward(context_, table_, graph);
}

std::vector<std::span<float const>> AttentionLesson::decode(std::span<Observation const* const> states) {
    std::size_t const width = net_.info().embed_dim, nodes = encoded_.nodes.rows;
    View<float> const queries = pointer_.ask(states.size());
    masks_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
        auto const& state = std::get<GraphObservation>(*states[i]);
        masks_.push_back(net_.allowed(state).data());
        current_.push_back(state.current_node);
        std::copy_n(table_.row(current_.back()), width, queries.row(i));
        for (std::size_t k = 0; k < state.context.size(); ++k) {
            scalars_.push_back(static_cast<float>(state.context[k]));
            nn::add_scaled(scalars_.back(), table_.row(nodes + k), queries.row(i), width);
        }
    }
    View<float const> const answers = pointer_.answer(masks_);
    std::vector<std::span<float const>> result;
    for (std::size_t i = 0; i < states.size(); ++i) result.emplace_back(answers.row(i), nodes);
    return result;
}

void AttentionLesson::backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) {
    std::size_t const width = net_.info().embed_dim;
    scratch_.reset();
    auto cotangent = net_.zero_cotangent(encoded_, scratch_);
    View<float> const dqueries = scratch_.matrix<float>(pointer_.queries(), width);
    View<float> const dfolded = scratch_.zeros<float>(folded_.rows, width);
    View<float> const dlogit_keys = cotangent.projected.columns(2 * width, width);
    pointer_.backward(weights, entropy_weight,
                      {cotangent.projected.columns(0, width), cotangent.projected.columns(width, width), dfolded},
                      dqueries);
    // folded = lk W_out
    net_.project_out_.forward(dfolded, dlogit_keys);
    net_.project_out_.backward_parameters(dfolded, encoded_.projected.columns(2 * width, width), gradient, scratch_);
    queries_backward(dqueries, cotangent, gradient);
    net_.encode_backward(encoded_, cotangent, {}, gradient, scratch_);
}

void AttentionLesson::queries_backward(View<float const> dqueries, AttentionNetwork<float>::Cotangent& cotangent,
                                       std::span<float> gradient) {
    std::size_t const width = net_.info().embed_dim, places = encoded_.nodes.rows, scalars = table_.rows - places;
    View<float> const dtable = scratch_.zeros<float>(table_.rows, width);
    for (std::size_t i = 0; i < dqueries.rows; ++i) {
        nn::add_scaled(1.0F, dqueries.row(i), dtable.row(current_[i]), width);
        for (std::size_t k = 0; k < scalars; ++k)
            nn::add_scaled(scalars_[i * scalars + k], dqueries.row(i), dtable.row(places + k), width);
    }
    View<float> const dcontext = scratch_.matrix<float>(context_.rows, context_.cols);
    net_.project_context_.backward_input(dtable, dcontext);
    net_.project_context_.backward_parameters(context_, dtable, gradient, scratch_);
    for (std::size_t i = 0; i < places; ++i) {
        nn::add_scaled(1.0F, dcontext.row(i), cotangent.nodes.row(i), net_.shown_width());
        if (cotangent.graph.data) nn::add_scaled(1.0F, dtable.row(i), cotangent.graph.row(0), width);
    }
}

} // namespace cax
