#pragma once
// The matnet network's lesson. In every decoded state, a job's key is a mixture of the same few rows,
//
//     key_j = key_o + slack_j * step_0 + ready_j * step_1 + sum_m c_jm * key_m      (o = next operation of job j)
//
// with three kinds of key: glimpse key, glimpse value and, folded with project_out, logit key. So the rows ("basis":
// all operations, the two columns of node_step, all machines) are made once per instance, and a state is its
// coefficients:
//
//     score_mj  = mixture of q . basis          where q_m = y_m + busy_m * b, so a table of dot products is enough
//     a_m       = sum_j p_mj value_j            = sum over basis rows, the weights mixed instead of the values
//     logit_jm  = a_m . logit_key_j             = mixture of a_m . basis
//
// No key is ever assembled, and the way back adds to the basis' gradients alone.
#include "cax/policies/trainable.hpp"
#include "matnet.hpp"

namespace cax {

class MatnetLesson final : public Lesson {
public:
    explicit MatnetLesson(MatnetNetwork<float> const& net) : net_(net), decoder_(net.decoder_) {}
    void begin(Observation const& reset) override;
    std::vector<std::span<float const>> decode(std::span<Observation const* const> states) override;
    void backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) override;

private:
    /// One decoded state. A mixture's rows are those of the jobs, then what all states share.
    struct Moment {
        ScheduleObservation const* state = nullptr;
        float const* mixing = nullptr;    ///< per job: slack, ready, c of every machine
        float const* busy = nullptr;      ///< per machine
        float const* attention = nullptr; ///< per row of the mixture, machine and head
        float const* attended = nullptr;  ///< per machine
        float const* logits = nullptr;
        float const* log_probs = nullptr;
    };
    /// Gradients of what begin() made.
    struct BasisGradient {
        nn::View<float> scores, values, logit_keys;
    };

    [[nodiscard]] std::size_t jobs_of(Moment const& moment) const { return moment.state->next_op.size(); }
    [[nodiscard]] std::size_t mixed(Moment const& moment) const { return jobs_of(moment) + 2 + machines_; }
    void make_basis();
    void read_state(Moment& moment);
    void attend(Moment& moment);
    void point(Moment& moment);
    template <class R> void rows_of(Moment const& moment, nn::View<R> basis, std::size_t extra, std::vector<R*>& rows);
    void moment_backward(Moment const& moment, std::span<float const> weights, float entropy_weight,
                         BasisGradient& gradient);
    void basis_backward(BasisGradient const& from, MatnetNetwork<float>::Cotangent& cotangent,
                        std::span<float> gradient);

    MatnetNetwork<float> const& net_;
    MatnetDecoder<float> const& decoder_;
    nn::Arena tape_, scratch_;
    MatnetNetwork<float>::Encoded encoded_;
    std::size_t ops_ = 0, machines_ = 0;
    nn::View<float> keys_;       ///< glimpse key | value | logit key of every basis row, and the dummy's logit key
    nn::View<float> askers_;     ///< y_m, then b
    nn::View<float> scores_;     ///< per basis row: dot product with every asker and head
    nn::View<float> values_;     ///< interleaved
    nn::View<float> logit_keys_; ///< folded, interleaved; the last row is the dummy's
    std::vector<Moment> moments_;
    std::vector<float const*> rows_;
    std::vector<float*> drows_;
};

} // namespace cax
