// TSPLIB's text format, as far as its cities have coordinates and distances are Euclidean.
#include "../fields.hpp"
#include "../routing/tsplib.hpp"
#include "problem.hpp"

#include "cax/problems/tsp/instance.hpp"

#include <fmt/format.h>

namespace cax::tsp {
namespace {

constexpr routing::TsplibKind kind{.type = "TSP"};

bool recognises_tsplib(std::string_view text) { return routing::tsplib_type(text) == kind.type; }

Result<InstancePtr> read_tsplib(std::string_view text, Options const& options) {
    if (auto ok = check_option_names(options, {}); !ok) return ok.error();
    auto const file = routing::read_tsplib(text, kind);
    if (!file) return file.error();
    return Instance::make_any({.name = file->name, .locs = file->places});
}

Result<std::string> write_tsplib(cax::Instance const& any) {
    auto const* instance = dynamic_cast<Instance const*>(&any);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not a tsp instance"};
    return routing::tsplib_head(*instance, kind, "") + routing::tsplib_places(*instance) + "EOF\n";
}

} // namespace

std::span<TextFormat const> text_formats() {
    static constexpr std::array<TextFormat, 1> formats{
        {{"tsplib", ".tsp", recognises_tsplib, read_tsplib, write_tsplib}}};
    return formats;
}

} // namespace cax::tsp
