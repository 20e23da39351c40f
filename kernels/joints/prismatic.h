// One degree of freedom: a translation [m] along an axis.
#pragma once

#include "kernels/joints/joint.h"

DERMIS_NAMESPACE_BEGIN

struct Prismatic : JointCoordinates<Prismatic> {
  static constexpr const char* kName = "Prismatic";
  static constexpr int kDofs = 1;
  static constexpr int kRotation = -1;
  static constexpr bool kHasAxis = true;
  static constexpr bool kHasLimits = true;
  static constexpr bool kHasFriction = true;
  DERMIS_HD static int Order(int) { return 0; }
  DERMIS_HD static Affine3d Transform(const double* c, const Vec3d& axis) { return {Mat3d::Identity(), c[0] * axis}; }
  DERMIS_HD static Twist MotionOf(const double*, const Vec3d& axis, int) { return {{0, 0, 0}, axis}; }
};

DERMIS_NAMESPACE_END
