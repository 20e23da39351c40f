// Eigenvalues and eigenvectors of symmetric 3x3 matrices, without iteration and without branches between lanes.
//
// The deviatoric part of A, scaled to unit size, has the eigenvalues 2 cos(phi + 2 pi k / 3). The one that lies apart
// from the other two is at least sqrt(3) away from them, so its eigenvector follows from cofactors to full accuracy; in
// the plane across it one Jacobi rotation is exact. Two close eigenvalues are therefore never told apart by their
// difference. (Idea: D. Eberly, A Robust Eigensolver for 3x3 Symmetric Matrices, 2014; here the cosine comes from
// Newton's method.)
#pragma once

#include "kernels/linalg.h"

DERMIS_NAMESPACE_BEGIN

// A = sum_i values[i] v_i v_i^T, v_i the columns of `vectors`, a proper rotation. Descending values.
template <class S> struct Eigen3 {
  Mat3<S> vectors;
  Vec3<S> values;
};

// The unit eigenvector whose eigenvalue is farthest from the other two, and whether it is the largest (else it is the
// smallest).
template <class S> struct IsolatedEigenvector {
  Vec3<S> v;
  MaskOf<S> largest;
};

// Keeps divisions and square roots finite where their argument is zero; far below any square of interest.
inline constexpr double kTinySquare = 1e-300;
inline constexpr double kTiny = 1e-150;

// Two unit vectors that make (u, w, v) a right-handed orthonormal frame. (Duff et al. 2017, Building an Orthonormal
// Basis.)
template <class S> DERMIS_HD void Perpendiculars(const Vec3<S>& v, Vec3<S>& u, Vec3<S>& w) {
  const S sign = Select(v.z < S(0.0), S(-1.0), S(1.0));
  const S a = S(-1.0) / (sign + v.z);
  const S b = v.x * v.y * a;
  u = {S(1.0) + sign * v.x * v.x * a, sign * b, -sign * v.x};
  w = {b, sign + v.y * v.y * a, -v.y};
}

// The rotation c, s in which [p r; r q] becomes diagonal with the larger value first: the new axes are
// c u + s w and c w - s u. Returns half the distance of the two eigenvalues.
template <class S> DERMIS_HD S PlaneRotation(const S& p, const S& q, const S& r, S& c, S& s) {
  const S d = p - q;
  const S h = r + r;
  const S dAbs = Abs(d) + S(kTiny);
  const S rho = Sqrt(dAbs * dAbs + h * h);
  // The half angle has the direction (rho + |d|, h), whose square is 2 rho (rho + |d|): no cancellation.
  const S n = rho + dAbs;
  const S inverse = Rsqrt((rho + rho) * n);
  const S large = n * inverse, small = h * inverse;
  const auto swap = d < S(0.0);
  c = Select(swap, Abs(small), large);
  s = Select(swap, Select(h < S(0.0), -large, large), small);
  return S(0.5) * rho;
}

