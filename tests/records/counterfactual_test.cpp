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

} // namespace
} // namespace cax::records
