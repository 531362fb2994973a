#include "cax/report/page.hpp"

#include "cax/core/json.hpp"

#include <cassert>

// The bytes of the built page, between two symbols.
asm(".section .rodata\n"
    "cax_page_begin:\n"
    ".incbin \"" CAX_PAGE_FILE "\"\n"
    "cax_page_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" {
extern char const cax_page_begin[]; // NOLINT(modernize-avoid-c-arrays)
extern char const cax_page_end[];   // NOLINT(modernize-avoid-c-arrays)
}

namespace cax::report {
namespace {

constexpr std::string_view place = "@CAX_DATA@";

std::string_view built_page() { return {cax_page_begin, static_cast<std::size_t>(cax_page_end - cax_page_begin)}; }

Result<std::string> filled_in(Json const& data) {
    std::string_view const html = built_page();
    std::size_t const at = html.find(place);
    if (at == std::string_view::npos) {
        return Error{ErrorCode::unsupported,
                     "this cax was built without the report page: install nodejs and npm, and build it again"};
    }
    std::string text(html.substr(0, at));
    text += embeddable(data);
    text += html.substr(at + place.size());
    return text;
}

} // namespace

std::string embeddable(Json const& data) {
    std::string const text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
    std::string safe;
    safe.reserve(text.size());
    for (char const c : text) {
        // These stand only inside strings, where an escape means the same character.
        switch (c) {
        case '<': safe += "\\u003c"; break;
        case '>': safe += "\\u003e"; break;
        case '&': safe += "\\u0026"; break;
        default: safe += c;
        }
    }
    return safe;
}

Result<std::string> page(Json const& data) {
    bool const has_schema = data.is_object() && data.contains("schema") && data["schema"].is_string();
    std::string const schema = has_schema ? data["schema"].get<std::string>() : "";
    if (schema != "cax/explanation/1" && schema != "cax/study/1") {
        return Error{ErrorCode::unsupported,
                     "schema is \"" + schema + "\": a report shows cax/explanation/1 or cax/study/1"};
    }
    return filled_in(data);
}

Result<std::string> live_page() {
    auto text = filled_in({{"schema", "cax/live/1"}});
    if (!text) return text.error();
    constexpr std::string_view nothing = "default-src 'none'";
    std::size_t const at = text->find(nothing);
    assert(at != std::string::npos);
    text->insert(at + nothing.size(), "; connect-src 'self'");
    return text;
}

} // namespace cax::report
