// Rotations: unit quaternions (x, y, z, w), exponential map, and the derivative of the logarithm.
#pragma once

#include "kernels/linalg.h"

DERMIS_NAMESPACE_BEGIN

struct Quat {
  double x, y, z, w;
};

DERMIS_HD Quat operator*(const Quat& a, const Quat& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
DERMIS_HD Quat Conjugate(const Quat& a) { return {-a.x, -a.y, -a.z, a.w}; }
DERMIS_HD Quat Normalized(const Quat& a) {
  const double s = 1.0 / sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
  return {s * a.x, s * a.y, s * a.z, s * a.w};
}
DERMIS_HD Mat3d ToMatrix(const Quat& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
           {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
           {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

// The quaternion of the rotation vector w [rad].
DERMIS_HD Quat ExpQuat(const Vec3d& w) {
  const double angle2 = NormSquared(w);
  double s, c;  // sin(angle/2)/angle, cos(angle/2)
  if (angle2 < 1e-6) {
    s = 0.5 - angle2 * (1.0 / 48 - angle2 * (1.0 / 3840));
    c = 1.0 - angle2 * (0.125 - angle2 * (1.0 / 384));
  } else {
    const double angle = sqrt(angle2);
    s = sin(0.5 * angle) / angle;
    c = cos(0.5 * angle);
  }
  return {s * w.x, s * w.y, s * w.z, c};
}
// The rotation vector of a unit quaternion, of length at most pi.
DERMIS_HD Vec3d LogQuat(const Quat& q) {
  const double sign = q.w < 0 ? -1.0 : 1.0;
  const double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const double w = sign * q.w;
  // 2 atan2(s, w)/s; its series for small s
  const double factor = sign * (s < 1e-8 ? 2.0 / w : 2.0 * atan2(s, w) / s);
  return {factor * q.x, factor * q.y, factor * q.z};
}
// The rotation about a unit axis by an angle (Rodrigues).
DERMIS_HD Mat3d RotationAbout(const Vec3d& axis, double angle) {
  const double s = sin(angle), c = cos(angle);
  return c * Mat3d::Identity() + s * Skew(axis) + (1.0 - c) * Outer(axis, axis);
}
DERMIS_HD Mat3d ExpMatrix(const Vec3d& w) { return ToMatrix(ExpQuat(w)); }

// The inverse of the left Jacobian of SO(3): log(exp(d) exp(w)) = w + InverseLeftJacobian(w) d + O(d^2).
DERMIS_HD Mat3d InverseLeftJacobian(const Vec3d& w) {
  const double angle2 = NormSquared(w);
  double k;  // 1/angle^2 - (1 + cos angle)/(2 angle sin angle)
  if (angle2 < 1e-4) {
    k = 1.0 / 12 + angle2 * (1.0 / 720 + angle2 * (1.0 / 30240));
  } else {
    const double angle = sqrt(angle2);
    const double half = 0.5 * angle;
    k = (1.0 - half * cos(half) / sin(half)) / angle2;
  }
  const Mat3d skew = Skew(w);
  return Mat3d::Identity() - 0.5 * skew + k * (skew * skew);
}

DERMIS_NAMESPACE_END
