// A pack of N scalars that behaves like one scalar; each lane is another item. GCC vector extensions.
//
// g++ does not vectorise across elements by itself; written on packs the same formula is several times faster.
#pragma once

#include "kernels/scalar.h"

#if defined(__AVX512F__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

DERMIS_NAMESPACE_BEGIN

#if !defined(__CUDACC__)

// g++ ignores vector_size of a dependent size, so each width is named.
template <int N>
struct PackVectors;
template <>
struct PackVectors<4> {
  typedef double Vector __attribute__((vector_size(32)));
  typedef int64_t MaskVector __attribute__((vector_size(32)));
};
template <>
struct PackVectors<8> {
  typedef double Vector __attribute__((vector_size(64)));
  typedef int64_t MaskVector __attribute__((vector_size(64)));
};

template <int N>
struct Pack {
  using Vector = typename PackVectors<N>::Vector;
  using MaskVector = typename PackVectors<N>::MaskVector;
  Vector v;

  Pack() = default;
  DERMIS_HD Pack(double s) : v(Vector{} + s) {}  // broadcast; implicit, so that formulas read as for a scalar
  DERMIS_HD explicit Pack(Vector vector) : v(vector) {}

  DERMIS_HD static Pack Load(const double* p) {
    Pack r;
    __builtin_memcpy(&r.v, p, sizeof(Vector));
    return r;
  }
  DERMIS_HD void Store(double* p) const { __builtin_memcpy(p, &v, sizeof(Vector)); }
};

template <int N>
struct ScalarTraits<Pack<N>> {
  using Mask = typename Pack<N>::MaskVector;
  static constexpr int kLanes = N;
};

#define DERMIS_PACK_OPERATOR(op)                                                                                  \
  template <int N>                                                                                                \
  DERMIS_HD Pack<N> operator op(Pack<N> a, Pack<N> b) { return Pack<N>(a.v op b.v); }                             \
  template <int N>                                                                                                \
  DERMIS_HD Pack<N> operator op(Pack<N> a, double b) { return a op Pack<N>(b); }                                  \
  template <int N>                                                                                                \
  DERMIS_HD Pack<N> operator op(double a, Pack<N> b) { return Pack<N>(a) op b; }                                  \
  template <int N>                                                                                                \
  DERMIS_HD Pack<N>& operator op##=(Pack<N>& a, Pack<N> b) { return a = a op b; }
DERMIS_PACK_OPERATOR(+)
DERMIS_PACK_OPERATOR(-)
DERMIS_PACK_OPERATOR(*)
DERMIS_PACK_OPERATOR(/)
#undef DERMIS_PACK_OPERATOR

#define DERMIS_PACK_COMPARISON(op)                                                                                \
  template <int N>                                                                                                \
  DERMIS_HD typename Pack<N>::MaskVector operator op(Pack<N> a, Pack<N> b) { return a.v op b.v; }                 \
  template <int N>                                                                                                \
  DERMIS_HD typename Pack<N>::MaskVector operator op(Pack<N> a, double b) { return a.v op Pack<N>(b).v; }
DERMIS_PACK_COMPARISON(<)
DERMIS_PACK_COMPARISON(>)
DERMIS_PACK_COMPARISON(<=)
DERMIS_PACK_COMPARISON(>=)
#undef DERMIS_PACK_COMPARISON

template <int N>
DERMIS_HD Pack<N> operator-(Pack<N> a) { return Pack<N>(-a.v); }
template <int N>
DERMIS_HD Pack<N> Select(typename Pack<N>::MaskVector m, Pack<N> a, Pack<N> b) { return Pack<N>(m ? a.v : b.v); }
template <int N>
DERMIS_HD Pack<N> Max(Pack<N> a, Pack<N> b) { return Pack<N>(a.v > b.v ? a.v : b.v); }
template <int N>
DERMIS_HD Pack<N> Min(Pack<N> a, Pack<N> b) { return Pack<N>(a.v < b.v ? a.v : b.v); }
template <int N>
DERMIS_HD Pack<N> Abs(Pack<N> a) { return Max(a, -a); }

// Lane by lane; the compiler turns the loop of Sqrt into one vector instruction.
#define DERMIS_PACK_FUNCTION(name, scalar)                                                                        \
  template <int N>                                                                                                \
  DERMIS_HD Pack<N> name(Pack<N> a) {                                                                             \
    Pack<N> r;                                                                                                    \
    for (int i = 0; i < N; ++i) r.v[i] = scalar(a.v[i]);                                                          \
    return r;                                                                                                     \
  }
DERMIS_PACK_FUNCTION(Sqrt, __builtin_sqrt)
DERMIS_PACK_FUNCTION(Log1p, __builtin_log1p)
DERMIS_PACK_FUNCTION(Sin, __builtin_sin)
DERMIS_PACK_FUNCTION(Cos, __builtin_cos)
#undef DERMIS_PACK_FUNCTION

// 1/sqrt(a), to about one unit in the last place, for normal a > 0.
template <int N>
DERMIS_HD Pack<N> Rsqrt(Pack<N> a) { return 1.0 / Sqrt(a); }
#if defined(__AVX512F__)
// An estimate of 14 bits and two Newton steps take a third of the time of a square root and a division.
DERMIS_HD Pack<8> Rsqrt(Pack<8> a) {
  Pack<8> y(Pack<8>::Vector(_mm512_maskz_rsqrt14_pd(0xff, __m512d(a.v))));
  const Pack<8> h = 0.5 * a;
  y += y * (0.5 - h * (y * y));
  y += y * (0.5 - h * (y * y));
  return y;
}
#endif

template <class M>
  requires requires(M m) { m[0]; }
DERMIS_HD bool Any(M m) {
  int64_t r = 0;
  for (unsigned i = 0; i < sizeof(M) / 8; ++i) r |= m[i];
  return r != 0;
}
template <class M>
  requires requires(M m) { m[0]; }
DERMIS_HD bool All(M m) {
  int64_t r = -1;
  for (unsigned i = 0; i < sizeof(M) / 8; ++i) r &= m[i];
  return r != 0;
}
template <int N>
DERMIS_HD double Lane(const Pack<N>& a, int i) { return a.v[i]; }
template <int N>
DERMIS_HD void SetLane(Pack<N>& a, int i, double value) { a.v[i] = value; }
// Pairwise, in fixed order.
template <int N>
DERMIS_HD double SumLanes(const Pack<N>& a) {
  double s[N];
  for (int i = 0; i < N; ++i) s[i] = a.v[i];
  for (int width = N / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) s[i] += s[i + width];
  return s[0];
}

#endif  // !__CUDACC__

#if DERMIS_LANES > 1
using LaneScalar = Pack<DERMIS_LANES>;
#else
using LaneScalar = double;
#endif
// The number of items that an element kernel treats at once on this backend.
inline constexpr int kLanes = DERMIS_LANES;
// Element data is stored in blocks of this many items on every backend, so that the flat model does not depend on it.
inline constexpr int kBlock = 8;

DERMIS_NAMESPACE_END
