#pragma once
// The Policy of any network: splits a batch into blocks of a few states, runs each block on one thread with that
// thread's scratch memory, and converts between observations in double and the network's own precision. The blocks
// are a matter of speed alone: no network lets one state touch another's numbers.
#include "network.hpp"
#include "scratch.hpp"

#include <cassert>
#include <fmt/format.h>

namespace cax {

template <Network Net> class NetworkPolicy final : public Policy {
    using R = typename Net::Real;
    using Input = typename Net::Input;

    struct Block {
        std::size_t first = 0;
        std::size_t count = 0;
    };
    struct EncodedBlock {
        nn::Arena memory;
        typename Net::Encoded encoded;
    };
    struct NetworkEncoding final : Encoding {
        std::vector<EncodedBlock> blocks;
        std::vector<std::pair<std::size_t, std::size_t>> places; ///< row -> block, row in it
    };

public:
    NetworkPolicy(std::unique_ptr<Net> net, PolicyOptions const& options) : net_(std::move(net)), options_(options) {}

    [[nodiscard]] PolicyInfo const& info() const override { return net_->info(); }
    [[nodiscard]] PolicyTraits traits() const override { return {.batch_invariant = !net_->couples_states()}; }
    [[nodiscard]] bool encoding_changes() const override { return Net::encoding_changes; }
    [[nodiscard]] Net const& network() const { return *net_; }

    [[nodiscard]] Result<void> accepts(Observation const& observation) const override {
        if (auto const* const input = std::get_if<Input>(&observation)) return net_->accepts(*input);
        return Error{ErrorCode::mismatch, fmt::format("policy for {} ({} network) reads another kind of observation",
                                                      info().problem, Net::name)};
    }

    [[nodiscard]] std::unique_ptr<Encoding> encode(std::span<Observation const> observations) const override {
        auto encoding = std::make_unique<NetworkEncoding>();
        std::vector<Block> const blocks = split(observations, Tape::none);
        encoding->blocks.resize(blocks.size());
        for (std::size_t b = 0; b < blocks.size(); ++b)
            for (std::size_t i = 0; i < blocks[b].count; ++i) encoding->places.emplace_back(b, i);
        parallel_for(blocks.size(), options_.threads, [&](std::size_t b, std::size_t) {
            Scratch::Lease const arena = scratch_.lease();
            EncodedBlock& block = encoding->blocks[b];
            block.encoded = net_->encode(inputs(observations, blocks[b]), block.memory, *arena, Tape::none);
        });
        return encoding;
    }

    [[nodiscard]] std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                               std::span<Observation const> observations,
                                               LogProbKind kind) const override {
        assert(rows.size() == observations.size());
        auto const& own = static_cast<NetworkEncoding const&>(encoding);
        struct Group {
            std::size_t block = 0;
            std::vector<std::size_t> members; ///< indices into observations
        };
        std::vector<Group> groups;
        std::vector<std::size_t> open(own.blocks.size(), groups.max_size()); // the group that a block's states join
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::size_t const block = own.places[rows[i]].first;
            if (open[block] >= groups.size() || groups[open[block]].members.size() >= states_per_decode) {
                open[block] = groups.size();
                groups.push_back({block, {}});
            }
            groups[open[block]].members.push_back(i);
        }
        std::vector<LogProbs> result(observations.size());
        parallel_for(groups.size(), options_.threads, [&](std::size_t g, std::size_t) {
            Scratch::Lease const arena = scratch_.lease();
            std::vector<Input const*> states;
            std::vector<std::size_t> block_rows;
            for (std::size_t const i : groups[g].members) {
                states.push_back(&std::get<Input>(observations[i]));
                block_rows.push_back(own.places[rows[i]].second);
            }
            auto const decoded = net_->decode(own.blocks[groups[g].block].encoded, block_rows, states, kind, *arena);
            for (std::size_t k = 0; k < states.size(); ++k)
                result[groups[g].members[k]] = widened(decoded.log_probs.row(k));
        });
        return result;
    }

    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                  LogProbKind kind) const override {
        std::vector<LogProbs> result(observations.size());
        run(observations, kind, Tape::glance, [&](Block const& block, auto const&, auto const& decoded, nn::Arena&) {
            for (std::size_t i = 0; i < block.count; ++i) result[block.first + i] = widened(decoded.log_probs.row(i));
        });
        return result;
    }

    [[nodiscard]] std::vector<Gradient> gradients(std::span<Observation const> observations,
                                                  std::span<std::vector<double> const> weights,
                                                  LogProbKind kind) const override {
        assert(weights.size() == observations.size());
        std::vector<Gradient> result(observations.size());
        run(observations, kind, Tape::inputs,
            [&](Block const& block, auto const& encoded, auto const& decoded, nn::Arena& arena) {
                std::span<std::size_t const> const offsets = decoded.log_probs.offsets;
                R* const own_weights = arena.make<R>(offsets.back());
                std::vector<Input> own;
                for (std::size_t i = 0; i < block.count; ++i) {
                    std::vector<double> const& w = weights[block.first + i];
                    assert(w.size() == decoded.log_probs.row(i).size());
                    for (std::size_t a = 0; a < w.size(); ++a) own_weights[offsets[i] + a] = static_cast<R>(w[a]);
                    own.push_back(Net::zero_gradient(std::get<Input>(observations[block.first + i])));
                }
                auto cotangent = net_->zero_cotangent(encoded, arena);
                net_->decode_backward(encoded, decoded, {own_weights, offsets.back()}, cotangent, own, {}, arena);
                net_->encode_backward(encoded, cotangent, own, {}, arena);
                for (std::size_t i = 0; i < block.count; ++i)
                    result[block.first + i] = {widened(decoded.log_probs.row(i)), std::move(own[i])};
            });
        return result;
    }

