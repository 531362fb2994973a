#include "cax/problems/table/instance.hpp"

#include "problem.hpp"

#include <algorithm>
#include <numeric>

namespace cax::table {

std::string Instance::size() const { return std::to_string(nodes() - table_of(*this).first_row()); }

std::vector<std::size_t> Instance::start_actions() const {
    bool const depot = table_of(*this).look().nodes.depot;
    std::vector<std::size_t> actions(nodes() - (depot ? 1 : 0));
    std::iota(actions.begin(), actions.end(), std::size_t{depot ? 1U : 0U});
    return actions;
}

Result<InstancePtr> make_instance(cax::Problem const& any, Numbers numbers) {
    auto const& problem = static_cast<Problem const&>(any);
    auto const fields = problem.fields();
    std::size_t const nodes = std::max<std::size_t>(1, numbers.columns[0].size() / fields[0].width);
    for (Field const& field : fields.subspan(numbers.columns.size())) {
        numbers.columns.emplace_back(count_of(field, nodes), *field.lacking);
    }
    return problem.make(std::move(numbers));
}

} // namespace cax::table
