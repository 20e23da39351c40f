// Functions of one scalar or one pack of scalars, under one set of names: kernels are templates on the scalar S.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/backend.h"

DERMIS_NAMESPACE_BEGIN

// The mask that comparisons of S give: bool for a scalar, a vector of lanes for a pack.
template <class S> struct ScalarTraits {
  using Mask = bool;
  static constexpr int kLanes = 1;
};
template <class S> using MaskOf = typename ScalarTraits<S>::Mask;

DERMIS_HD double Sqrt(double a) { return sqrt(a); }
// 1/sqrt(a), to about one unit in the last place, for normal a > 0.
DERMIS_HD double Rsqrt(double a) {
#if defined(__CUDA_ARCH__)
  return rsqrt(a);
#else
  return 1.0 / sqrt(a);
#endif
}
DERMIS_HD double Abs(double a) { return fabs(a); }
DERMIS_HD double Max(double a, double b) { return a > b ? a : b; }
DERMIS_HD double Min(double a, double b) { return a < b ? a : b; }
DERMIS_HD double Log1p(double a) { return log1p(a); }
DERMIS_HD double Sin(double a) { return sin(a); }
DERMIS_HD double Cos(double a) { return cos(a); }
DERMIS_HD double Select(bool m, double a, double b) { return m ? a : b; }
DERMIS_HD bool Any(bool m) { return m; }
DERMIS_HD bool All(bool m) { return m; }
// Lane access, so that tests and reductions need not know whether S is a pack.
DERMIS_HD double Lane(double a, int) { return a; }
DERMIS_HD void SetLane(double& a, int, double value) { a = value; }
DERMIS_HD double SumLanes(double a) { return a; }

DERMIS_HD float Sqrt(float a) { return sqrtf(a); }
DERMIS_HD float Abs(float a) { return fabsf(a); }
DERMIS_HD float Max(float a, float b) { return a > b ? a : b; }
DERMIS_HD float Min(float a, float b) { return a < b ? a : b; }
DERMIS_HD float Select(bool m, float a, float b) { return m ? a : b; }

DERMIS_NAMESPACE_END
