// The tangent of an isotropic material, in the frame of its singular value decomposition.
//
// With F = U diag(s) V^T, dF_hat = U^T dF V and dP_hat = U^T dP V the 9x9 tangent splits into a 3x3 scaling block
//   dP_hat_ii = sum_j S_ij dF_hat_jj
// and three 2x2 blocks, (i, j) = (0,1), (0,2), (1,2):
//   dP_hat_ij = A_ij dF_hat_ij + B_ij dF_hat_ji,     A = (flip + twist)/2,  B = (flip - twist)/2
// whose eigenvalues are flip (symmetric dF_hat) and twist (skew dF_hat). So the eigenvalues of the whole tangent are
// known, and projecting it costs one 3x3 eigenproblem. (Smith, de Goes, Kim 2019, Analytic Eigensystems for Isotropic
// Distortion Energies.)
#pragma once

#include "kernels/materials/psd_strategy.h"
#include "kernels/svd.h"
#include "kernels/tet.h"

DERMIS_NAMESPACE_BEGIN

// A pair of values for each of the planes (0,1), (0,2), (1,2): stored as x, y, z.
template <class S> struct IsotropicTangent {
  Mat3<S> u, v;
  Sym3<S> scaling;  // S_ij [Pa]
  Vec3<S> a, b;     // A_ij, B_ij [Pa]

  DERMIS_HD IsotropicTangent(const Svd3<S>& svd, Sym3<S> s, Vec3<S> twist, Vec3<S> flip, PsdStrategy strategy)
      : u(svd.u), v(svd.v) {
    if (strategy == PsdStrategy::Projection) {
      const S o(0.0);
      s = ProjectPsd(s);
      twist = {Max(twist.x, o), Max(twist.y, o), Max(twist.z, o)};
      flip = {Max(flip.x, o), Max(flip.y, o), Max(flip.z, o)};
    } else if (strategy == PsdStrategy::AbsEigenProjection) {
      s = ProjectPsd(s, true);
      twist = {Abs(twist.x), Abs(twist.y), Abs(twist.z)};
      flip = {Abs(flip.x), Abs(flip.y), Abs(flip.z)};
    }
    scaling = s;
    a = S(0.5) * (flip + twist);
    b = S(0.5) * (flip - twist);
  }

  DERMIS_HD Mat3<S> Apply(const Mat3<S>& dF) const {
    const Mat3<S> d = TransposeTimes(u, dF) * v;
    const Vec3<S> diagonal = scaling * Vec3<S>{d.r[0].x, d.r[1].y, d.r[2].z};
    const Mat3<S> p{{{diagonal.x, a.x * d.r[0].y + b.x * d.r[1].x, a.y * d.r[0].z + b.y * d.r[2].x},
                     {a.x * d.r[1].x + b.x * d.r[0].y, diagonal.y, a.z * d.r[1].z + b.z * d.r[2].y},
                     {a.y * d.r[2].x + b.y * d.r[0].z, a.z * d.r[2].y + b.z * d.r[1].z, diagonal.z}}};
    return u * TimesTranspose(p, v);
  }

  // scale [m^3] times the second derivative of the energy density by the nodes 1..3 of a tetrahedron; layout in tet.h.
  DERMIS_HD void ElementHessian(const Vec3<S> (&g)[3], const S& scale, S (&out)[kTetHessianSize]) const {
    IsotropicTangent scaled = *this;
    scaled.scaling = scale * scaling;
    scaled.a = scale * a;
    scaled.b = scale * b;
    const Vec3<S> g1 = TransposeTimes(v, g[0]), g2 = TransposeTimes(v, g[1]), g3 = TransposeTimes(v, g[2]);
    scaled.DiagonalBlock(g1, out + kTetBlock11);
    scaled.DiagonalBlock(g2, out + kTetBlock22);
    scaled.DiagonalBlock(g3, out + kTetBlock33);
    scaled.OffDiagonalBlock(g1, g2, out + kTetBlock12);
    scaled.OffDiagonalBlock(g1, g3, out + kTetBlock13);
    scaled.OffDiagonalBlock(g2, g3, out + kTetBlock23);
  }

 private:
  // The block of nodes a and b is U H U^T with, in the eigenframe (g = V^T of the rest gradients),
  //   H_ii = S_ii ga_i gb_i + sum_{j != i} A_ij ga_j gb_j,   H_ij = S_ij ga_i gb_j + B_ij ga_j gb_i.
  DERMIS_HD Vec3<S> BlockDiagonal(const Vec3<S>& m) const {
    return {scaling.xx * m.x + a.x * m.y + a.y * m.z, a.x * m.x + scaling.yy * m.y + a.z * m.z,
            a.y * m.x + a.z * m.y + scaling.zz * m.z};
  }

  DERMIS_HD void DiagonalBlock(const Vec3<S>& g, S* out) const {
    const Vec3<S> d = BlockDiagonal({g.x * g.x, g.y * g.y, g.z * g.z});
    const S xy = (scaling.xy + b.x) * (g.x * g.y), xz = (scaling.xz + b.y) * (g.x * g.z),
            yz = (scaling.yz + b.z) * (g.y * g.z);
    const Sym3<S> h{d.x, xy, xz, d.y, yz, d.z};
    const Vec3<S> t0 = h * u.r[0], t1 = h * u.r[1], t2 = h * u.r[2];
    out[0] = Dot(u.r[0], t0);
    out[1] = Dot(u.r[0], t1);
    out[2] = Dot(u.r[0], t2);
    out[3] = Dot(u.r[1], t1);
    out[4] = Dot(u.r[1], t2);
    out[5] = Dot(u.r[2], t2);
  }

  DERMIS_HD void OffDiagonalBlock(const Vec3<S>& g, const Vec3<S>& k, S* out) const {
    const Vec3<S> d = BlockDiagonal({g.x * k.x, g.y * k.y, g.z * k.z});
    const S xy = g.x * k.y, yx = g.y * k.x, xz = g.x * k.z, zx = g.z * k.x, yz = g.y * k.z, zy = g.z * k.y;
    const Mat3<S> h{{{d.x, scaling.xy * xy + b.x * yx, scaling.xz * xz + b.y * zx},
                     {scaling.xy * yx + b.x * xy, d.y, scaling.yz * yz + b.z * zy},
                     {scaling.xz * zx + b.y * xz, scaling.yz * zy + b.z * yz, d.z}}};
    const Vec3<S> t0 = RowTimes(u.r[0], h), t1 = RowTimes(u.r[1], h), t2 = RowTimes(u.r[2], h);
    out[0] = Dot(t0, u.r[0]);
    out[1] = Dot(t0, u.r[1]);
    out[2] = Dot(t0, u.r[2]);
    out[3] = Dot(t1, u.r[0]);
    out[4] = Dot(t1, u.r[1]);
    out[5] = Dot(t1, u.r[2]);
    out[6] = Dot(t2, u.r[0]);
    out[7] = Dot(t2, u.r[1]);
    out[8] = Dot(t2, u.r[2]);
  }
};

DERMIS_NAMESPACE_END
