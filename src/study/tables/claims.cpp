// The paper's claims and what became of them, and the answers that stand at the head of a report.
#include "tables/table_parts.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>

namespace cax::study {
namespace {

using Interval = Difference;

/// What became of a claim.
enum class Outcome {
    no_data,
    size_reproduced, ///< the intervals overlap
    direction_only,  ///< they do not, but ours lies on the paper's side of the reference
    reproduced,      ///< of claims without a size
    not_reproduced,
    not_claimed, ///< ours alone: the paper says nothing of it
};
NameTable<Outcome> names_of(Outcome) {
    static constexpr Named<Outcome> names[] = {{Outcome::no_data, "no data"},
                                               {Outcome::size_reproduced, "size reproduced"},
                                               {Outcome::direction_only, "direction only"},
                                               {Outcome::reproduced, "reproduced"},
                                               {Outcome::not_reproduced, "not reproduced"},
                                               {Outcome::not_claimed, "not claimed by the paper"}};
    return names;
}

Outcome truth_of_claim(bool holds) { return holds ? Outcome::reproduced : Outcome::not_reproduced; }

bool overlap(Interval const& a, Interval const& b) { return a.low <= b.high && b.low <= a.high; }

/// `reference`: what has two sides; without it a size is reproduced or not.
Outcome outcome_of(Interval const& ours, Interval const& papers, std::optional<double> reference) {
    if (overlap(ours, papers)) return Outcome::size_reproduced;
    if (!reference) return Outcome::not_reproduced;
    bool const above = papers.point > *reference && ours.low > *reference;
    bool const below = papers.point < *reference && ours.high < *reference;
    return above || below ? Outcome::direction_only : Outcome::not_reproduced;
}

std::string in_words(Interval const& interval) {
    if (interval.low == interval.high) return fmt::format("{:.3g}", interval.point);
    return fmt::format("{:.3g} [{:.3g}, {:.3g}]", interval.point, interval.low, interval.high);
}

constexpr double half_of_all = 0.5;

class Claims {
public:
    explicit Claims(TableInput const& in) : in_(in) {
        table_ = {.name = "claims",
                  .title = "What reproduced and what did not",
                  .columns = {"problem", "claim", "paper", "ours", "verdict", "why it may differ"}};
        table_.notes = {
            "Size reproduced: our interval and the paper's overlap. Direction only: they do not, but our interval lies "
            "on the same side as the paper's number of 0 (differences), chance (agreements) or one half (other "
            "shares). Reproduced: a claim without a size holds.",
            "Our intervals: bootstrap over whole instances. The paper's: its own where it gives one, else Wilson's "
            "from "
            "its counts, or Student's from its three policies; a number that comes with neither stands for itself. "
            "Cases of "
            "one instance alone are no data. "
            "Times are in no table, because tables are the same on every machine."};
    }
    void of(ProblemFindings const& problem) {
        problem_ = &problem;
        coverage();
        for (Source const source : {Source::lp, Source::proxy, Source::subgrad}) agreement_of(source);
        lp_against_proxy();
        family();
        named_families();
        wachter();
        subset_shares();
        subset_sizes();
        aggregation();
        gap();
    }
    Table take() { return std::move(table_); }

private:
    /// Numbers of decisions, with the instances that they come from.
    struct Sample {
        std::vector<double> values;
        std::vector<std::size_t> clusters;
        void add(double value, std::size_t cluster) {
            values.push_back(value);
            clusters.push_back(cluster);
        }
    };
    [[nodiscard]] BootstrapOptions bootstrap() const {
        return {.resamples = in_.settings.resamples, .confidence = in_.settings.confidence, .seed = in_.settings.seed};
    }
    /// One instance shows nothing: every resample of it is the same.
    [[nodiscard]] static bool shows_something(std::vector<std::size_t> const& clusters) {
        return std::ranges::adjacent_find(clusters, std::not_equal_to<>()) != clusters.end();
    }
    [[nodiscard]] std::optional<Interval> mean_in(Sample const& sample) const {
        if (!shows_something(sample.clusters)) return std::nullopt;
        return clustered_mean(sample.values, sample.clusters, bootstrap());
    }
    [[nodiscard]] static std::size_t cluster_of(DecisionFinding const& decision) {
        constexpr std::size_t most_instances = 1'000'000; // per policy, as the settings allow
        return decision.seed * most_instances + decision.instance;
    }
    [[nodiscard]] std::optional<double> papers(std::initializer_list<char const*> path) const {
        return in_.paper.number(problem_->name, path);
    }

