#include "host/element_materials.h"

#include <cctype>

namespace dermis {

DynamicArray<Real>* ElementArray(PerElementSoftMaterialData& data, const String& parameter) {
  String capital = parameter;
  capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[0])));
  DynamicArray<Real>* found = nullptr;
  ForEachField<PerElementSoftMaterialData>([&](const auto& field) {
    if constexpr (std::is_same_v<typename std::decay_t<decltype(field)>::Value, DynamicArray<Real>>)
      if (field.name == parameter || String(field.name).ends_with(capital)) found = &(data.*field.member);
  });
  return found;
}

}  // namespace dermis
