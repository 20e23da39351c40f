// Terms on the nodes of softs: inertia and mass damping with the consistent mass matrix, gravity; and the gathering of
// element forces. All are quadratic or linear, so their differences are exact.
#pragma once

#include "engine/launch.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

// nodeMap, nodeForce (posed part of the gradient), rowGradient and nodeMagnitude of the nodes; needs elementForce.
void NodeGradients(const Exec& exec, int worlds, const View& v);
// nodeDifference of searching islands.
void NodeDifferences(const Exec& exec, int worlds, const View& v);

DERMIS_NAMESPACE_END