template <class S> DERMIS_HD IsolatedEigenvector<S> FindIsolatedEigenvector(const Sym3<S>& a) {
  // B = (A - q 1)/p has eigenvalues 2 cos(...); |entries of A| up to 1e150.
  const S q = S(1.0 / 3.0) * Trace(a);
  Sym3<S> b{a.xx - q, a.xy, a.xz, a.yy - q, a.yz, a.zz - q};
  const S pSquared = S(1.0 / 6.0) * Inner(b, b) + S(kTinySquare);
  b = Rsqrt(pSquared) * b;
  const S halfDet = S(0.5) * (b.xx * (b.yy * b.zz - b.yz * b.yz) - b.xy * (b.xy * b.zz - b.yz * b.xz) +
                              b.xz * (b.xy * b.yz - b.yy * b.xz));
  IsolatedEigenvector<S> result;
  result.largest = halfDet >= S(0.0);
  // Of sign(det B) B the largest eigenvalue is the isolated one: 2 c with 4 c^3 - 3 c = h, sqrt(3)/2 <= c <= 1.
  const S h = Min(Abs(halfDet), S(1.0));
  const S h2 = h * h, h4 = h2 * h2;  // polynomial of cos(acos(h)/3) to 2e-9, in pairs to keep the chain short
  S c = (S(0.8660254056) + S(0.16666637114) * h) + h2 * (S(-0.048104441453) + S(0.024604296793) * h) +
        h4 * ((S(-0.015107275162) + S(0.0093833305733) * h) + h2 * (S(-0.0049296911759) + S(0.0017648568754) * h) +
              h4 * S(-0.00030285420205));
  const S c2 = c * c;
  c -= (c * (S(4.0) * c2 - S(3.0)) - h) / (S(12.0) * c2 - S(3.0));  // Newton, to round-off
  const S lambda = Select(result.largest, c + c, -(c + c));
  const S xx = b.xx - lambda, yy = b.yy - lambda, zz = b.zz - lambda;
  // The cofactors of B - lambda 1 are k v v^T with k >= 3: take the column with the largest diagonal entry.
  const S cxx = yy * zz - b.yz * b.yz, cyy = xx * zz - b.xz * b.xz, czz = xx * yy - b.xy * b.xy;
  const S cxy = b.xz * b.yz - b.xy * zz, cxz = b.xy * b.yz - yy * b.xz, cyz = b.xy * b.xz - xx * b.yz;
  const auto yOverX = cyy > cxx;
  const Vec3<S> xy = Select(yOverX, Vec3<S>{cxy, cyy, cyz}, Vec3<S>{cxx, cxy, cxz});
  const Vec3<S> column = Select(czz > Select(yOverX, cyy, cxx), Vec3<S>{cxz, cyz, czz}, xy);
  result.v = Rsqrt(NormSquared(column)) * column;
  return result;
}

template <class S> DERMIS_HD Eigen3<S> EigenDecomposition(const Sym3<S>& a) {
  const IsolatedEigenvector<S> isolated = FindIsolatedEigenvector(a);
  Vec3<S> u, w;
  Perpendiculars(isolated.v, u, w);
  const Vec3<S> au = a * u, aw = a * w;
  const S p = Dot(u, au), q = Dot(w, aw), r = Dot(u, aw);
  S c, s;
  const S half = PlaneRotation(p, q, r, c, s);
  const Vec3<S> first = c * u + s * w, second = c * w - s * u;
  const S mean = S(0.5) * (p + q), value = Dot(isolated.v, a * isolated.v);
  const auto m = isolated.largest;
  // (first, second, v) is right-handed, and so is (v, first, second).
  return {Mat3<S>::FromColumns(Select<S>(m, isolated.v, first), Select<S>(m, first, second),
                               Select<S>(m, second, isolated.v)),
          {Select(m, value, mean + half), Select(m, mean + half, mean - half), Select(m, mean - half, value)}};
}

// The matrix with its negative eigenvalues replaced: by 0 (reflect = false) or by their absolute values (reflect =
// true). Where the minors already say that it is positive semidefinite it is returned bitwise unchanged, whatever the
// other lanes hold.
template <class S> DERMIS_HD Sym3<S> ProjectPsd(const Sym3<S>& a, bool reflect = false) {
  const S minor2 = a.xx * a.yy - a.xy * a.xy;
  const S det = a.zz * minor2 - a.yz * (a.xx * a.yz - a.xy * a.xz) + a.xz * (a.xy * a.yz - a.yy * a.xz);
  const auto psd = (a.xx > S(0.0)) & (minor2 > S(0.0)) & (det >= S(0.0));
  if (All(psd)) return a;
  const Eigen3<S> e = EigenDecomposition(a);
  const S factor(reflect ? -2.0 : -1.0), zero(0.0);
  const Sym3<S> projected = a + (factor * Min(e.values.x, zero)) * OuterSquare(e.vectors.Column(0)) +
                            (factor * Min(e.values.y, zero)) * OuterSquare(e.vectors.Column(1)) +
                            (factor * Min(e.values.z, zero)) * OuterSquare(e.vectors.Column(2));
  return Select<S>(psd, a, projected);
}

DERMIS_NAMESPACE_END
