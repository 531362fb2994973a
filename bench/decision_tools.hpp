#pragma once
// What the programs that measure explanations share: shipped policies, fresh decisions, agreement with its interval.
#include "cax/core/rng.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace cax::figures {

template <class T> T must(Result<T> result) {
    if (result) return *std::move(result);
    fmt::print(stderr, "{}\n", result.error().message);
    std::exit(1);
}

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

inline std::unique_ptr<Policy> shipped(Problem const& problem, std::size_t seed) {
    auto const path = std::filesystem::path(CAX_MODELS_DIR) /
                      fmt::format("{}-{}-s{}.safetensors", problem.info().name, problem.info().default_size, seed);
    return must(make_policy(must(io::read_safetensors(path)), {.threads = 1}));
}

/// Instances are drawn from streams of random numbers; this one is for figures alone.
inline constexpr std::uint32_t fresh_stream = 20'000;

/// Walks on generated instances that no table has seen.
inline std::vector<Episode> fresh_walks(Problem const& problem, Policy const& policy, std::size_t count,
                                     std::uint32_t stream = fresh_stream) {
    std::vector<InstancePtr> instances;
    for (std::uint32_t i = 0; i < count; ++i) {
        Rng rng(stream, i);
        instances.push_back(must(problem.generate(problem.info().default_size, {}, rng)));
    }
    return must(rollout(policy, instances));
}

/// Decisions with a choice, three from each episode, spread over its steps.
inline std::vector<std::pair<Episode const*, std::size_t>> some_decisions(std::vector<Episode> const& episodes,
                                                                       std::size_t count) {
    std::vector<std::pair<Episode const*, std::size_t>> chosen;
    for (std::size_t w = 0; w < episodes.size(); ++w) {
        std::vector<std::size_t> steps;
        for (Decision const& decision : episodes[w].decisions) {
            if (decision.runner_up()) steps.push_back(decision.step);
        }
        Rng rng(7, static_cast<std::uint32_t>(w));
        for (std::size_t k = 0; k < 3 && !steps.empty(); ++k) {
            std::size_t const at = rng.below(steps.size());
            chosen.emplace_back(&episodes[w], steps[at]);
            steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    chosen.resize(std::min(chosen.size(), count));
    return chosen;
}

/// Agreement beyond chance.
inline double kappa(std::vector<std::size_t> const& a, std::vector<std::size_t> const& b, std::size_t classes) {
    std::vector<double> in_a(classes);
    std::vector<double> in_b(classes);
    double same = 0;
    auto const n = static_cast<double>(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        in_a[a[i]] += 1 / n;
        in_b[b[i]] += 1 / n;
        same += a[i] == b[i] ? 1 / n : 0;
    }
    double chance = 0;
    for (std::size_t k = 0; k < classes; ++k) chance += in_a[k] * in_b[k];
    return (same - chance) / (1 - chance);
}

/// A number and the interval that 95 of 100 redrawn sets of instances leave.
struct Interval {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// Of a kappa, redrawing whole instances: decisions of one instance are no independent witnesses.
inline Interval clustered_kappa(std::vector<std::size_t> const& a, std::vector<std::size_t> const& b,
                                std::vector<std::size_t> const& instance, std::size_t classes) {
    std::vector<std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < instance.size(); ++i) {
        if (i == 0 || instance[i] != instance[i - 1]) members.emplace_back();
        members.back().push_back(i);
    }
    std::vector<double> drawn;
    Rng rng(95);
    for (int n = 0; n < 1000; ++n) {
        std::vector<std::size_t> first;
        std::vector<std::size_t> second;
        for (std::size_t k = 0; k < members.size(); ++k) {
            for (std::size_t const i : members[rng.below(members.size())]) {
                first.push_back(a[i]);
                second.push_back(b[i]);
            }
        }
        double const value = kappa(first, second, classes);
        if (std::isfinite(value)) drawn.push_back(value);
    }
    std::ranges::sort(drawn);
    if (drawn.empty()) return {kappa(a, b, classes), 0, 0};
    return {kappa(a, b, classes), drawn[drawn.size() / 40], drawn[drawn.size() - 1 - drawn.size() / 40]};
}

} // namespace cax::figures
