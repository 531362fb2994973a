#include "matnet_lesson.hpp"

#include "cax/nn/mixture.hpp"
#include "network_lesson.hpp"

#include <algorithm>
#include <numeric>

namespace cax {

using nn::View;

// ---- once per instance

void MatnetLesson::begin(Observation const& reset) {
    tape_.reset();
    moments_.clear();
    auto const* const input = &std::get<ScheduleObservation>(reset);
    encoded_ = net_.encode({&input, 1}, tape_, tape_);
    ops_ = encoded_.source.table.rows;
    machines_ = encoded_.source.embedded.rows;
    make_basis();
}

void MatnetLesson::make_basis() {
    std::size_t const width = net_.info().embed_dim, heads = net_.info().heads, basis = ops_ + 2 + machines_;
    keys_ = tape_.zeros<float>(basis + 1, 3 * width);
    for (std::size_t o = 0; o < ops_; ++o) std::copy_n(encoded_.source.table.row(o), 3 * width, keys_.row(o));
    float const identity[] = {1, 0, 0, 1};
    decoder_.node_step_.forward(View<float const>{identity, 2, 2, 2}, keys_.middle_rows(ops_, 2));
    for (std::size_t m = 0; m < machines_; ++m)
        for (std::size_t block = 0; block < 3; ++block)
            nn::add_scaled(decoder_.edge_step_values_[block], encoded_.source.embedded.row(m),
                           keys_.row(ops_ + 2 + m) + block * width, width);
    std::copy_n(decoder_.dummy_values_.data(), width, keys_.row(basis) + 2 * width);

    askers_ = tape_.matrix<float>(machines_ + 1, width);
    std::copy_n(encoded_.source.embedded.data, machines_ * width, askers_.data);
    decoder_.busy_.forward(View<float const>{identity, 1, 1, 1}, askers_.middle_rows(machines_, 1));

    scores_ = tape_.matrix<float>(basis, (machines_ + 1) * heads);
    nn::pair_dots<float>({0, 0, 0, basis, machines_ + 1}, keys_.columns(0, width), askers_, decoder_.head_scale(),
                         View<float>{scores_.data, basis * (machines_ + 1), heads, heads}, tape_);
    values_ = tape_.matrix<float>(basis, width);
    nn::interleave_heads<float>(keys_.middle_rows(0, basis).columns(width, width), heads, values_);
    View<float> const folded = tape_.matrix<float>(basis + 1, width);
    decoder_.project_out_.backward_input(keys_.columns(2 * width, width), folded); // lk W_out
    logit_keys_ = tape_.matrix<float>(basis + 1, width);
    nn::interleave_heads<float>(folded, heads, logit_keys_);
}

// ---- once per state

std::vector<std::span<float const>> MatnetLesson::decode(std::span<Observation const* const> states) {
    std::vector<std::span<float const>> result;
    for (Observation const* const observation : states) {
        Moment moment{.state = &std::get<ScheduleObservation>(*observation)};
        read_state(moment);
        attend(moment);
        point(moment);
        moments_.push_back(moment);
        result.emplace_back(moment.log_probs, moment.state->mask.size());
    }
    return result;
}

void MatnetLesson::read_state(Moment& moment) {
    ScheduleObservation const& state = *moment.state;
    float const unit = decoder_.unit(), now = static_cast<float>(state.time);
    float* const busy = tape_.make<float>(machines_);
    float* mixing = tape_.make<float>(jobs_of(moment) * (2 + machines_));
    moment.busy = busy;
    moment.mixing = mixing;
    for (std::size_t m = 0; m < machines_; ++m) busy[m] = (static_cast<float>(state.busy_until[m]) - now) / unit;
    for (std::size_t const o : state.next_op) {
        *mixing++ = std::max(static_cast<float>(state.lower_bounds[o]) - now, 0.0F) / unit;
        *mixing++ = static_cast<float>(state.is_ready[o]);
        for (std::size_t m = 0; m < machines_; ++m)
            *mixing++ = state.busy_until[m] > state.time ? 0.0F : static_cast<float>(state.proc_times(m, o)) / unit;
    }
}

/// Pointers to the basis rows that a state mixes: its jobs' operations, steps and machines, and `extra` rows after
/// them.
template <class R>
void MatnetLesson::rows_of(Moment const& moment, View<R> basis, std::size_t extra, std::vector<R*>& rows) {
    rows.clear();
    for (std::size_t const o : moment.state->next_op) rows.push_back(basis.row(o));
    for (std::size_t l = 0; l < 2 + machines_ + extra; ++l) rows.push_back(basis.row(ops_ + l));
}

/// p = softmax over jobs of the mixed scores; then the weights are mixed, and the values summed.
void MatnetLesson::attend(Moment& moment) {
    std::size_t const heads = net_.info().heads, width = net_.info().embed_dim, jobs = jobs_of(moment);
    std::size_t const step = machines_ * heads, shared = 2 + machines_;
    float* const weights = tape_.make<float>(mixed(moment) * step);
    float* const attended = tape_.make<float>(machines_ * width);
    scratch_.reset();
    float* const scores = scratch_.make<float>(jobs * step);
    float* const all = scratch_.make<float>(scores_.cols);
    for (std::size_t j = 0; j < jobs; ++j) {
        std::copy_n(scores_.row(moment.state->next_op[j]), scores_.cols, all);
        for (std::size_t l = 0; l < shared; ++l)
            if (float const c = moment.mixing[j * shared + l]; c != 0)
                nn::add_scaled(c, scores_.row(ops_ + l), all, scores_.cols);
        std::copy_n(all, step, scores + j * step);
        for (std::size_t m = 0; m < machines_; ++m)
            if (moment.busy[m] != 0) nn::add_scaled(moment.busy[m], all + step, scores + j * step + m * heads, heads);
    }
    nn::softmax_over_left<float>({0, 0, 0, jobs, machines_}, View<float>{scores, jobs * machines_, heads, heads}, 1.0F,
                                 View<float>{weights, jobs * machines_, heads, heads});
    float* const mixed_weights = weights + jobs * step;
    std::fill_n(mixed_weights, shared * step, 0.0F);
    for (std::size_t j = 0; j < jobs; ++j)
        for (std::size_t l = 0; l < shared; ++l)
            if (float const c = moment.mixing[j * shared + l]; c != 0)
                nn::add_scaled(c, weights + j * step, mixed_weights + l * step, step);
    rows_of<float const>(moment, values_, 0, rows_);
    nn::mix_rows<float>({heads, machines_, rows_, width / heads}, weights, attended);
    moment.attention = weights;
    moment.attended = attended;
}

void MatnetLesson::point(Moment& moment) {
    std::size_t const jobs = jobs_of(moment), shared = 2 + machines_, actions = moment.state->mask.size();
    float* const logits = tape_.make<float>(actions);
    float* const log_probs = tape_.make<float>(actions);
    scratch_.reset();
    float* const dots = scratch_.make<float>((mixed(moment) + 1) * machines_);
    rows_of<float const>(moment, logit_keys_, 1, rows_);
    nn::compare_rows<float>({net_.info().heads, machines_, rows_, net_.info().embed_dim / net_.info().heads},
                            moment.attended, decoder_.pointer_scale(), dots);
    float const* const shared_dots = dots + jobs * machines_;
    float const* const dummy = shared_dots + shared * machines_;
    logits[0] = std::accumulate(dummy, dummy + machines_, 0.0F);
    for (std::size_t j = 0; j < jobs; ++j)
        for (std::size_t m = 0; m < machines_; ++m) {
            float sum = dots[j * machines_ + m];
            for (std::size_t l = 0; l < shared; ++l)
                sum += moment.mixing[j * shared + l] * shared_dots[l * machines_ + m];
            logits[1 + j * machines_ + m] = sum;
        }
    nn::log_softmax(logits, moment.state->mask.data(), actions, decoder_.squash(LogProbKind::policy), log_probs);
    moment.logits = logits;
    moment.log_probs = log_probs;
}

// ---- and back

void MatnetLesson::backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) {
    auto const like = [&](View<float> view) { return tape_.zeros<float>(view.rows, view.cols); };
    auto cotangent = net_.zero_cotangent(encoded_, tape_);
    BasisGradient basis{like(scores_), like(values_), like(logit_keys_)};
    for (Moment const& moment : moments_) {
        auto const own = weights.first(moment.state->mask.size());
        weights = weights.subspan(own.size());
        if (entropy_weight != 0 || std::ranges::any_of(own, [](float weight) { return weight != 0; }))
            moment_backward(moment, own, entropy_weight, basis);
    }
    scratch_.reset();
    basis_backward(basis, cotangent, gradient);
    net_.encode_backward(encoded_, cotangent, {}, gradient, scratch_);
}

