// Certificates against trying everything. The input becomes a small instance of one of the problems and a question
// about it, its bound close to where the answer turns; certify() may be undecided but never wrong.
//
// What is on the edge is judged by tolerances: a "yes" is wrong only if it is impossible with three times as much
// forgiven as checkers forgive, a "no" only if there is a solution when as much is asked in excess.
#include "targets.hpp"

#include "../explain/certify/naive_answers.hpp"
#include "cax/explain/certify.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cax::fuzz {
namespace {

enum class Leaning { generous, strict };

double sign(Leaning leaning) { return leaning == Leaning::generous ? 1 : -1; }

test::Forgiveness forgiven(Leaning leaning) {
    return {.time = sign(leaning) * 3e-6, .load = sign(leaning) * 3.3e-5, .length = sign(leaning) * 3e-9};
}

/// Mostly small and round, so that ties and zeros are common; sometimes of another order of magnitude.
float number(Dial& dial, float unit) {
    std::uint8_t const byte = dial.byte();
    constexpr std::array<float, 8> odd{0.F, 1e-3F, 0.1F, 1.F / 3, 0.7F, 97.3F, 500.F, 1e4F};
    if (byte >= 240) return unit * odd[byte % odd.size()];
    return unit * static_cast<float>(byte % 24) / (byte >= 120 ? 4.F : 1.F);
}

/// Moves the bound a little or not at all from where the answer turns.
double near(Dial& dial, double value) {
    constexpr std::array steps{0.0, 0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 0.1, 1.0, 7.0};
    double const step = steps[dial.below(steps.size())];
    return std::max(0.0, value + (dial.flag() ? step : -step));
}

std::vector<std::size_t> beginning(Instance const& instance, Dial& dial) {
    std::vector<std::size_t> actions;
    StatePtr const state = instance.reset();
    for (std::size_t steps = dial.below(4); actions.size() < steps && !state->done();) {
        std::vector<std::size_t> allowed;
        auto const mask = state->action_mask();
        for (std::size_t a = 0; a < mask.size(); ++a) {
            if (mask[a] != 0) allowed.push_back(a);
        }
        if (allowed.empty()) return {};
        actions.push_back(allowed[dial.below(allowed.size())]);
        state->step(actions.back());
    }
    return actions;
}

CertifyOptions options_for(Dial& dial) {
    CertifyOptions options;
    options.work = 3000;
    options.seed = dial.byte();
    options.search_iterations = dial.flag() ? 20 : 0;
    options.explain_conflict = dial.flag();
    return options;
}

/// `possible` says whether there is an answer when limits lean that way.
void judge(Instance const& instance, Question const& question, CertifyOptions const& options, auto const& possible) {
    auto const certificate = certify(instance, question, options);
    if (!certificate) return expect_readable(certificate.error());
    expect_readable(std::string_view(certificate->reason));
    if (certificate->verdict == Verdict::certified) {
        require(certificate->witness && certificate->checked, "certified without a checked witness");
        require(check_answer(instance, *certificate->witness, question).valid(), "certified by what is not valid");
        require(possible(Leaning::generous), "certified, but impossible: " + certificate->reason);
    }
    if (certificate->verdict == Verdict::refuted) {
        require(!possible(Leaning::strict), "refuted, but possible: " + certificate->reason);
    }
    require(certificate->doubt != Doubt::check_refused, "model and checker disagree: " + certificate->reason);
}

void certify_routes(Dial& dial) {
    cvrptw::Data data{.capacity = 10};
    float const unit = dial.flag() ? 1.F : 0.01F;
    std::size_t const customers = 1 + dial.below(5);
    for (std::size_t i = 0; i <= customers; ++i) {
        data.locs.push_back({number(dial, unit), number(dial, unit)});
        float const open = i == 0 ? 0.F : number(dial, unit);
        data.time_windows.push_back({open, open + number(dial, 4 * unit)});
        data.durations.push_back(i == 0 ? 0.F : number(dial, 0.25F * unit));
        if (i > 0) data.demand.push_back(std::min(number(dial, 1.F) / 12, 1.F));
    }
    auto const instance = cvrptw::Instance::make(data);
    if (!instance) return;
    Question question{.prefix = beginning(**instance, dial), .bound = {}};
    if (dial.below(4) != 0) question.bound = static_cast<double>(dial.below(5));
    CertifyOptions const options = options_for(dial);
    judge(**instance, question, options, [&](Leaning to) {
        auto const fewest = test::fewest_vehicles(data, question.prefix, forgiven(to));
        return fewest && (!question.bound || static_cast<double>(*fewest) <= *question.bound);
    });
}

void certify_tours(Dial& dial) {
    float const unit = dial.flag() ? 1.F : 0.01F;
    op::Data data{.max_length = number(dial, 4 * unit)};
    std::size_t const customers = 1 + dial.below(5);
    for (std::size_t i = 0; i <= customers; ++i) {
        data.locs.push_back({number(dial, unit), number(dial, unit)});
        data.prize.push_back(i == 0 ? 0.F : number(dial, 0.01F));
    }
    auto const instance = op::Instance::make(data);
    if (!instance) return;
    Question question{.prefix = beginning(**instance, dial), .bound = {}};
    auto const largest = test::largest_prize(data, question.prefix);
    if (dial.below(4) != 0) question.bound = near(dial, largest.value_or(1));
    CertifyOptions const options = options_for(dial);
    judge(**instance, question, options, [&](Leaning to) {
        auto const prize = test::largest_prize(data, question.prefix, forgiven(to));
        return prize && (!question.bound || *prize + sign(to) * 3e-6 * *question.bound >= *question.bound);
    });
}

void certify_schedules(Dial& dial) {
    fjsp::Data data{.machines = 1 + dial.below(3)};
    float const unit = dial.flag() ? 1.F : 0.01F;
    std::size_t const jobs = 1 + dial.below(3);
    for (std::size_t j = 0; j < jobs; ++j) {
        fjsp::Job job(1 + dial.below(2));
        for (fjsp::Operation& ways : job) {
            std::size_t const only = dial.below(data.machines);
            for (std::size_t m = 0; m < data.machines; ++m) {
                if (m == only || dial.flag()) ways.push_back({m, number(dial, unit)});
            }
        }
        data.jobs.push_back(std::move(job));
    }
    auto const instance = fjsp::Instance::make(data);
    if (!instance) return;
    Question question{.prefix = beginning(**instance, dial), .bound = {}};
    double const shortest = test::shortest_makespan(data, question.prefix);
    if (dial.below(4) != 0) question.bound = near(dial, shortest);
    CertifyOptions const options = options_for(dial);
    judge(**instance, question, options,
          [&](Leaning to) { return !question.bound || shortest <= *question.bound * (1 + sign(to) * 3e-6); });
}

} // namespace

void run_certify(Bytes bytes) {
    Dial dial(bytes);
    switch (dial.below(3)) {
    case 0: return certify_routes(dial);
    case 1: return certify_tours(dial);
    default: return certify_schedules(dial);
    }
}

std::vector<std::string> certify_seeds() {
    std::vector<std::string> seeds;
    for (char first = 0; first < 6; ++first) {
        std::string seed(1, first);
        for (int i = 1; i < 60; ++i) seed += static_cast<char>((i * 37 + first * 11) % 100);
        seeds.push_back(std::move(seed));
    }
    return seeds;
}

} // namespace cax::fuzz
