#pragma once
// Open vehicle routing: CVRP whose vehicles stay where they served last. What is given is what CVRP is given, in the
// same files; the way home is no part of a route's length.
#include "cax/problems/cvrp/instance.hpp"

namespace cax::ovrp {

/// As an entry of the registry.
[[nodiscard]] Problem const& problem();

class Instance final : public table::VariantOf<Instance, cvrp::Instance, problem> {
public:
    using VariantOf::VariantOf;

private:
    [[nodiscard]] CheckReport check_routes(Routes const& routes, DistanceRule rule) const override;
};

} // namespace cax::ovrp
