// What a hand costs: the answer to a drag (bytes in, bytes out) and the explanation of one decision when it rests, each
// in greedy rollouts encoded once of the same instance in the same run. CVRPTW-50, the policy in models/, instance of
// seed 7, one thread, processor time. `explain`: the first one after a change, of 15 decisions, each the median of
// three; default parts, a reference table aside; without the sufficient subset, too.
#include "cax/core/json.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"
#include "cax/serve/sessions.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <vector>

namespace {

using namespace cax;

struct Setting {
    Setting() {
        auto const weights = io::read_safetensors(CAX_MODELS_DIR "/cvrptw-50-s0.safetensors");
        if (!weights) std::abort();
        auto made = make_policy(*weights, {.threads = 1});
        if (!made) std::abort();
        policy = *std::move(made);
        Rng rng(7);
        instance = *find_problem("cvrptw")->generate("50", {}, rng);
    }

    /// Seconds of one greedy rollout: the median of those seen so far, after a few more.
    double rollout() {
        for (int i = 0; i < 20; ++i) {
            double const start = bench::thread_seconds();
            if (!decode(*policy, std::span(&instance, 1), {.threads = 1})) std::abort();
            rollouts.push_back(bench::thread_seconds() - start);
        }
        std::ranges::nth_element(rollouts, rollouts.begin() + static_cast<std::ptrdiff_t>(rollouts.size() / 2));
        return rollouts[rollouts.size() / 2];
    }

    std::unique_ptr<Policy> policy;
    InstancePtr instance;
    std::vector<double> rollouts;
};

std::unique_ptr<serve::Sessions> sessions_of(Setting const& setting, bool subset) {
    serve::SessionOptions options;
    options.explain.threads = 1;
    options.explain.subset = subset;
    auto made = serve::Sessions::make(*setting.policy, setting.instance, std::move(options));
    if (!made) std::abort();
    return *std::move(made);
}

std::string opened(serve::Sessions& sessions) { return Json::parse(sessions.answer("open", "{}").text)["session"]; }

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void drag(benchmark::State& state) {
    Setting setting;
    auto const sessions = sessions_of(setting, true);
    std::string const session = opened(*sessions);
    std::vector<double> ratios;
    std::size_t sequence = 0;
    std::size_t bytes = 0;
    for (auto _ : state) {
        double const rollout = setting.rollout();
        std::vector<double> seconds;
        for (int i = 0; i < 20; ++i) {
            ++sequence;
            std::string const body = fmt::format(
                R"({{"session": "{}", "sequence": {}, "step": 10, "edits": [{{"node": 27, "x": {}, "y": 60.5}}]}})",
                session, sequence, 40 + 0.1 * static_cast<double>(sequence % 200));
            double const start = bench::thread_seconds();
            serve::Answer const answer = sessions->answer("drag", body);
            seconds.push_back(bench::thread_seconds() - start);
            if (answer.text.find("\"status\":\"ok\"") == std::string::npos) std::abort();
            bytes = answer.text.size();
        }
        ratios.push_back(median(seconds) / rollout);
    }
    state.counters["rollouts"] = median(ratios);
    state.counters["bar"] = 4;
    state.counters["milliseconds_per_rollout"] = 1e3 * setting.rollout();
    state.counters["kilobytes"] = static_cast<double>(bytes) / 1024;
}

void explain_at_rest(benchmark::State& state, bool subset) {
    Setting setting;
    auto const sessions = sessions_of(setting, subset);
    std::vector<double> ratios;
    std::size_t step = 0;
    for (auto _ : state) {
        double const rollout = setting.rollout();
        step = (step + 7) % 50;
        std::vector<double> seconds;
        for (int i = 0; i < 3; ++i) {
            // A session that has explained nothing yet knows nothing about the instance.
            std::string const body =
                fmt::format(R"({{"session": "{}", "sequence": 1, "step": {}}})", opened(*sessions), step);
            double const start = bench::thread_seconds();
            serve::Answer const answer = sessions->answer("explain", body);
            seconds.push_back(bench::thread_seconds() - start);
            if (answer.text.find("\"status\":\"ok\"") == std::string::npos) std::abort();
        }
        ratios.push_back(median(seconds) / rollout);
    }
    state.counters["rollouts_median"] = median(ratios);
    state.counters["rollouts_most"] = *std::ranges::max_element(ratios);
    state.counters["bar"] = 150;
}

BENCHMARK(drag)->Unit(benchmark::kMillisecond)->Iterations(15);
BENCHMARK_CAPTURE(explain_at_rest, default_parts, true)->Unit(benchmark::kMillisecond)->Iterations(15);
BENCHMARK_CAPTURE(explain_at_rest, without_subset, false)->Unit(benchmark::kMillisecond)->Iterations(15);

} // namespace
