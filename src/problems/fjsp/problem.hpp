#pragma once
// The flexible job shop as a Problem: a thin adapter over this folder, and what it is made of.
#include "cax/problems/exchange.hpp"
#include "cax/problems/noise.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/thumb.hpp"

namespace cax::fjsp {

[[nodiscard]] Problem const& problem();

[[nodiscard]] Presentation const& presentation();
[[nodiscard]] Noise const& noise();        ///< wrong times and wrong machines
[[nodiscard]] RulesOfThumb const& thumb(); ///< dispatching rules
[[nodiscard]] std::span<TextFormat const> text_formats();

[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> generator_options();
/// `size` is "JxM". Draws job by job and operation by operation. Padded to J * max-ops operations.
[[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng);

} // namespace cax::fjsp
