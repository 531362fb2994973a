// OPLib's text format, TSPLIB's manner: scores of nodes, and a limit on the length.

#include "../fields.hpp"
#include "../routing/tsplib.hpp"
#include "problem.hpp"

#include "cax/problems/op/instance.hpp"

#include <array>
#include <fmt/format.h>

namespace cax::op {
namespace {

constexpr routing::TsplibKind kind{
    .type = "OP", .number = "COST_LIMIT", .section = "NODE_SCORE_SECTION", .what = "score", .depot = true};

bool recognises_oplib(std::string_view text) { return text.find(kind.section) != std::string_view::npos; }

Result<InstancePtr> read_oplib(std::string_view text, Options const& options) {
    if (auto ok = check_option_names(options, {}); !ok) return ok.error();
    auto file = routing::read_tsplib(text, kind);
    if (!file) return file.error();
    return Instance::make_any({.name = std::move(file->name),
                               .locs = std::move(file->places),
                               .prize = std::move(file->amounts),
                               .max_length = static_cast<float>(file->number)});
}

Result<std::string> write_oplib(cax::Instance const& any) {
    auto const* instance = dynamic_cast<Instance const*>(&any);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not an op instance"};
    Data const& data = instance->data();
    std::string text = routing::tsplib_head(*instance, kind, fmt::format("COST_LIMIT : {}\n", data.max_length)) +
                       routing::tsplib_places(*instance) + "NODE_SCORE_SECTION\n";
    for (std::size_t i = 0; i < instance->nodes(); ++i) text += fmt::format("{} {}\n", i + 1, data.prize[i]);
    return text + "DEPOT_SECTION\n1\n-1\nEOF\n";
}

} // namespace

std::span<TextFormat const> text_formats() {
    static constexpr std::array<TextFormat, 1> formats{
        {{"oplib", ".oplib", recognises_oplib, read_oplib, write_oplib}}};
    return formats;
}

} // namespace cax::op
