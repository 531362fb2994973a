#include "golden_tensors.hpp"

namespace cax::parity {

Tensor const* GoldenTensors::find(std::string_view name) {
    auto const found = tensors_.find(name);
    if (found == tensors_.end()) return nullptr;
    read_.insert(found->first);
    return &found->second;
}

std::vector<std::string> GoldenTensors::keys_below(std::string_view prefix) const {
    std::vector<std::string> keys;
    for (auto at = tensors_.lower_bound(prefix); at != tensors_.end() && at->first.starts_with(prefix); ++at) {
        keys.push_back(at->first.substr(prefix.size()));
    }
    return keys;
}

bool GoldenTensors::any_below(std::string_view prefix) const {
    auto const at = tensors_.lower_bound(prefix);
    return at != tensors_.end() && at->first.starts_with(prefix);
}

NamedTensors GoldenTensors::take_below(std::string_view prefix) {
    NamedTensors taken;
    for (std::string const& key : keys_below(prefix)) taken[key] = *find(std::string(prefix) + key);
    return taken;
}

std::vector<std::string> GoldenTensors::unread() const {
    std::vector<std::string> names;
    for (auto const& [name, tensor] : tensors_) {
        if (!read_.contains(name)) names.push_back(name);
    }
    return names;
}

bool is_batch(Tensor const& tensor, std::size_t batch, std::size_t axes) {
    return tensor.shape().size() == axes && tensor.shape().front() == batch;
}

} // namespace cax::parity
