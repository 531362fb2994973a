// Certificates against trying everything: more than a thousand questions about small random instances, in every mode,
// bounds drawn around the true answer so that yes and no are both common. No contradiction is allowed.
#include "naive_answers.hpp"

#include "cax/explain/certify.hpp"
#include "cax/problems/decision_model.hpp"
#include "cax/problems/questions.hpp"
#include "cax/solvers/csp.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace cax {
namespace {

struct Tally {
    int certified = 0;
    int refuted = 0;
    int undecided = 0;
    std::map<CertificateSource, int> sources;

    void count(Certificate const& certificate) {
        certified += certificate.verdict == Verdict::certified ? 1 : 0;
        refuted += certificate.verdict == Verdict::refuted ? 1 : 0;
        undecided += certificate.verdict == Verdict::undecided ? 1 : 0;
        ++sources[certificate.source];
    }
    /// Both answers common, hardly any doubt.
    void expect_balance(int questions) const {
        EXPECT_GE(certified, questions / 4);
        EXPECT_GE(refuted, questions / 5);
        EXPECT_LE(undecided, questions / 50);
        EXPECT_EQ(certified + refuted + undecided, questions);
    }
};

/// Every third question is asked without the problem's own search, so that the solver has to answer.
CertifyOptions options_for(std::uint32_t k) {
    CertifyOptions options;
    options.work = 50'000;
    options.seconds = 0;
    options.seed = k;
    options.search_iterations = k % 3 == 0 ? 50 : 0;
    return options;
}

/// The general solver on the same question: it must not contradict what trying everything said.
void expect_solver_agrees(Instance const& instance, Question const& question, bool possible, std::uint32_t k) {
    for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
        auto const decision = decision_model_of(instance, question, rounding);
        ASSERT_TRUE(decision) << decision.error().message;
        auto const answer = gecode_solver().solve(decision->model, {.work = 20'000, .seed = k});
        ASSERT_TRUE(answer) << answer.error().message;
        if (answer->status == CspStatus::satisfiable) {
            EXPECT_TRUE(within_bounds(decision->model, answer->assignment));
            EXPECT_TRUE(violated(decision->model, answer->assignment).empty()) << "question " << k;
            if (rounding == Rounding::strict) {
                EXPECT_TRUE(possible) << "question " << k;
                EXPECT_TRUE(check_answer(instance, decision->solution(answer->assignment), question).valid());
            }
        }
        if (answer->status == CspStatus::unsatisfiable && rounding == Rounding::loose) {
            EXPECT_FALSE(possible) << "question " << k;
        }
    }
}

/// First actions of a random episode; empty for a dead end.
std::vector<std::size_t> random_beginning(Instance const& instance, std::size_t steps, Rng& rng) {
    std::vector<std::size_t> actions;
    StatePtr const state = instance.reset();
    while (actions.size() < steps && !state->done()) {
        std::vector<std::size_t> allowed;
        for (std::size_t a = 0; a < state->action_mask().size(); ++a) {
            if (state->action_mask()[a] != 0) allowed.push_back(a);
        }
        if (allowed.empty()) return {};
        actions.push_back(allowed[rng.below(allowed.size())]);
        state->step(actions.back());
    }
    return actions;
}

float number(Rng& rng, double low, double high, bool whole) {
    double const value = rng.uniform(low, high);
    return static_cast<float>(whole ? std::round(value) : value);
}

cvrptw::Data random_city(Rng& rng) {
    std::size_t const customers = 3 + rng.below(4);
    bool const whole = rng.below(2) == 0;
    cvrptw::Data data{.capacity = 10};
    for (std::size_t i = 0; i <= customers; ++i) {
        data.locs.push_back({number(rng, 0, 20, whole), number(rng, 0, 20, whole)});
        float const open = i == 0 ? 0 : number(rng, 0, 50, whole);
        data.time_windows.push_back({open, i == 0 ? 100 : open + number(rng, 2, 25, whole)});
        data.durations.push_back(i == 0 ? 0 : number(rng, 0, 6, whole));
        if (i > 0) data.demand.push_back(number(rng, 1, 7, whole) / 10);
    }
    return data;
}

TEST(CertifyDifferential, FleetBoundsAndBeginningsOfRoutesAgreeWithTryingEverything) {
    constexpr int questions = 420;
    Tally tally;
    for (std::uint32_t k = 0; k < questions; ++k) {
        Rng rng(31, k);
        cvrptw::Data const data = random_city(rng);
        auto const instance = cvrptw::Instance::make(data);
        ASSERT_TRUE(instance) << instance.error().message;
        Question question;
        if (k % 2 == 1) question.prefix = random_beginning(**instance, 1 + rng.below(4), rng);
        auto const fewest = test::fewest_vehicles(data, question.prefix);
        if (k % 5 != 0) {
            std::size_t const around = fewest.value_or(2) + rng.below(3);
            question.bound = static_cast<double>(around > 0 ? around - 1 : 0);
        }
        bool const possible = fewest && (!question.bound || static_cast<double>(*fewest) <= *question.bound);
        auto const certificate = certify(**instance, question, options_for(k));
        ASSERT_TRUE(certificate) << certificate.error().message;
        tally.count(*certificate);
        if (certificate->verdict == Verdict::certified) {
            EXPECT_TRUE(possible) << "question " << k;
            auto const& routes = std::get<Routes>(*certificate->witness);
            EXPECT_TRUE(test::serves_everybody(data, routes)) << "question " << k;
            if (question.bound) {
                EXPECT_LE(static_cast<double>(routes.routes.size()), *question.bound);
            }
        }
        if (certificate->verdict == Verdict::refuted) {
            EXPECT_FALSE(possible) << "question " << k;
        }
        expect_solver_agrees(**instance, question, possible, k);
    }
    tally.expect_balance(questions);
}

TEST(CertifyDifferential, PrizesAndBeginningsOfToursAgreeWithTryingEverything) {
    constexpr int questions = 420;
    Tally tally;
    for (std::uint32_t k = 0; k < questions; ++k) {
        Rng rng(32, k);
        bool const whole = k % 4 == 0;
        double const side = whole ? 20 : 1;
        std::size_t const customers = 3 + rng.below(4);
        op::Data data{.max_length = static_cast<float>(rng.uniform(1.2, 2.6) * side)};
        for (std::size_t i = 0; i <= customers; ++i) {
            data.locs.push_back({number(rng, 0, side, whole), number(rng, 0, side, whole)});
            data.prize.push_back(i == 0 ? 0 : static_cast<float>(1 + rng.below(99)) / 100);
        }
        auto const instance = op::Instance::make(data);
        ASSERT_TRUE(instance) << instance.error().message;
        Question question;
        if (k % 2 == 1) question.prefix = random_beginning(**instance, 1 + rng.below(3), rng);
        auto const largest = test::largest_prize(data, question.prefix);
        constexpr double around[] = {-0.3, -0.01, 0, 0.01, 0.2, 1};
        if (k % 7 != 0) question.bound = std::max(0.0, largest.value_or(1) + around[rng.below(6)]);
        bool const possible = largest && (!question.bound || *largest >= *question.bound - 1e-6);
        auto const certificate = certify(**instance, question, options_for(k));
        ASSERT_TRUE(certificate) << certificate.error().message;
        tally.count(*certificate);
        if (certificate->verdict == Verdict::certified) {
            EXPECT_TRUE(possible) << "question " << k;
            auto const& tour = std::get<Routes>(*certificate->witness).routes.at(0);
            EXPECT_LE(test::tour_length(data, tour), data.max_length * (1 + 1e-9)) << "question " << k;
        }
        if (certificate->verdict == Verdict::refuted) {
            EXPECT_FALSE(possible) << "question " << k;
        }
        expect_solver_agrees(**instance, question, possible, k);
    }
    tally.expect_balance(questions);
}

fjsp::Data random_shop(Rng& rng) {
    fjsp::Data data{.machines = 2 + rng.below(2)};
    bool const whole = rng.below(2) == 0;
    for (std::size_t j = 0; j < 3; ++j) {
        fjsp::Job job;
        std::size_t const operations = 1 + rng.below(3);
        for (std::size_t o = 0; o < operations; ++o) {
            fjsp::Operation ways;
            std::size_t const only = rng.below(data.machines);
            for (std::size_t m = 0; m < data.machines; ++m) {
                if (m == only || rng.below(2) == 0) ways.push_back({m, number(rng, 1, 9, whole)});
            }
            job.push_back(std::move(ways));
        }
        data.jobs.push_back(std::move(job));
    }
    return data;
}

TEST(CertifyDifferential, HorizonsAndBeginningsOfSchedulesAgreeWithTryingEverything) {
    constexpr int questions = 420;
    Tally tally;
    for (std::uint32_t k = 0; k < questions; ++k) {
        Rng rng(33, k);
        fjsp::Data const data = random_shop(rng);
        auto const instance = fjsp::Instance::make(data);
        ASSERT_TRUE(instance) << instance.error().message;
        Question question;
        if (k % 2 == 1) question.prefix = random_beginning(**instance, 1 + rng.below(3), rng);
        double const shortest = test::shortest_makespan(data, question.prefix);
        constexpr double around[] = {-2, -0.5, -0.01, 0, 0, 0.01, 1, 3};
        if (k % 7 != 0) question.bound = std::max(0.0, shortest + around[rng.below(8)]);
        bool const possible = !question.bound || shortest <= *question.bound * (1 + 1e-9);
        auto const certificate = certify(**instance, question, options_for(k));
        ASSERT_TRUE(certificate) << certificate.error().message;
        tally.count(*certificate);
        if (certificate->verdict == Verdict::certified) {
            EXPECT_TRUE(possible) << "question " << k;
            auto const end = test::makespan_of(data, std::get<Schedule>(*certificate->witness));
            ASSERT_TRUE(end) << "question " << k;
            if (question.bound) {
                EXPECT_LE(*end, *question.bound * (1 + 1e-8)) << "question " << k;
            }
        }
        if (certificate->verdict == Verdict::refuted) {
            EXPECT_FALSE(possible) << "question " << k;
        }
        expect_solver_agrees(**instance, question, possible, k);
    }
    tally.expect_balance(questions);
}

} // namespace
} // namespace cax
