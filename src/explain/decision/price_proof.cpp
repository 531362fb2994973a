#include "decision/price_proof.hpp"

#include "cax/explain/certify.hpp"
#include "cax/problems/questions.hpp"

namespace cax {

bool can_prove_prices(Instance const& instance) {
    ProblemInfo const& info = instance.problem().info();
    return info.bound_is_cost && info.objective == Objective::minimise && instance.problem().questions() != nullptr &&
           cost_grain_of(instance) > 0;
}

Result<PriceProof> prove_price(Instance const& instance, std::vector<std::size_t> const& prefix, PriceProof known,
                               std::uint64_t work) {
    double const grain = cost_grain_of(instance);
    while (known.work < work) {
        if (known.cost < grain) {
            known.proved = true;
            return known;
        }
        // Half a grain below: no rounding can hide a cost that lies a whole one below.
        Question const question{.prefix = prefix, .bound = known.cost - grain / 2};
        auto const certificate =
            certify(instance, question, {.work = work - known.work, .candidates = {}, .search_iterations = 0});
        if (!certificate) return certificate.error();
        known.work += certificate->work;
        known.proved = certificate->verdict == Verdict::refuted;
        bool const improved = certificate->verdict == Verdict::certified && certificate->cost < known.cost;
        if (!improved) return known;
        known.cost = certificate->cost;
        known.solution = *certificate->witness;
        if (certificate->work == 0) ++known.work; // found without a search; never for ever
    }
    return known;
}

} // namespace cax
