// Terms on frames and joint coordinates: inertia and gravity of links and rigid bodies, loop closures, joint limits,
// friction and armature; and the pull-back of forces on nodes to the coordinates.
#pragma once

#include "engine/launch.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

// dofTwist; then the coordinates' part of rowGradient and of the dense Hessian (without the part that goes through the
// nodes' matrix, see engine/assembly.h). Needs nodeForce.
void SkeletonGradients(const Exec& exec, int worlds, const View& v);
// skeletonDifference, skeletonMagnitude of searching islands.
void SkeletonDifferences(const Exec& exec, int worlds, const View& v);

DERMIS_NAMESPACE_END
