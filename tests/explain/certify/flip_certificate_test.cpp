#include "../counterfactual/counterfactual_cells.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/questions.hpp"

namespace cax {
namespace {

class CertifiedCounterfactuals : public test::CellsOfAProblem {
protected:
    [[nodiscard]] static AnswerOptions with(Certification mode, std::optional<double> bound = {}) {
        AnswerOptions request;
        request.search.shots = 48;
        request.certification.mode = mode;
        request.certification.bound = bound;
        request.certification.certifier.seconds = 0;
        request.certification.certifier.work = 20'000;
        return request;
    }
};
INSTANTIATE_TEST_SUITE_P(AllProblems, CertifiedCounterfactuals, testing::ValuesIn(all_problems()), test::problem_name);

TEST_P(CertifiedCounterfactuals, HaveAWitnessThatTheCheckerAccepts) {
    for (Certification const mode : {Certification::instance, Certification::prefix}) {
        std::size_t certified = 0;
        for (CounterfactualAnswer const& found : all(with(mode))) {
            SettledFlip const* const best = found.best();
            if (best == nullptr) continue;
            ASSERT_TRUE(best->certificate);
            EXPECT_EQ(certification_of(best->certificate->question), mode);
            EXPECT_EQ(found.status(), status_of(best->certificate->verdict));
            if (best->certificate->verdict != Verdict::certified) {
                EXPECT_FALSE(best->certificate->reason.empty());
                continue;
            }
            ++certified;
            Episode const& episode = walks_[found.instance];
            auto const changed = cax::changed(*episode.instance, best->flip.change);
            ASSERT_TRUE(changed) << changed.error().message;
            Question question;
            if (mode == Certification::prefix) {
                question.prefix = episode.actions();
                question.prefix.resize(found.step);
                question.prefix.push_back(best->flip.new_action);
            }
            EXPECT_EQ(best->certificate->question.prefix, question.prefix);
            CheckReport const report = check_answer(**changed, *best->certificate->witness, question);
            EXPECT_TRUE(report.valid()) << report.violations.front();
            EXPECT_TRUE(best->certificate->checked);
        }
        // Where rules may be broken on the way, a random beginning has often broken them.
        if (mode == Certification::instance || !info().may_be_unsolvable) {
            EXPECT_GT(certified, 0) << name_of(mode);
        }
    }
}

TEST_P(CertifiedCounterfactuals, AreTheSameWhetherAFlipIsCertifiedAloneOrWithItsSearch) {
    std::size_t flips = 0;
    for (Certification const mode : {Certification::instance, Certification::prefix}) {
        AnswerOptions const request = with(mode);
        for (CounterfactualAnswer const& found : all(request)) {
            if (found.sampled.empty()) continue;
            auto const alone = certify(*policy_, walks_[found.instance], found.step, found.sampled.front().flip,
                                       request.certification);
            ASSERT_TRUE(alone) << alone.error().message;
            Certificate const& together = *found.sampled.front().certificate;
            EXPECT_EQ(alone->verdict, together.verdict);
            EXPECT_EQ(alone->reason, together.reason);
            EXPECT_EQ(alone->cost, together.cost);
            ++flips;
        }
    }
    EXPECT_GT(flips, 0);
}

TEST_P(CertifiedCounterfactuals, AreRefutedWhereTheResourceIsNone) {
    // No vehicle, no time, or a prize beyond all prizes.
    bool const at_least = info().objective == Objective::maximise;
    for (CounterfactualAnswer const& found : all(with(Certification::bound, at_least ? 1e6 : 0.0))) {
        bool const fits =
            found.status() == CounterfactualStatus::refuted || found.status() == CounterfactualStatus::no_flip;
        EXPECT_TRUE(fits) << name_of(found.status());
    }
}

TEST_P(CertifiedCounterfactuals, NeedABoundThatMakesSense) {
    auto const refused = [&](AnswerOptions const& request) {
        auto const found = answer_counterfactual(*policy_, walks_.front(), 0, request);
        return found ? "it was accepted" : found.error().message;
    };
    EXPECT_NE(refused(with(Certification::bound)).find("needs one"), std::string::npos);
    EXPECT_NE(refused(with(Certification::bound, -1)).find("expected 0 or more"), std::string::npos);
}

TEST_P(CertifiedCounterfactuals, AreCertifiedAgainAfterRefinement) {
    std::size_t certified = 0;
    for (Certification const mode : {Certification::instance, Certification::prefix}) {
        AnswerOptions request = with(mode);
        request.refine = true;
        for (CounterfactualAnswer const& found : all(request)) {
            if (found.refined.empty()) continue;
            ASSERT_TRUE(found.refined.front().certificate);
            if (found.sampled.front().status() != CounterfactualStatus::certified) continue;
            ++certified;
            EXPECT_EQ(found.refined.front().status(), CounterfactualStatus::certified);
        }
    }
    EXPECT_GT(certified, 0);
}

TEST_P(CertifiedCounterfactuals, OfFrozenStatesAreAboutTheInstanceThatTheTensorsDescribe) {
    AnswerOptions request = with(Certification::instance);
    request.search.fidelity = CounterfactualFidelity::published();
    for (CounterfactualAnswer const& found : all(request)) {
        SettledFlip const* const best = found.best();
        if (best == nullptr) continue;
        if (!best->flip.changed) {
            EXPECT_EQ(found.status(), CounterfactualStatus::refuted);
            EXPECT_FALSE(best->flip.no_instance.empty());
            continue;
        }
        Features const after = best->flip.changed->reset()->features();
        auto const adjustable = cax::adjustable(*walks_[found.instance].instance);
        auto const spent = walks_[found.instance].decisions[found.step].state->spent_nodes();
        for (EntryChange const& entry : best->flip.changes) {
            TensorInfo const& tensor = info().tensors[entry.tensor];
            Shape const& shape = after[entry.tensor].shape;
            bool const gone = !spent.empty() && spent[node_of(tensor, shape, entry.index)] != 0;
            if (gone || adjustable[entry.tensor][entry.index] == 0) continue;
            EXPECT_NEAR(after[entry.tensor].values[entry.index], entry.to, 1e-4) << entry.words;
        }
    }
}

} // namespace
} // namespace cax
