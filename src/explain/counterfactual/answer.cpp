#include "cax/explain/answer.hpp"

#include <fmt/format.h>

namespace cax {
namespace {

/// Certification as the request has it, with what it shares with the search.
CertificationOptions certification_in(AnswerOptions const& request) {
    CertificationOptions options = request.certification;
    options.certifier.seed = request.search.perturbation.seed;
    options.first_instance = request.search.first_instance;
    options.state_options = request.search.state_options;
    return options;
}

/// Forward passes of a search that tries every number: more than there are.
constexpr std::size_t passes_for_all = 1'000'000;
/// To which part it finds the size out.
constexpr double accuracy_of_one = 0.05;

/// The search of a guided request: numbers stay on the generator's map unless somebody has said otherwise.
Result<GuidedOptions> guided_options(Instance const& instance, AnswerOptions const& request) {
    GuidedOptions options;
    options.search = request.search;
    if (request.one_number) {
        options.single = options.everything = true;
        options.passes = passes_for_all;
        options.accuracy = accuracy_of_one;
    }
    if (request.off_map) return options;
    auto boxes = generator_boxes(instance);
    if (!boxes) return boxes.error();
    auto& own = options.search.perturbation.boxes;
    own.resize(boxes->size());
    for (std::size_t t = 0; t < own.size(); ++t) {
        if (!own[t]) own[t] = (*boxes)[t];
    }
    return options;
}

/// What a search found: flips, and how it went.
struct Found {
    std::vector<Flip> flips;
    ShotReport report;
    std::optional<GuidedFlip> guided;
    CounterfactualOptions options; ///< with which flips are refined
};

Result<Found> searched(Policy const& policy, Episode const& episode, std::size_t step, AnswerOptions const& request) {
    if (request.finder_for(policy) == FlipSearch::sampler) {
        auto found = find_counterfactual(policy, episode, step, request.search);
        if (!found) return found.error();
        return Found{std::move(found->flips), found->report, std::nullopt, request.search};
    }
    auto const options = guided_options(*episode.instance, request);
    if (!options) return options.error();
    auto found = find_guided(policy, episode, step, *options);
    if (!found) return found.error();
    Found result{{}, {}, std::nullopt, options->search};
    result.report.forward_passes = found->forward_passes;
    if (found->flip) result.flips.push_back(*std::exchange(found->flip, std::nullopt));
    result.guided = *std::move(found);
    return result;
}

/// One decision's flips on their way to an answer.
class Settling {
public:
    /// `search`: the options with which flips were found.
    Settling(Policy const& policy, Episode const& episode, std::size_t step, AnswerOptions const& request,
             CounterfactualOptions const& search)
        : policy_(policy), episode_(episode), step_(step), search_(search), certification_(certification_in(request)) {}

    [[nodiscard]] Result<SettledFlip> settled(Flip flip) const {
        SettledFlip result{std::move(flip), std::nullopt};
        if (certification_.mode == Certification::none) return result;
        auto certificate = certify(policy_, episode_, step_, result.flip, certification_);
        if (!certificate) return certificate.error();
        result.certificate = *std::move(certificate);
        return result;
    }

    /// The refined flip; if that loses the certificate, the last step before it that keeps it.
    [[nodiscard]] Result<SettledFlip> refined(SettledFlip const& sampled, std::size_t& forward_passes) const {
        auto refinement = refine(policy_, episode_, step_, sampled.flip, search_);
        if (!refinement) return refinement.error();
        forward_passes += refinement->forward_passes;
        bool const was_certified = sampled.status() == CounterfactualStatus::certified;
        auto better = settled(std::move(refinement->flip));
        for (Flip& earlier : refinement->earlier) {
            if (!better || !was_certified || better->status() == CounterfactualStatus::certified) return better;
            better = settled(std::move(earlier));
        }
        bool const lost = better && was_certified && better->status() != CounterfactualStatus::certified;
        return lost ? Result<SettledFlip>(sampled) : better;
    }

private:
    Policy const& policy_;
    Episode const& episode_;
    std::size_t step_;
    CounterfactualOptions const& search_;
    CertificationOptions certification_;
};

} // namespace

NameTable<FlipSearch> names_of(FlipSearch) {
    using Named = Named<FlipSearch>;
    static constexpr std::array names{Named{FlipSearch::guided, "guided", "where the policy's gradient points"},
                                      Named{FlipSearch::sampler, "sampler", "random changes, as in the paper"}};
    return names;
}

NameTable<CounterfactualStatus> names_of(CounterfactualStatus) {
    using Named = Named<CounterfactualStatus>;
    static constexpr std::array names{
        Named{CounterfactualStatus::certified, "certified"}, Named{CounterfactualStatus::refuted, "refuted"},
        Named{CounterfactualStatus::undecided, "undecided"}, Named{CounterfactualStatus::flipped, "flipped"},
        Named{CounterfactualStatus::no_flip, "no_flip"}};
    return names;
}

CounterfactualStatus status_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::certified: return CounterfactualStatus::certified;
    case Verdict::refuted: return CounterfactualStatus::refuted;
    case Verdict::undecided: break;
    }
    return CounterfactualStatus::undecided;
}

CounterfactualStatus SettledFlip::status() const {
    return certificate ? status_of(certificate->verdict) : CounterfactualStatus::flipped;
}

SettledFlip const* CounterfactualAnswer::best() const {
    if (!refined.empty()) return &refined.front();
    return sampled.empty() ? nullptr : &sampled.front();
}

CounterfactualStatus CounterfactualAnswer::status() const {
    return best() != nullptr ? best()->status() : CounterfactualStatus::no_flip;
}

Result<void> check_options(ProblemInfo const& info, AnswerOptions const& request) {
    if (auto ok = check_certification(info, request.certification); !ok) return ok;
    auto const sampler_only = [](std::string what) {
        return Error{ErrorCode::invalid_value, std::move(what) + ": only --search sampler does that"};
    };
    bool const guided = request.finder == FlipSearch::guided;
    if (guided && request.search.count > 1) return sampler_only(fmt::format("--count {}", request.search.count));
    if (guided && request.search.perturbation.joint) return sampler_only("--joint");
    if (guided && request.search.plain_loop) return sampler_only("--plain-loop");
    return check_options(info, request.search);
}

Result<CounterfactualAnswer> answer_counterfactual(Policy const& policy, Episode const& episode, std::size_t step,
                                                   AnswerOptions const& request) {
    if (auto ok = check_options(episode.instance->problem().info(), request); !ok) return ok.error();
    if (step >= episode.decisions.size()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {}: the policy takes {} decisions here", step + 1, episode.decisions.size())};
    }
    auto found = searched(policy, episode, step, request);
    if (!found) return found.error();
    Decision const& decision = episode.decisions[step];
    CounterfactualAnswer answer{decision.instance,           decision.step, decision.action, found->report, {}, {}, 0,
                                std::move(found->guided)};
    Settling const settling(policy, episode, step, request, found->options);
    for (Flip& flip : found->flips) {
        auto sampled = settling.settled(std::move(flip));
        if (!sampled) return sampled.error();
        answer.sampled.push_back(*std::move(sampled));
    }
    for (std::size_t i = 0; i < answer.sampled.size() && request.refine; ++i) {
        auto refined = settling.refined(answer.sampled[i], answer.refine_passes);
        if (!refined) return refined.error();
        answer.refined.push_back(*std::move(refined));
    }
    return answer;
}

} // namespace cax
