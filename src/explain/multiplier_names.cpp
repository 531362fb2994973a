#include "cax/explain/multipliers.hpp"

#include <array>
#include <fmt/format.h>

namespace cax {
namespace {

template <class Enum> struct Named {
    Enum value;
    std::string_view name;
};

constexpr std::array backends{Named<Backend>{Backend::proxy, "proxy"}, Named<Backend>{Backend::lp, "lp"},
                              Named<Backend>{Backend::subgrad, "subgrad"},
                              Named<Backend>{Backend::lagrangian, "lagrangian"},
                              Named<Backend>{Backend::given, "given"}};
constexpr std::array aggregates{Named<Aggregate>{Aggregate::mean, "mean"}, Named<Aggregate>{Aggregate::sum, "sum"},
                                Named<Aggregate>{Aggregate::max, "max"}, Named<Aggregate>{Aggregate::share, "share"}};
constexpr std::array vertices{Named<DualVertex>{DualVertex::simplex, "simplex"},
                              Named<DualVertex>{DualVertex::least, "least"}};
constexpr std::array statuses{Named<FamilyStatus>{FamilyStatus::computed, "computed"},
                              Named<FamilyStatus>{FamilyStatus::no_rows, "no_rows"},
                              Named<FamilyStatus>{FamilyStatus::not_dualised, "not_dualised"},
                              Named<FamilyStatus>{FamilyStatus::not_given, "not_given"},
                              Named<FamilyStatus>{FamilyStatus::lp_not_optimal, "lp_not_optimal"},
                              Named<FamilyStatus>{FamilyStatus::no_share, "no_share"}};
constexpr std::array tops{Named<TopFamily>{TopFamily::unique, "unique"},
                          Named<TopFamily>{TopFamily::not_unique, "not_unique"},
                          Named<TopFamily>{TopFamily::undecided, "undecided"}};

template <class Table, class Enum> std::string_view lookup(Table const& table, Enum value) {
    for (auto const& entry : table) {
        if (entry.value == value) return entry.name;
    }
    return "unknown";
}

template <class Enum, std::size_t N>
Result<Enum> parse(std::array<Named<Enum>, N> const& table, std::string_view what, std::string_view name) {
    std::string names;
    for (Named<Enum> const& entry : table) {
        if (entry.name == name) return entry.value;
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    return Error{ErrorCode::invalid_value, fmt::format("{} '{}' is not one of {}", what, name, names)};
}

} // namespace

std::string_view name_of(Backend backend) { return lookup(backends, backend); }
std::string_view name_of(Aggregate aggregate) { return lookup(aggregates, aggregate); }
std::string_view name_of(DualVertex vertex) { return lookup(vertices, vertex); }
std::string_view name_of(FamilyStatus status) { return lookup(statuses, status); }
std::string_view name_of(TopFamily top) { return lookup(tops, top); }

Result<Backend> backend_of(std::string_view name) { return parse(backends, "backend", name); }
Result<Aggregate> aggregate_of(std::string_view name) { return parse(aggregates, "aggregate", name); }
Result<DualVertex> dual_vertex_of(std::string_view name) { return parse(vertices, "dual vertex", name); }

} // namespace cax
