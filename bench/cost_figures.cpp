#include "decision_figures.hpp"
#include "decision_tools.hpp"

#include "cax/explain/explanation.hpp"

namespace cax::figures {
namespace {

struct Part {
    char const* name;
    bool ExplainOptions::*wanted;
};
constexpr Part parts[] = {{"attribution", &ExplainOptions::attribution},
                          {"counterfactual", &ExplainOptions::counterfactual},
                          {"subset", &ExplainOptions::subset},
                          {"swap", &ExplainOptions::swap},
                          {"sensitivity", &ExplainOptions::sensitivity},
                          {"forbidden", &ExplainOptions::forbidden},
                          {"alternatives", &ExplainOptions::alternatives},
                          {"thumb", &ExplainOptions::thumb},
                          {"story", &ExplainOptions::story}};

ExplainOptions only(bool ExplainOptions::*wanted) {
    ExplainOptions options;
    for (Part const& part : parts) options.*part.wanted = false;
    if (wanted != nullptr) options.*wanted = true;
    options.threads = 1;
    return options;
}

std::size_t passes_of(Step const& step) {
    std::size_t passes = 0;
    if (step.counterfactual) {
        passes += step.counterfactual->answer.report.forward_passes + step.counterfactual->answer.refine_passes;
    }
    if (step.subset) passes += step.subset->subset.forward_passes;
    if (step.swap) passes += step.swap->swap.forward_passes;
    if (step.sensitivity) passes += step.sensitivity->found.forward_passes;
    if (step.alternatives) passes += step.alternatives->forward_passes;
    if (step.attribution && !step.forced()) passes += 2; // one forward and one backward
    if (step.forbidden) passes += step.forbidden->size();
    return passes;
}

struct Spent {
    double seconds = 0;
    std::size_t passes = 0;
    std::size_t steps = 0;
};

Spent spent_on(Policy const& policy, std::vector<InstancePtr> const& instances, ExplainOptions const& options) {
    Spent spent;
    double const start = cpu_seconds();
    for (InstancePtr const& instance : instances) {
        auto const explanation = must(explain(policy, instance, options));
        spent.steps += explanation.steps.size();
        for (Step const& step : explanation.steps) spent.passes += passes_of(step);
    }
    spent.seconds = cpu_seconds() - start;
    return spent;
}

} // namespace

void cost_figures(Problem const& problem, std::size_t count, std::size_t seed) {
    auto const policy = shipped(problem, seed);
    std::vector<InstancePtr> instances;
    for (Episode const& episode : fresh_walks(problem, *policy, count)) instances.push_back(episode.instance);
    Spent const nothing = spent_on(*policy, instances, only(nullptr));
    auto const steps = static_cast<double>(nothing.steps);
    fmt::print("{} s{}: {} instances of seed 20000, {} steps; the walk alone {:.2f} ms per step\n", problem.info().name,
               seed, instances.size(), nothing.steps, 1e3 * nothing.seconds / steps);
    fmt::print("  {:<15} {:>14} {:>12}\n", "part", "passes / step", "ms / step");
    double all = 0;
    for (Part const& part : parts) {
        Spent const spent = spent_on(*policy, instances, only(part.wanted));
        double const own = std::max(0.0, spent.seconds - nothing.seconds);
        all += own;
        fmt::print("  {:<15} {:>14.1f} {:>12.2f}\n", part.name, static_cast<double>(spent.passes) / steps,
                   1e3 * own / steps);
    }
    fmt::print("  {:<15} {:>14} {:>12.2f}\n", "together", "", 1e3 * all / steps);
}

} // namespace cax::figures
