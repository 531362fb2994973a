// What tables say of a study whose every decision is made up, so that each number is known.
#include "judge/judgement.hpp"
#include "tables/table_parts.hpp"

#include "cax/study/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cax::study {
namespace {

/// Two policies, two instances each, two decisions each. The signal names family 0 in six decisions of eight; lp is
/// right in all of them, proxy names family 1 always.
ProblemFindings made_up() {
    ProblemFindings problem{
        .name = "op", .families = {"prize", "budget", "spatial"}, .seeds = {0, 1}, .decisions = {}, .instances = {}};
    for (std::size_t seed = 0; seed < 2; ++seed) {
        for (std::size_t instance = 0; instance < 2; ++instance) {
            for (std::size_t step = 0; step < 2; ++step) {
                DecisionFinding decision{.seed = seed, .instance = instance, .step = step};
                std::size_t const named = seed == 1 && step == 1 ? 1 : 0;
                decision.top = {
                    {Source::lp, named}, {Source::proxy, 1}, {Source::subgrad, std::nullopt}, {Source::lp_sum, 2}};
                FlipFinding flip{.flip = true,
                                 .family = named,
                                 .instance_verdict = Verdict::certified,
                                 .prefix_verdict = Verdict::refuted,
                                 .masses = {},
                                 .dimensions = {1, 1, 10}};
                decision.flips[Search::replay] = flip;
                flip.masses = {{{Norm::l1, false}, {4, 0, 5}},   {{Norm::l2, false}, {4, 0, 5}},
                               {{Norm::linf, false}, {4, 0, 5}}, {{Norm::l1, true}, {1, 0, 2}},
                               {{Norm::l2, true}, {1, 0, 2}},    {{Norm::linf, true}, {3, 0, 2}}};
                flip.family = 2;
                decision.flips[Search::joint] = flip;
                problem.decisions.push_back(std::move(decision));
            }
        }
    }
    return problem;
}

TEST(Judgement, CountsWhatTheDecisionsSay) {
    auto const problem = made_up();
    Agreement const lp = agreement(problem, headline_signal(), Source::lp);
    EXPECT_EQ(lp.cases, 8U);
    EXPECT_DOUBLE_EQ(*lp.pooled, 1);
    EXPECT_DOUBLE_EQ(*lp.confusion.kappa(), 1);
    Agreement const proxy = agreement(problem, headline_signal(), Source::proxy);
    EXPECT_DOUBLE_EQ(*proxy.pooled, 0.25);
    EXPECT_DOUBLE_EQ(*proxy.mean, 0.25);
    EXPECT_DOUBLE_EQ(*proxy.std, std::sqrt(0.125)); // 0 and 0.5
    EXPECT_DOUBLE_EQ(*agreement(problem, headline_signal(), Baseline::majority).pooled, 0.75);
    EXPECT_DOUBLE_EQ(*agreement(problem, headline_signal(), Source::subgrad).pooled, 0);
    EXPECT_DOUBLE_EQ(*agreement(problem, headline_signal(), Source::lagrangian).pooled, 0);
}

TEST(Judgement, ComparesOnTheSameDecisions) {
    auto const problem = made_up();
    Settings settings;
    settings.resamples = 500;
    settings.instances = 2;
    Comparison const c = compare(problem, headline_signal(), Source::lp, Source::proxy, settings);
    EXPECT_EQ(c.test.b10, 6U);
    EXPECT_EQ(c.test.b01, 0U);
    EXPECT_DOUBLE_EQ(c.pairs.point, 0.75);
    EXPECT_EQ(c.standing(), Standing::better);
    EXPECT_EQ(compare(problem, headline_signal(), Source::proxy, Source::lp, settings).standing(), Standing::worse);
    EXPECT_EQ(compare(problem, headline_signal(), Source::lp, Source::lp, settings).standing(), Standing::same);
    Signal const& prefix = signal_of(SignalKind::prefix_certified);
    EXPECT_EQ(compare(problem, prefix, Source::lp, Source::proxy, settings).standing(), Standing::no_data);
}

TEST(Judgement, OneInstanceShowsNothing) {
    auto problem = made_up();
    for (DecisionFinding& decision : problem.decisions) decision.seed = decision.instance = 0;
    Settings settings;
    settings.resamples = 100;
    Comparison const c = compare(problem, headline_signal(), Source::lp, Source::proxy, settings);
    EXPECT_EQ(c.instances, 1U);
    EXPECT_EQ(c.clusters.low, c.clusters.high);
    EXPECT_EQ(c.standing(), Standing::not_shown);
}

TEST(Judgement, ThePublishedReadingAsksThePublishedSources) {
    auto problem = made_up();
    for (DecisionFinding& decision : problem.decisions) {
        decision.flips[Search::published] = decision.flips.at(Search::replay);
        decision.top[{Source::lp_first, MassReading::published}] = 1;
        decision.top[{Source::proxy, MassReading::published}] = decision.top.at(Source::lp);
    }
    EXPECT_DOUBLE_EQ(*agreement(problem, headline_signal(true), Source::lp).pooled, 0.25);
    EXPECT_DOUBLE_EQ(*agreement(problem, headline_signal(true), Source::proxy).pooled, 1);
    EXPECT_DOUBLE_EQ(*agreement(problem, headline_signal(true), Baseline::majority).pooled, 0.75);
    Settings settings;
    settings.resamples = 300;
    auto const pairs = compare(problem, headline_signal(true), Source::lp, Source::proxy, settings).pairs;
    std::vector<std::uint8_t> lp, proxy(8, 1);
    for (Case const& each : cases_of(problem, headline_signal(true))) lp.push_back(each.reference == 1 ? 1 : 0);
    auto const theirs = published_bootstrap(lp, proxy, {.resamples = 300, .confidence = settings.confidence});
    EXPECT_EQ(pairs.low, theirs.low);
    EXPECT_EQ(pairs.high, theirs.high);
    EXPECT_EQ(sweeps(problem, headline_signal(true))[0].decisions, 8U);
}

TEST(Judgement, ReadsAFamilyUnderNormsAndPerDimension) {
    FlipFinding const flip = made_up().decisions.front().flips.at(Search::joint);
    EXPECT_EQ(family_under(flip, {{Norm::l1, false}, false}), 2U);
    EXPECT_EQ(family_under(flip, {{Norm::l1, false}, true}), 0U); // 4 / 1 against 5 / 10
    EXPECT_EQ(family_under(flip, {{Norm::linf, true}, false}), 0U);
    EXPECT_FALSE(family_under(FlipFinding{}, {{Norm::l1, false}, false})) << "no masses";
    EXPECT_EQ(configurations(false).size(), 6U);
}

TEST(Judgement, TheSweepCannotFailWithOneTensorAndCanWithJointChanges) {
    auto const all = sweeps(made_up(), headline_signal());
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[1].points.size(), 12U); // 2 policies x 3 norms x 2 normalisations
    EXPECT_EQ(all[1].tops(), (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(all[1].steady, 0U);
    EXPECT_EQ(all[1].decisions, 8U);
}

struct MadeUpStudy {
    Findings findings{.problems = {made_up()}, .failures = {}};
    Settings settings;
    Paper paper;
    MadeUpStudy() { settings.resamples = 200; }
    [[nodiscard]] TableInput input() const { return {findings, settings, paper, headline_signal()}; }
    [[nodiscard]] StudyTables tables() const {
        auto const in = input();
        return {.reading = Reading::paper,
                .citation = paper.citation(),
                .answers = answers(in),
                .conclusions = conclusions(in),
                .tables = {claims_table(in), coverage_table(in), agreement_table(in), difference_table(in),
                           searches_table(in), search_agreement_table(in), signals_table(in), stability_table(in),
                           sweep_table(in), aggregation_table(in), published_table(in), confusion_table(in),
                           duals_table(in), wachter_table(in), subsets_table(in), gaps_table(in), failures_table(in)}};
    }
};

/// The verdict on a claim; empty if no row has it.
std::string verdict_on(Table const& claims, std::string_view claim) {
    for (auto const& row : claims.rows) {
        if (std::get<std::string>(row[1]) == claim) return std::get<std::string>(row[4]);
    }
    return "";
}

TEST(Claims, AreReproducedInSizeInDirectionOrNotAtAll) {
    MadeUpStudy study;
    auto const verdict = [&](std::string_view claim) { return verdict_on(claims_table(study.input()), claim); };
    EXPECT_EQ(verdict("agreement of lp with the signal"), "direction only");     // 1 against 0.77
    EXPECT_EQ(verdict("agreement of proxy with the signal"), "size reproduced"); // 0.25, wide, against 0.35
    EXPECT_EQ(verdict("the signal names one family in every configuration: joint"), "not claimed by the paper");
    EXPECT_EQ(verdict("the signal names one family in every configuration: one tensor per shot"), "no data");
    // The subgradient's multipliers are 0: to agree with nothing by saying nothing is no reproduction.
    EXPECT_EQ(verdict("agreement of subgrad with the signal"), "not reproduced");
    EXPECT_EQ(verdict("subgrad recovers the binding family"), "not reproduced");
    EXPECT_EQ(verdict("mean/sum aggregates name the same family"), "size reproduced"); // never, in both
    EXPECT_EQ(verdict("mean gap to the best known solution (greedy)"), "no data");
    for (DecisionFinding& decision : study.findings.problems.front().decisions) {
        decision.top[Source::lp] = 2;
    }
    EXPECT_EQ(verdict("agreement of lp with the signal"), "not reproduced");
}

TEST(Claims, ComparisonsThatDifferInSizeAloneAreTold) {
    MadeUpStudy study;
    study.findings.problems.front().decisions.front().top[Source::proxy] = 0; // 1 of 8 decisions apart: 0.625
    auto const table = claims_table(study.input());
    std::string const verdict = verdict_on(table, "lp agrees more often than proxy");
    Comparison const c =
        compare(study.findings.problems.front(), headline_signal(), Source::lp, Source::proxy, study.settings);
    EXPECT_EQ(verdict, c.clusters.low <= 0.512 && c.clusters.high >= 0.324 ? "size reproduced" : "direction only");
}

TEST(Judgement, TheSmallestFlipOfSeveralSearchesIsTheSignal) {
    auto problem = made_up();
    DecisionFinding& first = problem.decisions.front();
    first.flips[Search::replay].l1 = 2;
    FlipFinding small = first.flips[Search::replay];
    small.family = 2;
    small.l1 = 0.05;
    first.flips[Search::one_number] = small;
    Signal const& smallest = signal_of(SignalKind::smallest);
    auto cases = cases_of(problem, smallest);
    ASSERT_EQ(cases.size(), 8U);
    EXPECT_EQ(cases.front().reference, 2U);
    EXPECT_EQ(cases.front().l1, 0.05);
    first.flips[Search::one_number].instance_verdict = Verdict::refuted;
    EXPECT_EQ(cases_of(problem, smallest).front().reference, 0U) << "only certified flips count";
    EXPECT_EQ(cases_of(problem, signal_of(SignalKind::one_number)).size(), 0U);
}

TEST(Judgement, TheSamplerIsABaselineThatHasAReadingForEverySignal) {
    auto problem = made_up();
    for (DecisionFinding& decision : problem.decisions) {
        decision.sampler = {{SamplerReading::one_tensor, 0}, {SamplerReading::joint, 2}};
    }
    EXPECT_DOUBLE_EQ(*agreement(problem, headline_signal(), Baseline::sampler).pooled, 0.75);
    EXPECT_DOUBLE_EQ(*agreement(problem, signal_of(SignalKind::joint), Baseline::sampler).pooled, 1);
    EXPECT_DOUBLE_EQ(*agreement(problem, signal_of(SignalKind::joint_relative), Baseline::sampler).pooled, 0);
}

TEST(Judgement, MethodsAreJudgedOnTheDecisionsTheyWereAskedAbout) {
    auto problem = made_up();
    problem.decisions[0].sayings[Asked::own] = {{Method::occlusion, {3, 1, 2}}};
    problem.decisions[1].sayings[Asked::own] = {{Method::occlusion, {0, 1, 2}}};
    Settings settings;
    settings.resamples = 50;
    EXPECT_EQ(asked_cases(problem, headline_signal(), Method::occlusion).size(), 2U);
    EXPECT_EQ(asked_cases(problem, headline_signal(), Source::lp).size(), 8U);
    EXPECT_DOUBLE_EQ(clustered_agreement(problem, headline_signal(), Method::occlusion, settings)->point, 0.5);
    EXPECT_DOUBLE_EQ(clustered_agreement(problem, headline_signal(), Source::lp, settings)->point, 1);
}

TEST(Tables, HaveAsManyCellsAsColumnsAndEveryNameOnce) {
    StudyTables const study = MadeUpStudy().tables();
    for (Table const& table : study.tables) {
        EXPECT_EQ(study.find(table.name), &table);
        EXPECT_TRUE(!table.rows.empty() || table.name == "failures") << table.name;
        for (auto const& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    }
}

TEST(Tables, AnswerTheQuestionsInTheirOwnWords) {
    auto const study = MadeUpStudy().tables();
    auto const answer = [&](std::string_view question) {
        for (Answer const& each : study.answers) {
            if (each.question == question) return each.answer;
        }
        return std::string("not asked");
    };
    EXPECT_EQ(answer("Does lp beat proxy?"), "yes");
    EXPECT_EQ(answer("Is the signal stable over the configurations (joint)?"), "no");
    EXPECT_EQ(answer("Does lp beat proxy under 'relative units', too?"), "no data");
}

TEST(Tables, ThePapersNumbersStandBesideOurs) {
    auto const study = MadeUpStudy().tables();
    std::string const csv = to_csv(*study.find("difference"));
    EXPECT_THAT(csv, testing::HasSubstr("0.42,0.324,0.512,60,178,9.3e-15"));
    EXPECT_THAT(to_csv(*study.find("agreement")), testing::HasSubstr(",0.77,0.04"));
    std::string const page = to_markdown(study, {}, {});
    EXPECT_THAT(page, testing::HasSubstr("## At a glance"));
    EXPECT_THAT(page, testing::HasSubstr("lp against proxy: better on: op;"));
    EXPECT_THAT(page, testing::HasSubstr("lp names op prize in 75 %; proxy names op budget in 100 %"));
    EXPECT_THAT(page, testing::HasSubstr("with joint changes: op spatial (100 %)"));
}

TEST(Figures, AreScriptsWithTheirData) {
    auto const all = figures(MadeUpStudy().tables());
    ASSERT_EQ(all.size(), 6U);
    for (Figure const& figure : all) {
        EXPECT_THAT(figure.script, testing::HasSubstr("set output '" + figure.name + ".svg'"));
        EXPECT_THAT(figure.script, testing::HasSubstr("set output '" + figure.name + ".png'"));
    }
}

} // namespace
} // namespace cax::study
