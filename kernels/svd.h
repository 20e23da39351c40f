// The rotation-variant singular value decomposition of a 3x3 matrix.
//
// F = U diag(s) V^T with proper rotations U and V and s0 >= s1 >= |s2|; the sign of a reflection is carried by s2. This
// is the form that inverted elements need (Irving et al. 2004). |U diag(s) V^T - F| is a few units of round-off of |F|
// also for F = 0, rank 1, rank 2 and equal values, for 1e-70 < |F| < 1e70. Where s1 + s2 = 0 the rotation U V^T is not
// unique.
//
// F^T F would lose small singular values. Only its isolated eigenvector v is taken from there (see eigen3.h), which is
// accurate; the other two come from one rotation of the columns of F across v, whose products are formed anew.
#pragma once

#include "kernels/eigen3.h"

DERMIS_NAMESPACE_BEGIN

template <class S> struct Svd3 {
  Mat3<S> u, v;
  Vec3<S> s;
};

template <class S> DERMIS_HD Svd3<S> Svd(const Mat3<S>& f) {
  const IsolatedEigenvector<S> isolated = FindIsolatedEigenvector(Gram(f));
  Vec3<S> p, q;
  Perpendiculars(isolated.v, p, q);

  // Make F p and F q orthogonal, the longer one first.
  const Vec3<S> fp = f * p, fq = f * q, fv = f * isolated.v;
  S c, s;
  PlaneRotation(NormSquared(fp), NormSquared(fq), Dot(fp, fq), c, s);
  const Vec3<S> first = c * p + s * q, second = c * q - s * p;
  const Vec3<S> fFirst = c * fp + s * fq, fSecond = c * fq - s * fp;
  const auto m = isolated.largest;
  Svd3<S> result;
  result.v = Mat3<S>::FromColumns(Select<S>(m, isolated.v, first), Select<S>(m, first, second),
                                  Select<S>(m, second, isolated.v));
  const Vec3<S> b0 = Select<S>(m, fv, fFirst), b1 = Select<S>(m, fFirst, fSecond), b2 = Select<S>(m, fSecond, fv);

  // U from the columns of F V. They are orthogonal to round-off of |F|, which Gram-Schmidt makes good.
  const S n0 = NormSquared(b0), n1 = NormSquared(b1);
  const Vec3<S> u0 = Select<S>(n0 > S(kTinySquare), Rsqrt(n0 + S(kTinySquare)) * b0, Vec3<S>{S(1.0), S(0.0), S(0.0)});
  Vec3<S> u1 = Rsqrt(n1 + S(kTinySquare)) * b1;
  u1 -= Dot(u0, u1) * u0;
  const auto isShort = n1 <= S(1e-6) * n0;
  if (Any(isShort)) {
    // A short column may have leaned on u0 visibly: once more, with its length. Below round-off any direction will do.
    Vec3<S> any, unused;
    Perpendiculars(u0, any, unused);
    const Vec3<S> again = u1 - Dot(u0, u1) * u0;
    const Vec3<S> normalised = Rsqrt(NormSquared(again) + S(kTinySquare)) * again;
    u1 = Select<S>(isShort, Select<S>(n1 > S(1e-30) * n0, normalised, any), u1);
  }
  const Vec3<S> u2 = Cross(u0, u1);
  result.u = Mat3<S>::FromColumns(u0, u1, u2);
  result.s = {Dot(u0, b0), Dot(u1, b1), Dot(u2, b2)};
  return result;
}

DERMIS_NAMESPACE_END
