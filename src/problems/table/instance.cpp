#include "cax/problems/table/instance.hpp"

#include "problem.hpp"

#include <numeric>

namespace cax::table {

std::string Instance::size() const { return std::to_string(nodes() - table_of(*this).first_row()); }

std::vector<std::size_t> Instance::start_actions() const {
    bool const depot = table_of(*this).look().nodes.depot;
    std::vector<std::size_t> actions(nodes() - (depot ? 1 : 0));
    std::iota(actions.begin(), actions.end(), std::size_t{depot ? 1U : 0U});
    return actions;
}

} // namespace cax::table
