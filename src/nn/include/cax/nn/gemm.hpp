#pragma once
// Matrix products. The right factor is packed once (weights at load, keys once per state), the left one is read as it
// is. Every output element is one chain of fused multiply-adds over k = 0..K-1 in that order, whatever the number of
// rows, so that a row's result does not depend on the rows beside it. Single-threaded: callers split states over
// threads.
#include "cax/nn/aligned.hpp"
#include "cax/nn/arena.hpp"
#include "cax/nn/view.hpp"

namespace cax::nn {

/// What happens to C after the product.
template <class R> struct Epilogue {
    R const* bias = nullptr;  ///< one value per column, added
    View<R const> residual{}; ///< if residual.data: added element by element
    bool accumulate = false;  ///< add to what C holds
    bool relu = false;        ///< then negative values become 0
    View<R const> gate{};     ///< if gate.data: 0 where it is not positive (the way back through a ReLU); last of all
    R scale = R{1};           ///< the product is multiplied by this first
};

/// A K x N right factor in panels that the kernels read. Owns its memory, or borrows it from an arena.
template <class R> class PackedMatrix {
public:
    PackedMatrix() = default;
    [[nodiscard]] std::size_t inner() const { return inner_; } ///< K
    [[nodiscard]] std::size_t cols() const { return cols_; }   ///< N

    /// Packs B (K x N) as it is, or B^T of an N x K matrix. Memory: own.
    void assign(View<R const> b);
    void assign_transposed(View<R const> b);
    /// The same into arena memory, for products of activations.
    static PackedMatrix borrow(View<R const> b, Arena& arena);
    static PackedMatrix borrow_transposed(View<R const> b, Arena& arena);

    [[nodiscard]] R const* panels() const { return borrowed_ ? borrowed_ : own_.data(); }

private:
    std::size_t inner_ = 0;
    std::size_t cols_ = 0;
    R const* borrowed_ = nullptr;
    AlignedVector<R> own_;
};

/// C = epilogue(A B). A is M x K, C is M x N.
template <class R>
void multiply(std::type_identity_t<View<R const>> a, PackedMatrix<R> const& b, View<R> c,
              Epilogue<R> const& epilogue = {});
/// The same for columns first .. first+c.cols-1 of B alone.
template <class R>
void multiply_columns(std::type_identity_t<View<R const>> a, PackedMatrix<R> const& b, std::size_t first, View<R> c,
                      Epilogue<R> const& epilogue = {});

/// C += A^T B for weight gradients: A is M x K, B is M x N, C is K x N (row-major, stride N). Sums over rows in order.
template <class R>
void multiply_transposed(std::type_identity_t<View<R const>> a, std::type_identity_t<View<R const>> b, View<R> c,
                         Arena& arena);

/// Name of the instruction set in use ("avx512", "avx2", "generic"), chosen once: the widest that the processor has, or
/// a narrower one named by the environment variable CAX_KERNEL. Results differ between them by rounding alone.
[[nodiscard]] char const* kernel_name();

} // namespace cax::nn
