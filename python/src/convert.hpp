#pragma once
// Between Python's values and ours: arrays, JSON, errors. Everything here is called with the interpreter's lock held.
#include "cax/core/json.hpp"
#include "cax/core/result.hpp"
#include "cax/core/tensor.hpp"

#include <exception>
#include <memory>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace cax::python {

namespace py = pybind11;

/// A Python exception on its way through our threads, which do not hold the lock.
class PythonFailure final : public std::exception {
public:
    /// Takes what is being handled.
    explicit PythonFailure(py::error_already_set& failure);
    [[nodiscard]] char const* what() const noexcept override { return "a Python exception"; }
    /// Raises it again.
    [[noreturn]] void raise() const;

private:
    std::shared_ptr<py::error_already_set> failure_;
};

/// As the Python exception that fits its code.
[[noreturn]] void raise(Error const& error);
template <class T> T value_or_raise(Result<T> result) {
    if (!result) raise(result.error());
    return *std::move(result);
}
inline void or_raise(Result<void> const& result) {
    if (!result) raise(result.error());
}
/// What PolicyFailure becomes; a class of the module.
void set_policy_error(py::object type);
[[noreturn]] void raise_policy_error(std::string const& message);

/// An array of its own.
[[nodiscard]] py::array to_numpy(Tensor const& tensor);
[[nodiscard]] py::array to_numpy(Shape const& shape, std::vector<double> const& values);
/// Anything that numpy makes an array of. `name` is for the error.
[[nodiscard]] Tensor to_tensor(std::string const& name, py::handle value);
[[nodiscard]] NamedTensors to_tensors(py::dict const& arrays);
[[nodiscard]] py::dict to_dict(NamedTensors const& tensors);

[[nodiscard]] py::object to_python(Json const& json);
/// Numbers, texts, lists, dicts, None, and numpy's numbers. `name` is for the error.
[[nodiscard]] Json to_json(std::string const& name, py::handle value);

} // namespace cax::python
