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
template <int N> struct PackVectors;
template <> struct PackVectors<4> {
  typedef double Vector __attribute__((vector_size(32)));
  typedef int64_t MaskVector __attribute__((vector_size(32)));
  typedef uint64_t BitVector __attribute__((vector_size(32)));
};
template <> struct PackVectors<8> {
  typedef double Vector __attribute__((vector_size(64)));
  typedef int64_t MaskVector __attribute__((vector_size(64)));
  typedef uint64_t BitVector __attribute__((vector_size(64)));
};

template <int N> struct Pack {
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

template <int N> struct ScalarTraits<Pack<N>> {
  using Mask = typename Pack<N>::MaskVector;
  static constexpr int kLanes = N;
};

#define DERMIS_PACK_OPERATOR(op)                                                                       \
  template <int N> DERMIS_HD Pack<N> operator op(Pack<N> a, Pack<N> b) { return Pack<N>(a.v op b.v); } \
  template <int N> DERMIS_HD Pack<N> operator op(Pack<N> a, double b) { return a op Pack<N>(b); }      \
  template <int N> DERMIS_HD Pack<N> operator op(double a, Pack<N> b) { return Pack<N>(a) op b; }      \
  template <int N> DERMIS_HD Pack<N>& operator op##=(Pack<N>& a, Pack<N> b) { return a = a op b; }
DERMIS_PACK_OPERATOR(+)
DERMIS_PACK_OPERATOR(-)
DERMIS_PACK_OPERATOR(*)
DERMIS_PACK_OPERATOR(/)
#undef DERMIS_PACK_OPERATOR

#define DERMIS_PACK_COMPARISON(op)                                                                                 \
  template <int N> DERMIS_HD typename Pack<N>::MaskVector operator op(Pack<N> a, Pack<N> b) { return a.v op b.v; } \
  template <int N> DERMIS_HD typename Pack<N>::MaskVector operator op(Pack<N> a, double b) {                       \
    return a.v op Pack<N>(b).v;                                                                                    \
  }
DERMIS_PACK_COMPARISON(<)
DERMIS_PACK_COMPARISON(>)
DERMIS_PACK_COMPARISON(<=)
DERMIS_PACK_COMPARISON(>=)
#undef DERMIS_PACK_COMPARISON

template <int N> DERMIS_HD Pack<N> operator-(Pack<N> a) { return Pack<N>(-a.v); }
template <int N> DERMIS_HD Pack<N> Select(typename Pack<N>::MaskVector m, Pack<N> a, Pack<N> b) {
  return Pack<N>(m ? a.v : b.v);
}
template <int N> DERMIS_HD Pack<N> Max(Pack<N> a, Pack<N> b) { return Pack<N>(a.v > b.v ? a.v : b.v); }
template <int N> DERMIS_HD Pack<N> Min(Pack<N> a, Pack<N> b) { return Pack<N>(a.v < b.v ? a.v : b.v); }
template <int N> DERMIS_HD Pack<N> Abs(Pack<N> a) { return Max(a, -a); }

// Lane by lane; the compiler turns the loop of Sqrt into one vector instruction.
#define DERMIS_PACK_FUNCTION(name, scalar)               \
  template <int N> DERMIS_HD Pack<N> name(Pack<N> a) {   \
    Pack<N> r;                                           \
    for (int i = 0; i < N; ++i) r.v[i] = scalar(a.v[i]); \
    return r;                                            \
  }
DERMIS_PACK_FUNCTION(Sqrt, __builtin_sqrt)
DERMIS_PACK_FUNCTION(Sin, __builtin_sin)
DERMIS_PACK_FUNCTION(Cos, __builtin_cos)
#undef DERMIS_PACK_FUNCTION

// 1/sqrt(a), to about one unit in the last place, for normal a > 0.
template <int N> DERMIS_HD Pack<N> Rsqrt(Pack<N> a) { return 1.0 / Sqrt(a); }
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

// log(1 + a) for a > -1, to about two units in the last place; NaN stays NaN. Below -1 the result has no meaning.
// The polynomial and the reduction are those of FreeBSD's e_log.c: 1 + a = 2^k m, m in [1/sqrt 2, sqrt 2), f = m - 1,
// s = f/(2 + f), log m = f - (f^2/2 - s (f^2/2 + R(s^2))). What 1 + a lost to rounding comes back to first order.
template <int N> DERMIS_HD Pack<N> Log1p(Pack<N> a) {
  using Bits = typename PackVectors<N>::BitVector;
  using Vector = typename Pack<N>::Vector;
  constexpr uint64_t kOne = 0x3ff0000000000000, kHalfRoot = 0x3fe6a09e667f3bcd, kMantissa = 0x000fffffffffffff;
  const Pack<N> u = a + 1.0;
  const Pack<N> lost = Select(a > 1.0, 1.0 - (u - a), a - (u - 1.0)) / u;
  const Bits shifted = Bits(u.v) + (kOne - kHalfRoot);
  // k as a double: its bits in the mantissa of 2^52
  const Pack<N> k = Pack<N>(Vector((shifted >> 52) | 0x4330000000000000)) - (0x1p52 + 1023.0);
  const Pack<N> f = Pack<N>(Vector((shifted & kMantissa) + kHalfRoot)) - 1.0;
  const Pack<N> s = f / (f + 2.0), z = s * s, w = z * z, half = 0.5 * f * f;
  const Pack<N> even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const Pack<N> odd =
      z * (6.666666666666735130e-01 +
           w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const Pack<N> low = k * 1.90821492927058770002e-10 + lost;
  return k * 6.93147180369123816490e-01 - ((half - (s * (half + even + odd) + low)) - f);
}

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
template <int N> DERMIS_HD double Lane(const Pack<N>& a, int i) { return a.v[i]; }
template <int N> DERMIS_HD void SetLane(Pack<N>& a, int i, double value) { a.v[i] = value; }
// Pairwise, in fixed order.
template <int N> DERMIS_HD double SumLanes(const Pack<N>& a) {
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