    void add(std::string const& topic, std::string claim, std::string paper, std::string ours, Outcome outcome) {
        bool const differs = outcome == Outcome::not_reproduced || outcome == Outcome::direction_only;
        table_.rows.push_back({problem_->name, std::move(claim), std::move(paper), std::move(ours), name_value(outcome),
                               differs ? in_.paper.remark(topic, problem_->name) : std::string()});
    }
    void size(std::string const& topic, std::string claim, std::optional<Interval> const& paper,
              std::optional<Interval> const& ours, std::optional<double> reference) {
        if (!paper) return;
        add(topic, std::move(claim), in_words(*paper), ours ? in_words(*ours) : "no data",
            ours ? outcome_of(*ours, *paper, reference) : Outcome::no_data);
    }

    void coverage() {
        auto const decisions = papers({"coverage", "cells"});
        auto const flips = papers({"coverage", "flips"});
        auto const certified = papers({"coverage", "certified"});
        if (!decisions || !flips || !certified) return;
        Sample flipping;
        Sample certain;
        for (DecisionFinding const& decision : problem_->decisions) {
            auto const found = decision.flips.find(in_.headline.search);
            if (found == decision.flips.end()) continue;
            FlipFinding const& flip = found->second;
            flipping.add(flip.flip ? 1 : 0, cluster_of(decision));
            if (flip.flip) certain.add(flip.instance_verdict == Verdict::certified ? 1 : 0, cluster_of(decision));
        }
        size("coverage", "share of cells that flip", wilson_interval(*flips / *decisions, *decisions), mean_in(flipping),
             half_of_all);
        size("coverage", "share of flips that are certified", wilson_interval(*certified / *flips, *flips),
             mean_in(certain), half_of_all);
    }

    void agreement_of(Source source) {
        std::string const name(name_of(source));
        auto const mean = papers({"agreement", name.c_str(), "mean"});
        auto const cases = papers({"coverage", "certified"});
        if (!mean || !cases) return;
        std::string const topic = source == Source::subgrad ? "subgrad" : "agreement";
        std::string claim = fmt::format("agreement of {} with the signal", name);
        Interval const paper = wilson_interval(*mean, *cases);
        Agreement const all = agreement(*problem_, in_.headline, source);
        bool const silent = all.cases > 0 && all.confusion.predicted_count(problem_->families.size()) == all.cases;
        if (silent) { // it agrees with nothing because it says nothing
            add(topic, std::move(claim), in_words(paper), "names no family: all multipliers are 0",
                Outcome::not_reproduced);
            return;
        }
        bool const shown = shows_something(clusters_of_cases(cases_of(*problem_, in_.headline), in_.settings));
        size(topic, std::move(claim), paper,
             shown ? clustered_agreement(*problem_, in_.headline, source, in_.settings) : std::nullopt,
             1.0 / static_cast<double>(problem_->families.size()));
    }

    void lp_against_proxy() {
        auto const point = papers({"difference", "point"});
        if (!point) return;
        Interval const paper{*point, papers({"difference", "low"}).value_or(*point),
                             papers({"difference", "high"}).value_or(*point)};
        Comparison const c = compare(*problem_, in_.headline, Source::lp, Source::proxy, in_.settings);
        size("difference", *point > 0 ? "lp agrees more often than proxy" : "lp and proxy do not differ", paper,
             c.instances < 2 ? std::nullopt : std::optional<Interval>(c.clusters), 0.0);
    }

