#include "decision_figures.hpp"
#include "decision_tools.hpp"

#include "cax/explain/counterfactual.hpp"
#include "cax/explain/guided.hpp"
#include "cax/explain/requests.hpp"

#include <array>

namespace cax::figures {
namespace {

/// What one kind of search made of the decisions.
struct Searches {
    char const* name = "";
    std::size_t flips = 0;
    std::size_t gradients = 0;
    double passes = 0;        ///< gradients counted as two
    double refine_passes = 0; ///< the same
    double seconds = 0;       ///< of the search alone
    double refine_seconds = 0;
    double entries = 0;
    std::vector<std::optional<double>> found;   ///< L1 by decision
    std::vector<std::optional<double>> refined; ///< L1 by decision
};

void take(Searches& searches, Policy const& policy, Episode const& episode, std::size_t step, Flip const* flip,
          CounterfactualOptions const& options) {
    searches.found.emplace_back();
    searches.refined.emplace_back();
    if (flip == nullptr) return;
    double const start = cpu_seconds();
    auto const refinement = must(refine(policy, episode, step, *flip, options));
    searches.refine_seconds += cpu_seconds() - start;
    searches.refine_passes += static_cast<double>(refinement.forward_passes);
    searches.entries += static_cast<double>(refinement.flip.entries);
    searches.found.back() = flip->l1;
    searches.refined.back() = refinement.flip.l1;
    ++searches.flips;
    if (flip->entries > 1) ++searches.gradients;
}

/// Forward passes that take as long as one gradient does, on these states.
double gradient_in_forwards(Policy const& policy, std::vector<std::pair<Episode const*, std::size_t>> const& decisions) {
    double seconds[2] = {0, 0};
    for (int round = 0; round < 3; ++round) {
        for (auto const& [episode, step] : decisions) {
            Decision const& decision = episode->decisions[step];
            std::vector<Observation> const seen{policy.observe(*decision.state)};
            std::vector<std::vector<double>> weights(1, std::vector<double>(decision.log_probs.size()));
            weights[0][decision.action] = 1;
            double const start = cpu_seconds();
            auto const answers = policy.log_probs(seen);
            double const middle = cpu_seconds();
            auto const gradients = policy.gradients(seen, weights);
            seconds[0] += middle - start;
            seconds[1] += cpu_seconds() - middle;
        }
    }
    return seconds[1] / seconds[0];
}

/// As the command has them: where tensors follow from others, a few of what an instance really contains are moved.
CounterfactualOptions usual_options(Problem const& problem) {
    CounterfactualRequest request;
    if (auto ok = request.resolve(problem.info()); !ok) must(Result<int>(ok.error()));
    return request.options.search;
}

/// Medians over the decisions that both flip.
void compare(char const* what, std::vector<std::optional<double>> const& sampler,
             std::vector<std::optional<double>> const& guided) {
    std::vector<double> before;
    std::vector<double> after;
    std::vector<double> ratios;
    std::array<std::size_t, 3> counts{}; // smaller, within 1 %, larger
    for (std::size_t k = 0; k < sampler.size(); ++k) {
        if (!sampler[k] || !guided[k]) continue;
        before.push_back(*sampler[k]);
        after.push_back(*guided[k]);
        ratios.push_back(*guided[k] / *sampler[k]);
        ++counts[ratios.back() < 0.99 ? 0 : ratios.back() > 1.01 ? 2 : 1];
    }
    fmt::print("  {}, both flip {}: median L1 {:.4g} against {:.4g}, {:.1f} % below; median ratio {:.3f}; smaller {}, "
               "equal {}, larger {}\n",
               what, before.size(), median(after), median(before), 100 - 100 * median(after) / median(before),
               median(ratios), counts[0], counts[1], counts[2]);
}

void print(Searches const& searches, double count, double gradient) {
    double const dearer = (gradient - 2) * static_cast<double>(searches.gradients) / count;
    fmt::print(
        "  {:<8} flips {}, {:.1f} passes to find and {:.1f} to refine ({:.1f} with gradients as measured), {:.2f} "
        "entries, {:.0f} decisions per second, {:.0f} with refinement\n",
        searches.name, searches.flips, searches.passes / count, searches.refine_passes / count,
        (searches.passes + searches.refine_passes) / count + dearer,
        searches.entries / std::max(1.0, static_cast<double>(searches.flips)), count / searches.seconds,
        count / (searches.seconds + searches.refine_seconds));
}

} // namespace

void guided_figures(Problem const& problem, std::size_t count, std::size_t seed, std::uint32_t stream) {
    auto const policy = shipped(problem, seed);
    auto const episodes = fresh_walks(problem, *policy, count / 3 + 1, stream);
    auto const decisions = some_decisions(episodes, count);
    Searches sampler;
    sampler.name = "sampler";
    Searches guided;
    guided.name = "guided";
    for (auto const& [episode, step] : decisions) {
        CounterfactualOptions const options = usual_options(problem);
        double start = cpu_seconds();
        auto const found = must(find_counterfactual(*policy, *episode, step, options));
        sampler.seconds += cpu_seconds() - start;
        sampler.passes += static_cast<double>(found.report.forward_passes);
        take(sampler, *policy, *episode, step, found.best(), options);

        GuidedOptions guide;
        guide.search = options;
        guide.search.perturbation.boxes = must(generator_boxes(*episode->instance)); // as explanations do
        start = cpu_seconds();
        auto const aimed = must(find_guided(*policy, *episode, step, guide));
        guided.seconds += cpu_seconds() - start;
        guided.passes += static_cast<double>(aimed.forward_passes);
        guided.gradients += guide.rivals;
        take(guided, *policy, *episode, step, aimed.flip ? &*aimed.flip : nullptr, guide.search);
    }
    auto const n = static_cast<double>(decisions.size());
    double const gradient = gradient_in_forwards(*policy, decisions);
    fmt::print("{} s{}: {} decisions, a gradient takes as long as {:.2f} forward passes\n", problem.info().name, seed,
               decisions.size(), gradient);
    print(sampler, n, gradient);
    print(guided, n, gradient);
    fmt::print("  guided search: {:.2f} times as many decisions per second\n", sampler.seconds / guided.seconds);
    compare("as found", sampler.found, guided.found);
    compare("refined", sampler.refined, guided.refined);
}

} // namespace cax::figures
