// Parameters of a soft's material, as the numbers that its kernel takes.
#pragma once

#include <vector>

#include "host/validated.h"

namespace dermis {

// The place of the material in kernels/materials/list.h.
int MaterialKindOf(SoftMaterialType type);
// The largest number of parameters of any material.
int MaxMaterialParameters();
int MaterialKinds();
// [parameters] of one element: those of the actor, or the element's own where the model has them.
std::vector<double> MaterialParametersOf(const ValidatedSoft& soft, int element);

}  // namespace dermis
