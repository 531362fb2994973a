#pragma once
// Result files. All begin with the same head (schema, version, command, seed, settings, policy, instances, wall time),
// so that a result says by itself how it came about. Everything but wall_seconds is the same for the same inputs,
// whatever the number of threads.
#include "cax/app/load.hpp"
#include "cax/explain/explanation.hpp"

#include <string_view>

namespace cax::app {

/// Of cax.
[[nodiscard]] std::string_view version();

struct ResultHead {
    std::string_view kind;         ///< "solve" gives schema "cax/solve/1"
    std::string_view command = {}; ///< the subcommand; empty: it is called as the kind
    std::uint64_t seed = 0;
    LoadedPolicy const* policy = nullptr;        ///< null where there is none
    io::InstanceFile const* instances = nullptr; ///< null where there is none
    double wall_seconds = 0;
};
/// An object with the head's fields, to which others are added. `settings` has every option that can change the result.
[[nodiscard]] Json result_with_head(ResultHead const& head, Json settings);
/// The same about a policy and its instances, which the head need not name; with `shown_scales` where the policy is
/// shown other units.
[[nodiscard]] Json result_of(ResultHead head, Loaded const& loaded, Json settings);

/// What a reader of an explanation has to know beforehand: which of several instances it is, other sizes and units than
/// those of the training (`scale_note`), and that the policy was asked otherwise than usual.
[[nodiscard]] std::vector<std::string> notes_about(Loaded const& loaded, std::string const& scale_note,
                                                   Episode const& episode);
/// cax/explanation/1 about the first instance: the record below a head made by result_of().
[[nodiscard]] Json explanation_result(Json head, Loaded const& loaded, std::vector<std::string> notes,
                                      Explanation const& explanation);

} // namespace cax::app
