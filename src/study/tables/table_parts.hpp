#pragma once
// What table builders share: values from optional numbers, the paper's numbers, and the list of builders.
#include "cax/core/json_fwd.hpp"
#include "cax/study/tables.hpp"
#include "judge/judgement.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace cax::study {

template <class T> [[nodiscard]] Value value_of(std::optional<T> const& number) {
    return number ? Value(*number) : Value();
}
[[nodiscard]] inline Value count_value(std::size_t count) { return static_cast<std::int64_t>(count); }
/// Nothing out of nothing.
[[nodiscard]] inline Value share_value(std::size_t part, std::size_t whole) {
    return whole == 0 ? Value() : Value(static_cast<double>(part) / static_cast<double>(whole));
}
/// The name of an enumerator.
template <class Enum> [[nodiscard]] Value name_value(Enum value) { return std::string(name_of(value)); }
[[nodiscard]] inline Value family_value(ProblemFindings const& problem, FamilyIndex family) {
    return family ? Value(problem.families[*family]) : Value();
}

/// The paper's numbers (paper_numbers.json), by problem. What the paper does not give is nothing.
class Paper {
public:
    Paper();
    ~Paper();
    Paper(Paper const&) = delete;
    Paper& operator=(Paper const&) = delete;

    [[nodiscard]] std::string citation() const;
    [[nodiscard]] Value value(std::string const& problem, std::initializer_list<char const*> path) const;
    [[nodiscard]] std::optional<double> number(std::string const& problem,
                                               std::initializer_list<char const*> path) const;
    [[nodiscard]] std::string text(std::string const& problem, std::initializer_list<char const*> path) const;
    /// Why ours may differ; empty if nothing is known.
    [[nodiscard]] std::string remark(std::string const& topic, std::string const& problem) const;
    /// All remarks on a topic, one sentence each.
    [[nodiscard]] std::vector<std::string> remarks(std::string const& topic) const;

private:
    std::unique_ptr<Json> json_;
};

struct TableInput {
    Findings const& findings;
    Settings const& settings;
    Paper const& paper;
    Signal const& headline;
};

/// Nothing without cases.
[[nodiscard]] std::optional<double> median_l1(std::vector<Case> const& cases);

[[nodiscard]] Table coverage_table(TableInput const& in);
[[nodiscard]] Table agreement_table(TableInput const& in);
[[nodiscard]] Table difference_table(TableInput const& in);
[[nodiscard]] Table signals_table(TableInput const& in);
[[nodiscard]] Table searches_table(TableInput const& in); ///< how well equation 4 is solved, and what lp gains
[[nodiscard]] Table search_agreement_table(TableInput const& in);
/// What becomes of the headline when smaller changes are found, in one paragraph.
[[nodiscard]] std::string searches_paragraph(TableInput const& in);
[[nodiscard]] Table confusion_table(TableInput const& in);
[[nodiscard]] Table stability_table(TableInput const& in);
[[nodiscard]] Table sweep_table(TableInput const& in);
[[nodiscard]] Table aggregation_table(TableInput const& in);
[[nodiscard]] Table published_table(TableInput const& in);
[[nodiscard]] Table duals_table(TableInput const& in);
[[nodiscard]] Table wachter_table(TableInput const& in);
[[nodiscard]] Table subsets_table(TableInput const& in);
[[nodiscard]] Table gaps_table(TableInput const& in);
[[nodiscard]] Table failures_table(TableInput const& in);

// Explanations judged by interventions, by other policies and by chance.
[[nodiscard]] Table explanations_table(TableInput const& in); ///< the one to glance at
[[nodiscard]] Table truths_table(TableInput const& in);
[[nodiscard]] Table relative_table(TableInput const& in);
[[nodiscard]] Table sanity_table(TableInput const& in);
[[nodiscard]] Table exchange_table(TableInput const& in);
[[nodiscard]] Table curves_table(TableInput const& in);
[[nodiscard]] Table thumb_table(TableInput const& in);
[[nodiscard]] Table regimes_table(TableInput const& in);
/// What the regime map says, in one paragraph.
[[nodiscard]] std::string regimes_paragraph(TableInput const& in);

/// How the shots of a sweep's search change tensors, and in which units they are measured.
enum class SweepMode { one_tensor, joint, joint_relative };
[[nodiscard]] NameTable<SweepMode> names_of(SweepMode);

/// Which family each configuration of the sweep names most often, and how steady single decisions are.
struct Sweep {
    SweepMode mode = SweepMode::one_tensor;
    struct Point {
        std::size_t seed = 0;
        Configuration configuration;
        std::size_t cases = 0;
        FamilyIndex top;
        double share = 0; ///< of the top family
    };
    std::vector<Point> points;
    std::size_t decisions = 0;
    std::size_t steady = 0; ///< decisions whose family is the same in every configuration
    /// The families that some configuration names, ascending.
    [[nodiscard]] std::vector<std::size_t> tops() const;
};
/// Of the headline signal's own search, and of joint changes.
[[nodiscard]] std::vector<Sweep> sweeps(ProblemFindings const& problem, Signal const& headline);

/// Two ways to make one number of a family's duals.
struct AggregationPair {
    std::string name; ///< "mean/sum"
    Source a;
    Source b;
};
[[nodiscard]] std::vector<AggregationPair> aggregation_pairs();

/// What became of the paper's claims.
[[nodiscard]] Table claims_table(TableInput const& in);
[[nodiscard]] std::vector<Answer> answers(TableInput const& in);
/// One sentence each, with its numbers.
[[nodiscard]] std::vector<std::string> conclusions(TableInput const& in);

} // namespace cax::study
