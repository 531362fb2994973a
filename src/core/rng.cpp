#include "cax/core/rng.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

namespace cax {
namespace {

constexpr std::uint32_t multiplier_0 = 0xD2511F53;
constexpr std::uint32_t multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t weyl_0 = 0x9E3779B9;
constexpr std::uint32_t weyl_1 = 0xBB67AE85;

std::array<std::uint32_t, 4> philox_4x32_10(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        std::uint64_t const p0 = std::uint64_t{multiplier_0} * counter[0];
        std::uint64_t const p1 = std::uint64_t{multiplier_1} * counter[2];
        counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
                   static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
        key[0] += weyl_0;
        key[1] += weyl_1;
    }
    return counter;
}

} // namespace

Rng::Rng(std::uint64_t seed, std::uint32_t a, std::uint32_t b, std::uint32_t c)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, stream_{a, b, c} {}

void Rng::refill() {
    words_ = philox_4x32_10({block_, stream_[0], stream_[1], stream_[2]}, key_);
    ++block_;
    used_ = 0;
}

void Rng::restore(Position const& position) {
    block_ = position.block;
    if (block_ > 0) {
        --block_;
        refill();
    }
    used_ = position.used;
    has_spare_ = position.has_spare;
    spare_ = position.spare;
}

std::uint32_t Rng::next_u32() {
    if (used_ == 4) refill();
    return words_[used_++];
}

std::uint64_t Rng::next_u64() {
    std::uint64_t const low = next_u32();
    return low | (std::uint64_t{next_u32()} << 32);
}

double Rng::uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

std::uint64_t Rng::below(std::uint64_t bound) {
    assert(bound > 0);
    // Numbers below 2^64 mod bound would make small results more likely: draw again (Lemire's threshold).
    std::uint64_t const threshold = (0 - bound) % bound;
    for (;;) {
        std::uint64_t const word = next_u64();
        if (word >= threshold) return word % bound;
    }
}

double Rng::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    double const radius = std::sqrt(-2.0 * std::log(1.0 - uniform())); // 1 - u is in (0, 1]
    double const angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
}

} // namespace cax
