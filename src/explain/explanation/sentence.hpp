#pragma once
// One sentence about a JSON object, put together from plain text and from fields of the object. It remembers which
// fields it used and how they were written.
#include "cax/core/json.hpp"

#include <string>
#include <string_view>

namespace cax {

class Sentence {
public:
    /// `data` must outlive the sentence.
    Sentence(Json const& data, std::string_view about, std::string_view evidence);

    Sentence& say(std::string_view text);
    /// Fields by JSON pointer: a number, a share as a percentage, a string. A number that is missing is "none".
    Sentence& number(std::string const& path);
    Sentence& percent(std::string const& path);
    Sentence& words(std::string const& path);

    /// {about, evidence, text, values: [{path, shown}]}; the text begins with a capital.
    [[nodiscard]] Json json() const;

private:
    Sentence& add(std::string const& path, std::string shown);

    Json const& data_;
    std::string about_;
    std::string evidence_;
    std::string text_;
    Json values_ = Json::array();
};

} // namespace cax
