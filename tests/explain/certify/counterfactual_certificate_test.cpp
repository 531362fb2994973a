#include "../counterfactual/counterfactual_cells.hpp"

namespace cax {
namespace {

class CertifiedCounterfactuals : public test::CellsOfAProblem {
protected:
    [[nodiscard]] static CounterfactualOptions with(Certification certification, std::optional<double> bound = {}) {
        CounterfactualOptions options;
        options.shots = 48;
        options.certify = certification;
        options.bound = bound;
        options.certifier.seconds = 0;
        options.certifier.work = 20'000;
        return options;
    }
};
INSTANTIATE_TEST_SUITE_P(AllProblems, CertifiedCounterfactuals, testing::ValuesIn(all_problems()), test::problem_name);

TEST_P(CertifiedCounterfactuals, HaveAWitnessThatTheCheckerAccepts) {
    for (Certification const mode : {Certification::instance, Certification::prefix}) {
        CounterfactualOptions const options = with(mode);
        std::size_t certified = 0;
        for (Counterfactual const& found : all(options)) {
            Flip const* const flip = found.best();
            if (flip == nullptr) continue;
            ASSERT_TRUE(flip->certificate);
            EXPECT_EQ(found.status, flip->status);
            if (found.status != CounterfactualStatus::certified) {
                EXPECT_FALSE(flip->certificate->reason.empty());
                continue;
            }
            ++certified;
            Walk const& walk = walks_[found.instance];
            auto const changed = changed_instance(walk, found.step, flip->change, options);
            ASSERT_TRUE(changed) << changed.error().message;
            Question question;
            if (mode == Certification::prefix) {
                question.prefix = walk.actions();
                question.prefix.resize(found.step);
                question.prefix.push_back(flip->new_action);
            }
            CheckReport const report = (*changed)->check_answer(*flip->certificate->witness, question);
            EXPECT_TRUE(report.valid()) << report.violations.front();
            EXPECT_TRUE(flip->certificate->checked);
        }
        EXPECT_GT(certified, 0) << name_of(mode);
    }
}

TEST_P(CertifiedCounterfactuals, AreRefutedWhereTheResourceIsNone) {
    // No vehicle, no time, or a prize beyond all prizes.
    bool const at_least = info().objective == Objective::maximise;
    for (Counterfactual const& found : all(with(Certification::bound, at_least ? 1e6 : 0.0))) {
        EXPECT_TRUE(found.status == CounterfactualStatus::refuted || found.status == CounterfactualStatus::no_flip)
            << name_of(found.status);
    }
}

TEST_P(CertifiedCounterfactuals, AreCertifiedAgainAfterRefinement) {
    CounterfactualOptions options = with(Certification::instance);
    options.refine = true;
    std::size_t certified = 0;
    for (Certification const mode : {Certification::instance, Certification::prefix}) {
        options.certify = mode;
        for (Counterfactual const& found : all(options)) {
            if (found.refined.empty()) continue;
            ASSERT_TRUE(found.refined.front().certificate);
            if (found.sampled.front().status != CounterfactualStatus::certified) continue;
            ++certified;
            EXPECT_EQ(found.refined.front().status, CounterfactualStatus::certified);
        }
    }
    EXPECT_GT(certified, 0);
}

TEST_P(CertifiedCounterfactuals, OfFrozenStatesAreAboutTheInstanceThatTheTensorsDescribe) {
    CounterfactualOptions options = with(Certification::instance);
    options.make_published();
    for (Counterfactual const& found : all(options)) {
        Flip const* const flip = found.best();
        if (flip == nullptr) continue;
        auto const changed = changed_instance(walks_[found.instance], found.step, flip->change, options);
        if (!changed) {
            EXPECT_EQ(found.status, CounterfactualStatus::refuted);
            continue;
        }
        Features const after = (*changed)->reset()->features();
        auto const adjustable = walks_[found.instance].instance->adjustable();
        auto const spent = walks_[found.instance].cells[found.step].state->spent_nodes();
        for (EntryChange const& entry : flip->changes) {
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
