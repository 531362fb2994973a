#include "cax/records/parts.hpp"

#include <cmath>

namespace cax::records {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(std::optional<double> value) { return value ? number(*value) : Json(nullptr); }
Json count(std::optional<std::size_t> value) { return value ? Json(*value) : Json(nullptr); }

Json family_name(ProblemInfo const& info, std::optional<std::size_t> family) {
    return family ? Json(info.families[*family]) : Json(nullptr);
}

Json tensor_name(ProblemInfo const& info, std::optional<std::size_t> tensor) {
    return tensor ? Json(info.tensors[*tensor].name) : Json(nullptr);
}

Json position(Shape const& shape, std::size_t index) {
    Json list = Json::array();
    std::size_t size = 1;
    for (std::size_t const dimension : shape) size *= dimension;
    for (std::size_t const dimension : shape) {
        size /= dimension;
        list.push_back(index / size);
        index %= size;
    }
    return list;
}

Json by_family(ProblemInfo const& info, std::span<double const> values) {
    Json json = Json::object();
    for (std::size_t k = 0; k < values.size(); ++k) json[std::string(info.families[k])] = values[k];
    return json;
}

void fill(Json& form, Json const& from) {
    for (auto const& [field, value] : form.items()) {
        if (from.contains(field)) value = from[field];
    }
}

} // namespace cax::records
