#pragma once
// The story of the whole plan: what stands out in it, and how it compares with the best plan known.
#include "cax/explain/part_list.hpp"

#include <array>

namespace cax::parts {

struct Story : PartDefaults {
    static constexpr std::string_view name = "story";
    static constexpr std::string_view group = "This decision";
    static constexpr bool about_decisions = false;
    /// What its sentences are made of.
    static constexpr std::array<std::string_view, 3> record_fields{"plan", "best_known", "thumb"};
    struct Options {
        /// Iterations of the classical search for a plan to compare with; 0 = none.
        std::uint64_t work = 20'000;
    };
    using Request = Options;
    using Finding = NoFinding;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const&) { return request; }
};

} // namespace cax::parts
