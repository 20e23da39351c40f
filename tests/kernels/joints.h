// Random configurations of every kind of joint.
#pragma once

#include "kernels/joints/list.h"
#include "tests/kernels/samples.h"

DERMIS_NAMESPACE_BEGIN

// f.operator()<Joint>() for each entry of the list.
#define DERMIS_VISIT(Name) f.template operator()<Name>();
template <class F> void ForEachJoint(F f) { DERMIS_JOINTS(DERMIS_VISIT) }
#undef DERMIS_VISIT

inline Vec3d RandomAxis(Random& random) {
  const Vec3d v = RandomVector(random);
  return (1.0 / Norm(v)) * v;
}

// A configuration, or a change of one: kMaxJointConfig numbers, of which a joint uses the first ones.
struct JointNumbers {
  double values[kMaxJointConfig + 1] = {};
  operator double*() { return values; }
  operator const double*() const { return values; }
};

// Scalars up to `range`; rotations up to 3 rad.
template <class Joint> JointNumbers RandomUser(Random& random, double range = 2) {
  JointNumbers q;
  for (int k = 0; k < Joint::kDofs; ++k) q[k] = Uniform(random, -range, range);
  if constexpr (Joint::kRotation >= 0) {
    const Vec3d w = Uniform(random, 0, 3) * RandomAxis(random);
    for (int k = 0; k < 3; ++k) q[Joint::kRotation + k] = w[k];
  }
  return q;
}
template <class Joint> JointNumbers RandomConfig(Random& random) {
  JointNumbers c;
  Joint::FromUser(RandomUser<Joint>(random), c);
  return c;
}
template <class Joint> JointNumbers RandomDelta(Random& random, double size = 1) {
  JointNumbers d;
  for (int k = 0; k < Joint::kDofs; ++k) d[k] = Uniform(random, -size, size);
  return d;
}
// The configuration moved by scale * delta.
template <class Joint> JointNumbers Moved(const double* from, const double* delta, double scale) {
  JointNumbers d, to;
  for (int k = 0; k < Joint::kDofs; ++k) d[k] = scale * delta[k];
  Joint::Retract(from, d, to);
  return to;
}

inline double Size(const Affine3d& a) { return std::sqrt(NormSquared(a.linear) + NormSquared(a.translation)); }
inline Affine3d operator-(const Affine3d& a, const Affine3d& b) {
  return {a.linear - b.linear, a.translation - b.translation};
}
inline Affine3d operator+(const Affine3d& a, const Affine3d& b) {
  return {a.linear + b.linear, a.translation + b.translation};
}
inline Affine3d operator*(double s, const Affine3d& a) { return {s * a.linear, s * a.translation}; }
// S A with S = [angular]x and linear: the motion of a frame by a twist, or of its motion by a second one. The last row
// of A is (0 0 0 w): 1 for a frame, 0 for a derivative of one.
inline Affine3d Applied(const Twist& s, const Affine3d& a, double w) {
  const Mat3d skew = Skew(s.angular);
  return {skew * a.linear, skew * a.translation + w * s.linear};
}

DERMIS_NAMESPACE_END
