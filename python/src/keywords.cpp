#include "values.hpp"

namespace cax::python {
namespace {

/// Python's own way of saying that a name will go.
void warn_deprecated(std::string const& was, std::string const& now) {
    std::string const text = was + " is now " + now;
    if (PyErr_WarnEx(PyExc_DeprecationWarning, text.c_str(), 2) != 0) throw py::error_already_set();
}

/// The option's present keyword, if `name` is one of its former ones.
bool is_former(Option const& option, std::string const& name) {
    Option former = option;
    for (std::string const& each : option.former) {
        former.name = each;
        if (keyword_of(former) == name) return true;
    }
    return false;
}

void warn_of_words(Option const& option, py::handle value) {
    auto const* const words = std::get_if<WordsTarget>(&option.target);
    if (words == nullptr || words->former.empty()) return;
    auto const warn = [&](py::handle each) {
        if (!py::isinstance<py::str>(each)) return;
        auto const renamed = words->former.find(each.cast<std::string>());
        if (renamed != words->former.end()) warn_deprecated(renamed->first, renamed->second);
    };
    if (py::isinstance<py::str>(value) || !py::isinstance<py::iterable>(value)) return warn(value);
    for (py::handle const each : value) warn(each);
}

void set_one(OptionTable& table, std::string const& name, py::handle value) {
    std::string known;
    for (Option const& option : table.options()) {
        if (option.positional || !option.typed) continue;
        std::string const keyword = keyword_of(option);
        bool const former = is_former(option, name);
        if (former) warn_deprecated(name, keyword);
        if (keyword == name || former) {
            warn_of_words(option, value);
            if (auto const ok = option.read(to_json(name, value)); !ok) raise(ok.error().within(name));
            return;
        }
        known += (known.empty() ? "" : ", ") + keyword;
    }
    throw py::type_error("there is no option " + name + "; there are: " + known);
}

} // namespace

std::string keyword_of(Option const& option) {
    std::string name = option.name;
    for (char& c : name) c = c == '-' ? '_' : c;
    return name == "lambda" ? "lambda_" : name;
}

void set_options(OptionTable& table, py::dict const& keywords) {
    for (bool const early : {true, false}) {
        for (auto const& [key, value] : keywords) {
            auto const name = py::str(key).cast<std::string>();
            bool is_early = false;
            for (Option const& option : table.options())
                is_early = is_early || (option.early && keyword_of(option) == name);
            if (is_early == early) set_one(table, name, value);
        }
    }
}

} // namespace cax::python
