#include "host/compile/materials.h"

#include <algorithm>
#include <cctype>

#include "host/element_materials.h"
#include "kernels/materials/list.h"

namespace dermis {

namespace {

const char* const kKindNames[] = {
#define DERMIS_X(name) #name,
    DERMIS_MATERIALS(DERMIS_X)
#undef DERMIS_X
};
constexpr int kKindParameters[] = {
#define DERMIS_X(name) name<double>::kParameters,
    DERMIS_MATERIALS(DERMIS_X)
#undef DERMIS_X
};

// The model's own values of a parameter, where it has them.
const DynamicArray<Real>* OwnValues(const PerElementSoftMaterialData* data, const String& parameter) {
  if (!data) return nullptr;
  const DynamicArray<Real>* found = ElementArray(const_cast<PerElementSoftMaterialData&>(*data), parameter);
  return found && !found->empty() ? found : nullptr;
}

// The numbers of a parameter struct in the order of its table.
template <class Params>
void Append(const Params& params, const PerElementSoftMaterialData* elements, int element, std::vector<double>& out) {
  ForEachField<Params>([&](const auto& field) {
    using Value = typename std::decay_t<decltype(field)>::Value;
    const auto& value = params.*(field.member);
    const DynamicArray<Real>* own = OwnValues(elements, field.name);
    if constexpr (std::is_same_v<Value, Real>) {
      out.push_back(own ? (*own)[element] : value);
    } else if constexpr (std::is_same_v<Value, std::array<Real, 6>>) {
      for (int k = 0; k < 6; ++k) out.push_back(own ? (*own)[6 * element + k] : value[k]);
    } else if constexpr (std::is_same_v<Value, Real3>) {
      for (int k = 0; k < 3; ++k) out.push_back(value[k]);
    } else if constexpr (HasFields<Value>) {
      Append(value, elements, element, out);
    }
  });
}

}  // namespace

int MaterialKindOf(SoftMaterialType type) {
  const String& name = EnumName(type);
  for (int k = 0; k < MaterialKinds(); ++k)
    if (name == kKindNames[k]) return k;
  return -1;
}
int MaxMaterialParameters() { return *std::max_element(std::begin(kKindParameters), std::end(kKindParameters)); }
int MaterialKinds() { return int(std::size(kKindNames)); }

std::vector<double> MaterialParametersOf(const ValidatedSoft& soft, int element) {
  std::vector<double> out;
  String wanted = EnumName(soft.material.type);
  wanted[0] = char(std::tolower(wanted[0]));
  ForEachField<SoftMaterialParams>([&](const auto& field) {
    using Value = typename std::decay_t<decltype(field)>::Value;
    if constexpr (HasFields<Value>) {
      if (field.name == wanted)
        Append(soft.material.*(field.member), soft.perElement ? &*soft.perElement : nullptr, element, out);
    }
  });
  return out;
}

}  // namespace dermis
