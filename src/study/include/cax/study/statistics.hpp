#pragma once
// The statistics by which the study judges: paired comparisons of 0/1 outcomes, agreement between two labellings, and
// what a predictor that looks at nothing would score. Plain functions on plain vectors; chance enters by a seed alone.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace cax::study {

using Outcomes = std::span<std::uint8_t const>; ///< one 0 or 1 per case

/// 0 for no values.
[[nodiscard]] double mean(std::span<double const> values);
/// Sample standard deviation (n - 1); 0 for fewer than two values.
[[nodiscard]] double sample_std(std::span<double const> values);
/// Median of a copy; nothing for no values. Even counts: the mean of the middle two.
[[nodiscard]] std::optional<double> median(std::vector<double> values);
/// Share of ones; 0 for none.
[[nodiscard]] double share_of_ones(Outcomes outcomes);

/// Exact McNemar test of paired outcomes: only pairs that disagree carry information, and under the null hypothesis
/// each is a fair coin.
struct McNemar {
    std::size_t b01 = 0; ///< a wrong, b right
    std::size_t b10 = 0; ///< a right, b wrong
    double p = 1;        ///< two-sided; 1 if no pair disagrees
};
[[nodiscard]] double mcnemar_p(std::size_t b01, std::size_t b10);
/// Precondition: equal lengths.
[[nodiscard]] McNemar mcnemar(Outcomes a, Outcomes b);

struct BootstrapOptions {
    std::size_t resamples = 10000;
    double confidence = 0.95; ///< in (0, 1)
    std::uint64_t seed = 0;
};
/// mean(a) - mean(b) with a percentile interval.
struct Difference {
    double point = 0;
    double low = 0;
    double high = 0;
};
/// Resamples pairs. Precondition: equal lengths; no pairs give zeros.
[[nodiscard]] Difference paired_bootstrap(Outcomes a, Outcomes b, BootstrapOptions const& options = {});
/// Resamples whole clusters (all decisions of an instance): decisions of one instance are not independent. Clusters are
/// told apart by cluster[i].
[[nodiscard]] Difference clustered_bootstrap(Outcomes a, Outcomes b, std::span<std::size_t const> cluster,
                                             BootstrapOptions const& options = {});
/// The mean of values in clusters, with a percentile interval from whole clusters resampled. Zeros for no values.
[[nodiscard]] Difference clustered_mean(std::span<double const> values, std::span<std::size_t const> cluster,
                                        BootstrapOptions const& options = {});
/// A number that values have together: their median, the largest. Gets at least one value.
using Summary = std::function<double(std::vector<double> const& values)>;
/// The same of such a number; resamples of no value count as no resample. Nothing for no values.
[[nodiscard]] std::optional<Difference> clustered_summary(std::span<double const> values,
                                                          std::span<std::size_t const> cluster, Summary const& summary,
                                                          BootstrapOptions const& options = {});
/// A share that others have counted, with Wilson's 95 % interval (1927). Precondition: cases > 0.
[[nodiscard]] Difference wilson_interval(double share, double cases);
/// The mean of three runs with this sample standard deviation, with Student's 95 % interval.
[[nodiscard]] Difference interval_of_three_runs(double mean, double deviation);

using Label = std::optional<std::size_t>;
/// Cohen's kappa of two labellings of the same cases, with such an interval. Only cases that both label count. Nothing
/// if there are none, or if chance alone is always right; resamples in which it is do not count either.
[[nodiscard]] std::optional<Difference> clustered_kappa(std::span<Label const> a, std::span<Label const> b,
                                                        std::size_t labels, std::span<std::size_t const> cluster,
                                                        BootstrapOptions const& options = {});
/// Spearman's rank correlation, ties at their mean rank. Nothing for fewer than two pairs or if one side is constant.
[[nodiscard]] std::optional<double> rank_correlation(std::span<double const> a, std::span<double const> b);
/// The published code's bootstrap, draw for draw: Mersenne Twister as Python seeds it. The seed has 32 bits.
[[nodiscard]] Difference published_bootstrap(Outcomes a, Outcomes b, BootstrapOptions const& options = {});
/// The first `count` indices below n that it draws.
[[nodiscard]] std::vector<std::size_t> published_indices(std::uint32_t seed, std::size_t n, std::size_t count);

/// How often label i (rows: the reference) met label j (columns: the prediction). The last column counts cases without
/// a prediction.
class Confusion {
public:
    explicit Confusion(std::size_t labels) : labels_(labels), counts_(labels * (labels + 1)) {}
    /// `predicted` may be nothing. Precondition: labels in range.
    void add(std::size_t reference, std::optional<std::size_t> predicted);

    [[nodiscard]] std::size_t labels() const { return labels_; }
    [[nodiscard]] std::size_t count(std::size_t reference, std::size_t predicted) const;
    [[nodiscard]] std::size_t total() const;
    [[nodiscard]] std::size_t reference_count(std::size_t label) const;
    [[nodiscard]] std::size_t predicted_count(std::size_t column) const;
    /// Share on the diagonal; nothing if empty.
    [[nodiscard]] std::optional<double> agreement() const;
    /// Agreement beyond what the two marginal distributions give by chance (Cohen 1960). Nothing if empty, or if chance
    /// alone is always right.
    [[nodiscard]] std::optional<double> kappa() const;
    /// The reference's most frequent label, lowest on ties; nothing if empty.
    [[nodiscard]] std::optional<std::size_t> majority() const;

private:
    std::size_t labels_;
    std::vector<std::size_t> counts_;
};

} // namespace cax::study
