// The best tour that begins like this, for every next customer at once: one programme over sets of customers for all
// actions. Where its work runs out, tours found so far and known ones remain, and nothing is proved.
#include "homeward.hpp"
#include "prefix.hpp"

#include <algorithm>

namespace cax::op {
namespace {

Solution tour_of(std::vector<std::size_t> tour) { return Routes{{std::move(tour)}}; }

/// Does the tour begin with these customers?
bool begins_with(Solution const& solution, std::vector<std::size_t> const& beginning) {
    auto const& routes = std::get<Routes>(solution).routes;
    if (beginning.empty()) return true;
    if (routes.empty() || routes[0].size() < beginning.size()) return false;
    return std::equal(beginning.begin(), beginning.end(), routes[0].begin());
}

/// Takes the tour if it is valid and better than what is there.
void offer(Instance const& instance, Solution solution, Completion& completion) {
    CheckReport const report = instance.check(solution);
    if (!report.valid() || (completion.solution && report.cost <= completion.cost)) return;
    completion.solution = std::move(solution);
    completion.cost = report.cost;
}

} // namespace

Result<std::vector<Completion>> Instance::completions(CompletionRequest const& request) const {
    Instance const& instance = *this;
    auto const prefix = prefix_of(instance, request.prefix);
    if (!prefix) return prefix.error();
    double const left = double{instance.data().max_length} - prefix->length;
    std::vector<std::size_t> reachable;
    for (std::size_t const customer : prefix->left) {
        double const way = distance(instance.data(), prefix->last(), customer) + distance(instance.data(), customer, 0);
        if (!prefix->closed && way <= left) reachable.push_back(customer);
    }
    std::vector<Completion> answers(request.actions.size());
    bool const programme = request.prove && reachable.size() <= Homeward::most_customers;
    Homeward ways(instance.data(), prefix->last(), left, programme ? reachable : std::vector<std::size_t>());
    bool const proved = programme && ways.run(request.proof_work);
    for (std::size_t k = 0; k < answers.size(); ++k) {
        std::size_t const action = request.actions[k];
        answers[k].work = ways.work();
        if (action == 0) { // home: that is the tour
            offer(instance, tour_of(prefix->tour), answers[k]);
            answers[k].optimal = answers[k].solution.has_value();
        } else {
            std::vector<std::size_t> beginning = prefix->tour;
            beginning.push_back(action);
            for (Solution const& known : request.known) {
                if (begins_with(known, beginning)) offer(instance, known, answers[k]);
            }
            auto const place = std::ranges::find(reachable, action);
            if (programme && place != reachable.end()) {
                auto const way = ways.best_way(static_cast<std::size_t>(place - reachable.begin()));
                std::vector<std::size_t> tour = prefix->tour;
                tour.insert(tour.end(), way.begin(), way.end());
                if (!way.empty()) offer(instance, tour_of(std::move(tour)), answers[k]);
            }
            answers[k].optimal = proved && answers[k].solution.has_value();
        }
        if (answers[k].optimal) answers[k].bound = answers[k].cost;
    }
    return answers;
}

} // namespace cax::op
