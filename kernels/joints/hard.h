// No degree of freedom: a weld.
#pragma once

#include "kernels/joints/joint.h"

DERMIS_NAMESPACE_BEGIN

struct Hard : JointCoordinates<Hard> {
  static constexpr const char* kName = "Hard";
  static constexpr int kDofs = 0;
  static constexpr int kRotation = -1;
  static constexpr bool kHasAxis = false;
  static constexpr bool kHasLimits = false;
  static constexpr bool kHasFriction = false;
  DERMIS_HD static int Order(int) { return 0; }
  DERMIS_HD static Affine3d Transform(const double*, const Vec3d&) { return Affine3d::Identity(); }
  DERMIS_HD static Twist MotionOf(const double*, const Vec3d&, int) { return {{0, 0, 0}, {0, 0, 0}}; }
};

DERMIS_NAMESPACE_END
