#pragma once
// What a live page may ask for, as a value. Bytes come from a browser, or from whoever found the port: they are parsed
// here, once, and nothing that is not one of these values gets any further. docs/serve.md lists the fields.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cax::serve {

/// Longer bodies are refused unread.
inline constexpr std::size_t most_request_bytes = 65'536;
inline constexpr std::size_t most_edits = 64;

/// One number of the instance, in its own units.
struct NumberEdit {
    std::string tensor;
    std::size_t index = 0;
    double to = 0;
    bool operator==(NumberEdit const&) const = default;
};
/// Where a node lies.
struct PlaceEdit {
    std::size_t node = 0;
    double x = 0;
    double y = 0;
    bool operator==(PlaceEdit const&) const = default;
};
using Edit = std::variant<NumberEdit, PlaceEdit>;

enum class RequestKind {
    open,    ///< a session of one's own
    drag,    ///< the plan if the edits were made; nothing is kept
    edit,    ///< the same, and kept
    lock,    ///< this action is taken at this step, whatever the policy prefers
    unlock,  ///< it is the policy's decision again
    undo,    ///< back by one edit, lock or unlock
    redo,    ///< and forth
    reset,   ///< to the instance of the file; can be undone
    look,    ///< the plan as it is, with all probabilities of another step
    explain, ///< everything about one step, or about the whole plan
    node,    ///< the numbers of a node that can be moved
    save,    ///< the instance or what is shown of it, as a file
};
[[nodiscard]] NameTable<RequestKind> names_of(RequestKind);

enum class SavedAs { instance, explanation, page };
[[nodiscard]] NameTable<SavedAs> names_of(SavedAs);

struct Request {
    RequestKind kind = RequestKind::open;
    std::string session = {};   ///< empty for open
    std::uint64_t sequence = 0; ///< of those that have an order: grows within a session
    std::size_t step = 0;       ///< that is looked at, or meant
    bool whole = false;         ///< explain: the whole plan, not one step
    std::size_t action = 0;     ///< of lock
    std::size_t node = 0;       ///< of node
    SavedAs as = SavedAs::instance;
    std::vector<Edit> edits = {};
    bool operator==(Request const&) const = default;
};

/// A later request makes the answer worthless: its work may be called off.
[[nodiscard]] bool passes(RequestKind kind);
/// Answered in the order of their sequence numbers; the others only read.
[[nodiscard]] bool has_order(RequestKind kind);

/// `kind` is the request's name. Error names the field and the value: a field that is missing, unknown or of another
/// type, a number that is not finite, too many edits.
[[nodiscard]] Result<Request> parse_request(std::string_view kind, std::string_view body);

} // namespace cax::serve
