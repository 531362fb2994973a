#include "cax/explain/certify.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/cvrptw/instance.hpp"
#include "cax/problems/decision_model.hpp"
#include "cax/problems/fjsp/instance.hpp"
#include "cax/problems/op/instance.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

namespace cax {
namespace {

template <class T> T taken(Result<T> result) {
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return *std::move(result);
}

/// Customers on a line at 1, 2, ..., n from the depot, everybody open all day, demand as given.
cvrptw::Data street(std::vector<float> demand) {
    cvrptw::Data data{.capacity = 1, .locs = {{0, 0}}, .demand = std::move(demand)};
    data.time_windows.push_back({0, 100});
    data.durations.push_back(0);
    for (std::size_t i = 1; i <= data.demand.size(); ++i) {
        data.locs.push_back({static_cast<float>(i), 0});
        data.time_windows.push_back({0, 50});
        data.durations.push_back(0);
    }
    return data;
}

/// Two jobs of two operations each on one machine, each of time 2: makespan 8.
fjsp::Data one_machine() {
    fjsp::Operation const operation{{0, 2}};
    return {.machines = 1, .jobs = {{operation, operation}, {operation, operation}}};
}

/// Without time limit, without the problem's own search: the solver's answer.
CertifyOptions by_solver() {
    CertifyOptions options;
    options.seconds = 0;
    options.search_iterations = 0;
    return options;
}

TEST(Certify, AnUnlimitedFleetNeedsNoSearch) {
    auto const instance = taken(cvrptw::Instance::make(street({0.5F, 0.5F, 0.5F})));
    Certificate const certificate = taken(certify(*instance, {}, by_solver()));
    EXPECT_EQ(certificate.verdict, Verdict::certified);
    EXPECT_EQ(certificate.source, CertificateSource::bound);
    EXPECT_TRUE(certificate.checked);
    EXPECT_EQ(std::get<Routes>(*certificate.witness).routes.size(), 3U);
    EXPECT_EQ(certificate.work, 0U);
}

TEST(Certify, ABoundBetweenTheRoundingsIsDoubtAndNoCrash) {
    auto const instance = taken(op::Instance::make({.locs = {{0.5F, 0.5F}, {0.6F, 0.5F}, {0.5F, 0.6F}, {0.4F, 0.5F}},
                                                    .prize = {0, 0.5F, 0.25F, 0.25F},
                                                    .max_length = 2}));
    for (double const beyond : {0.0, 1e-7, 4e-7, 6e-7, 9e-7, 1.1e-6, 1.5e-6, 1.9e-6}) {
        Certificate const certificate = taken(certify(*instance, {.prefix = {}, .bound = 1 + beyond}, {}));
        EXPECT_NE(certificate.verdict, Verdict::refuted) << beyond;
    }
    EXPECT_EQ(taken(certify(*instance, {.prefix = {}, .bound = 1.00001}, {})).verdict, Verdict::refuted);
}

TEST(Certify, ACustomerOutOfReachRefutesEveryFleet) {
    cvrptw::Data data = street({0.5F, 0.5F});
    data.time_windows[2] = {0, 1}; // it is 2 away
    auto const instance = taken(cvrptw::Instance::make(data));
    CertifyOptions options = by_solver();
    options.explain_conflict = true;
    Certificate const certificate = taken(certify(*instance, {}, options));
    EXPECT_EQ(certificate.verdict, Verdict::refuted);
    EXPECT_EQ(certificate.source, CertificateSource::bound);
    EXPECT_EQ(certificate.reason, "customer 2, served by a vehicle of its own, is late by 1");
    EXPECT_EQ(certificate.conflict, std::vector<std::size_t>{1}); // time_window
    EXPECT_FALSE(certificate.witness);
}

TEST(Certify, TheSolverFindsTheFleetAndProvesThatItIsTheSmallest) {
    auto const instance = taken(cvrptw::Instance::make(street({0.4F, 0.6F, 0.5F, 0.3F, 0.2F})));
    Certificate const two = taken(certify(*instance, {.prefix = {}, .bound = 2}, by_solver()));
    EXPECT_EQ(two.verdict, Verdict::certified);
    EXPECT_EQ(two.source, CertificateSource::solver);
    EXPECT_EQ(std::get<Routes>(*two.witness).routes.size(), 2U);
    Certificate const one = taken(certify(*instance, {.prefix = {}, .bound = 1}, by_solver()));
    EXPECT_EQ(one.verdict, Verdict::refuted);
    EXPECT_EQ(one.reason, "the customers left need 2 vehicle loads, and there are 1");
}

TEST(Certify, NoVehicleAtAllServesNobody) {
    auto const instance = taken(cvrptw::Instance::make(street({0.4F})));
    Certificate const certificate = taken(certify(*instance, {.prefix = {}, .bound = 0}, by_solver()));
    EXPECT_EQ(certificate.verdict, Verdict::refuted);
    EXPECT_EQ(certificate.reason, "no vehicle is left for customer 1");
}

TEST(Certify, ABeginningBindsTheFleet) {
    // Together 0.6+0.4 and 0.5+0.5 fill two vehicles; whoever begins with 0.5+0.4 wastes a tenth.
    auto const instance = taken(cvrptw::Instance::make(street({0.6F, 0.4F, 0.5F, 0.5F})));
    Question question{.prefix = {1, 2, 0}, .bound = 2};
    Certificate const well_begun = taken(certify(*instance, question, by_solver()));
    EXPECT_EQ(well_begun.verdict, Verdict::certified);
    EXPECT_EQ(std::get<Routes>(*well_begun.witness).routes.front(), (std::vector<std::size_t>{1, 2}));
    question.prefix = {3, 2};
    CertifyOptions options = by_solver();
    options.explain_conflict = true;
    Certificate const badly_begun = taken(certify(*instance, question, options));
    EXPECT_EQ(badly_begun.verdict, Verdict::refuted);
    EXPECT_EQ(badly_begun.conflict, std::vector<std::size_t>{0}); // capacity
    EXPECT_TRUE(badly_begun.conflict_is_minimal);
    EXPECT_EQ(badly_begun.reason, "the rules of capacity cannot be kept");
}

TEST(Certify, TheDeletionFilterNamesFamiliesThatConflictTogether) {
    // Each vehicle has time for two customers only if nobody waits, and room for two only if sizes match.
    cvrptw::Data data = street({0.6F, 0.4F, 0.6F, 0.4F});
    data.locs = {{0, 0}, {10, 0}, {-10, 0}, {-10, 1}, {10, 1}};
    for (std::size_t i = 1; i < 5; ++i) data.time_windows[i] = {0, 15}; // 20 from one side to the other
    data.demand = {0.6F, 0.6F, 0.5F, 0.5F};                             // 1+4 = 1.1, 2+3 = 1.1, 3+4 = 1
    auto const instance = taken(cvrptw::Instance::make(data));
    CertifyOptions options = by_solver();
    options.explain_conflict = true;
    Certificate const certificate = taken(certify(*instance, {.prefix = {}, .bound = 3}, options));
    ASSERT_EQ(certificate.verdict, Verdict::refuted) << certificate.reason;
    EXPECT_EQ(certificate.conflict, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_TRUE(certificate.conflict_is_minimal);
    EXPECT_EQ(certificate.reason, "the rules of capacity, time_window and spatial cannot all be kept");
}

TEST(Certify, HorizonsAreMetOrProvenImpossible) {
    auto const instance = taken(fjsp::Instance::make(one_machine()));
    Certificate const enough = taken(certify(*instance, {.prefix = {}, .bound = 8}, by_solver()));
    EXPECT_EQ(enough.verdict, Verdict::certified);
    EXPECT_DOUBLE_EQ(enough.cost, 8);
    CertifyOptions options = by_solver();
    options.explain_conflict = true;
    Certificate const too_short = taken(certify(*instance, {.prefix = {}, .bound = 7.9}, options));
    EXPECT_EQ(too_short.verdict, Verdict::refuted);
    EXPECT_EQ(too_short.conflict, std::vector<std::size_t>{1}); // the machine; the jobs' chains alone would fit
    Certificate const chain = taken(certify(*instance, {.prefix = {}, .bound = 3}, options));
    EXPECT_EQ(chain.verdict, Verdict::refuted);
    Certificate const nothing = taken(certify(*instance, {.prefix = {}, .bound = 0}, options));
    EXPECT_EQ(nothing.verdict, Verdict::refuted);
}

TEST(Certify, ABeginningBindsTheSchedule) {
    // Machine 2 is fast for job 1; whoever starts job 1 on machine 1 loses six units.
    fjsp::Data const data{.machines = 2, .jobs = {{{{0, 10}, {1, 4}}}, {{{0, 4}}}}};
    auto const instance = taken(fjsp::Instance::make(data));
    EXPECT_EQ(taken(certify(*instance, {.prefix = {2}, .bound = 4}, by_solver())).verdict, Verdict::certified);
    EXPECT_EQ(taken(certify(*instance, {.prefix = {1}, .bound = 13}, by_solver())).verdict, Verdict::refuted);
    Certificate const late = taken(certify(*instance, {.prefix = {1}, .bound = 14}, by_solver()));
    EXPECT_EQ(late.verdict, Verdict::certified);
    EXPECT_DOUBLE_EQ(late.cost, 14);
}

TEST(Certify, NegativePrizesMakeNoInstance) {
    op::Data const data{.locs = {{0, 0}, {1, 0}}, .prize = {0, 0.005F}, .max_length = 3};
    auto const instance = taken(op::Instance::make(data));
    Features change;
    for (Feature const& feature : instance->reset()->features()) {
        change.push_back({feature.shape, std::vector<double>(feature.values.size(), 0)});
    }
    change[1].values[1] = -0.01;
    auto const changed = taken(cax::changed(*instance, change));
    CertifyOptions options = by_solver();
    options.explain_conflict = true;
    Certificate const certificate = taken(certify(*changed, {}, options));
    EXPECT_EQ(certificate.verdict, Verdict::refuted);
    EXPECT_EQ(certificate.conflict, std::vector<std::size_t>{0});
    EXPECT_NE(certificate.reason.find("customer 1: prize is negative"), std::string::npos);
    EXPECT_EQ(taken(certify(*instance, {}, options)).verdict, Verdict::certified);
}

TEST(Certify, APrizeIsCollectedOrOutOfReach) {
    op::Data const data{.locs = {{0, 0}, {1, 0}, {-1, 0}}, .prize = {0, 0.7F, 0.6F}, .max_length = 3};
    auto const instance = taken(op::Instance::make(data));
    CertifyOptions options = by_solver();
    options.explain_conflict = true;
    EXPECT_EQ(taken(certify(*instance, {.prefix = {}, .bound = 0.7}, options)).verdict, Verdict::certified);
    Certificate const both = taken(certify(*instance, {.prefix = {}, .bound = 1.3}, options));
    EXPECT_EQ(both.verdict, Verdict::refuted);
    EXPECT_EQ(both.conflict, (std::vector<std::size_t>{0, 1, 2}));
    Certificate const more = taken(certify(*instance, {.prefix = {}, .bound = 1.4}, options));
    EXPECT_EQ(more.source, CertificateSource::bound);
    EXPECT_EQ(more.reason, "all prizes together are 1.3, less than 1.4");
    Certificate const wrong_way = taken(certify(*instance, {.prefix = {2}, .bound = 0.7}, options));
    EXPECT_EQ(wrong_way.verdict, Verdict::refuted);
    Certificate const over = taken(certify(*instance, {.prefix = {2, 0}, .bound = 0.65}, options));
    EXPECT_EQ(over.reason, "the tour has ended with 0.6, less than 0.65");
}

TEST(Certify, CustomersWithoutPrizeOrDistanceHideNothing) {
    // Customer 5 alone is enough. Customer 4 lies at the depot and has no prize, customer 1 is near and has a little.
    op::Data data{.locs = {{0, 0}}, .prize = {0, 0.2F, 0.1F, 0.1F, 0, 1, 0.1F, 0.1F, 0.1F, 0.1F}, .max_length = 2};
    for (std::size_t i = 1; i < data.prize.size(); ++i) {
        double const angle = static_cast<double>(i > 4 ? i - 1 : i) * 2 * std::numbers::pi / 7; // even on a circle
        double const radius = i == 1 ? 0.1 : i == 4 ? 0 : 0.99;
        data.locs.push_back(
            {static_cast<float>(radius * std::sin(angle)), static_cast<float>(radius * std::cos(angle))});
    }
    auto const instance = taken(op::Instance::make(data));
    EXPECT_EQ(taken(certify(*instance, {.prefix = {}, .bound = 1}, by_solver())).verdict, Verdict::certified);
    EXPECT_EQ(taken(certify(*instance, {.prefix = {}, .bound = 1.25}, by_solver())).verdict, Verdict::refuted);
}

TEST(Certify, TakesACandidateOnlyIfTheCheckerDoes) {
    auto const instance = taken(cvrptw::Instance::make(street({0.4F, 0.6F, 0.5F})));
    std::vector<Solution> const candidates{Routes{{{1, 2, 3}}}, Routes{{{1}, {2}, {3}}}, Routes{{{1, 2}, {3}}}};
    CertifyOptions options = by_solver();
    options.candidates = candidates;
    Certificate const certificate = taken(certify(*instance, {.prefix = {}, .bound = 2}, options));
    EXPECT_EQ(certificate.source, CertificateSource::candidate);
    EXPECT_EQ(certificate.reason, "candidate 3 answers the question");
    EXPECT_EQ(std::get<Routes>(*certificate.witness), std::get<Routes>(candidates[2]));
}

TEST(Certify, SaysThatTheBudgetIsSpent) {
    Rng rng(1);
    auto const instance = taken(find_problem("cvrptw")->generate("30", {}, rng));
    CertifyOptions options = by_solver();
    options.work = 5;
    Certificate const certificate = taken(certify(*instance, {.prefix = {}, .bound = 6}, options));
    EXPECT_EQ(certificate.verdict, Verdict::undecided);
    EXPECT_EQ(certificate.doubt, Doubt::budget_spent);
    EXPECT_FALSE(certificate.witness);
    options.work = 0;
    EXPECT_EQ(taken(certify(*instance, {.prefix = {}, .bound = 6}, options)).doubt, Doubt::budget_spent);
}

TEST(Certify, SaysThatTheTimeIsUp) {
    Rng rng(1);
    auto const instance = taken(find_problem("cvrptw")->generate("40", {}, rng));
    CertifyOptions options = by_solver();
    options.work = std::numeric_limits<std::uint64_t>::max();
    options.seconds = 1e-4;
    Certificate const certificate = taken(certify(*instance, {.prefix = {}, .bound = 7}, options));
    EXPECT_EQ(certificate.verdict, Verdict::undecided);
    EXPECT_EQ(certificate.doubt, Doubt::time_limit);
}

TEST(Certify, RepeatsItselfUnderABudget) {
    Rng rng(2);
    auto const instance = taken(find_problem("fjsp")->generate("4x3", {}, rng));
    Question const question{.prefix = {}, .bound = 100};
    Certificate const first = taken(certify(*instance, question, by_solver()));
    Certificate const second = taken(certify(*instance, question, by_solver()));
    EXPECT_EQ(first.source, CertificateSource::solver);
    EXPECT_EQ(first.verdict, second.verdict);
    EXPECT_EQ(first.work, second.work);
    ASSERT_TRUE(first.witness && second.witness);
    EXPECT_EQ(std::get<Schedule>(*first.witness), std::get<Schedule>(*second.witness));
}

TEST(Certify, RefusesQuestionsThatMakeNoSense) {
    auto const message = [](InstancePtr const& instance, Question const& question) {
        auto const certificate = certify(*instance, question, {});
        return certificate ? std::string("no error") : certificate.error().message;
    };
    auto const routes = taken(cvrptw::Instance::make(street({0.5F, 0.5F})));
    auto const shop = taken(fjsp::Instance::make(one_machine()));
    EXPECT_EQ(message(routes, {.prefix = {}, .bound = -1}), "fleet is -1: expected a number of at least 0");
    EXPECT_EQ(message(shop, {.prefix = {}, .bound = std::numeric_limits<double>::quiet_NaN()}),
              "horizon is nan: expected a number of at least 0");
    EXPECT_EQ(message(routes, {.prefix = {1, 9}, .bound = {}}), "prefix[1]: there is no node 9");
    EXPECT_EQ(message(routes, {.prefix = {1, 0, 1}, .bound = {}}), "prefix[2]: visits again customer 1");
    EXPECT_EQ(message(shop, {.prefix = {1, 1, 1}, .bound = 9}), "prefix[2]: action 1 is not allowed there");
    EXPECT_EQ(message(shop, {.prefix = {77}, .bound = 9}), "prefix[0]: action 77 is out of range");
}

} // namespace
} // namespace cax