    void family() {
        std::string const paper = in_.paper.text(problem_->name, {"signal_family"});
        if (paper.empty()) return;
        for (Sweep const& sweep : sweeps(*problem_, in_.headline)) {
            std::vector<std::string> names;
            for (std::size_t const top : sweep.tops()) names.push_back(problem_->families[top]);
            bool const claimed = sweep.mode == SweepMode::one_tensor;
            Outcome const outcome = !claimed        ? Outcome::not_claimed
                                    : names.empty() ? Outcome::no_data
                                                    : truth_of_claim(names == std::vector{paper});
            add("signal_family",
                fmt::format("the signal names one family in every configuration: {}", name_of(sweep.mode)),
                claimed ? paper : std::string(), names.empty() ? "no data" : fmt::format("{}", fmt::join(names, ", ")),
                outcome);
        }
    }

    /// Families that the paper says a source names, by decision: the most frequent one, and how often.
    void named_families() {
        struct FamilyClaim {
            Source source;
            char const* key;
            char const* claim;
        };
        for (FamilyClaim const& each :
             {FamilyClaim{Source::subgrad, "subgrad_family", "subgrad recovers the binding family"},
              FamilyClaim{Source::proxy, "proxy_family", "one family dominates the mass of proxy"}}) {
            std::string const paper = in_.paper.text(problem_->name, {each.key});
            if (paper.empty()) continue;
            std::vector<std::size_t> counts(problem_->families.size());
            std::size_t asked = 0;
            for (DecisionFinding const& decision : problem_->decisions) {
                auto const top = decision.top.find(attributor_for(in_.headline, each.source));
                if (top == decision.top.end()) continue;
                ++asked;
                if (top->second) ++counts[*top->second];
            }
            auto const most = std::ranges::max_element(counts);
            bool const said = most != counts.end() && *most > 0;
            std::string const family = said ? problem_->families[static_cast<std::size_t>(most - counts.begin())] : "";
            add(each.key, each.claim, paper,
                asked == 0 ? "no data"
                : said     ? fmt::format("{} in {} of {} decisions", family, *most, asked)
                           : "names no family: all multipliers are 0",
                asked == 0 ? Outcome::no_data : truth_of_claim(said && family == paper && 2 * *most > asked));
        }
    }

    void wachter() {
        auto const share = papers({"wachter"});
        if (!share) return;
        Sample inside;
        for (std::size_t i = 0; i < problem_->instances.size(); ++i) {
            InstanceFinding const& instance = problem_->instances[i];
            if (instance.wachter_shots == 0) continue;
            inside.add(static_cast<double>(instance.wachter_passing) / static_cast<double>(instance.wachter_shots), i);
        }
        size("wachter", "share of Wachter candidates inside the envelope", Interval{*share, *share, *share},
             mean_in(inside), half_of_all);
    }

    void subset_shares() {
        auto const decisions = papers({"subset", "cells"});
        auto const accepted = papers({"subset", "accepted"});
        if (!decisions || !accepted) return;
        for (SubsetVariant const rule : {SubsetVariant::bonferroni, SubsetVariant::published}) {
            Sample share;
            for (DecisionFinding const& decision : problem_->decisions) {
                auto const found = decision.subsets.find(rule);
                if (found != decision.subsets.end()) share.add(found->second.accepted ? 1 : 0, cluster_of(decision));
            }
            size("subset", fmt::format("share of cells with a sufficient subset ({})", name_of(rule)),
                 wilson_interval(*accepted / *decisions, *decisions), mean_in(share), half_of_all);
        }
    }

