#include "problem.hpp"

#include "cax/problems/registry.hpp"

#include <algorithm>

namespace cax::table {
namespace {

bool is_name_in(Field const& field, std::string_view key) {
    bool const plain = field.key.empty() && std::ranges::find(field.label, key) != field.label.end();
    return key == field.name || key == field.array || key == field.key || plain;
}

/// Do files of the problem have something of this name?
bool is_name_in(Problem const& problem, std::string_view key) {
    if (key == "depot") return problem.look().nodes.depot;
    return std::ranges::any_of(problem.fields(), [&](Field const& field) { return is_name_in(field, key); });
}

} // namespace

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

bool Problem::is_foreign(std::string_view key) const {
    if (key.empty() || is_name_in(*this, key)) return false;
    return std::ranges::find(look_.foreign, key) != look_.foreign.end() ||
           std::ranges::any_of(all_problems(), [&](cax::Problem const* each) {
               auto const* other = dynamic_cast<Problem const*>(each);
               return other != nullptr && is_name_in(*other, key);
           });
}

Result<InstancePtr> Problem::make(Numbers numbers, Origin origin) const {
    if (auto ok = validate(numbers, fields_, look_.nodes, origin); !ok) return ok.error();
    return build(std::move(numbers));
}

Problem const& table_of(cax::Instance const& instance) { return static_cast<Problem const&>(instance.problem()); }

} // namespace cax::table
