#include "tensor_batch.hpp"

#include <algorithm>
#include <cassert>

namespace cax {
namespace {

TensorObservation const& tensors_in(Observation const& observation) { return std::get<TensorObservation>(observation); }

bool alike(TensorObservation const& a, TensorObservation const& b) {
    return a.mask.size() == b.mask.size() &&
           std::ranges::equal(a.tensors, b.tensors, [](auto const& left, auto const& right) {
               return left.first == right.first && left.second.dtype() == right.second.dtype() &&
                      left.second.shape() == right.second.shape();
           });
}

Shape batched(Shape const& shape, std::size_t states) {
    Shape result{states};
    result.insert(result.end(), shape.begin(), shape.end());
    return result;
}

} // namespace

std::vector<std::vector<std::size_t>> stackable(std::span<Observation const> observations, std::size_t most) {
    std::vector<std::vector<std::size_t>> groups;
    std::vector<std::size_t> open; // groups that may still grow, each of another kind
    for (std::size_t i = 0; i < observations.size(); ++i) {
        auto const own = std::ranges::find_if(open, [&](std::size_t g) {
            return alike(tensors_in(observations[groups[g].front()]), tensors_in(observations[i]));
        });
        if (own != open.end() && groups[*own].size() < most) {
            groups[*own].push_back(i);
            continue;
        }
        if (own != open.end()) open.erase(own);
        open.push_back(groups.size());
        groups.push_back({i});
    }
    return groups;
}

TensorBatch stack(std::span<Observation const> observations, std::span<std::size_t const> places) {
    assert(!places.empty());
    TensorObservation const& first = tensors_in(observations[places.front()]);
    TensorBatch batch{.states = places.size(), .actions = first.mask.size(), .tensors = {}};
    for (auto const& [name, tensor] : first.tensors) {
        std::vector<std::byte> bytes;
        bytes.reserve(tensor.bytes().size() * places.size());
        for (std::size_t const i : places) {
            auto const own = tensors_in(observations[i]).tensors.find(name)->second.bytes();
            bytes.insert(bytes.end(), own.begin(), own.end());
        }
        auto stacked = Tensor::from_bytes(tensor.dtype(), batched(tensor.shape(), places.size()), std::move(bytes));
        assert(stacked);
        batch.tensors[name] = *std::move(stacked);
    }
    std::vector<std::uint8_t> masks;
    for (std::size_t const i : places) {
        auto const& mask = tensors_in(observations[i]).mask;
        masks.insert(masks.end(), mask.begin(), mask.end());
    }
    batch.tensors["action_mask"] = Tensor::from_bools({batch.states, batch.actions}, masks);
    return batch;
}

TensorObservation unstack(NamedTensors const& gradients, std::size_t row) {
    TensorObservation result;
    for (auto const& [name, tensor] : gradients) result.tensors[name] = tensor.slice(row);
    return result;
}

} // namespace cax
