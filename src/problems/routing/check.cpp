#include "check.hpp"

#include "problem.hpp"

#include <fmt/format.h>

namespace cax::routing {

void check_visits(Instance const& instance, Routes const& solution, bool everybody,
                  std::vector<std::string>& violations) {
    bool const one_tour = problem_of(instance).one_tour();
    NodeWords const& words = problem_of(instance).look().nodes;
    std::size_t const first = words.depot ? 1 : 0;
    if (one_tour && solution.routes.size() > 1) {
        violations.push_back(fmt::format("there are {} routes: a solution is one tour", solution.routes.size()));
    }
    std::vector<std::size_t> visits(instance.nodes(), 0);
    for (std::size_t r = 0; r < solution.routes.size(); ++r) {
        for (std::size_t const node : solution.routes[r]) {
            if (node >= first && node < instance.nodes()) {
                ++visits[node];
                continue;
            }
            violations.push_back(fmt::format("{}there is no {} {} ({} are {} to {})",
                                             one_tour ? "" : fmt::format("route {}: ", r + 1), words.one, node,
                                             words.many, first, instance.nodes() - 1));
        }
    }
    for (std::size_t node = first; node < visits.size(); ++node) {
        if (visits[node] == 0 && everybody)
            violations.push_back(fmt::format("{} is not visited", node_name(node, words)));
        if (visits[node] > 1) {
            violations.push_back(fmt::format("{} is visited {} times", node_name(node, words), visits[node]));
        }
    }
}

} // namespace cax::routing
