// One degree of freedom: a rotation [rad] about an axis through the joint's origin, by the right-hand rule.
#pragma once

#include "kernels/joints/joint.h"

DERMIS_NAMESPACE_BEGIN

struct Revolute : JointCoordinates<Revolute> {
  static constexpr const char* kName = "Revolute";
  static constexpr int kDofs = 1;
  static constexpr int kRotation = -1;
  static constexpr bool kHasAxis = true;
  static constexpr bool kHasLimits = true;
  static constexpr bool kHasFriction = true;
  DERMIS_HD static int Order(int) { return 0; }
  DERMIS_HD static Affine3d Transform(const double* c, const Vec3d& axis) {
    return {RotationAbout(axis, c[0]), {0, 0, 0}};
  }
  DERMIS_HD static Twist MotionOf(const double*, const Vec3d& axis, int) { return {axis, {0, 0, 0}}; }
};

DERMIS_NAMESPACE_END
