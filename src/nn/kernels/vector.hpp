#pragma once
// Vectors of CAX_VECTOR_BYTES bytes through the compilers' vector extensions, which GCC and clang share on every
// processor. Private to the kernel sources: each defines the width before it includes this, and everything lives in an
// unnamed namespace so that code built for one instruction set never leaks into another.
#include <cstddef>
#include <cstdint>

#define CAX_INLINE inline __attribute__((always_inline))
#ifdef __clang__
#define CAX_UNROLL _Pragma("unroll")
#else
#define CAX_UNROLL _Pragma("GCC unroll 32")
#endif

namespace cax::nn {
namespace {

template <class R> struct Simd;
template <> struct Simd<float> {
    typedef float Vector __attribute__((vector_size(CAX_VECTOR_BYTES)));
    typedef float Unaligned __attribute__((vector_size(CAX_VECTOR_BYTES), aligned(4), may_alias));
    typedef std::int32_t Integers __attribute__((vector_size(CAX_VECTOR_BYTES)));
};
template <> struct Simd<double> {
    typedef double Vector __attribute__((vector_size(CAX_VECTOR_BYTES)));
    typedef double Unaligned __attribute__((vector_size(CAX_VECTOR_BYTES), aligned(8), may_alias));
    typedef std::int64_t Integers __attribute__((vector_size(CAX_VECTOR_BYTES)));
};

template <class R> using Vector = typename Simd<R>::Vector;

/// Values per vector.
template <class R> constexpr std::size_t width = CAX_VECTOR_BYTES / sizeof(R);

template <class R> CAX_INLINE Vector<R> load(R const* from) {
    return *reinterpret_cast<typename Simd<R>::Unaligned const*>(from);
}
template <class R> CAX_INLINE void store(R* to, Vector<R> v) {
    *reinterpret_cast<typename Simd<R>::Unaligned*>(to) = v;
}
template <class R> CAX_INLINE Vector<R> splat(R value) { return Vector<R>{} + value; }

template <class R> CAX_INLINE Vector<R> larger(Vector<R> a, Vector<R> b) { return a > b ? a : b; }

/// The first `count` < width values, the rest filled.
template <class R> CAX_INLINE Vector<R> load_part(R const* from, std::size_t count, R fill) {
    R buffer[width<R>];
    for (std::size_t i = 0; i < width<R>; ++i) buffer[i] = i < count ? from[i] : fill;
    return load(buffer);
}
template <class R> CAX_INLINE void store_part(R* to, Vector<R> v, std::size_t count) {
    R buffer[width<R>];
    store(buffer, v);
    for (std::size_t i = 0; i < count; ++i) to[i] = buffer[i];
}

/// Sums and maxima across a vector, halving it, so that the order depends on the width alone.
template <class R> CAX_INLINE R sum_of(Vector<R> v) {
    R part[width<R>];
    store(part, v);
    CAX_UNROLL
    for (std::size_t half = width<R> / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) part[i] += part[i + half];
    return part[0];
}
template <class R> CAX_INLINE R largest_of(Vector<R> v) {
    R part[width<R>];
    store(part, v);
    CAX_UNROLL
    for (std::size_t half = width<R> / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) part[i] = part[i] > part[i + half] ? part[i] : part[i + half];
    return part[0];
}

} // namespace
} // namespace cax::nn
