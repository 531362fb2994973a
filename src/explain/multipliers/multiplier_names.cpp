#include "cax/explain/multipliers.hpp"

#include "cax/core/names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cax {
namespace {

constexpr std::array backends{Named<Backend>{Backend::proxy, "proxy", "all 1"},
                              Named<Backend>{Backend::lp, "lp", "duals of the linear relaxation"},
                              Named<Backend>{Backend::subgrad, "subgrad", "the published control"},
                              Named<Backend>{Backend::lagrangian, "lagrangian", "the same with the right sign"},
                              Named<Backend>{Backend::given, "given", "by --lambda"}};
constexpr std::array aggregates{Named<Aggregate>{Aggregate::mean, "mean"}, Named<Aggregate>{Aggregate::sum, "sum"},
                                Named<Aggregate>{Aggregate::max, "max"}, Named<Aggregate>{Aggregate::share, "share"}};
constexpr std::array vertices{
    Named<DualVertex>{DualVertex::simplex, "simplex", "the dual where the solver stops"},
    Named<DualVertex>{DualVertex::least, "least", "each family's smallest, whatever the solver"}};
constexpr std::array family_statuses{Named<FamilyStatus>{FamilyStatus::computed, "computed"},
                                     Named<FamilyStatus>{FamilyStatus::no_rows, "no_rows"},
                                     Named<FamilyStatus>{FamilyStatus::not_dualised, "not_dualised"},
                                     Named<FamilyStatus>{FamilyStatus::not_given, "not_given"},
                                     Named<FamilyStatus>{FamilyStatus::lp_not_optimal, "lp_not_optimal"},
                                     Named<FamilyStatus>{FamilyStatus::too_large, "too_large"},
                                     Named<FamilyStatus>{FamilyStatus::no_share, "no_share"}};
constexpr std::array tops{Named<TopFamily>{TopFamily::unique, "unique"},
                          Named<TopFamily>{TopFamily::not_unique, "not_unique"},
                          Named<TopFamily>{TopFamily::undecided, "undecided"}};

} // namespace

NameTable<Backend> names_of(Backend) { return backends; }
NameTable<Aggregate> names_of(Aggregate) { return aggregates; }
NameTable<DualVertex> names_of(DualVertex) { return vertices; }
std::string_view name_of(FamilyStatus status) { return lookup(family_statuses, status); }
NameTable<TopFamily> names_of(TopFamily) { return tops; }

Result<std::vector<std::optional<double>>> parse_given(ProblemInfo const& info, std::string_view text) {
    std::vector<std::optional<double>> given(info.families.size());
    while (true) {
        std::string_view const part = text.substr(0, text.find(','));
        std::size_t const equals = std::min(part.find('='), part.size());
        auto const family = std::find(info.families.begin(), info.families.end(), part.substr(0, equals));
        if (family == info.families.end()) {
            return Error{ErrorCode::invalid_value, fmt::format("lambda: '{}' does not name one of the families {}",
                                                               printable(part), fmt::join(info.families, ", "))};
        }
        std::string_view const number = part.substr(std::min(equals + 1, part.size()));
        double value = 0;
        auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (error != std::errc() || end != number.data() + number.size() || !(value >= 0) || !std::isfinite(value)) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("lambda: {} is '{}', which is no finite number >= 0", *family, number)};
        }
        auto& slot = given[static_cast<std::size_t>(family - info.families.begin())];
        if (slot) return Error{ErrorCode::invalid_value, fmt::format("lambda: {} is given twice", *family)};
        slot = value;
        if (part.size() == text.size()) return given;
        text.remove_prefix(part.size() + 1);
    }
}

} // namespace cax
