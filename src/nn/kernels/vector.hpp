#pragma once
// Vectors of CAX_VECTOR_BYTES bytes through the compilers' vector extensions,
// which GCC and clang share on every processor. Private to the kernel sources:
// each defines the width before it includes this, and everything lives in an
// unnamed namespace so that code built for one instruction set never leaks into
// another.
#include <cstddef>
#include <cstdint>

#ifndef CAX_VECTOR_BYTES // where a header is compiled by itself
#define CAX_VECTOR_BYTES 16
#endif
#define CAX_INLINE inline __attribute__((always_inline))
#ifdef __clang__
#define CAX_UNROLL _Pragma("unroll")
#else
#define CAX_UNROLL _Pragma("GCC unroll 32")
#endif

namespace cax::nn {
namespace {

/// Integers are unsigned: sums of bit patterns of infinities and NaN wrap around.
template <class R> struct Simd;
template <> struct Simd<float> {
    typedef float Vector __attribute__((vector_size(CAX_VECTOR_BYTES)));
    typedef float Unaligned __attribute__((vector_size(CAX_VECTOR_BYTES), aligned(4), may_alias));
    typedef std::uint32_t Integers __attribute__((vector_size(CAX_VECTOR_BYTES)));
};
template <> struct Simd<double> {
    typedef double Vector __attribute__((vector_size(CAX_VECTOR_BYTES)));
    typedef double Unaligned __attribute__((vector_size(CAX_VECTOR_BYTES), aligned(8), may_alias));
    typedef std::uint64_t Integers __attribute__((vector_size(CAX_VECTOR_BYTES)));
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
/// x - 0 is x for every x, and compiles to a broadcast; 0 + x would have to
/// turn -0 into 0.
template <class R> CAX_INLINE Vector<R> splat(R value) { return value - Vector<R>{}; }

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

/// Lane numbers 0 .. N-1 as a pack, for shuffles.
template <std::size_t... L> struct LaneList {};
template <std::size_t N, std::size_t... L> struct MakeLanes : MakeLanes<N - 1, N - 1, L...> {};
template <std::size_t... L> struct MakeLanes<0, L...> { using Type = LaneList<L...>; };
template <class R> using AllLanes = typename MakeLanes<width<R>>::Type;

/// Lane l of the result is lane l ^ Step of v.
template <class R, std::size_t Step, std::size_t... L>
CAX_INLINE Vector<R> swap_lanes(Vector<R> v, LaneList<L...> const&) {
    return __builtin_shufflevector(v, v, (L ^ Step)...);
}

/// Sum and maximum across a vector, in every lane of the result. Halves are
/// folded onto each other, so that the order depends on the width alone.
template <class R, std::size_t Step = width<R> / 2> CAX_INLINE Vector<R> sum_of(Vector<R> v) {
    if constexpr (Step == 0)
        return v;
    else
        return sum_of<R, Step / 2>(v + swap_lanes<R, Step>(v, AllLanes<R>{}));
}
template <class R, std::size_t Step = width<R> / 2> CAX_INLINE Vector<R> largest_of(Vector<R> v) {
    if constexpr (Step == 0)
        return v;
    else
        return largest_of<R, Step / 2>(larger<R>(v, swap_lanes<R, Step>(v, AllLanes<R>{})));
}

/// The Step x Step blocks beside the diagonal change places: a's right ones
/// with b's left ones.
template <class R, std::size_t Step, std::size_t... L>
CAX_INLINE void exchange(Vector<R>& a, Vector<R>& b, LaneList<L...> const&) {
    constexpr std::size_t n = width<R>;
    Vector<R> const left = __builtin_shufflevector(a, b, (L & Step ? n + L - Step : L)...);
    b = __builtin_shufflevector(a, b, (L & Step ? n + L : L + Step)...);
    a = left;
}

/// Transposes a square of vectors, one bit of the row and lane numbers at a
/// time.
template <class R, std::size_t Step = width<R> / 2> CAX_INLINE void transpose(Vector<R> (&rows)[width<R>]) {
    CAX_UNROLL
    for (std::size_t i = 0; i < width<R>; ++i)
        if (!(i & Step)) exchange<R, Step>(rows[i], rows[i + Step], AllLanes<R>{});
    if constexpr (Step > 1) transpose<R, Step / 2>(rows);
}

} // namespace
} // namespace cax::nn
