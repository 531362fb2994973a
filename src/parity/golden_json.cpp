#include "cax/core/json.hpp"
#include "cax/parity/check_golden.hpp"

namespace cax::parity {
namespace {

Json to_json(Count const& count) { return {{"compared", count.compared}, {"unequal", count.unequal}}; }

Json to_json(Difference const& difference) {
    return {{"compared", difference.compared}, {"exceeded", difference.exceeded},   {"kinks", difference.kinks},
            {"largest", difference.largest},   {"tolerance", difference.tolerance}, {"where", difference.where}};
}

template <class T> Json to_json(std::map<std::string, T, std::less<>> const& entries) {
    Json json = Json::object();
    for (auto const& [name, entry] : entries) json[name] = to_json(entry);
    return json;
}

} // namespace

Json to_json(GoldenFolder const& folder) {
    return {{"path", folder.path.string()},
            {"format", folder.format},
            {"problem", folder.problem},
            {"network", folder.network},
            {"passed", folder.passed()},
            {"decisions", folder.decisions},
            {"log_probs64", to_json(folder.log_probs64)},
            {"gradients64", to_json(folder.gradients64)},
            {"log_probs32", to_json(folder.log_probs32)},
            {"gradients32", to_json(folder.gradients32)},
            {"states", to_json(folder.states)},
            {"masks", to_json(folder.masks)},
            {"actions", to_json(folder.actions)},
            {"rewards", to_json(folder.rewards)},
            {"counts", to_json(folder.counts)},
            {"differences", to_json(folder.differences)},
            {"failure_count", folder.failure_count},
            {"failures", folder.failures},
            {"not_compared", folder.not_compared}};
}

} // namespace cax::parity
