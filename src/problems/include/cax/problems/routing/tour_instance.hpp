#pragma once
// Instances whose solution is one closed tour that is to be short: what solvers are asked of it
// (src/problems/routing/tour).
#include "cax/problems/completions.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/instance.hpp"

namespace cax::routing {

struct TourData;

class TourInstance : public Instance {
public:
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const;
    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const;
    [[nodiscard]] Result<std::vector<Completion>> completions(CompletionRequest const& request) const;

protected:
    using Instance::Instance;
    [[nodiscard]] virtual TourData tour() const = 0;
};

} // namespace cax::routing