    void subset_sizes() {
        if (!papers({"subset", "mean_size"})) return;
        SubsetVariant const rule =
            in_.headline.published_sources ? SubsetVariant::published : SubsetVariant::bonferroni;
        Sample sizes;
        Sample accepted_margins;
        Sample refused_margins;
        Sample refused_rates;
        for (DecisionFinding const& decision : problem_->decisions) {
            auto const found = decision.subsets.find(rule);
            if (found == decision.subsets.end()) continue;
            SubsetFinding const& subset = found->second;
            if (subset.accepted) sizes.add(subset.size, cluster_of(decision));
            if (!subset.accepted) refused_rates.add(subset.rate, cluster_of(decision));
            if (subset.margin)
                (subset.accepted ? accepted_margins : refused_margins).add(*subset.margin, cluster_of(decision));
        }
        auto const middle = [](std::vector<double> const& values) { return median(values).value_or(0); };
        auto const largest = [](std::vector<double> const& values) { return std::ranges::max(values); };
        subset_number("mean size of sufficient subsets", "mean_size", sizes,
                      [](std::vector<double> const& values) { return mean(values); });
        subset_number("median size of sufficient subsets", "median_size", sizes, middle);
        subset_number("largest sufficient subset", "max_size", sizes, largest);
        subset_number("median margin of accepted decisions", "margin_accepted", accepted_margins, middle);
        subset_number("median margin of refused decisions", "margin_refused", refused_margins, middle);
        auto const below = std::ranges::count_if(refused_rates.values, [](double rate) { return rate < 0.2; });
        add("subset", "refused decisions stay below a rate of 0.20 at every size", "all",
            refused_rates.values.empty() ? "no data"
                                         : fmt::format("{} of {} at the last size", below, refused_rates.values.size()),
            refused_rates.values.empty()
                ? Outcome::no_data
                : truth_of_claim(static_cast<std::size_t>(below) == refused_rates.values.size()));
        same_sizes_per_test();
    }
    void subset_number(char const* claim, char const* field, Sample const& sample, Summary const& summary) {
        auto const paper = papers({"subset", field});
        if (!paper) return;
        size("subset", claim, Interval{*paper, *paper, *paper},
             shows_something(sample.clusters) ? clustered_summary(sample.values, sample.clusters, summary, bootstrap())
                                              : std::nullopt,
             std::nullopt);
    }
    void same_sizes_per_test() {
        std::size_t both = 0;
        std::size_t same = 0;
        double sizes[2]{};
        for (DecisionFinding const& decision : problem_->decisions) {
            auto const family_wise = decision.subsets.find(SubsetVariant::bonferroni);
            auto const each = decision.subsets.find(SubsetVariant::per_test);
            if (family_wise == decision.subsets.end() || each == decision.subsets.end()) continue;
            bool const accepted = family_wise->second.accepted && each->second.accepted;
            ++both;
            same += family_wise->second.accepted == each->second.accepted &&
                            (!accepted || family_wise->second.size == each->second.size)
                        ? 1
                        : 0;
            sizes[0] += accepted ? family_wise->second.size : 0;
            sizes[1] += accepted ? each->second.size : 0;
        }
        add("subset", "the corrected and the per-test bound accept the same subsets", "identical",
            both == 0 ? "no data"
                      : fmt::format("the same in {} of {} decisions; sizes of those that both accept sum to {} and {}",
                                    same, both, sizes[0], sizes[1]),
            both == 0 ? Outcome::no_data : truth_of_claim(same == both));
    }

    void aggregation() {
        for (AggregationPair const& pair : aggregation_pairs()) {
            std::string const paper = in_.paper.text(problem_->name, {"aggregation", pair.name.c_str()});
            if (paper.empty()) continue;
            bool const at_least = paper.starts_with(">=");
            double const number = std::strtod(paper.c_str() + (at_least ? 2 : 0), nullptr);
            Sample same;
            for (DecisionFinding const& decision : problem_->decisions) {
                auto const a = decision.top.find(attributor_for(in_.headline, pair.a));
                auto const b = decision.top.find(attributor_for(in_.headline, pair.b));
                if (a == decision.top.end() || b == decision.top.end() || !a->second || !b->second) continue;
                same.add(a->second == b->second ? 1 : 0, cluster_of(decision));
            }
            size("aggregation", fmt::format("{} aggregates name the same family", pair.name),
                 Interval{number, number, at_least ? 1.0 : number}, mean_in(same), half_of_all);
        }
    }