void MatnetLesson::moment_backward(Moment const& moment, std::span<float const> own, float entropy_weight,
                                   BasisGradient& gradient) {
    std::size_t const heads = net_.info().heads, width = net_.info().embed_dim, jobs = jobs_of(moment);
    std::size_t const step = machines_ * heads, shared = 2 + machines_, actions = moment.state->mask.size();
    nn::Mixture<float> mixture{heads, machines_, {}, width / heads};
    scratch_.reset();

    // From log-probabilities to the dot products with every basis row.
    View<float> const weights = scratch_.matrix<float>(1, actions);
    std::ranges::copy(own, weights.data);
    float* const dlogits = scratch_.make<float>(actions);
    spread_entropy(entropy_weight, {moment.log_probs, actions}, weights.data);
    nn::log_softmax_backward(moment.logits, moment.log_probs, weights.data, moment.state->mask.data(), actions,
                             decoder_.squash(LogProbKind::policy), dlogits);
    View<float> const ddots = scratch_.zeros<float>(mixed(moment) + 1, machines_);
    std::copy_n(dlogits + 1, jobs * machines_, ddots.data);
    for (std::size_t j = 0; j < jobs; ++j)
        for (std::size_t l = 0; l < shared; ++l)
            for (std::size_t m = 0; m < machines_; ++m)
                ddots(jobs + l, m) += moment.mixing[j * shared + l] * ddots(j, m);
    std::fill_n(ddots.row(jobs + shared), machines_, dlogits[0]);
    float* const dattended = scratch_.make<float>(machines_ * width);
    rows_of<float const>(moment, logit_keys_, 1, rows_);
    rows_of(moment, gradient.logit_keys, 1, drows_);
    mixture.rows = rows_;
    nn::compare_rows_backward<float>(mixture, moment.attended, decoder_.pointer_scale(), ddots.data, dattended, drows_);

    // Through the sum of values to the weights, and those of the jobs take the share of what was mixed from them.
    float* const dweights = scratch_.make<float>(mixed(moment) * step);
    rows_of<float const>(moment, values_, 0, rows_);
    rows_of(moment, gradient.values, 0, drows_);
    mixture.rows = rows_;
    nn::mix_rows_backward<float>(mixture, moment.attention, dattended, dweights, drows_);
    for (std::size_t j = 0; j < jobs; ++j)
        for (std::size_t l = 0; l < shared; ++l)
            if (float const c = moment.mixing[j * shared + l]; c != 0)
                nn::add_scaled(c, dweights + (jobs + l) * step, dweights + j * step, step);

    // Through the softmax to the table of scores.
    View<float> const dscores = scratch_.zeros<float>(jobs * machines_, heads);
    nn::softmax_over_left_backward<float>({0, 0, 0, jobs, machines_},
                                          View<float const>{moment.attention, jobs * machines_, heads, heads},
                                          View<float const>{dweights, jobs * machines_, heads, heads}, dscores);
    float* const dall = scratch_.make<float>(scores_.cols);
    for (std::size_t j = 0; j < jobs; ++j) {
        std::copy_n(dscores.data + j * step, step, dall);
        std::fill_n(dall + step, heads, 0.0F);
        for (std::size_t m = 0; m < machines_; ++m)
            if (moment.busy[m] != 0)
                nn::add_scaled(moment.busy[m], dscores.data + j * step + m * heads, dall + step, heads);
        nn::add_scaled(1.0F, dall, gradient.scores.row(moment.state->next_op[j]), scores_.cols);
        for (std::size_t l = 0; l < shared; ++l)
            if (float const c = moment.mixing[j * shared + l]; c != 0)
                nn::add_scaled(c, dall, gradient.scores.row(ops_ + l), scores_.cols);
    }
}

