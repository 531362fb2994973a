// Certificates where numbers are extreme: depots that are open for ever, bounds a millionth beside the optimum, scales
// from 1e-6 to 1e6, places on top of each other, ties, machines that take a billion times too long. Ten thousand
// questions, judged by trying everything twice: what is possible without any forgiveness must not be refuted, and what
// is impossible with twice what checkers overlook must not be certified.
#include "naive_answers.hpp"

#include "cax/explain/certify.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

constexpr std::array scales{1e-6, 1e-3, 1.0, 1e3, 1e6};
constexpr std::array beside{0.0,  -1e-9, 1e-9, -1e-7, 1e-7, -5e-7, 5e-7, -1e-6,
                            1e-6, -2e-6, 2e-6, -1e-5, 1e-5, -1e-3, 1e-3, 0.2};

template <class List> auto one_of(List const& list, Rng& rng) { return list[rng.below(list.size())]; }

CertifyOptions extreme_options(std::uint32_t k) {
    CertifyOptions options;
    options.work = 5'000;
    options.seconds = 0;
    options.seed = k;
    options.search_iterations = k % 2 == 0 ? 20 : 0;
    return options;
}

/// The two judgements, and how often each certain one was found out.
struct Judge {
    int sure_yes = 0;
    int sure_no = 0;
    int certified = 0;
    int refuted = 0;

    void hear(Certificate const& certificate, bool possible, bool thinkable, std::uint32_t k) {
        sure_yes += possible ? 1 : 0;
        sure_no += thinkable ? 0 : 1;
        certified += possible && certificate.verdict == Verdict::certified ? 1 : 0;
        refuted += !thinkable && certificate.verdict == Verdict::refuted ? 1 : 0;
        if (possible) {
            EXPECT_NE(certificate.verdict, Verdict::refuted) << "question " << k << ": " << certificate.reason;
        }
        if (!thinkable) {
            EXPECT_NE(certificate.verdict, Verdict::certified) << "question " << k << ": " << certificate.reason;
        }
    }
    /// Doubt is allowed, but it may not be the usual answer.
    void expect_answers(int questions) const {
        EXPECT_GT(sure_yes, questions / 5);
        EXPECT_GT(sure_no, questions / 5);
        EXPECT_GT(certified, sure_yes * 9 / 10);
        EXPECT_GT(refuted, sure_no * 7 / 10);
    }
};

/// Coordinates on a coarse grid, so that places coincide and distances tie.
Point place(double scale, Rng& rng) {
    return {static_cast<float>(scale * static_cast<double>(rng.below(4))),
            static_cast<float>(scale * static_cast<double>(rng.below(4)))};
}

cvrptw::Data extreme_city(Rng& rng) {
    double const scale = one_of(scales, rng);
    constexpr std::array halves{0.5, 0.5 + 3e-6, 0.5 + 5e-6, 0.5 + 1.2e-5, 0.25, 0.3334, 1.0, 0.0};
    constexpr std::array open_for{3.0, 8.0, 20.0, 1e4, 1e7};
    std::size_t const customers = 2 + rng.below(3);
    cvrptw::Data data{.capacity = 1};
    for (std::size_t i = 0; i <= customers; ++i) {
        data.locs.push_back(place(scale, rng));
        double const way = std::hypot(double{data.locs[i].x} - data.locs[0].x, double{data.locs[i].y} - data.locs[0].y);
        double const open = i == 0 ? 0 : scale * static_cast<double>(rng.below(3));
        double const close = i == 0              ? std::min(1e9, scale * one_of(open_for, rng))
                             : rng.below(2) == 0 ? std::max(open, way * (1 + one_of(beside, rng)))
                                                 : open + scale * static_cast<double>(1 + rng.below(6));
        data.time_windows.push_back({static_cast<float>(open), static_cast<float>(std::max(open, close))});
        data.durations.push_back(i == 0 || rng.below(2) == 0 ? 0 : static_cast<float>(scale / 4));
        if (i > 0) data.demand.push_back(static_cast<float>(one_of(halves, rng)));
    }
    return data;
}

