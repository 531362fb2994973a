#include "problem.hpp"

#include "../errors.hpp"
#include "../fields.hpp"

namespace cax::routing {

Problem::Problem(ProblemInfo info, std::span<Field const> fields, table::Look look, RouteLook routes)
    : table::Problem(std::move(info), fields, std::move(look)), routes_(routes) {}

std::vector<TensorCopy> Problem::copies(cax::State const& state) const {
    return {{"depot", 0, 0}, {"current_loc", 0, 2 * static_cast<State const&>(state).current_node()}};
}

Result<InstancePtr> Problem::generate(std::string_view size, Options const& options, Rng& rng) const {
    std::vector<std::string_view> names;
    for (auto const& [name, what] : info().generator_options) names.push_back(name);
    if (auto ok = check_option_names(options, names); !ok) return ok.error();
    auto const count = parse_count(size, "size", look().depot_apart ? 1 : 2, max_nodes - first_row());
    if (!count) return count.error();
    return draw(*count, options, rng);
}

std::vector<float> drawn_places(std::size_t nodes, Rng& rng, double side) {
    std::vector<float> column(2 * nodes);
    for (float& each : column) each = static_cast<float>(rng.uniform(0, side));
    return column;
}

Result<void> check_search(Instance const& instance, SearchOptions const& options) {
    if (auto const ok = check_search_options(instance, options); !ok) return ok.error();
    if (instance.nodes() <= max_search_nodes) return {};
    return unsupported("{} nodes: the search is for at most {}", instance.nodes(), max_search_nodes);
}

Problem const& problem_of(cax::Instance const& instance) { return static_cast<Problem const&>(instance.problem()); }

} // namespace cax::routing
