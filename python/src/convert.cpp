#include "convert.hpp"

#include <cstring>

namespace cax::python {
namespace {

py::object& policy_error() {
    static auto* const type = new py::object(); // lives as long as the interpreter, and is not destroyed after it
    return *type;
}

/// numpy's name of a type.
char const* type_name(Dtype dtype) {
    switch (dtype) {
    case Dtype::f16: return "<f2";
    case Dtype::f32: return "<f4";
    case Dtype::f64: return "<f8";
    case Dtype::i32: return "<i4";
    case Dtype::i64: return "<i8";
    case Dtype::u8: return "u1";
    case Dtype::boolean: return "?";
    case Dtype::bf16: break; // numpy has no such type
    }
    return "<f4";
}

Dtype type_of(std::string const& name, py::dtype const& type) {
    char const kind = type.kind();
    auto const size = static_cast<std::size_t>(type.itemsize());
    if (kind == 'b') return Dtype::boolean;
    if (kind == 'f' && size == 2) return Dtype::f16;
    if (kind == 'f' && size == 4) return Dtype::f32;
    if (kind == 'f' && size == 8) return Dtype::f64;
    if (kind == 'i' && size == 4) return Dtype::i32;
    if (kind == 'i' && size == 8) return Dtype::i64;
    if (kind == 'u' && size == 1) return Dtype::u8;
    throw py::type_error(name + ": arrays of " + py::str(py::handle(type)).cast<std::string>() +
                         " are not understood; convert it to float64, float32, int64 or bool");
}

} // namespace

PythonFailure::PythonFailure(py::error_already_set& failure)
    : failure_(new py::error_already_set(std::move(failure)), [](py::error_already_set* const own) {
          py::gil_scoped_acquire const lock;
          delete own;
      }) {}

void PythonFailure::raise() const {
    failure_->restore();
    throw py::error_already_set();
}

void raise(Error const& error) {
    PyObject* type = PyExc_ValueError;
    if (error.code == ErrorCode::file_not_found) type = PyExc_FileNotFoundError;
    if (error.code == ErrorCode::write_failed) type = PyExc_OSError;
    if (error.code == ErrorCode::solver_failed) type = PyExc_RuntimeError;
    PyErr_SetString(type, error.message.c_str());
    throw py::error_already_set();
}

void set_policy_error(py::object type) { policy_error() = std::move(type); }

void raise_policy_error(std::string const& message) {
    PyErr_SetString(policy_error().ptr(), message.c_str());
    throw py::error_already_set();
}

py::array to_numpy(Tensor const& tensor) {
    std::vector<py::ssize_t> const shape(tensor.shape().begin(), tensor.shape().end());
    if (tensor.dtype() == Dtype::bf16) return to_numpy(tensor.shape(), tensor.to_doubles());
    py::array array(py::dtype(type_name(tensor.dtype())), shape);
    if (tensor.size() > 0) std::memcpy(array.mutable_data(), tensor.bytes().data(), tensor.bytes().size());
    return array;
}

py::array to_numpy(Shape const& shape, std::vector<double> const& values) {
    return to_numpy(Tensor::from_doubles(Dtype::f64, shape, values));
}

Tensor to_tensor(std::string const& name, py::handle value) {
    auto array = py::array::ensure(value, py::array::c_style);
    if (!array) {
        PyErr_Clear();
        throw py::type_error(name + ": is no array");
    }
    Dtype const dtype = type_of(name, array.dtype());
    if (!array.dtype().attr("isnative").cast<bool>()) array = array.attr("astype")(type_name(dtype));
    std::vector<std::byte> bytes(static_cast<std::size_t>(array.nbytes()));
    if (!bytes.empty()) std::memcpy(bytes.data(), array.data(), bytes.size());
    Shape const shape(array.shape(), array.shape() + array.ndim());
    return value_or_raise(Tensor::from_bytes(dtype, shape, std::move(bytes)));
}

NamedTensors to_tensors(py::dict const& arrays) {
    NamedTensors tensors;
    for (auto const& [name, value] : arrays) {
        auto const text = py::str(name).cast<std::string>();
        tensors[text] = to_tensor(text, value);
    }
    return tensors;
}

py::dict to_dict(NamedTensors const& tensors) {
    py::dict result;
    for (auto const& [name, tensor] : tensors) result[py::str(name)] = to_numpy(tensor);
    return result;
}

py::object to_python(Json const& json) {
    switch (json.type()) {
    case Json::value_t::boolean: return py::bool_(json.get<bool>());
    case Json::value_t::number_integer: return py::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned: return py::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float: return py::float_(json.get<double>());
    case Json::value_t::string: return py::str(json.get_ref<std::string const&>());
    case Json::value_t::array: {
        py::list list;
        for (Json const& entry : json) list.append(to_python(entry));
        return list;
    }
    case Json::value_t::object: {
        py::dict dict;
        for (auto const& [key, entry] : json.items()) dict[py::str(key)] = to_python(entry);
        return dict;
    }
    default: return py::none();
    }
}

Json to_json(std::string const& name, py::handle value) {
    if (value.is_none()) return nullptr;
    if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
    if (py::isinstance<py::str>(value)) return value.cast<std::string>();
    if (py::isinstance<py::dict>(value)) {
        Json json = Json::object();
        for (auto const& [key, entry] : value.cast<py::dict>()) {
            json[py::str(key).cast<std::string>()] = to_json(name, entry);
        }
        return json;
    }
    if (py::hasattr(value, "tolist")) return to_json(name, value.attr("tolist")()); // numpy
    if (py::isinstance<py::int_>(value)) {
        if (value.cast<py::int_>().attr("__ge__")(0).cast<bool>()) return value.cast<std::uint64_t>();
        return value.cast<std::int64_t>();
    }
    if (py::isinstance<py::float_>(value)) return value.cast<double>();
    if (py::isinstance<py::sequence>(value)) {
        Json json = Json::array();
        for (py::handle const entry : value) json.push_back(to_json(name, entry));
        return json;
    }
    throw py::type_error(name + ": " + py::str(value.get_type()).cast<std::string>() + " is not understood");
}

} // namespace cax::python
