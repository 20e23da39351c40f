// Which array of a model holds a material parameter element by element.
#pragma once

#include "host/shape_model.h"

namespace dermis {

// The array of the same name as the parameter, or of that name with a prefix, as in arapStiffness; nullptr when the
// model format has none.
DynamicArray<Real>* ElementArray(PerElementSoftMaterialData& data, const String& parameter);

}  // namespace dermis
