// The linear tetrahedron: deformation gradient, forces and Hessian of an element, and stiffness damping.
//
// Nodes 0..3 at x_0..x_3, g_a [1/m] the rest gradient of the shape function of node a = 1..3; g_0 = -(g_1 + g_2 + g_3).
// The element Hessian is stored as the 45 numbers of nodes 1..3; those of node 0 follow because translation costs no
// energy:
//   blocks (1,1), (2,2), (3,3), the upper triangle of each: xx, xy, xz, yy, yz, zz
//   blocks (1,2), (1,3), (2,3), each by rows, rows of the first node
#pragma once

#include "kernels/linalg.h"

DERMIS_NAMESPACE_BEGIN

inline constexpr int kTetHessianSize = 45;
// Where each block begins.
inline constexpr int kTetBlock11 = 0, kTetBlock22 = 6, kTetBlock33 = 12;
inline constexpr int kTetBlock12 = 18, kTetBlock13 = 27, kTetBlock23 = 36;

// F = sum_a x_a (x) g_a
template <class S> DERMIS_HD Mat3<S> DeformationGradient(const Vec3<S> (&x)[4], const Vec3<S> (&g)[3]) {
  return Outer(x[1] - x[0], g[0]) + Outer(x[2] - x[0], g[1]) + Outer(x[3] - x[0], g[2]);
}

// The transpose of that map: the gradient of scale Psi(F) by the nodes, scale P g_a. scale is the rest volume [m^3], P
// [Pa].
template <class S>
DERMIS_HD void NodeGradient(const Mat3<S>& stress, const Vec3<S> (&g)[3], const S& scale, Vec3<S> (&out)[4]) {
  const Mat3<S> p = scale * stress;
  out[1] = p * g[0];
  out[2] = p * g[1];
  out[3] = p * g[2];
  out[0] = -(out[1] + out[2] + out[3]);
}

// The block of nodes a and b, 1..3, of a stored element Hessian.
template <class S> DERMIS_HD Mat3<S> TetHessianInnerBlock(const S (&h)[kTetHessianSize], int a, int b) {
  if (a == b) {
    const S* d = h + kTetBlock11 + 6 * (a - 1);
    return Full(Sym3<S>{d[0], d[1], d[2], d[3], d[4], d[5]});
  }
  const S* o = h + kTetBlock12 + 9 * (a + b - 3);
  const Mat3<S> m{{{o[0], o[1], o[2]}, {o[3], o[4], o[5]}, {o[6], o[7], o[8]}}};
  return a < b ? m : Transpose(m);
}

// The block of nodes a and b, 0..3: those of node 0 are minus the sums over the others.
template <class S> DERMIS_HD Mat3<S> TetHessianBlock(const S (&h)[kTetHessianSize], int a, int b) {
  Mat3<S> block = Mat3<S>::Zero();
  for (int i = a == 0 ? 1 : a; i <= (a == 0 ? 3 : a); ++i)
    for (int j = b == 0 ? 1 : b; j <= (b == 0 ? 3 : b); ++j) block += TetHessianInnerBlock(h, i, j);
  return (a == 0) != (b == 0) ? S(-1.0) * block : block;
}

// Green's strain (F^T F - 1)/2.
template <class S> DERMIS_HD Sym3<S> GreenStrain(const Mat3<S>& f) {
  const S o(1.0);
  return S(0.5) * (Gram(f) - Sym3<S>::Diagonal(o, o, o));
}

