#include "../cvrp/problem.hpp"
#include "../table/problem_of.hpp"

#include "cax/problems/ovrp/instance.hpp"

namespace cax::ovrp {
namespace {

ProblemInfo ovrp_info() {
    ProblemInfo info = cvrp::cvrp_info();
    info.name = "ovrp";
    info.title = "open vehicle routing";
    return info;
}

class Ovrp final : public table::ProblemOf<Instance, cvrp::Capacitated> {
public:
    Ovrp() : ProblemOf(ovrp_info(), routing::open_routes) {}
};

} // namespace

Problem const& problem() {
    static Ovrp const instance{};
    return instance;
}

} // namespace cax::ovrp