private:
    /// Enough rows to keep the kernels busy, few enough to stay in the cache together with what the way back needs.
    static constexpr std::size_t rows_per_block(Tape tape) { return goes_back(tape) ? 64 : 104; }
    static constexpr std::size_t states_per_decode = 64;

    [[nodiscard]] std::vector<Block> split(std::span<Observation const> observations, Tape tape) const {
        if (net_->couples_states()) return {{0, observations.size()}};
        std::size_t const threads = thread_count(options_.threads);
        std::size_t const fair = (observations.size() + threads - 1) / threads; // no thread idle while another has two
        std::vector<Block> blocks;
        std::size_t const most = rows_per_block(tape);
        std::size_t rows = most;
        for (std::size_t i = 0; i < observations.size(); ++i) {
            std::size_t const own = Net::rows_of(std::get<Input>(observations[i]));
            if (rows + own > most || blocks.back().count >= fair) {
                blocks.push_back({i, 0});
                rows = 0;
            }
            ++blocks.back().count;
            rows += own;
        }
        return blocks;
    }

    [[nodiscard]] static std::vector<Input const*> inputs(std::span<Observation const> observations, Block block) {
        std::vector<Input const*> result;
        for (Observation const& observation : observations.subspan(block.first, block.count))
            result.push_back(&std::get<Input>(observation));
        return result;
    }

    [[nodiscard]] static LogProbs widened(std::span<R const> values) { return {values.begin(), values.end()}; }

    /// Encodes and decodes every state by itself and hands each block to `use`.
    template <class Use>
    void run(std::span<Observation const> observations, LogProbKind kind, Tape tape, Use const& use) const {
        std::vector<Block> const blocks = split(observations, tape);
        parallel_for(blocks.size(), options_.threads, [&](std::size_t b, std::size_t) {
            Scratch::Lease const arena = scratch_.lease();
            std::vector<Input const*> const states = inputs(observations, blocks[b]);
            std::vector<std::size_t> rows(states.size());
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
            auto const encoded = net_->encode(states, *arena, *arena, tape);
            auto const decoded = net_->decode(encoded, rows, states, kind, *arena);
            use(blocks[b], encoded, decoded, *arena);
        });
    }

    std::unique_ptr<Net> net_;
    PolicyOptions options_;
    mutable Scratch scratch_;
};

} // namespace cax
