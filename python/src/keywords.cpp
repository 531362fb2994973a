#include "values.hpp"

namespace cax::python {
namespace {

void set_one(OptionTable& table, std::string const& name, py::handle value) {
    std::string known;
    for (Option const& option : table.options()) {
        if (option.positional || !option.typed) continue;
        std::string const keyword = keyword_of(option);
        if (keyword == name) {
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
