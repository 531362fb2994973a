#include "cax/baselines/baseline.hpp"

#include "cax/core/parallel.hpp"
#include "cax/core/rng.hpp"
#include "cax/problems/questions.hpp"
#include "descent.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>

namespace cax {
namespace {

/// The search's part of the seconds where a solver takes over: it gives the descent a good start, no more.
constexpr double search_share = 0.1;

} // namespace

Result<SearchResult> find_baseline(Instance const& instance, SearchOptions const& options) {
    auto const start = std::chrono::steady_clock::now();
    SearchOptions search = options;
    search.bound.reset();
    bool const descends = options.exact && can_descend(instance);
    if (descends) search.seconds *= search_share;
    auto result = cax::search(instance, search);
    if (!result || result->optimal || !descends || options.iterations == 0) return result;
    bool const limited = options.iterations != SearchOptions{}.iterations;
    double const used = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    DescentLimits const limits{.seconds = options.seconds - used,
                               .work = limited ? options.iterations : 0,
                               .seed = options.seed,
                               .stop = options.stop};
    if (auto const ok = descend(instance, limits, *result); !ok) return ok.error();
    return result;
}

Result<std::vector<SearchResult>> find_baselines(std::span<InstancePtr const> instances,
                                                 BaselinesOptions const& options) {
    std::vector<std::optional<Result<SearchResult>>> found(instances.size());
    auto const number = [&](std::size_t i) { return options.numbers.empty() ? i : options.numbers[i]; };
    std::mutex progress_mutex;
    std::size_t finished = 0;
    parallel_for(instances.size(), options.threads, [&](std::size_t i, std::size_t) {
        Rng name(options.seed, static_cast<std::uint32_t>(number(i)));
        found[i] = find_baseline(*instances[i], {.seconds = options.seconds,
                                                 .iterations = options.iterations,
                                                 .seed = name.next_u64(),
                                                 .bound = {},
                                                 .stop = options.stop});
        std::scoped_lock const lock(progress_mutex);
        ++finished;
        if (options.progress) options.progress(finished, instances.size());
    });
    std::vector<SearchResult> results;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!*found[i]) return found[i]->error().within(fmt::format("instance {}", number(i)));
        results.push_back(std::move(**found[i]));
    }
    return results;
}

} // namespace cax
