// What a kind of joint is: degrees of freedom, the transform that they make, and the twists of their motion.
//
// A joint's configuration is its scalar coordinates followed, if it has a free rotation, by a unit quaternion. A
// change of configuration (delta) has one number a degree of freedom; the three of a rotation are a rotation vector
// applied from the left, in the joint's parent frame. Scalars are added, rotations are retracted.
//
// A kind supplies, in one header:
//   kName, kDofs, kRotation   index of the first of three rotational degrees of freedom, or -1
//   Transform(c, axis)        the transform from the frame after the joint to the frame before it
//   MotionOf(c, axis, k)      the twist of degree of freedom k, in the frame before the joint
//   kHasAxis, kHasLimits, kHasFriction   whether axis, limits and friction parameters apply
//   Order(k)                  the place of k in the chain of elementary joints; outer joints first, equal for the
//                             three of one rotation. It gives the second derivative (see SecondDerivative in
//                             kernels/skeleton.h)
// Adding a kind is one such header and one line in list.h.
#pragma once

#include "kernels/rotation.h"

DERMIS_NAMESPACE_BEGIN

// A velocity field x -> angular x x + linear.
struct Twist {
  Vec3d angular, linear;
};
DERMIS_HD Vec3d operator*(const Twist& t, const Vec3d& x) { return Cross(t.angular, x) + t.linear; }

template <class Joint> struct JointCoordinates {
  static constexpr int Scalars() { return Joint::kRotation < 0 ? Joint::kDofs : Joint::kDofs - 3; }
  static constexpr int Size() { return Joint::kRotation < 0 ? Joint::kDofs : Joint::kDofs + 1; }

  DERMIS_HD static Quat Rotation(const double* c) {
    return {c[Scalars()], c[Scalars() + 1], c[Scalars() + 2], c[Scalars() + 3]};
  }
  DERMIS_HD static void SetRotation(double* c, const Quat& q) {
    c[Scalars()] = q.x;
    c[Scalars() + 1] = q.y;
    c[Scalars() + 2] = q.z;
    c[Scalars() + 3] = q.w;
  }
  // to = from changed by delta
  DERMIS_HD static void Retract(const double* from, const double* delta, double* to) {
    for (int i = 0; i < Scalars(); ++i) to[i] = from[i] + delta[i];
    if constexpr (Joint::kRotation >= 0) {
      const double* w = delta + Joint::kRotation;
      SetRotation(to, Normalized(ExpQuat({w[0], w[1], w[2]}) * Rotation(from)));
    }
  }
  // The delta that leads from one configuration to another.
  DERMIS_HD static void Delta(const double* from, const double* to, double* delta) {
    for (int i = 0; i < Scalars(); ++i) delta[i] = to[i] - from[i];
    if constexpr (Joint::kRotation >= 0) Store(delta, LogQuat(Rotation(to) * Conjugate(Rotation(from))));
  }
  // The coordinates that the user sees: scalars and a rotation vector [m, rad].
  DERMIS_HD static void ToUser(const double* c, double* q) {
    for (int i = 0; i < Scalars(); ++i) q[i] = c[i];
    if constexpr (Joint::kRotation >= 0) Store(q, LogQuat(Rotation(c)));
  }
  DERMIS_HD static void FromUser(const double* q, double* c) {
    for (int i = 0; i < Scalars(); ++i) c[i] = q[i];
    if constexpr (Joint::kRotation >= 0) {
      const double* w = q + Joint::kRotation;
      SetRotation(c, ExpQuat({w[0], w[1], w[2]}));
    }
  }
  // The velocity reported after a step: differences of scalars; the skew part of ((R1 - R0)/h) R1^T of rotations.
  DERMIS_HD static void Velocity(const double* c0, const double* c1, double h, double* qd) {
    for (int i = 0; i < Scalars(); ++i) qd[i] = (c1[i] - c0[i]) / h;
    if constexpr (Joint::kRotation >= 0) {
      const Mat3d r1 = ToMatrix(Rotation(c1));
      Store(qd, (1.0 / h) * Axial(TimesTranspose(r1 - ToMatrix(Rotation(c0)), r1)));
    }
  }

 private:
  DERMIS_HD static void Store(double* d, const Vec3d& w) {
    d[Joint::kRotation] = w.x;
    d[Joint::kRotation + 1] = w.y;
    d[Joint::kRotation + 2] = w.z;
  }
};

DERMIS_NAMESPACE_END
