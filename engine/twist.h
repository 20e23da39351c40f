// The motion of frames by one degree of freedom, in world axes about the actor's origin.
#pragma once

#include "engine/view.h"
#include "kernels/joints/list.h"
#include "kernels/skeleton.h"

DERMIS_NAMESPACE_BEGIN

// Where moments of an actor are taken about: the origin of its root link, so that bodies far from the world's origin
// lose no digits.
DERMIS_HD Vec3d ActorOrigin(const View& v, int world, int slot, int actor) {
  const int root = v.actorFrameBegin[actor];
  if (root == v.actorFrameBegin[actor + 1]) return {0, 0, 0};
  return LoadAffine(v.slotLink(world) + 12 * (int64_t(slot) * v.m.frames + root)).translation;
}

// Degree of freedom k of the joint of frame f, from the configuration and links of a slot.
DERMIS_HD Twist WorldTwist(const View& v, int world, int slot, int actor, int f, int k, const Vec3d& origin) {
  const double* config = v.slotConfig(world) + int64_t(slot) * v.m.configs + v.frameConfigBegin[f];
  const Vec3d axis = LoadVec3(v.frameAxis + 3 * f);
  const Twist local = VisitJoint(v.frameJoint[f], [&](auto kind) { return decltype(kind)::MotionOf(config, axis, k); });
  const int parent = v.frameParent[f];
  const double* links = v.slotLink(world) + 12 * int64_t(slot) * v.m.frames;
  const Affine3d before = LoadAffine(parent < 0 ? v.actorRoot(world) + 12 * actor : links + 12 * parent) *
                          LoadAffine(v.frameParentFromJoint + 12 * f);
  const Vec3d angular = before.linear * local.angular;
  return {angular, before.linear * local.linear - Cross(angular, before.translation - origin)};
}

DERMIS_HD Twist LoadTwist(const double* p) { return {LoadVec3(p), LoadVec3(p + 3)}; }
DERMIS_HD void StoreTwist(double* p, const Twist& t) {
  StoreVec3(p, t.angular);
  StoreVec3(p + 3, t.linear);
}

DERMIS_NAMESPACE_END