void MatnetLesson::basis_backward(BasisGradient const& from, MatnetNetwork<float>::Cotangent& cotangent,
                                  std::span<float> gradient) {
    std::size_t const width = net_.info().embed_dim, heads = net_.info().heads, basis = ops_ + 2 + machines_;
    nn::PairState const all{0, 0, 0, basis, machines_ + 1};
    View<float const> const dscores{from.scores.data, basis * (machines_ + 1), heads, heads};
    View<float> const dkeys = scratch_.zeros<float>(basis + 1, 3 * width);
    View<float> const daskers = scratch_.matrix<float>(machines_ + 1, width);
    nn::sum_over_right<float>(all, dscores, askers_, decoder_.head_scale(), dkeys.columns(0, width));
    nn::sum_over_left<float>(all, dscores, keys_.columns(0, width), decoder_.head_scale(), daskers);
    nn::add_separated_heads<float>(from.values, heads, dkeys.middle_rows(0, basis).columns(width, width));
    View<float> const dfolded = scratch_.zeros<float>(basis + 1, width);
    nn::add_separated_heads<float>(from.logit_keys, heads, dfolded);
    decoder_.project_out_.forward(dfolded, dkeys.columns(2 * width, width));
    decoder_.project_out_.backward_parameters(dfolded, keys_.columns(2 * width, width), gradient, scratch_);

    float const identity[] = {1, 0, 0, 1};
    decoder_.node_step_.backward_parameters(View<float const>{identity, 2, 2, 2}, dkeys.middle_rows(ops_, 2), gradient,
                                            scratch_);
    decoder_.busy_.backward_parameters(View<float const>{identity, 1, 1, 1}, daskers.middle_rows(machines_, 1),
                                       gradient, scratch_);
    nn::add_scaled(1.0F, dkeys.row(basis) + 2 * width, nn::gradient_at(gradient, decoder_.dummy_).data(), width);
    for (std::size_t o = 0; o < ops_; ++o) nn::add_scaled(1.0F, dkeys.row(o), cotangent.table.row(o), 3 * width);
    std::span<float> const dedge = nn::gradient_at(gradient, decoder_.edge_step_);
    for (std::size_t m = 0; m < machines_; ++m) {
        float const* const y = encoded_.source.embedded.row(m);
        nn::add_scaled(1.0F, daskers.row(m), cotangent.embedded.row(m), width);
        for (std::size_t block = 0; block < 3; ++block) {
            float const* const d = dkeys.row(ops_ + 2 + m) + block * width;
            nn::add_scaled(decoder_.edge_step_values_[block], d, cotangent.embedded.row(m), width);
            dedge[block] += std::inner_product(d, d + width, y, 0.0F);
        }
    }
}

} // namespace cax
