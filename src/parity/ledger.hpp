#pragma once
// Where the checks of one golden folder write down what they compared. A ledger never stops at the first mismatch: it
// counts them all and keeps the first few sentences.
#include "cax/core/tensor.hpp"
#include "cax/parity/check_golden.hpp"

#include <span>
#include <string>

namespace cax::parity {

/// How far apart numbers may be: `allowed` in their own unit, which is reported as `nominal`.
struct Tolerance {
    double nominal = 0;
    double allowed = 0;
    /// Beyond `allowed` but within this, a tensor is counted as a kink instead of a failure; 0 for none.
    double kink = 0;

    [[nodiscard]] static Tolerance absolute(double value) { return {value, value, 0}; }
    /// relative * scale + floor.
    [[nodiscard]] static Tolerance relative(double relative, double scale, double floor) {
        return {relative, relative * scale + floor, 0};
    }
};

class Ledger {
public:
    explicit Ledger(GoldenFolder& folder) : folder_(folder) {}
    [[nodiscard]] GoldenFolder& folder() { return folder_; }
    /// The folder's further counts and differences, made on first use.
    [[nodiscard]] Count& count(std::string const& name) { return folder_.counts[name]; }
    [[nodiscard]] Difference& difference(std::string const& name) { return folder_.differences[name]; }

    void fail(std::string sentence);
    /// Same length and the same values; counts as one comparison.
    void equal(Count& count, std::string const& name, std::span<double const> golden, std::span<double const> ours);
    void equal(Count& count, std::string const& name, double golden, double ours);
    /// Same length and values within the tolerance (infinities must agree); counts as one comparison.
    void close(Difference& difference, std::string const& name, std::span<double const> golden,
               std::span<double const> ours, Tolerance const& tolerance);
    /// A number with a tolerance that is counted like something exact (rewards).
    void close(Count& count, std::string const& name, double golden, double ours, double tolerance);

private:
    GoldenFolder& folder_;
};

/// |a - b|, 0 for equal infinities, infinity if exactly one is infinite or any is not a number.
[[nodiscard]] double distance(double a, double b);
/// Largest |value|; 0 for none.
[[nodiscard]] double largest_magnitude(std::span<double const> values);

} // namespace cax::parity
