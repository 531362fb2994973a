#pragma once
// From a file of named tensors to the parameters of a network, and back. A WeightFile is a TensorFile seen as a policy:
// a "policy." prefix stripped, what no network reads (baselines, batch counters) left out, metadata turned into checked
// numbers. Networks ask it for the shapes that fix their sizes, declare their parameters, and have them filled.
#include "cax/core/tensor.hpp"
#include "cax/nn/blocks.hpp"
#include "cax/nn/parameters.hpp"
#include "cax/policies/policy.hpp"

#include <string>
#include <string_view>

namespace cax {

class WeightFile {
public:
    /// Borrows the tensors of `file`, which must outlive this. Errors: metadata that is not what it should be.
    [[nodiscard]] static Result<WeightFile> open(TensorFile const& file);

    /// What the metadata says, with rl4co's defaults: 8 heads, clipping 10, temperature 1, graph context, and the
    /// normalisation that the tensors show. `problem` is "env_name" or empty; widths and depth are the network's to
    /// set.
    [[nodiscard]] PolicyInfo const& info() const { return info_; }
    [[nodiscard]] nn::NormKind norm_kind() const { return norm_kind_; }

    /// Null if there is no such tensor.
    [[nodiscard]] Tensor const* find(std::string_view name) const;
    /// Rows and columns of a weight matrix. Error if it is missing, not a matrix, or has no entries.
    struct Extent {
        std::size_t rows = 0;
        std::size_t cols = 0;
    };
    [[nodiscard]] Result<Extent> matrix(std::string_view name) const;
    /// How many consecutive k = 0, 1, ... have a tensor whose name starts with prefix + k + ".".
    [[nodiscard]] std::size_t count_layers(std::string_view prefix) const;
    /// Numbers in all tensors together: nobody can need more parameters than this.
    [[nodiscard]] std::size_t element_count() const;

    [[nodiscard]] std::map<std::string, Tensor const*, std::less<>> const& tensors() const { return tensors_; }

private:
    std::map<std::string, Tensor const*, std::less<>> tensors_;
    PolicyInfo info_;
    nn::NormKind norm_kind_ = nn::NormKind::batch;
};

/// Refuses sizes that no policy has before anything is allocated: embedding 1..4096, 1..64 layers, heads dividing the
/// embedding, and at least layers * per_layer numbers in the file.
[[nodiscard]] Result<void> check_sizes(WeightFile const& file, PolicyInfo const& info, std::size_t per_layer);

/// Fills every declared parameter from the tensor of its name. Errors name the tensor: missing, another shape, not a
/// floating-point type, not finite; or a tensor that no parameter wants.
template <class R> [[nodiscard]] Result<void> load_parameters(WeightFile const& file, nn::Parameters<R>& parameters);

/// The file that load_parameters and the metadata reader would turn back into the same policy (F32, or F64 for double).
template <class R>
[[nodiscard]] TensorFile save_parameters(PolicyInfo const& info, nn::Parameters<R> const& parameters);

} // namespace cax
