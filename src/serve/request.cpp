#include "cax/serve/request.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/io/solutions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace cax::serve {
namespace {

using enum RequestKind;

constexpr std::array kinds{Named<RequestKind>{open, "open", "a session of one's own"},
                           Named<RequestKind>{drag, "drag", "the plan if these edits were made"},
                           Named<RequestKind>{edit, "edit", "makes them"},
                           Named<RequestKind>{lock, "lock", "insists on an action at a step"},
                           Named<RequestKind>{unlock, "unlock", "leaves it to the policy again"},
                           Named<RequestKind>{undo, "undo", "back by one"},
                           Named<RequestKind>{redo, "redo", "and forth"},
                           Named<RequestKind>{reset, "reset", "the instance of the file"},
                           Named<RequestKind>{look, "look", "all probabilities of another step"},
                           Named<RequestKind>{explain, "explain", "everything about a step, or about the plan"},
                           Named<RequestKind>{node, "node", "the numbers of a node"},
                           Named<RequestKind>{save, "save", "a file"}};
constexpr std::array ways{Named<SavedAs>{SavedAs::instance, "instance", "JSON, to be read by every command"},
                          Named<SavedAs>{SavedAs::explanation, "explanation", "JSON, cax/explanation/1"},
                          Named<SavedAs>{SavedAs::page, "page", "the report, one HTML file"}};

/// What a person can do with a number: nothing in a file of ours comes near it.
constexpr double largest_number = 1e12;
/// Steps, nodes, entries.
constexpr std::uint64_t largest_count = 10'000'000;
constexpr std::size_t longest_name = 64;

Error wrong(std::string_view field, std::string_view what) {
    return {ErrorCode::invalid_value, fmt::format("{}: {}", printable(field), what)};
}

/// Reads the fields of one object; the first that makes no sense is the error. Whatever was not asked for is unknown.
class Fields {
public:
    explicit Fields(Json const& json, std::string where = {}) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) fail(where_.empty() ? "request" : where_, "not an object");
    }

    [[nodiscard]] bool has(char const* name) const { return json_.is_object() && json_.contains(name); }
    void read(char const* name, std::uint64_t& value) {
        Json const* const field = find(name);
        if (field == nullptr) return;
        if (!field->is_number_unsigned()) return fail(name, "not a whole number from 0");
        value = field->get<std::uint64_t>();
    }
    void read_count(char const* name, std::size_t& value) {
        std::uint64_t count = 0;
        read(name, count);
        if (count > largest_count) return fail(name, fmt::format("{} is too large", count));
        value = count;
    }
    void read(char const* name, double& value) {
        Json const* const field = find(name);
        if (field == nullptr) return;
        if (!field->is_number()) return fail(name, "not a number");
        value = field->get<double>();
        if (!(std::fabs(value) <= largest_number)) fail(name, "not a number of sensible size");
    }
    void read(char const* name, std::string& value) {
        Json const* const field = find(name);
        if (field == nullptr) return;
        if (!field->is_string()) return fail(name, "not a string");
        value = field->get<std::string>();
        if (value.empty() || value.size() > longest_name) fail(name, "empty or too long");
    }
    void read(char const* name, SavedAs& value) {
        std::string word;
        read(name, word);
        if (error_) return;
        auto const parsed = parse_name<SavedAs>(name, word);
        if (!parsed) return void(error_ = parsed.error());
        value = *parsed;
    }
    [[nodiscard]] Json const* find(char const* name) {
        if (error_) return nullptr;
        known_.emplace_back(name);
        auto const at = json_.find(name);
        if (at == json_.end()) return fail(name, "missing"), nullptr;
        return &*at;
    }
    void fail(std::string_view name, std::string_view what) {
        if (!error_) error_ = wrong(where_.empty() ? std::string(name) : fmt::format("{}: {}", where_, name), what);
    }
    [[nodiscard]] Result<void> finish() {
        for (auto const& item : json_.items()) {
            if (error_) break;
            if (std::ranges::find(known_, item.key()) == known_.end()) fail(printable(item.key()), "unknown");
        }
        if (error_) return *error_;
        return {};
    }

private:
    Json const& json_;
    std::string where_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

Result<Edit> read_edit(Json const& json, std::size_t place) {
    Fields fields(json, fmt::format("edits[{}]", place));
    Edit result;
    if (fields.has("node")) {
        PlaceEdit edit;
        fields.read_count("node", edit.node);
        fields.read("x", edit.x);
        fields.read("y", edit.y);
        result = edit;
    } else {
        NumberEdit edit;
        fields.read("tensor", edit.tensor);
        fields.read_count("index", edit.index);
        fields.read("to", edit.to);
        result = edit;
    }
    if (auto ok = fields.finish(); !ok) return ok.error();
    return result;
}

Result<std::vector<Edit>> read_edits(Json const& json) {
    if (!json.is_array() || json.empty()) return wrong("edits", "not a list of edits");
    if (json.size() > most_edits) return wrong("edits", fmt::format("{} are more than {}", json.size(), most_edits));
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < json.size(); ++i) {
        auto edit = read_edit(json[i], i);
        if (!edit) return edit.error();
        edits.push_back(*std::move(edit));
    }
    return edits;
}

} // namespace

NameTable<RequestKind> names_of(RequestKind) { return kinds; }
NameTable<SavedAs> names_of(SavedAs) { return ways; }

bool passes(RequestKind kind) { return kind == drag || kind == look || kind == explain; }
bool has_order(RequestKind kind) { return kind != open && kind != node && kind != save; }

Result<Request> parse_request(std::string_view name, std::string_view body) {
    Request request;
    auto const kind = parse_name<RequestKind>("request", name);
    if (!kind) return kind.error();
    request.kind = *kind;
    if (body.size() > most_request_bytes) {
        return wrong("request", fmt::format("{} bytes are more than {}", body.size(), most_request_bytes));
    }
    auto const json = io::parse_json(body);
    if (!json) return json.error().within("request");
    Fields fields(*json);
    if (request.kind != open) fields.read("session", request.session);
    if (has_order(request.kind)) {
        fields.read("sequence", request.sequence);
        if (request.kind == explain && fields.has("whole")) {
            Json const* const whole = fields.find("whole");
            if (whole != nullptr && !whole->is_boolean()) fields.fail("whole", "not true or false");
            request.whole = whole != nullptr && *whole == true;
        }
        fields.read_count("step", request.step);
    }
    if (request.kind == lock) fields.read_count("action", request.action);
    if (request.kind == node) fields.read_count("node", request.node);
    if (request.kind == save) fields.read("as", request.as);
    Json const* const edits = request.kind == drag || request.kind == edit ? fields.find("edits") : nullptr;
    if (auto ok = fields.finish(); !ok) return ok.error();
    if (edits != nullptr) {
        auto read = read_edits(*edits);
        if (!read) return read.error();
        request.edits = *std::move(read);
    }
    return request;
}

} // namespace cax::serve
