#pragma once
// Counter-based random numbers (Philox 4x32-10; Salmon, Moraes, Dror and Shaw, SC 2011). A stream is named by a seed
// and up to three indices (instance, step, shot, ...): it can be opened anywhere, in any order, by any thread, and
// always yields the same numbers. Every random choice in cax comes from here.
#include <array>
#include <cstdint>

namespace cax {

class Rng {
public:
    /// The stream of (seed, a, b, c). Different names give independent streams.
    explicit Rng(std::uint64_t seed, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0);

    std::uint32_t next_u32();
    std::uint64_t next_u64();

    /// Uniform on [0, 1), 53 random bits.
    double uniform();
    /// Uniform on [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform on {0, ..., bound - 1}, without modulo bias. Precondition: bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// Standard normal (Box-Muller, both values used).
    double normal();

    /// Where the stream stands; a stream restored to it continues with the same numbers.
    struct Position {
        std::uint32_t block = 0;
        std::uint32_t used = 4;
        bool has_spare = false;
        double spare = 0;
    };
    [[nodiscard]] Position position() const { return {block_, used_, has_spare_, spare_}; }
    void restore(Position const& position);

private:
    void refill();

    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 3> stream_;
    std::uint32_t block_ = 0; ///< number of blocks of four drawn so far
    std::uint32_t used_ = 4;  ///< how many of the current block's four words are spent
    std::array<std::uint32_t, 4> words_{};
    bool has_spare_ = false;
    double spare_ = 0;
};

} // namespace cax
