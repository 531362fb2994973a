#include "cax/solvers/csp.hpp"

namespace cax {

std::string_view name_of(CspStatus status) {
    switch (status) {
    case CspStatus::satisfiable: return "satisfiable";
    case CspStatus::unsatisfiable: return "unsatisfiable";
    case CspStatus::budget_spent: return "budget_spent";
    case CspStatus::time_limit: return "time_limit";
    }
    return "";
}

} // namespace cax
