#include "sentence.hpp"

#include "cax/explain/words.hpp"

#include <cctype>

namespace cax {

Sentence::Sentence(Json const& data, std::string_view about, std::string_view evidence)
    : data_(data), about_(about), evidence_(evidence) {}

Sentence& Sentence::say(std::string_view text) {
    text_ += text;
    return *this;
}

Sentence& Sentence::add(std::string const& path, std::string shown) {
    text_ += shown;
    values_.push_back({{"path", path}, {"shown", std::move(shown)}});
    return *this;
}

Sentence& Sentence::number(std::string const& path) {
    Json const& value = data_.at(Json::json_pointer(path));
    return add(path, value.is_number() ? number_words(value.get<double>()) : "none");
}

Sentence& Sentence::percent(std::string const& path) {
    Json const& value = data_.at(Json::json_pointer(path));
    return add(path, value.is_number() ? percent_words(value.get<double>()) : "none");
}

Sentence& Sentence::words(std::string const& path) {
    return add(path, data_.at(Json::json_pointer(path)).get<std::string>());
}

Json Sentence::json() const {
    std::string text = text_;
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return {{"about", about_}, {"evidence", evidence_}, {"text", std::move(text)}, {"values", values_}};
}

} // namespace cax