// Stiffness damping: viscous stress proportional to the rate of Green's strain, so that rigid motion is undamped.
//
// Potential per rest volume, over one step of h seconds from the deformation gradient `before`:
//   h beta/2 (2 mu E':E' + lambda tr(E')^2),   E' = (E(F) - E(before))/h
// beta [s] the damping coefficient, mu and lambda [Pa] the small-strain constants of the material.
template <class S> struct StiffnessDamping {
  S mu, lambda, beta, h;

  DERMIS_HD S Energy(const Mat3<S>& before, const Mat3<S>& f) const { return Difference(before, before, f); }

  // Energy(before, f1) - Energy(before, f0) without cancellation.
  DERMIS_HD S Difference(const Mat3<S>& before, const Mat3<S>& f0, const Mat3<S>& f1) const {
    const Sym3<S> change = StrainChange(f0, f1);
    const Sym3<S> sum = StrainChange(before, f0) + StrainChange(before, f1);
    return S(0.5) * (beta / h) * (S(2.0) * mu * Inner(change, sum) + lambda * Trace(change) * Trace(sum));
  }

  // First Piola-Kirchhoff: F S, S = beta (2 mu E' + lambda tr(E') 1).
  DERMIS_HD Mat3<S> Stress(const Mat3<S>& before, const Mat3<S>& f) const {
    const Sym3<S> e = StrainChange(before, f);
    const S t = lambda * Trace(e);
    return (beta / h) * (f * Full((S(2.0) * mu) * e + Sym3<S>::Diagonal(t, t, t)));
  }

  // Adds scale [m^3] times the Gauss-Newton Hessian, without the geometric term of S, positive semidefinite:
  //   block (a, b) = scale beta/h (mu (g_a.g_b) F F^T + mu f_b f_a^T + lambda f_a f_b^T),   f_a = F g_a
  DERMIS_HD void AddElementHessian(const Mat3<S>& f, const Vec3<S> (&g)[3], const S& scale,
                                   S (&out)[kTetHessianSize]) const {
    const S factor = scale * (beta / h);
    const S m = factor * mu, l = factor * lambda;
    const Sym3<S> left = m * Gram(Transpose(f));
    const Vec3<S> f1 = f * g[0], f2 = f * g[1], f3 = f * g[2];
    AddDiagonal(left, f1, NormSquared(g[0]), m + l, out + kTetBlock11);
    AddDiagonal(left, f2, NormSquared(g[1]), m + l, out + kTetBlock22);
    AddDiagonal(left, f3, NormSquared(g[2]), m + l, out + kTetBlock33);
    AddOffDiagonal(left, f1, f2, Dot(g[0], g[1]), m, l, out + kTetBlock12);
    AddOffDiagonal(left, f1, f3, Dot(g[0], g[2]), m, l, out + kTetBlock13);
    AddOffDiagonal(left, f2, f3, Dot(g[1], g[2]), m, l, out + kTetBlock23);
  }

 private:
  // E(f1) - E(f0) = sym(dF^T (f0 + f1))/2
  DERMIS_HD static Sym3<S> StrainChange(const Mat3<S>& f0, const Mat3<S>& f1) {
    return S(0.5) * SymmetricPart(TransposeTimes(f1 - f0, f0 + f1));
  }
  DERMIS_HD static void AddDiagonal(const Sym3<S>& left, const Vec3<S>& fa, const S& gg, const S& ml, S* out) {
    const Sym3<S> block = gg * left + ml * OuterSquare(fa);
    out[0] += block.xx;
    out[1] += block.xy;
    out[2] += block.xz;
    out[3] += block.yy;
    out[4] += block.yz;
    out[5] += block.zz;
  }
  DERMIS_HD static void AddOffDiagonal(const Sym3<S>& left, const Vec3<S>& fa, const Vec3<S>& fb, const S& gg,
                                       const S& m, const S& l, S* out) {
    const Mat3<S> block = gg * Full(left) + Outer(m * fb, fa) + Outer(l * fa, fb);
    out[0] += block.r[0].x;
    out[1] += block.r[0].y;
    out[2] += block.r[0].z;
    out[3] += block.r[1].x;
    out[4] += block.r[1].y;
    out[5] += block.r[1].z;
    out[6] += block.r[2].x;
    out[7] += block.r[2].y;
    out[8] += block.r[2].z;
  }
};

DERMIS_NAMESPACE_END
