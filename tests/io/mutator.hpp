#pragma once
// Damages files the way accidents and attackers do: seeded, so that a failure can be repeated from its number.
#include "cax/core/json_fwd.hpp"
#include "cax/core/rng.hpp"
#include "cax/core/tensor.hpp"

#include <string>

namespace cax::test {

class Mutator {
public:
    /// Input number `index` of the run named `seed`.
    Mutator(std::uint64_t seed, std::uint32_t index) : rng_(seed, index) {}

    /// One to three damages to the bytes: cut, flipped, inserted, removed, repeated, moved, a number made absurd (in
    /// text or binary), or a piece of `other` spliced in.
    [[nodiscard]] std::string bytes(std::string text, std::string const& other);
    /// One to three damages to the value: a part replaced, removed, repeated, renamed or moved elsewhere.
    void json(Json& value);
    /// One to three damages to the arrays: values, shape, element type, or an array missing or renamed.
    void tensors(NamedTensors& tensors);

    [[nodiscard]] std::size_t below(std::size_t bound) { return static_cast<std::size_t>(rng_.below(bound)); }

private:
    void damage_bytes(std::string& text, std::string const& other);
    void damage_number(std::string& text);
    void damage_json(Json& value);
    void damage_tensors(NamedTensors& tensors);
    [[nodiscard]] Json absurd_json();
    [[nodiscard]] double absurd_value();

    Rng rng_;
};

} // namespace cax::test