    void gap() {
        auto const mean = papers({"gap", "mean"});
        auto const deviation = papers({"gap", "std"});
        std::string const decode = in_.paper.text(problem_->name, {"gap", "decode"});
        if (!mean || !deviation) return;
        DecodeMode const way = decode == name_of(DecodeMode::greedy) ? DecodeMode::greedy : DecodeMode::multistart;
        Sample gaps;
        for (std::size_t i = 0; i < problem_->instances.size(); ++i) {
            auto const found = problem_->instances[i].gaps.find(way);
            if (found != problem_->instances[i].gaps.end() && found->second) gaps.add(*found->second, i);
        }
        size("gap", fmt::format("mean gap to the best known solution ({})", decode),
             interval_of_three_runs(*mean, *deviation), mean_in(gaps), std::nullopt);
    }

    TableInput const& in_;
    ProblemFindings const* problem_ = nullptr;
    Table table_;
};

std::string yes_or_no(Standing standing) {
    if (standing == Standing::better) return "yes";
    if (standing == Standing::worse || standing == Standing::same) return "no";
    return std::string(name_of(standing));
}

std::string numbers(Comparison const& c) {
    if (c.cases == 0) return "no certified flips";
    if (c.standing() == Standing::same) return fmt::format("the same on all {} decisions", c.cases);
    return fmt::format("{:+.3f} [{:+.3f}, {:+.3f}] over {} decisions", c.clusters.point, c.clusters.low,
                       c.clusters.high, c.cases);
}

} // namespace

Table claims_table(TableInput const& in) {
    Claims claims(in);
    for (ProblemFindings const& problem : in.findings.problems) claims.of(problem);
    return claims.take();
}

std::vector<Answer> answers(TableInput const& in) {
    std::vector<Answer> all;
    for (ProblemFindings const& problem : in.findings.problems) {
        auto const versus = [&](Signal const& signal, Predictor const& a, Predictor const& b) {
            return compare(problem, signal, a, b, in.settings);
        };
        Comparison const proxy = versus(in.headline, Source::lp, Source::proxy);
        all.push_back({"Does lp beat proxy?", problem.name, yes_or_no(proxy.standing()), numbers(proxy)});
        Comparison const majority = versus(in.headline, Source::lp, Baseline::majority);
        all.push_back({"Does lp beat always naming the majority family?", problem.name, yes_or_no(majority.standing()),
                       numbers(majority)});
        Comparison const sampler = versus(in.headline, Source::lp, Baseline::sampler);
        all.push_back({"Does lp beat what the sampler names if everything flips?", problem.name,
                       yes_or_no(sampler.standing()), numbers(sampler)});
        Comparison const smallest = versus(signal_of(SignalKind::smallest), Source::lp, Source::proxy);
        all.push_back({"Does lp beat proxy under the smallest change found?", problem.name,
                       yes_or_no(smallest.standing()), numbers(smallest)});
        for (Sweep const& sweep : sweeps(problem, in.headline)) {
            auto const tops = sweep.tops();
            std::vector<std::string> names;
            for (std::size_t const top : tops) names.push_back(problem.families[top]);
            std::string const answer = tops.empty() ? "no data" : tops.size() == 1 ? "yes" : "no";
            all.push_back({fmt::format("Is the signal stable over the configurations ({})?", name_of(sweep.mode)),
                           problem.name, answer,
                           fmt::format("{} in {} configurations; {} of {} decisions keep their family in all six",
                                       names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")),
                                       sweep.points.size(), sweep.steady, sweep.decisions)});
        }
        for (SignalKind const kind : {SignalKind::frozen, SignalKind::relative_units, SignalKind::joint}) {
            Comparison const c = versus(signal_of(kind), Source::lp, Source::proxy);
            std::string const question = fmt::format("Does lp beat proxy under '{}', too?", name_of(kind));
            all.push_back({question, problem.name, yes_or_no(c.standing()), numbers(c)});
        }
    }
    return all;
}

} // namespace cax::study
