// Elasticity and stiffness damping of tetrahedra: forces and Hessians by element, packed over lanes.
#pragma once

#include "engine/launch.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

// elementForce and elementHessian of active islands.
void LinearizeElements(const Exec& exec, int worlds, const View& v, const int32_t* materialBlockBegin);
// elementDifference of searching islands. `materialBlockBegin` is the host's copy of that array.
void ElementDifferences(const Exec& exec, int worlds, const View& v, const int32_t* materialBlockBegin);

DERMIS_NAMESPACE_END
