#pragma once
// A Python callable as a policy.
#include "convert.hpp"

#include "cax/policies/tensor_policy.hpp"

namespace cax::python {

/// `scores(td)` gives an array [B, actions]. `differentiate(td, cotangents_of)` gives such an array and a dict of
/// gradients, having called cotangents_of with the array; None if there are no gradients.
[[nodiscard]] std::unique_ptr<TensorScorer> make_python_scorer(std::string name, py::object scores,
                                                               py::object differentiate);

} // namespace cax::python
