#include "cax/core/json.hpp"
#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"

namespace cax {
namespace {

constexpr std::array acceptances{
    Named<Acceptance>{Acceptance::empirical, "empirical", "the observed rate reaches 1 - epsilon, as in the paper"},
    Named<Acceptance>{Acceptance::certified, "certified", "its exact lower bound does"}};
constexpr std::array corrections{
    Named<Correction>{Correction::bonferroni, "bonferroni", "delta for all sizes together"},
    Named<Correction>{Correction::per_test, "per-test", "delta for each"}};

void describe_test(OptionTable& table, SubsetOptions& subset) {
    table.value("epsilon", subset.epsilon, "E", "How much the decision may be lost: rate of 1 - epsilon").within(0, 1);
    table.value("delta", subset.delta, "D", "Confidence is 1 - delta").within(0, 1);
    table.value("sigma", subset.sigma, "S", "Standard deviation of the noise, in each tensor's own units");
    table.flag("sigma-relative", subset.sigma_relative, "Sigma is a fraction of each tensor's range");
    table.value("k-max", subset.k_max, "k", "Largest subset to try");
    table.value("samples", subset.samples, "M", "Samples per size, instead of what epsilon and delta ask for")
        .default_is("");
    table.choice("correction", subset.correction, "How delta is spent on the sizes");
    table.choice("accept", subset.accept, "When a set of nodes is sufficient");
    table.choice("compare", subset.fidelity.compare, "What a masked sample is compared with");
    table.choice("baseline", subset.baseline, "What hidden nodes show");
    table.flag("curve", subset.curve, "Every size on every sample: the whole rate-size curve and its area");
}

} // namespace

NameTable<Acceptance> names_of(Acceptance) { return acceptances; }
NameTable<Correction> names_of(Correction) { return corrections; }

void describe(OptionTable& table, SubsetRequest& request) {
    table
        .value("order", request.orders, "WORD,..",
               "Orders to walk along: proxy, lp, subgrad, lagrangian, integrated, occlusion, random, family:NAME")
        .or_commas();
    describe_test(table, request.subset);
    table.flag("exact", request.exact, "Also search all subsets by size for the smallest one").not_a_setting();
    table.value("budget", request.exact_budget, "n", "Forward passes that --exact may spend on a decision")
        .range(1, std::uint64_t{1} << 40U)
        .as("exact_budget", [&] { return Json(request.exact ? request.exact_budget : 0); });
    table.value("points", request.points, "n", "Points of integrated gradients").range(1, 100'000);
    table
        .flag("paper", request.paper,
              "Exactly the paper's equation 2 (also the defaults): the observed rate decides, delta is spent on all "
              "sizes together, every masked sample is compared with itself unmasked")
        .without({"published"})
        .not_a_setting()
        .first()
        .then([&request] {
            request.subset.accept = Acceptance::empirical;
            request.subset.correction = Correction::bonferroni;
            request.subset.baseline = MaskingBaseline::zero;
            request.subset.fidelity = SubsetFidelity::paper();
        });
    table
        .flag("published", request.published,
              "As the paper's published code does it: anchor, fresh noise for every size, whole numbers cut off, short "
              "tensors never hidden, spent nodes counted, node masses of unclipped logits")
        .without({"accept", "compare", "baseline", "sigma-relative"})
        .first()
        .then([&] { request.subset.fidelity = SubsetFidelity::published(); });
}

Result<std::vector<Ordering>> SubsetRequest::resolve(ProblemInfo const& info) {
    subset.exact_budget = exact ? exact_budget : 0;
    std::vector<Ordering> orderings;
    for (std::string const& name : orders) {
        auto ordering = ordering_of(name, info);
        if (!ordering) return ordering.error();
        orderings.push_back(*std::move(ordering));
    }
    return orderings;
}

} // namespace cax
