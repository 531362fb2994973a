#include "problem.hpp"

namespace cax::table {

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

Problem const& table_of(cax::Instance const& instance) { return static_cast<Problem const&>(instance.problem()); }

} // namespace cax::table
