#include "decision_figures.hpp"
#include "decision_tools.hpp"

#include "cax/explain/explanation.hpp"

namespace cax::figures {
namespace {

ExplainOptions only(ChosenParts const& parts) {
    ExplainOptions options;
    options.parts = parts;
    options.threads = 1;
    return options;
}

std::size_t passes_of(Step const& step) {
    std::size_t passes = 0;
    if (step.of<parts::Counterfactual>()) {
        passes += step.of<parts::Counterfactual>()->answer.report.forward_passes + step.of<parts::Counterfactual>()->answer.refine_passes;
    }
    if (step.of<parts::Subset>()) passes += step.of<parts::Subset>()->subset.forward_passes;
    if (step.of<parts::Swap>()) passes += step.of<parts::Swap>()->swap.forward_passes;
    if (step.of<parts::Sensitivity>()) passes += step.of<parts::Sensitivity>()->found.forward_passes;
    if (step.of<parts::Alternatives>()) passes += step.of<parts::Alternatives>()->forward_passes;
    if (step.of<parts::Attribution>() && !step.forced()) passes += 2; // one forward and one backward
    if (step.of<parts::Forbidden>()) passes += step.of<parts::Forbidden>()->size();
    return passes;
}

struct Spent {
    double seconds = 0;
    std::size_t passes = 0;
    std::size_t steps = 0;
};

Spent spent_on(Policy const& policy, std::vector<InstancePtr> const& instances, ExplainOptions const& options) {
    RolloutOptions const following{.state = {.encode = EncodeMode::once}};
    Spent spent;
    double const start = cpu_seconds();
    for (InstancePtr const& instance : instances) {
        auto const explanation = must(explain(policy, must(rollout(policy, instance, following)), options));
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
    Spent const nothing = spent_on(*policy, instances, only({}));
    auto const steps = static_cast<double>(nothing.steps);
    fmt::print("{} s{}: {} instances of seed 20000, {} steps; the walk alone {:.2f} ms per step\n", problem.info().name,
               seed, instances.size(), nothing.steps, 1e3 * nothing.seconds / steps);
    fmt::print("  {:<15} {:>14} {:>12}\n", "part", "passes / step", "ms / step");
    double all = 0;
    Parts::each([&]<class Part> {
        Spent const spent = spent_on(*policy, instances, only(ChosenParts::of<Part>()));
        double const own = std::max(0.0, spent.seconds - nothing.seconds);
        all += own;
        fmt::print("  {:<15} {:>14.1f} {:>12.2f}\n", Part::name, static_cast<double>(spent.passes) / steps,
                   1e3 * own / steps);
    });
    fmt::print("  {:<15} {:>14} {:>12.2f}\n", "together", "", 1e3 * all / steps);
}

} // namespace cax::figures
