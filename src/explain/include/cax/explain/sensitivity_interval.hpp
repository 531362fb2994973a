#pragma once
// How sure a few answers make us of a rate or of a mean effect: intervals that hold at small counts, where a standard
// error does not (no flip in twelve answers does not show that there is none).
//
// Answers come from double sampling (sensitivity.hpp): at each size of noise many draws are cut into strata, and the
// policy is asked about one draw of each. A stratum that tells nothing leaves one independent draw per answer; one that
// tells something leaves less to chance. So the interval for independent draws (Clopper and Pearson, 1934) holds for
// both, and for sizes with rates of their own, too (Hoeffding, 1956: a sum of unlike trials scatters less than one of
// like trials). Strata of unequal weight count as 1 / sum of squared weights answers.
//
// A mean of effects between 0 and `largest` never scatters more than a rate with the same mean, so the same interval
// holds for it, scaled. It never has width 0: what one unasked draw in a stratum may be counts. With hundreds of
// answers the bound of Maurer and Pontil (2009), which knows how much they scatter, is narrower and taken instead.
#include <span>
#include <vector>

namespace cax {

/// What the policy said about the draw that stands for a stratum.
struct StratumAnswer {
    double weight = 0; ///< the stratum's part of all draws of its size; those of one size add up to 1
    double value = 0;  ///< a flip, 0 or 1; or an effect
};

struct SensitivityInterval {
    double low = 0;
    double high = 0;
};

/// Of the rate of flips over all sizes, each counted alike; sizes without an answer do not count. Without any answer
/// everything is possible. Preconditions: values are 0 or 1; 0 < confidence < 1.
[[nodiscard]] SensitivityInterval rate_interval(std::span<std::vector<StratumAnswer> const> sizes,
                                                double confidence = 0.95);

/// Of the mean effect, likewise. Preconditions: values between 0 and `largest`, which is the largest effect that there
/// can be, not that there was (1 for total variation); 0 < confidence < 1.
[[nodiscard]] SensitivityInterval mean_interval(std::span<std::vector<StratumAnswer> const> sizes, double largest = 1,
                                                double confidence = 0.95);

} // namespace cax
