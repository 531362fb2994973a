// The extension module behind `import cax`: thin, and private. What people see is written in Python beside it.
#include "values.hpp"

#include <pybind11/stl.h>

namespace cax::python {
namespace {

PYBIND11_MODULE(_cax, module) {
    auto const failed = py::exception<PolicyFailure>(module, "PolicyError", PyExc_RuntimeError);
    set_policy_error(failed);
    py::register_exception_translator([](std::exception_ptr failure) {
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (PolicyFailure const& own) {
            try {
                raise_policy_error(own.error().message);
            } catch (py::error_already_set& raised) {
                raised.restore();
            }
        }
    });
    module.attr("version") = CAX_VERSION;
    bind_instances(module);
    bind_policies(module);
    bind_explanations(module);
    bind_questions(module);
}

} // namespace
} // namespace cax::python
