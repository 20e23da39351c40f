// The kinds of joints. A kind is one header and one line here; its number is its place in the list.
#pragma once

#include "kernels/joints/free.h"
#include "kernels/joints/hard.h"
#include "kernels/joints/prismatic.h"
#include "kernels/joints/revolute.h"
#include "kernels/joints/spherical.h"

#define DERMIS_JOINTS(X) \
  X(Free)                \
  X(Prismatic)           \
  X(Revolute)            \
  X(Spherical)           \
  X(Hard)

DERMIS_NAMESPACE_BEGIN

enum class JointKind : int {
#define DERMIS_X(name) name,
  DERMIS_JOINTS(DERMIS_X)
#undef DERMIS_X
};

inline constexpr int kMaxJointDofs = 6;
inline constexpr int kMaxJointConfig = 7;

// Calls visitor(Kind{}) for the kind with that number.
template <class Visitor> DERMIS_HD auto VisitJoint(int kind, Visitor&& visitor) {
  switch (JointKind(kind)) {
#define DERMIS_X(name)  \
  case JointKind::name: \
    return visitor(name{});
    DERMIS_JOINTS(DERMIS_X)
#undef DERMIS_X
  }
  return visitor(Hard{});
}

DERMIS_NAMESPACE_END
