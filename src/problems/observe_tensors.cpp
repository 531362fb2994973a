#include "cax/problems/exchange.hpp"

#include <cassert>

namespace cax {

TensorObservation observe_tensors(State const& state, Features const& features) {
    Problem const& problem = state.instance().problem();
    TensorObservation seen{tensors_of(state), {state.action_mask().begin(), state.action_mask().end()}};
    seen.tensors.erase("action_mask");
    assert(features.size() == problem.info().tensors.size());
    for (std::size_t k = 0; k < features.size(); ++k) {
        seen.tensors[std::string(problem.info().tensors[k].name)] =
            Tensor::from_doubles(Dtype::f64, features[k].shape, features[k].values);
    }
    for (TensorCopy const& copy : problem.exchange().copies(state)) {
        auto const place = seen.tensors.find(copy.name);
        if (place == seen.tensors.end()) continue;
        auto const original = std::span(features[copy.feature].values).subspan(copy.first, place->second.size());
        place->second = Tensor::from_doubles(Dtype::f64, place->second.shape(), original);
    }
    return seen;
}

Features pull_back_tensors(State const& state, TensorObservation const& gradient) {
    Problem const& problem = state.instance().problem();
    Features pulled = state.features();
    for (std::size_t k = 0; k < pulled.size(); ++k) {
        auto& values = pulled[k].values;
        auto const own = gradient.tensors.find(problem.info().tensors[k].name);
        assert(own == gradient.tensors.end() || own->second.shape() == pulled[k].shape);
        values = own != gradient.tensors.end() ? own->second.to_doubles() : std::vector<double>(values.size());
    }
    for (TensorCopy const& copy : problem.exchange().copies(state)) {
        auto const place = gradient.tensors.find(copy.name);
        if (place == gradient.tensors.end()) continue;
        for (std::size_t i = 0; i < place->second.size(); ++i) {
            pulled[copy.feature].values[copy.first + i] += place->second.as_double(i);
        }
    }
    return pulled;
}

} // namespace cax
