#include "prefix.hpp"

#include "../errors.hpp"
#include "problem.hpp"

#include <algorithm>

namespace cax::routing {

Result<Prefix> prefix_of(Instance const& instance, std::span<std::size_t const> actions) {
    Prefix prefix;
    bool const one_tour = problem_of(instance).one_tour();
    bool const depot = problem_of(instance).look().nodes.depot;
    std::vector<bool> visited(instance.nodes(), false);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const node = actions[t];
        auto const refused = [&](std::string_view what) { return cax::invalid("prefix[{}]: {} {}", t, what, node); };
        if (node >= instance.nodes()) return refused("there is no node");
        if (node == 0 && depot) {
            prefix.closed = one_tour;
            if (!prefix.under_way.empty()) prefix.finished.push_back(std::move(prefix.under_way));
            prefix.under_way.clear();
            continue;
        }
        if (prefix.closed) return refused("the tour has ended before it visits customer");
        if (visited[node]) return refused("visits again customer");
        visited[node] = true;
        prefix.under_way.push_back(node);
    }
    for (std::size_t customer = depot ? 1 : 0; customer < instance.nodes(); ++customer) {
        if (!visited[customer]) prefix.left.push_back(customer);
    }
    return prefix;
}

Routes Prefix::with(Routes const& others) const {
    Routes all{finished};
    all.routes.insert(all.routes.end(), others.routes.begin(), others.routes.end());
    return all;
}

std::vector<std::string> missing_of(std::span<std::size_t const> prefix, Routes const& solution) {
    std::vector<std::string> missing;
    std::vector<std::size_t> part;
    auto const starts_like_part = [&](std::vector<std::size_t> const& route) {
        return route.size() >= part.size() && std::equal(part.begin(), part.end(), route.begin());
    };
    for (std::size_t t = 0; t <= prefix.size(); ++t) {
        bool const at_the_end = t == prefix.size();
        if (!at_the_end && prefix[t] != 0) {
            part.push_back(prefix[t]);
            continue;
        }
        if (part.empty()) continue;
        bool const found = std::ranges::any_of(solution.routes, [&](auto const& route) {
            return starts_like_part(route) && (at_the_end || route.size() == part.size());
        });
        if (!found) {
            missing.push_back(fmt::format("no route {} the {} customers {}, ...", at_the_end ? "begins with" : "is",
                                          part.size(), part.front()));
        }
        part.clear();
    }
    return missing;
}

} // namespace cax::routing
