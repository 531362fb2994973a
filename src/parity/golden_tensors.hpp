#pragma once
// The tensors of one golden file, which remembers what was asked for: what nobody read was not compared, and the report
// says so.
#include "cax/core/tensor.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cax::parity {

class GoldenTensors {
public:
    explicit GoldenTensors(NamedTensors tensors) : tensors_(std::move(tensors)) {}

    /// Null if there is none. What is found counts as read.
    [[nodiscard]] Tensor const* find(std::string_view name);
    /// The parts after `prefix` of all names that start with it, in order.
    [[nodiscard]] std::vector<std::string> keys_below(std::string_view prefix) const;
    [[nodiscard]] bool any_below(std::string_view prefix) const;
    /// All tensors below `prefix`, by the rest of their name; they count as read.
    [[nodiscard]] NamedTensors take_below(std::string_view prefix);
    [[nodiscard]] std::vector<std::string> unread() const;

private:
    NamedTensors tensors_;
    std::set<std::string, std::less<>> read_;
};

/// Is `tensor` of this many axes, the first of length `batch`?
[[nodiscard]] bool is_batch(Tensor const& tensor, std::size_t batch, std::size_t axes);

} // namespace cax::parity
