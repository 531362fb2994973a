#pragma once
// TSPLIB's manner of writing instances down, which OPLib and VRPLIB share: "KEY : value" lines, then sections of
// coordinates, of one number per node, and of the depot. Only what is Euclidean (EUC_2D).
//
// The depot becomes node 0 wherever it stands in the file; the other nodes become 1, 2, ... in the order of their
// numbers. With the depot first, as usual, or without one, node k of the file is node k - 1.
#include "cax/problems/routing/instance.hpp"

namespace cax::routing {

/// What a problem's files hold beside coordinates.
struct TsplibKind {
    std::string_view type;      ///< of the TYPE line, if there is one
    std::string_view number{};  ///< a key whose value is a number: COST_LIMIT, CAPACITY
    std::string_view section{}; ///< a section with a number per node: DEMAND_SECTION
    std::string_view what{};    ///< that number in errors: "demand"
    bool depot = false;         ///< there is a DEPOT_SECTION
};

struct TsplibFile {
    std::string name;
    std::size_t dimension = 0;
    double number = 0;
    std::vector<Point> places{};  ///< depot first
    std::vector<float> amounts{}; ///< of the kind's section, in the same order
};

/// Errors name the line.
[[nodiscard]] Result<TsplibFile> read_tsplib(std::string_view text, TsplibKind const& kind);
/// The value of the TYPE line; empty if there is none.
[[nodiscard]] std::string_view tsplib_type(std::string_view text);

/// NAME to EDGE_WEIGHT_TYPE, with `more` in between; NODE_COORD_SECTION.
[[nodiscard]] std::string tsplib_head(Instance const& instance, TsplibKind const& kind, std::string_view more);
[[nodiscard]] std::string tsplib_places(Instance const& instance);

} // namespace cax::routing
