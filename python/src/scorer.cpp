#include "scorer.hpp"

#include <pybind11/functional.h>

namespace cax::python {
namespace {

class PythonScorer final : public TensorScorer {
public:
    PythonScorer(std::string name, py::object scores, py::object differentiate)
        : name_(std::move(name)), scores_(std::move(scores)), differentiate_(std::move(differentiate)) {}
    ~PythonScorer() override {
        py::gil_scoped_acquire const lock;
        scores_ = py::object();
        differentiate_ = py::object();
    }
    PythonScorer(PythonScorer const&) = delete;
    PythonScorer& operator=(PythonScorer const&) = delete;

    std::vector<double> scores(TensorBatch const& batch) override {
        return with_python([&] { return numbers(scores_(to_dict(batch.tensors)), batch); });
    }

    ScoreGradient differentiate(TensorBatch const& batch, Cotangents const& cotangents) override {
        return with_python([&] {
            ScoreGradient result;
            py::cpp_function const cotangents_of([&](py::object const& scores) {
                result.scores = numbers(scores, batch);
                return to_numpy({batch.states, batch.actions}, cotangents(result.scores));
            });
            py::object const answer = differentiate_(to_dict(batch.tensors), cotangents_of);
            if (!py::isinstance<py::dict>(answer)) throw failure("its gradients are no dict of arrays");
            if (result.scores.empty()) throw failure("it gave gradients without asking what they are of");
            for (auto const& [name, value] : answer.cast<py::dict>()) {
                auto const text = py::str(name).cast<std::string>();
                if (!value.is_none()) result.gradients[text] = to_tensor(text, value);
            }
            return result;
        });
    }

private:
    [[nodiscard]] PolicyFailure failure(std::string const& what) const {
        return PolicyFailure({ErrorCode::invalid_value, "policy " + name_ + ": " + what});
    }

    [[nodiscard]] std::vector<double> numbers(py::handle const answer, TensorBatch const& batch) const {
        using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
        auto const array = Array::ensure(answer);
        if (!array) {
            PyErr_Clear();
            throw failure("its scores are no array of numbers");
        }
        bool const fits = array.ndim() == 2 && static_cast<std::size_t>(array.shape(0)) == batch.states &&
                          static_cast<std::size_t>(array.shape(1)) == batch.actions;
        if (!fits) {
            Shape const shape(array.shape(), array.shape() + array.ndim());
            throw failure("its scores have shape " + to_string(shape) + ", expected " +
                          to_string(Shape{batch.states, batch.actions}));
        }
        return {array.data(), array.data() + array.size()};
    }

    template <class F> auto with_python(F const& ask) -> decltype(ask()) {
        py::gil_scoped_acquire const lock;
        try {
            return ask();
        } catch (py::error_already_set& raised) {
            throw PythonFailure(raised);
        }
    }

    std::string name_;
    py::object scores_;
    py::object differentiate_;
};

} // namespace

std::unique_ptr<TensorScorer> make_python_scorer(std::string name, py::object scores, py::object differentiate) {
    return std::make_unique<PythonScorer>(std::move(name), std::move(scores), std::move(differentiate));
}

} // namespace cax::python
