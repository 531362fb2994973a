// Which explanations say something: judged by interventions, by other policies and random weights, and by what their
// own words promise.
#include "judge/labels.hpp"
#include "tables/table_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {
namespace {

struct TruthName {
    Intervention intervention;
    bool flips;
    char const* words;
};
constexpr TruthName truth_names[] = {{Intervention::noise, false, "noise, distance"},
                                     {Intervention::noise, true, "noise, flips"},
                                     {Intervention::redraw, false, "fresh draws, distance"}};

Value point_of(std::optional<Difference> const& d) { return d ? Value(d->point) : Value(); }
Value low_of(std::optional<Difference> const& d) { return d ? Value(d->low) : Value(); }
Value high_of(std::optional<Difference> const& d) { return d ? Value(d->high) : Value(); }

/// Share of right answers of two predictors on the cases that the reference labels, and their difference. A predictor
/// that says nothing is wrong.
struct AgainstMajority {
    std::size_t cases = 0;
    std::optional<double> agreement;
    std::optional<double> majority;
    Difference over; ///< with an interval over instances
};
AgainstMajority against_majority(ProblemFindings const& problem, std::vector<Label> const& reference,
                                 std::vector<Label> const& predicted, Settings const& settings) {
    Favourite const majority = favourite_of(reference, problem.families.size());
    auto const clusters = clusters_of(problem);
    std::vector<std::uint8_t> right;
    std::vector<std::uint8_t> constant;
    std::vector<std::size_t> cluster;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        if (!reference[i]) continue;
        right.push_back(predicted[i] == reference[i] ? 1 : 0);
        constant.push_back(majority.label == reference[i] ? 1 : 0);
        cluster.push_back(clusters[i]);
    }
    AgainstMajority result{.cases = right.size(), .agreement = {}, .majority = {}, .over = {}};
    if (right.empty()) return result;
    result.agreement = share_of_ones(right);
    result.majority = share_of_ones(constant);
    result.over = clustered_bootstrap(right, constant, cluster, bootstrap_of(settings));
    return result;
}

/// What one method's relative reading tells of a truth, and how well the truth tells itself.
struct Telling {
    Sameness told;
    Sameness ceiling;
};
Telling telling(ProblemFindings const& problem, Method method, Intervention truth, Settings const& settings) {
    Speaker const speaker = speaker_of(problem, Asked::own, method);
    Speaker const whole = where_spoken(truth_of(problem, truth), speaker);
    return {sameness(problem, relative_labels(problem, speaker), relative_labels(problem, whole), settings),
            sameness(problem, relative_labels(problem, truth_of(problem, truth, TruthPart::first)),
                     relative_labels(problem, truth_of(problem, truth, TruthPart::second)), settings)};
}

/// Does exchanging the family that swap names make the policy prefer the other action? Beside it, a random family and
/// the family that does it most often.
struct ExchangeTest {
    std::size_t cases = 0;
    double named = 0;
    double any = 0;
    double majority = 0;
    Difference over; ///< named minus majority, over instances
};
ExchangeTest exchange_test(ProblemFindings const& problem, Settings const& settings) {
    auto const tops = speaker_of(problem, Asked::own, Method::swap).tops();
    auto const clusters = clusters_of(problem);
    std::vector<double> turned(problem.families.size());
    for (DecisionFinding const& decision : problem.decisions) {
        for (std::size_t k = 0; k < decision.exchanged.size(); ++k) turned[k] += decision.exchanged[k] < 0 ? 1 : 0;
    }
    std::size_t const usual = static_cast<std::size_t>(std::ranges::max_element(turned) - turned.begin());
    ExchangeTest test;
    std::vector<double> over;
    std::vector<std::size_t> cluster;
    for (std::size_t i = 0; i < tops.size(); ++i) {
        auto const& lead = problem.decisions[i].exchanged;
        if (!tops[i] || lead.empty()) continue;
        ++test.cases;
        double const named = lead[*tops[i]] < 0 ? 1 : 0;
        double const constant = lead[usual] < 0 ? 1 : 0;
        test.named += named;
        test.majority += constant;
        test.any += static_cast<double>(std::ranges::count_if(lead, [](double m) { return m < 0; })) /
                    static_cast<double>(lead.size());
        over.push_back(named - constant);
        cluster.push_back(clusters[i]);
    }
    if (test.cases == 0) return test;
    auto const n = static_cast<double>(test.cases);
    test.named /= n;
    test.any /= n;
    test.majority /= n;
    test.over = clustered_mean(over, cluster, bootstrap_of(settings));
    return test;
}

