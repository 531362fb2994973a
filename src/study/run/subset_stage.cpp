// Sufficient subsets under the paper's rule, the stricter one, and the published code's.
#include "run/task_work.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/subset.hpp"
#include "cax/records/parts.hpp"

namespace cax::study {

Result<Json> TaskWork::decision(SubsetVariant rule, std::size_t step) {
    SubsetSettings const& settings = settings_.subset;
    SubsetOptions options;
    options.epsilon = settings.epsilon;
    options.delta = settings.delta;
    options.sigma = settings.sigma;
    options.k_max = settings.k_max;
    options.seed = seed_for(2);
    options.threads = 1;
    switch (rule) {
    case SubsetVariant::per_test: options.correction = Correction::per_test; break;
    case SubsetVariant::certified: options.accept = Acceptance::certified; break;
    case SubsetVariant::anchor: options.fidelity.compare = cax::Comparison::anchor; break;
    case SubsetVariant::published: options.fidelity = SubsetFidelity::published(); break;
    case SubsetVariant::bonferroni:
    case SubsetVariant::random: break;
    }

    Decision const& decision = episode_.decisions[step];
    auto const attributions =
        attribution(rule == SubsetVariant::published ? MassReading::published : MassReading::paper);
    if (!attributions) return attributions.error();
    auto const candidates = subset_nodes(*decision.state, options);
    auto const order = rule == SubsetVariant::random
                           ? random_order(candidates, decision, seed_for(3))
                           : order_by_scores(candidates, (**attributions)[step].node_totals());
    auto const subset = sufficient_subset(*policy_.policy, decision, order, options);
    if (!subset) return subset.error();
    return Json{{"action", subset->action},
                {"forced", subset->forced},
                {"accepted", subset->accepted},
                {"size", subset->size()},
                {"nodes", subset->nodes},
                {"rate", subset->observed.rate},
                {"lower_bound", subset->observed.lower_bound},
                {"samples", subset->observed.samples},
                {"margin", records::number(subset->margin)},
                {"forward_passes", subset->forward_passes}};
}

} // namespace cax::study
