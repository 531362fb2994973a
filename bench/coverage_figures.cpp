#include "decision_figures.hpp"
#include "decision_tools.hpp"
#include "random_policy.hpp"

#include "cax/explain/sensitivity.hpp"

namespace cax::figures {
namespace {

/// A shipped policy where there is one, else random weights of a small network.
std::unique_ptr<Policy> some_policy(Problem const& problem, std::size_t seed) {
    auto const path = std::filesystem::path(CAX_MODELS_DIR) /
                      fmt::format("{}-{}-s{}.safetensors", problem.info().name, problem.info().default_size, seed);
    if (std::filesystem::exists(path)) return shipped(problem, seed);
    return must(make_policy(test::random_policy(problem.info().name, 32, 1, seed), {.threads = 1}));
}

/// How often intervals hold what plain samples say.
struct Coverage {
    std::size_t scores = 0, flips = 0, all = 0;
    std::size_t rare = 0, rare_flips = 0; ///< where flips happen in less than a tenth of the cases, but happen
    double width = 0;

    void add(FamilySensitivity const& found, FamilySensitivity const& truth) {
        auto const holds = [](SensitivityInterval const& interval, double value) {
            return interval.low <= value && value <= interval.high;
        };
        ++all;
        bool const flip = holds(found.flip_interval, truth.flip_rate);
        scores += holds(found.score_interval, truth.score) ? 1 : 0;
        flips += flip ? 1 : 0;
        width += found.flip_interval.high - found.flip_interval.low;
        if (truth.flip_rate == 0 || truth.flip_rate >= 0.1) return;
        ++rare;
        rare_flips += flip ? 1 : 0;
    }
};

} // namespace

void coverage_figures(Problem const& problem, std::size_t count, std::size_t seed, std::size_t plain) {
    constexpr std::uint64_t repetitions = 8;
    double const start = cpu_seconds();
    auto const policy = some_policy(problem, seed);
    std::vector<InstancePtr> instances;
    for (std::uint32_t i = 0; i < count; ++i) {
        Rng rng(fresh_stream, i);
        instances.push_back(must(problem.generate(problem.info().size_hint == "N" ? "15" : "5x3", {}, rng)));
    }
    auto const episodes = must(rollout(*policy, instances));
    Coverage coverage;
    for (auto const& [episode, step] : some_decisions(episodes, count)) {
        Decision const& decision = episode->decisions[step];
        auto const truth = must(sensitivity(*policy, decision, {.shots = plain / 2, .pool = 1, .seed = 4711}));
        for (std::uint64_t s = 0; s < repetitions; ++s) {
            auto const found = must(sensitivity(*policy, decision, {.seed = s}));
            for (std::size_t k = 0; k < found.families.size(); ++k) coverage.add(found.families[k], truth.families[k]);
        }
    }
    auto const part = [](std::size_t hits, std::size_t of) {
        return of > 0 ? 100 * static_cast<double>(hits) / static_cast<double>(of) : 100.0;
    };
    fmt::print("{:<10} {:>5} intervals: score {:6.2f} %, flip rate {:6.2f} % (rare flips {:6.2f} % of {}), mean width {:.2f}; "
               "{:.0f} s\n",
               problem.info().name, coverage.all, part(coverage.scores, coverage.all), part(coverage.flips, coverage.all),
               part(coverage.rare_flips, coverage.rare), coverage.rare,
               coverage.all > 0 ? coverage.width / static_cast<double>(coverage.all) : 0, cpu_seconds() - start);
}

} // namespace cax::figures