/// What the glance table concludes. "As shown": the label that a reader is shown.
std::string verdict_of(ProblemFindings const& problem, Method method, Favourite const& favourite,
                       std::vector<Telling> const& tellings, Sameness const& sibling, Sameness const& untrained,
                       ExchangeTest const& exchange) {
    constexpr double constant = 0.95;
    if (problem.families.size() < 2) return "one family: nothing to rank";
    if (favourite.cases == 0) return "no data";
    if (*favourite.share() >= constant) {
        return fmt::format("no: names {} in {:.0f} %", problem.families[*favourite.label], 100 * *favourite.share());
    }
    if (untrained.share && *untrained.share >= 0.9) {
        return fmt::format("no: the same family with random weights in {:.0f} %", 100 * *untrained.share);
    }
    bool const blind = untrained.kappa && sibling.kappa && untrained.kappa->point >= sibling.kappa->point;
    if (blind) return "no: random weights agree with it as well as another trained policy";
    if (method == Method::swap) {
        if (exchange.cases > 0 && exchange.over.low > 0) return "yes, to its own question";
        return "not shown";
    }
    auto const beyond = [](Telling const& t) { return t.told.kappa && t.told.kappa->low > 0; };
    if (std::ranges::any_of(tellings, beyond)) {
        bool const untold = untrained.kappa && untrained.kappa->point >= 0.5;
        return untold ? "partly: random weights often agree with it" : "yes";
    }
    return "not shown";
}

} // namespace

