// VRPLIB's text format, TSPLIB's manner: a capacity, and demands in its units.
#include "../fields.hpp"
#include "../routing/field.hpp"
#include "../routing/tsplib.hpp"
#include "problem.hpp"

#include "cax/problems/cvrp/instance.hpp"

#include <fmt/format.h>

namespace cax::cvrp {
namespace {

constexpr routing::TsplibKind kind{
    .type = "CVRP", .number = "CAPACITY", .section = "DEMAND_SECTION", .what = "demand", .depot = true};

bool recognises_vrplib(std::string_view text) { return routing::tsplib_type(text) == kind.type; }

Result<InstancePtr> read_vrplib(std::string_view text, Options const& options) {
    if (auto ok = check_option_names(options, {}); !ok) return ok.error();
    auto const file = routing::read_tsplib(text, kind);
    if (!file) return file.error();
    if (!(file->number > 0)) {
        return Error{ErrorCode::invalid_value, fmt::format("CAPACITY is {}: expected a positive number", file->number)};
    }
    if (file->amounts[0] != 0) {
        return Error{ErrorCode::invalid_value, fmt::format("the depot has demand {}", file->amounts[0])};
    }
    Data data{.name = file->name, .capacity = static_cast<float>(file->number), .locs = file->places};
    for (std::size_t i = 1; i < file->amounts.size(); ++i) {
        data.demand.push_back(static_cast<float>(double{file->amounts[i]} / file->number));
    }
    return Instance::make_any(data);
}

Result<std::string> write_vrplib(cax::Instance const& any) {
    auto const* instance = dynamic_cast<Instance const*>(&any);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not a cvrp instance"};
    Data const& data = instance->data();
    std::string text = routing::tsplib_head(*instance, kind, fmt::format("CAPACITY : {}\n", data.capacity)) +
                       routing::tsplib_places(*instance) + "DEMAND_SECTION\n1 0\n";
    for (std::size_t i = 1; i < instance->nodes(); ++i) {
        text += fmt::format("{} {}\n", i + 1, routing::in_units(data.demand[i - 1], data.capacity));
    }
    return text + "DEPOT_SECTION\n1\n-1\nEOF\n";
}

} // namespace

std::span<TextFormat const> text_formats() {
    static constexpr std::array<TextFormat, 1> formats{
        {{"vrplib", ".vrp", recognises_vrplib, read_vrplib, write_vrplib}}};
    return formats;
}

} // namespace cax::cvrp
