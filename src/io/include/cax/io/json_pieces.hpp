#pragma once
// JSON text that is looked at piece by piece. A value in memory takes ten times the room of its text; a file of a
// thousand instances is therefore cut into its pieces first, and only one piece at a time becomes a value. Everything
// is read strictly: what nobody asks for must be JSON, too.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cax::io {

/// One value as it stands in the text.
struct JsonPiece {
    std::string_view text;
    std::size_t values = 0; ///< numbers, strings, brackets in it: at least as many as there are

    [[nodiscard]] bool is_object() const { return text.starts_with('{'); }
    [[nodiscard]] bool is_list() const { return text.starts_with('['); }
};

struct JsonMember {
    std::string key;
    JsonPiece piece;
};

class JsonPieces {
public:
    /// `text` must outlive this. Error if the brackets do not match, nest too deeply, or something follows the value.
    [[nodiscard]] static Result<JsonPieces> cut(std::string_view text);

    [[nodiscard]] JsonPiece const& whole() const { return whole_; }

    /// The members of an object, in order; a key that occurs twice has its last value. What they hold is not looked at,
    /// but for values that a later one replaces. Precondition: is_object().
    [[nodiscard]] Result<std::vector<JsonMember>> members(JsonPiece const& object) const;
    /// The member of that name, if there is one.
    [[nodiscard]] Result<std::optional<JsonPiece>> member(JsonPiece const& object, std::string_view key) const;

    /// Goes through a list. Precondition of the constructor: is_list().
    class Elements {
    public:
        Elements(JsonPieces const& pieces, JsonPiece const& list);
        /// The next element; nothing at the end.
        [[nodiscard]] Result<std::optional<JsonPiece>> next();

    private:
        JsonPieces const& pieces_;
        std::string_view rest_;
        bool first_ = true;
    };
    [[nodiscard]] Elements elements(JsonPiece const& list) const { return {*this, list}; }
    /// How many elements; reads all of the list and keeps nothing.
    [[nodiscard]] Result<std::size_t> count(JsonPiece const& list) const;

    /// The piece as a value in memory. Error if it is not JSON (with the place in the whole text), or so large that
    /// nothing of cax needs it.
    [[nodiscard]] Result<Json> value(JsonPiece const& piece) const;
    /// Error if the piece is not JSON. Takes no memory.
    [[nodiscard]] Result<void> check(JsonPiece const& piece) const;

private:
    explicit JsonPieces(std::string_view text) : text_(text) {}
    /// Cuts the value at the front of `rest` off, and the blanks behind it.
    [[nodiscard]] Result<JsonPiece> take_value(std::string_view& rest) const;
    [[nodiscard]] Error not_json(std::string_view at) const;

    std::string_view text_;
    JsonPiece whole_;
};

} // namespace cax::io
