#include "state.hpp"

namespace cax::tsp {

void State::allow(ActionMask& mask) const {
    for (std::size_t city = 0; city < mask.size(); ++city) mask[city] = visited()[city] == 0;
}

void State::add_tensors(NamedTensors& tensors) const {
    tensors.erase("visited"); // the mask says it
    tensors["current_node"] = routing::int_tensor({}, current_node());
    tensors["first_node"] = routing::int_tensor({}, first_action());
    tensors["i"] = routing::int_tensor({1}, steps());
    if (steps() == 0) tensors["reward"] = routing::float_tensor({1}, 0);
}

} // namespace cax::tsp
