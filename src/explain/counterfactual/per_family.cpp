#include "cax/explain/answer.hpp"

#include <array>

namespace cax {
namespace {

/// Parts of a tensor's scale that entries may move by, tried in this order.
constexpr std::array reaches{0.125, 0.25, 0.5};

/// Where noise on all entries leaves the envelope at once, noise on a few of them does not.
constexpr std::size_t few_entries = 4;

AnswerOptions request_for(ProblemInfo const& info, std::size_t family, std::vector<double> const& scales, double reach,
                          std::size_t sparse, AnswerOptions request) {
    PerturbationOptions& moves = request.search.perturbation;
    moves.budgets.assign(info.tensors.size(), std::nullopt);
    moves.fixed.resize(info.tensors.size(), 0);
    moves.joint = true;
    moves.sparse = sparse;
    for (std::size_t k = 0; k < info.tensors.size(); ++k) {
        moves.budgets[k] = reach * scales[k];
        if (info.tensors[k].family != family) moves.fixed[k] = 1;
    }
    request.finder = FlipSearch::sampler; // all numbers of a family together
    request.refine = true;
    request.search.count = 1;
    return request;
}

} // namespace

Result<std::vector<FamilyAnswer>> answer_per_family(Policy const& policy, Episode const& episode, std::size_t step,
                                                    AnswerOptions const& request) {
    ProblemInfo const& info = episode.instance->problem().info();
    if (auto ok = check_options(info, request); !ok) return ok.error();
    std::vector<double> const scales = tensor_scales(*episode.instance);
    std::size_t const asked = request.search.perturbation.sparse;
    std::vector<std::size_t> const spreads = asked > 0 ? std::vector{asked} : std::vector<std::size_t>{0, few_entries};
    std::vector<FamilyAnswer> answers;
    for (std::size_t family = 0; family < info.families.size(); ++family) {
        FamilyAnswer answer;
        answer.family = family;
        for (double const reach : reaches) {
            for (std::size_t const sparse : spreads) {
                if (answer.flip) break;
                auto const found = answer_counterfactual(policy, episode, step,
                                                         request_for(info, family, scales, reach, sparse, request));
                if (!found) return found.error();
                answer.reach = reach;
                answer.forward_passes += found->report.forward_passes + found->refine_passes;
                if (SettledFlip const* const best = found->best()) {
                    answer.flip = *best;
                    answer.relative_size = relative_size(best->flip.change, scales);
                }
            }
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace cax
