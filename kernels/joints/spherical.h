// Three degrees of freedom: a rotation about the joint's origin.
#pragma once

#include "kernels/joints/joint.h"

DERMIS_NAMESPACE_BEGIN

struct Spherical : JointCoordinates<Spherical> {
  static constexpr const char* kName = "Spherical";
  static constexpr int kDofs = 3;
  static constexpr int kRotation = 0;
  static constexpr bool kHasAxis = false;
  static constexpr bool kHasLimits = true;
  static constexpr bool kHasFriction = true;
  DERMIS_HD static int Order(int) { return 0; }
  DERMIS_HD static Affine3d Transform(const double* c, const Vec3d&) { return {ToMatrix(Rotation(c)), {0, 0, 0}}; }
  DERMIS_HD static Twist MotionOf(const double*, const Vec3d&, int k) {
    Vec3d e{0, 0, 0};
    e[k] = 1.0;
    return {e, {0, 0, 0}};
  }
};

DERMIS_NAMESPACE_END
