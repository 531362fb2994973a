#include "problem.hpp"

#include "../fields.hpp"

namespace cax::routing {

Problem::Problem(ProblemInfo info, std::span<Field const> fields, Look look)
    : info_(std::move(info)), fields_(fields), look_(std::move(look)) {
    for (Field const& field : fields) {
        if (!field.feature) continue;
        info_.tensors.push_back({.name = field.name,
                                 .family = field.family,
                                 .budget = field.budget,
                                 .node_offset = first_node(field),
                                 .unit = field.unit,
                                 .unit_node = field.in_depot_units ? std::optional<std::size_t>(0) : std::nullopt});
    }
}

Result<InstancePtr> Problem::make(Numbers numbers, Origin origin) const {
    if (auto ok = validate(numbers, fields_, look_.nodes, origin); !ok) return ok.error();
    return build(std::move(numbers));
}

Result<InstancePtr> Problem::generate(std::string_view size, Options const& options, Rng& rng) const {
    std::vector<std::string_view> names;
    for (auto const& [name, what] : info_.generator_options) names.push_back(name);
    if (auto ok = check_option_names(options, names); !ok) return ok.error();
    auto const count = parse_count(size, "size", look_.depot_apart ? 1 : 2, max_nodes - first_row());
    if (!count) return count.error();
    return draw(*count, options, rng);
}

std::vector<float> drawn_places(std::size_t nodes, Rng& rng) {
    std::vector<float> column(2 * nodes);
    for (float& each : column) each = static_cast<float>(rng.uniform());
    return column;
}

Problem const& problem_of(cax::Instance const& instance) { return static_cast<Problem const&>(instance.problem()); }

} // namespace cax::routing
