// Six degrees of freedom: a translation, then a rotation about the translated origin.
#pragma once

#include "kernels/joints/joint.h"

DERMIS_NAMESPACE_BEGIN

struct Free : JointCoordinates<Free> {
  static constexpr const char* kName = "Free";
  static constexpr int kDofs = 6;
  static constexpr int kRotation = 3;
  static constexpr bool kHasAxis = false;
  static constexpr bool kHasLimits = false;
  static constexpr bool kHasFriction = false;
  DERMIS_HD static int Order(int k) { return k < 3 ? k : 3; }
  DERMIS_HD static Affine3d Transform(const double* c, const Vec3d&) {
    return {ToMatrix(Rotation(c)), {c[0], c[1], c[2]}};
  }
  DERMIS_HD static Twist MotionOf(const double* c, const Vec3d&, int k) {
    Vec3d e{0, 0, 0};
    e[k % 3] = 1.0;
    const Vec3d origin{c[0], c[1], c[2]};
    if (k < 3) return {{0, 0, 0}, e};
    return {e, -Cross(e, origin)};
  }
};

DERMIS_NAMESPACE_END
