#include "cax/records/counterfactual.hpp"

#include "cax/core/json.hpp"

#include <gtest/gtest.h>

namespace cax::records {
namespace {

TEST(VerdictRecord, IsReadBackAsItWasWritten) {
    for (Verdict const verdict : {Verdict::certified, Verdict::refuted, Verdict::undecided}) {
        Certificate certificate;
        certificate.verdict = verdict;
        certificate.reason = "because";
        certificate.doubt = verdict == Verdict::undecided ? Doubt::boundary : Doubt::none;
        Json const json = verdict_json(certificate);
        auto const read = read_verdict(json);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, verdict);
        EXPECT_EQ(json.contains("doubt"), verdict == Verdict::undecided);
        EXPECT_EQ(json.contains("reason"), verdict == Verdict::refuted);
    }
}

TEST(VerdictRecord, IsNothingIfNobodyWasAskedAndAnErrorIfItIsNoVerdict) {
    EXPECT_EQ(*read_verdict(Json()), std::nullopt);
    EXPECT_EQ(read_verdict(Json::object()).error().message, "verdict: is not a word");
    EXPECT_EQ(read_verdict({{"verdict", nullptr}}).error().message, "verdict: is not a word");
    EXPECT_EQ(read_verdict({{"verdict", 3}}).error().message, "verdict: is not a word");
    EXPECT_EQ(read_verdict({{"verdict", "maybe"}}).error().message,
              "verdict 'maybe' is not one of certified, refuted, undecided");
}

/// An answer whose flip moves `entries` numbers by l1 in all, and half as much once refined.
CounterfactualAnswer answer_of(double l1, std::size_t entries, std::size_t family) {
    CounterfactualAnswer answer;
    answer.report.shots = 10;
    answer.report.passing = 5;
    answer.report.forward_passes = 3;
    answer.refine_passes = 4;
    SettledFlip found;
    found.flip.l1 = l1;
    found.flip.entries = entries;
    found.flip.family = family;
    answer.sampled = {found};
    found.flip.l1 = l1 / 2;
    found.certificate = Certificate();
    found.certificate->verdict = Verdict::certified;
    answer.refined = {found};
    return answer;
}

TEST(TallyRecord, SaysWhatAnswersSayTogether) {
    AnswerTally tally;
    tally.add(answer_of(2, 3, 1));
    tally.add(answer_of(6, 4, 1));
    tally.add(CounterfactualAnswer());
    EXPECT_EQ(tally.families, (std::map<std::size_t, std::size_t>{{1, 2}}));
    EXPECT_EQ(statuses_json(tally.statuses),
              (Json{{"certified", 2}, {"refuted", 0}, {"undecided", 0}, {"flipped", 0}, {"no_flip", 1}}));
    Json const json = tally_json(tally);
    EXPECT_EQ(json["cells"], 3);
    EXPECT_EQ(json["forward_passes_per_cell"], 2);
    EXPECT_EQ(json["passing_share"], 0.5);
    EXPECT_EQ(json["sampled_counts"]["flipped"], 2);
    EXPECT_EQ(json["median_l1_sampled"], 4);
    EXPECT_EQ(json["median_entries_sampled"], 3.5);
    EXPECT_EQ(json["median_l1_refined"], 2);
    EXPECT_EQ(json["median_shrinkage"], 2);
}

TEST(TallyRecord, OfNothingHasZerosAndNoWordOfRefinedFlips) {
    Json const json = tally_json({});
    EXPECT_EQ(json["passing_share"], 0);
    EXPECT_EQ(json["median_l1_sampled"], 0);
    EXPECT_FALSE(json.contains("median_l1_refined"));
}

} // namespace
} // namespace cax::records
