#include "cax/explain/answer.hpp"

namespace cax {
namespace {

/// Certification as the request has it, with what it shares with the search.
CertificationOptions certification_in(CounterfactualRequest const& request) {
    CertificationOptions options = request.certification;
    options.certifier.seed = request.search.perturbation.seed;
    options.first_instance = request.search.first_instance;
    options.state_options = request.search.state_options;
    return options;
}

/// One cell's flips on their way to an answer.
class Settling {
public:
    Settling(Policy const& policy, Walk const& walk, std::size_t step, CounterfactualRequest const& request)
        : policy_(policy), walk_(walk), step_(step), request_(request), certification_(certification_in(request)) {}

    [[nodiscard]] Result<SettledFlip> settled(Flip flip) const {
        SettledFlip result{std::move(flip), std::nullopt};
        if (certification_.mode == Certification::none) return result;
        auto certificate = certify(policy_, walk_, step_, result.flip, certification_);
        if (!certificate) return certificate.error();
        result.certificate = *std::move(certificate);
        return result;
    }

    /// The refined flip; if that loses the certificate, the last step before it that keeps it.
    [[nodiscard]] Result<SettledFlip> refined(SettledFlip const& sampled, std::size_t& forward_passes) const {
        auto refinement = refine(policy_, walk_, step_, sampled.flip, request_.search);
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
    Walk const& walk_;
    std::size_t step_;
    CounterfactualRequest const& request_;
    CertificationOptions certification_;
};

} // namespace

std::string_view name_of(CounterfactualStatus status) {
    switch (status) {
    case CounterfactualStatus::certified: return "certified";
    case CounterfactualStatus::refuted: return "refuted";
    case CounterfactualStatus::undecided: return "undecided";
    case CounterfactualStatus::flipped: return "flipped";
    case CounterfactualStatus::no_flip: return "no_flip";
    }
    return "";
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

Result<void> check_request(ProblemInfo const& info, CounterfactualRequest const& request) {
    if (auto ok = check_certification(info, request.certification); !ok) return ok;
    return check_options(info, request.search);
}

Result<CounterfactualAnswer> answer_counterfactual(Policy const& policy, Walk const& walk, std::size_t step,
                                                   CounterfactualRequest const& request) {
    if (auto ok = check_request(walk.instance->problem().info(), request); !ok) return ok.error();
    auto found = find_counterfactual(policy, walk, step, request.search);
    if (!found) return found.error();
    CounterfactualAnswer answer{found->instance, found->step, found->action, found->report, {}, {}, 0};
    Settling const settling(policy, walk, step, request);
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
