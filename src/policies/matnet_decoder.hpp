#pragma once
// The decoder of the matnet network: from encoded operations and machines, and the state as it is now, to a
// log-probability for every (job, machine) and for waiting.
//
//     [gk | gv | lk]_o = project_node_embeddings(x_o)                                        once per encoding
//     row j = [gk | gv | lk]_o + node_step(slack_o, is_ready_o) + w (x) sum_m c_jm y_m,      o = next operation of job
//     j q_m = y_m + proj_busy(busy_m),   u_m = project_out(attention(q_m; gk, gv)),   L_mj = u_m . lk_j / sqrt(E)
//     logit(job j, machine m) = L_mj,   logit(wait) = sum_m u_m . dummy / sqrt(E)
//
// What is called c_jm is the scaled time of job j's next operation on machine m, 0 while the machine is busy.
#include "cax/nn/blocks.hpp"
#include "cax/nn/pairs.hpp"
#include "cax/nn/pointer.hpp"
#include "network.hpp"

namespace cax {

template <class R> class MatnetDecoder {
public:
    MatnetDecoder(nn::Parameters<R>& parameters, PolicyInfo const& info);
    void pack(nn::Parameters<R> const& parameters);

    using Input = ScheduleObservation;
    /// What the encoder has made of its states.
    struct Source {
        nn::Segments ops, machines;
        nn::View<R const> table;    ///< gk | gv | lk per operation
        nn::View<R const> embedded; ///< y per machine
    };
    /// Gradient of a Source.
    struct Cotangent {
        nn::View<R> table;
        nn::View<R> embedded;
    };
    struct Decoded {
        LogProbRows<R> log_probs;
        std::span<Input const* const> states;
        std::span<std::size_t const> rows;          ///< encoded state of each
        nn::PairSegments pairs;                     ///< jobs and machines
        nn::PairSegments choices;                   ///< "wait" and jobs, and machines
        nn::View<R const> slack;                    ///< per job: what node_step reads
        nn::View<R const> busy;                     ///< per machine: what proj_busy reads
        nn::View<R const> embedded;                 ///< per machine: y
        nn::View<R const> costs;                    ///< per pair: c
        nn::View<R const> keys;                     ///< per job: gk | gv | lk
        nn::View<R const> choice_keys;              ///< dummy, then lk of every job
        nn::View<R const> asked, attended, queries; ///< per machine: q, before and after project_out
        nn::View<R const> attention;                ///< per pair and head: weights of the jobs
        std::span<R const> logits;                  ///< as log_probs.values
        nn::Squash<R> squash;
    };

    void project(nn::View<R const> x, nn::View<R> table) const { project_nodes_.forward(x, table); }
    /// dx = gradient of the operations' embeddings.
    void project_backward(nn::View<R const> x, nn::View<R const> dtable, nn::View<R> dx, std::span<R> gradient,
                          nn::Arena& arena) const;

    Decoded decode(Source const& source, std::span<std::size_t const> rows, std::span<Input const* const> states,
                   LogProbKind kind, nn::Arena& arena) const;
    void backward(Source const& source, Decoded const& decoded, std::span<R const> weights, Cotangent& cotangent,
                  std::span<Input> gradients, std::span<R> parameter_gradient, nn::Arena& arena) const;

private:
    friend class MatnetLesson; // the same equations, arranged for many states of one instance
    void lay_out(Decoded& decoded, std::span<std::size_t const> rows, std::span<Input const* const> states,
                 nn::Arena& arena) const;
    void read_machines(Source const& source, Decoded& decoded, nn::Arena& arena) const;
    void make_keys(Source const& source, Decoded& decoded, nn::Arena& arena) const;
    void make_queries(Decoded& decoded, nn::Arena& arena) const;
    void make_logits(Decoded& decoded, nn::Arena& arena) const;
    /// Each adds to, or writes its block of, the gradients of keys and queries.
    void logits_backward(Decoded const& decoded, std::span<R const> weights, nn::View<R> dqueries, nn::View<R> dkeys,
                         std::span<R> gradient, nn::Arena& arena) const;
    void attention_backward(Decoded const& decoded, nn::View<R const> dattended, nn::View<R> dasked, nn::View<R> dkeys,
                            nn::Arena& arena) const;
    void edges_backward(Decoded const& decoded, nn::View<R const> dkeys, nn::View<R> dembedded,
                        std::span<Input> gradients, std::span<R> gradient, nn::Arena& arena) const;

    [[nodiscard]] R unit() const { return static_cast<R>(info_.scaling_factor); }
    [[nodiscard]] nn::Squash<R> squash(LogProbKind kind) const {
        return {static_cast<R>(kind == LogProbKind::policy ? info_.tanh_clipping : 0.0),
                static_cast<R>(info_.temperature)};
    }
    [[nodiscard]] R head_scale() const;
    [[nodiscard]] R pointer_scale() const;

    PolicyInfo info_;
    nn::Linear<R> busy_, node_step_, project_nodes_, project_out_;
    nn::Linear<R> unused_; ///< project_fixed_context: in every file, read by nobody
    nn::Slice edge_step_, dummy_;
    std::vector<R> edge_step_values_, dummy_values_;
};

} // namespace cax
