// The published code's random choices, so that its intervals can be reproduced to the last digit. Python's generator
// is MT19937 with a seeding of its own (Matsumoto and Nishimura's init_by_array), which std::mt19937 does not offer.
#include "cax/study/statistics.hpp"

#include "judge/percentile.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <random>

namespace cax::study {
namespace {

constexpr std::size_t state_words = std::mt19937::state_size;

/// A seed sequence whose output is the state itself: what init_by_array makes of the one-word key [seed].
class PythonSeed {
public:
    using result_type = std::uint32_t;
    explicit PythonSeed(std::uint32_t seed) {
        state_[0] = 19650218U;
        for (std::uint32_t i = 1; i < state_words; ++i) {
            state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
        }
        std::size_t i = 1;
        auto const advance = [&] {
            if (++i == state_words) {
                state_[0] = state_[state_words - 1];
                i = 1;
            }
        };
        for (std::size_t k = 0; k < state_words; ++k, advance()) {
            state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U)) + seed;
        }
        for (std::size_t k = 0; k + 1 < state_words; ++k, advance()) {
            state_[i] =
                (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U)) - static_cast<std::uint32_t>(i);
        }
        state_[0] = 0x80000000U;
    }
    template <class Iterator> void generate(Iterator first, Iterator last) const {
        std::copy_n(state_.begin(), static_cast<std::size_t>(last - first), first);
    }

private:
    std::array<std::uint32_t, state_words> state_{};
};

/// Indices below n: the top bits of a word, drawn again while they are too large.
class PythonIndices {
public:
    PythonIndices(std::uint32_t seed, std::size_t n) : n_(n), shift_(32 - static_cast<unsigned>(std::bit_width(n))) {
        assert(n > 0 && std::bit_width(n) <= 32);
        PythonSeed sequence(seed);
        generator_.seed(sequence);
    }
    std::size_t next() {
        for (;;) {
            auto const drawn = static_cast<std::size_t>(generator_() >> shift_);
            if (drawn < n_) return drawn;
        }
    }

private:
    std::mt19937 generator_;
    std::size_t n_;
    unsigned shift_;
};

} // namespace

std::vector<std::size_t> published_indices(std::uint32_t seed, std::size_t n, std::size_t count) {
    PythonIndices indices(seed, n);
    std::vector<std::size_t> drawn(count);
    for (std::size_t& index : drawn) index = indices.next();
    return drawn;
}

Difference published_bootstrap(Outcomes a, Outcomes b, BootstrapOptions const& options) {
    assert(a.size() == b.size());
    if (a.empty() || options.resamples == 0) return {};
    auto const n = static_cast<double>(a.size());
    PythonIndices indices(static_cast<std::uint32_t>(options.seed), a.size());
    std::vector<double> differences(options.resamples);
    for (double& difference : differences) {
        std::size_t right_a = 0;
        std::size_t right_b = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            std::size_t const chosen = indices.next();
            right_a += a[chosen];
            right_b += b[chosen];
        }
        difference = static_cast<double>(right_a) / n - static_cast<double>(right_b) / n;
    }
    return percentile_interval(share_of_ones(a) - share_of_ones(b), std::move(differences), options.confidence);
}

} // namespace cax::study