Table explanations_table(TableInput const& in) {
    Table table{.name = "explanations",
                .title = "Every method against interventions, other policies, majority and chance",
                .columns = {"problem", "method", "says something?", "decisions", "names most", "in", "agrees",
                            "majority", "chance", "noise kappa", "low", "high", "ceiling", "draws kappa", "draws low",
                            "draws high", "draws ceiling", "other policy", "random weights"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        ExchangeTest const exchange = exchange_test(problem, in.settings);
        auto const truth = truth_of(problem, Intervention::noise).tops();
        double const chance = 1.0 / static_cast<double>(problem.families.size());
        for (Method const method : judged_methods()) {
            Speaker const own = speaker_of(problem, Asked::own, method);
            auto const shown = shown_labels(problem, method, own);
            Favourite const favourite = favourite_of(shown, problem.families.size());
            auto const as_shown = [&](Asked asked) {
                return sameness(problem, shown, shown_labels(problem, method, speaker_of(problem, asked, method)),
                                in.settings);
            };
            Sameness const sibling = as_shown(Asked::sibling);
            Sameness const untrained = as_shown(Asked::untrained);
            std::vector<Telling> const tellings{telling(problem, method, Intervention::noise, in.settings),
                                                telling(problem, method, Intervention::redraw, in.settings)};
            AgainstMajority const plain = against_majority(problem, truth, own.tops(), in.settings);
            std::vector<Value> row{problem.name,
                                   name_value(method),
                                   verdict_of(problem, method, favourite, tellings, sibling, untrained, exchange),
                                   count_value(favourite.cases),
                                   family_value(problem, favourite.label),
                                   value_of(favourite.share()),
                                   value_of(plain.agreement),
                                   value_of(plain.majority),
                                   Value(chance)};
            for (Telling const& t : tellings) {
                row.insert(row.end(), {point_of(t.told.kappa), low_of(t.told.kappa), high_of(t.told.kappa),
                                       point_of(t.ceiling.kappa)});
            }
            row.push_back(point_of(sibling.kappa));
            row.push_back(point_of(untrained.kappa));
            table.rows.push_back(std::move(row));
        }
    }
    table.notes = {
        "Says something: names more than one family (the most frequent in less than 95 % of decisions), names another "
        "one for random weights in more than 10 %, agrees with another trained policy better than with random weights, "
        "and tells an intervention beyond chance: the interval of a kappa below is above 0. Swap answers another "
        "question (why this action rather than that one) and is judged by "
        "it: see the table on exchanges.",
        "Agrees: the largest family is that of the noise truth; majority: always the truth's most frequent family; "
        "chance: one of the families at random. Where the majority is always right, no method can beat it, and the "
        "largest family is the wrong thing to name: hence the kappas, on the family whose share is unusually high "
        "compared with the same policy's decisions on other instances (majority and chance have 0).",
        "Noise: total variation of the decision under noise of 0.05 to 0.8 standard deviations on one family's open "
        "data, rules applied anew. Draws: the same under fresh draws of the generator. Ceiling: how well one half of "
        "the shots tells the other. Other policy, random weights: kappa of the family that a reader is shown (the "
        "unusual one for sensitivity, the largest for the others) with what the method says of them."};
    return table;
}

Table truths_table(TableInput const& in) {
    Table table{.name = "truths",
                .title = "What interventions say, and how well they repeat themselves",
                .columns = {"problem", "truth", "decisions", "majority family", "majority share", "kappa of halves",
                            "low", "high", "rank correlation of shares", "relative kappa of halves", "relative low",
                            "relative high"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (TruthName const& name : truth_names) {
            auto const part = [&](TruthPart which) { return truth_of(problem, name.intervention, which, name.flips); };
            Speaker const first = part(TruthPart::first);
            Speaker const second = part(TruthPart::second);
            Favourite const majority = favourite_of(part(TruthPart::both).tops(), problem.families.size());
            Sameness const plain = sameness(problem, first.tops(), second.tops(), in.settings);
            Sameness const relative =
                sameness(problem, relative_labels(problem, first), relative_labels(problem, second), in.settings);
            table.rows.push_back({problem.name, std::string(name.words), count_value(majority.cases),
                                  family_value(problem, majority.label), value_of(majority.share()),
                                  point_of(plain.kappa), low_of(plain.kappa), high_of(plain.kappa),
                                  value_of(share_correlation(first, second, problem.families.size())),
                                  point_of(relative.kappa), low_of(relative.kappa), high_of(relative.kappa)});
        }
    }
    table.notes = {"Halves: the same question with other random numbers. The largest family is nearly constant; its "
                   "share is not. Relative: the family whose share is unusually high. Intervals over instances, labels "
                   "taken as they are."};
    return table;
}

Table relative_table(TableInput const& in) {
    Table table{.name = "relative",
                .title = "Does a method tell what an intervention shows?",
                .columns = {"problem", "truth", "method", "decisions", "agreement", "majority", "agreement - majority",
                            "low (instances)", "high (instances)", "kappa", "rank correlation of shares",
                            "relative kappa", "relative low", "relative high", "relative ceiling"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (TruthName const& name : truth_names) {
            Speaker const truth = truth_of(problem, name.intervention, TruthPart::both, name.flips);
            Sameness const ceiling = sameness(
                problem, relative_labels(problem, truth_of(problem, name.intervention, TruthPart::first, name.flips)),
                relative_labels(problem, truth_of(problem, name.intervention, TruthPart::second, name.flips)),
                in.settings);
            for (Method const method : judged_methods()) {
                Speaker const own = speaker_of(problem, Asked::own, method);
                Speaker const here = where_spoken(truth, own);
                AgainstMajority const plain = against_majority(problem, here.tops(), own.tops(), in.settings);
                Sameness const relative =
                    sameness(problem, relative_labels(problem, own), relative_labels(problem, here), in.settings);
                auto const number = [&](double value) { return plain.cases == 0 ? Value() : Value(value); };
                table.rows.push_back({problem.name, std::string(name.words), name_value(method),
                                      count_value(plain.cases), value_of(plain.agreement), value_of(plain.majority),
                                      number(plain.over.point), number(plain.over.low), number(plain.over.high),
                                      point_of(sameness(problem, here.tops(), own.tops(), in.settings).kappa),
                                      value_of(share_correlation(own, here, problem.families.size())),
                                      point_of(relative.kappa), low_of(relative.kappa), high_of(relative.kappa),
                                      point_of(ceiling.kappa)});
            }
        }
    }
    table.notes = {"Decisions of which both say something. Swap's shares are those of |phi|. Sensitivity is the noise "
                   "truth's own question with fewer shots: for it this is reliability, not validity."};
    return table;
}

Table sanity_table(TableInput const& in) {
    Table table{.name = "sanity",
                .title = "Is it about this policy? The same states asked of others",
                .columns = {"problem", "method", "asked of", "decisions", "same family", "kappa", "low", "high",
                            "relative kappa", "relative low", "relative high"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        for (Method const method : judged_methods()) {
            Speaker const own = speaker_of(problem, Asked::own, method);
            std::vector<std::pair<std::string, Speaker>> others{
                {"another trained policy", speaker_of(problem, Asked::sibling, method)},
                {"random weights", speaker_of(problem, Asked::untrained, method)}};
            if (method == Method::sensitivity) {
                others.emplace(others.begin(), "itself, again",
                               speaker_of(problem, Asked::own, Method::sensitivity_again));
            }
            for (auto const& [whom, speaker] : others) {
                Sameness const plain = sameness(problem, own.tops(), speaker.tops(), in.settings);
                if (plain.cases == 0) continue;
                Sameness const relative =
                    sameness(problem, relative_labels(problem, own), relative_labels(problem, speaker), in.settings);
                table.rows.push_back({problem.name, name_value(method), whom, count_value(plain.cases),
                                      value_of(plain.share), point_of(plain.kappa), low_of(plain.kappa),
                                      high_of(plain.kappa), point_of(relative.kappa), low_of(relative.kappa),
                                      high_of(relative.kappa)});
            }
        }
    }
    table.notes = {"The same state, action and pair of actions. A method that names the same family for a network with "
                   "random weights explains the instance, not the policy. Only sensitivity has chance in it: the "
                   "others say the same when asked again."};
    return table;
}

Table exchange_table(TableInput const& in) {
    Table table{.name = "exchange",
                .title = "Swap's own promise: exchanging what it names turns the decision",
                .columns = {"problem", "decisions", "turns: the named family", "the most frequent one",
                            "a random family", "named - most frequent", "low (instances)", "high (instances)"}};
    for (ProblemFindings const& problem : in.findings.problems) {
        ExchangeTest const test = exchange_test(problem, in.settings);
        auto const number = [&](double value) { return test.cases == 0 ? Value() : Value(value); };
        table.rows.push_back({problem.name, count_value(test.cases), number(test.named), number(test.majority),
                              number(test.any), number(test.over.point), number(test.over.low),
                              number(test.over.high)});
    }
    table.notes = {"Turns: after exchanging this family's values between the two nodes the policy prefers the other "
                   "action. Where swap is not defined (an operation of a shop, a depot) a decision does not count."};
    return table;
}

} // namespace cax::study