TEST(CertifyExtremes, FleetsOfVehicles) {
    constexpr int questions = 3400;
    Judge judge;
    for (std::uint32_t k = 0; k < questions; ++k) {
        Rng rng(41, k);
        cvrptw::Data const data = extreme_city(rng);
        auto const instance = cvrptw::Instance::make(data);
        ASSERT_TRUE(instance) << instance.error().message;
        Question question;
        if (k % 3 == 1) question.prefix = {1 + rng.below(data.demand.size())};
        if (k % 4 != 0) question.bound = static_cast<double>(1 + rng.below(data.demand.size()));
        auto const within = [&](test::Forgiveness const& forgiven) {
            auto const fewest = test::fewest_vehicles(data, question.prefix, forgiven);
            return fewest && (!question.bound || static_cast<double>(*fewest) <= *question.bound);
        };
        auto const certificate = certify(**instance, question, extreme_options(k));
        ASSERT_TRUE(certificate) << "question " << k << ": " << certificate.error().message;
        judge.hear(*certificate, within({0, 0, 0}), within({2e-6, 2.2e-5, 0}), k);
    }
    judge.expect_answers(questions);
}

TEST(CertifyExtremes, PrizesOfTours) {
    constexpr int questions = 3300;
    Judge judge;
    for (std::uint32_t k = 0; k < questions; ++k) {
        Rng rng(42, k);
        double const scale = one_of(scales, rng);
        double const worth = one_of(scales, rng);
        op::Data data;
        std::size_t const customers = 2 + rng.below(4);
        for (std::size_t i = 0; i <= customers; ++i) {
            data.locs.push_back(place(scale, rng));
            data.prize.push_back(i == 0 ? 0 : static_cast<float>(worth * 0.25 * static_cast<double>(rng.below(4))));
        }
        std::vector<std::size_t> some{1};
        if (rng.below(2) == 0) some.push_back(2);
        double const length = std::max(test::tour_length(data, some), scale);
        data.max_length = static_cast<float>(length * (1 + one_of(beside, rng)));
        auto const instance = op::Instance::make(data);
        ASSERT_TRUE(instance) << instance.error().message;
        Question question;
        if (k % 3 == 1) question.prefix = {1 + rng.below(customers)};
        double const best = test::largest_prize(data, question.prefix).value_or(worth);
        if (k % 5 != 0) question.bound = best * (1 + one_of(beside, rng));
        auto const within = [&](double length_slack, double prize_slack) {
            auto const largest = test::largest_prize(data, question.prefix, {.length = length_slack});
            return largest && (!question.bound || *largest >= *question.bound * (1 - prize_slack));
        };
        auto const certificate = certify(**instance, question, extreme_options(k));
        ASSERT_TRUE(certificate) << "question " << k << ": " << certificate.error().message;
        judge.hear(*certificate, within(0, 0), within(2e-9, 2e-6), k);
    }
    judge.expect_answers(questions);
}

TEST(CertifyExtremes, HorizonsOfShops) {
    constexpr int questions = 3300;
    constexpr std::array spread{1e-12, 1e-3, 1.0, 1.0, 1.0, 3.0, 1e5, 1e9};
    Judge judge;
    for (std::uint32_t k = 0; k < questions; ++k) {
        Rng rng(43, k);
        double const scale = one_of(scales, rng);
        fjsp::Data data{.machines = 2};
        for (std::size_t j = 0; j < 2; ++j) {
            fjsp::Job job;
            for (std::size_t o = 0; o < 1 + rng.below(2); ++o) {
                auto const time = [&] {
                    return static_cast<float>(scale * one_of(spread, rng) * static_cast<double>(1 + rng.below(3)));
                };
                fjsp::Operation ways{{0, time()}};
                if (rng.below(2) == 0) ways.push_back({1, time()});
                job.push_back(std::move(ways));
            }
            data.jobs.push_back(std::move(job));
        }
        auto const instance = fjsp::Instance::make(data);
        ASSERT_TRUE(instance) << instance.error().message;
        Question question;
        if (k % 3 == 1) question.prefix = {1 + rng.below(2) * 2}; // a job's first operation on machine 0
        double const shortest = test::shortest_makespan(data, question.prefix);
        question.bound = shortest * (1 + one_of(beside, rng));
        auto const certificate = certify(**instance, question, extreme_options(k));
        ASSERT_TRUE(certificate) << "question " << k << ": " << certificate.error().message;
        judge.hear(*certificate, shortest <= *question.bound, shortest <= *question.bound * (1 + 1e-8), k);
        if (certificate->witness) {
            EXPECT_TRUE(test::makespan_of(data, std::get<Schedule>(*certificate->witness))) << "question " << k;
        }
    }
    judge.expect_answers(questions);
}

} // namespace
} // namespace cax
