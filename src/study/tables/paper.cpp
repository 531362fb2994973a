#include "tables/table_parts.hpp"

#include "cax/core/json.hpp"
#include "paper_numbers.hpp" // made from paper_numbers.json

#include <cassert>

namespace cax::study {

Paper::Paper() : json_(std::make_unique<Json>(Json::parse(paper_numbers_json, nullptr, false))) {
    assert(json_->is_object());
}
Paper::~Paper() = default;

std::string Paper::citation() const { return (*json_)["citation"].get<std::string>(); }

namespace {

Json const* at(Json const& json, std::string const& problem, std::initializer_list<char const*> path) {
    Json const* here = &json["problems"];
    if (!here->contains(problem)) return nullptr;
    here = &(*here)[problem];
    for (char const* const name : path) {
        if (!here->is_object() || !here->contains(name)) return nullptr;
        here = &(*here)[name];
    }
    return here;
}

} // namespace

Value Paper::value(std::string const& problem, std::initializer_list<char const*> path) const {
    Json const* const found = at(*json_, problem, path);
    if (found == nullptr) return {};
    if (found->is_string()) return found->get<std::string>();
    if (found->is_number_integer()) return found->get<std::int64_t>();
    return found->is_number() ? Value(found->get<double>()) : Value();
}

std::optional<double> Paper::number(std::string const& problem, std::initializer_list<char const*> path) const {
    Json const* const found = at(*json_, problem, path);
    if (found == nullptr || !found->is_number()) return std::nullopt;
    return found->get<double>();
}

std::string Paper::text(std::string const& problem, std::initializer_list<char const*> path) const {
    Json const* const found = at(*json_, problem, path);
    return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

std::string Paper::remark(std::string const& topic, std::string const& problem) const {
    Json const& remarks = (*json_)["remarks"];
    if (!remarks.contains(topic)) return "";
    Json const& all = remarks[topic];
    if (all.contains(problem)) return all[problem].get<std::string>();
    return all.contains("*") ? all["*"].get<std::string>() : "";
}

std::vector<std::string> Paper::remarks(std::string const& topic) const {
    std::vector<std::string> found;
    Json const& remarks = (*json_)["remarks"];
    if (!remarks.contains(topic)) return found;
    for (auto const& [problem, text] : remarks[topic].items()) {
        std::string const where = problem == "*" ? "Why ours may differ: " : "Why ours may differ (" + problem + "): ";
        found.push_back(where + text.get<std::string>() + ".");
    }
    return found;
}

} // namespace cax::study
