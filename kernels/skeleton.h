// Derivatives of frames by joint coordinates.
//
// A degree of freedom k moves every frame f behind its joint by a twist: dA_f/dq_k = S_k A_f with S_k = [angular]x
// and linear. Let g_f = dE/dA_f [3x4] and N_f = [A_f; 0 0 0 1] g_f^T [4x3] its wrench, J_f the second moment of mass
// in world axes. All are taken about one origin, and summed over the frames behind a joint:
//   gradient                 dE/dq_k = tr(S_k N)
//   Gauss-Newton             tr(S_k J S_l^T)
//   geometric                tr(S_k S_l N), k the outer of the two; symmetric mean for two of one rotation
#pragma once

#include "kernels/joints/joint.h"

DERMIS_NAMESPACE_BEGIN

// N: three rows of the moment part, one row (the sum of forces).
struct Wrench {
  Mat3d moment;
  Vec3d force;
};
DERMIS_HD Wrench& operator+=(Wrench& a, const Wrench& b) {
  a.moment += b.moment;
  a.force += b.force;
  return a;
}
// The wrench of a force g on a point x.
DERMIS_HD Wrench WrenchOf(const Vec3d& x, const Vec3d& g) { return {Outer(x, g), g}; }
// The wrench of a gradient [g | gt] on a frame [R | t].
DERMIS_HD Wrench WrenchOf(const Affine3d& frame, const Mat3d& g, const Vec3d& gt) {
  return {TimesTranspose(frame.linear, g) + Outer(frame.translation, gt), gt};
}

DERMIS_HD double Gradient(const Twist& s, const Wrench& n) {
  return -2.0 * Dot(s.angular, Axial(n.moment)) + Dot(s.linear, n.force);
}

// tr(S_outer S_inner N)
DERMIS_HD double SecondDerivative(const Twist& outer, const Twist& inner, const Wrench& n) {
  const Mat3d product = Skew(inner.angular) * n.moment + Outer(inner.linear, n.force);
  return -2.0 * Dot(outer.angular, Axial(product));
}

// Symmetric second moment of mass: integral rho x x^T, integral rho x, mass.
struct SecondMoment {
  double xx, xy, xz, yy, yz, zz;
  Vec3d first;
  double mass;
  DERMIS_HD Mat3d Matrix() const { return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}; }
};
DERMIS_HD SecondMoment LoadSecondMoment(const double* p) {
  return {p[0], p[1], p[2], p[3], p[4], p[5], {p[6], p[7], p[8]}, p[9]};
}
DERMIS_HD void Store(double* p, const SecondMoment& j) {
  p[0] = j.xx, p[1] = j.xy, p[2] = j.xz, p[3] = j.yy, p[4] = j.yz, p[5] = j.zz;
  p[6] = j.first.x, p[7] = j.first.y, p[8] = j.first.z, p[9] = j.mass;
}
// [A;1] J [A;1]^T
DERMIS_HD SecondMoment Transformed(const Affine3d& a, const SecondMoment& j) {
  const Vec3d first = a.linear * j.first;
  const Mat3d cross = Outer(first, a.translation);
  const Mat3d m = TimesTranspose(a.linear * j.Matrix(), a.linear) + cross + Transpose(cross) +
                  j.mass * Outer(a.translation, a.translation);
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2), first + j.mass * a.translation, j.mass};
}

// tr(S_k J S_l^T)
DERMIS_HD double Inertia(const Twist& k, const SecondMoment& j, const Twist& l) {
  const Mat3d m = j.Matrix();
  const Mat3d sk = Skew(k.angular), sl = Skew(l.angular);
  const Mat3d linear = sk * m + Outer(k.linear, j.first);  // S_k J, first three columns
  const Vec3d last = sk * j.first + j.mass * k.linear;     // its last column
  return Inner(linear, sl) + Dot(last, l.linear);
}

DERMIS_NAMESPACE_END
