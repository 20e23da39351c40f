// Materials of soft bodies: which are supported, and what they accept.
#include "host/element_materials.h"
#include "host/validate_steps.h"
#include "kernels/materials/list.h"

namespace dermis {

namespace {

// The strategies count the same values in the same order.
static_assert(static_cast<int>(PsdStrategy::PerTermProjection) ==
              static_cast<int>(MaterialPsdStrategy::PerTermProjection));

String SupportedMaterials() {
  String list;
#define DERMIS_ADD(Name) list += String(list.empty() ? "" : ", ") + Name<double>::kName;
  DERMIS_MATERIALS(DERMIS_ADD)
#undef DERMIS_ADD
  return list;
}

bool IsSupported(const String& material) {
#define DERMIS_FIND(Name) \
  if (material == Name<double>::kName) return true;
  DERMIS_MATERIALS(DERMIS_FIND)
#undef DERMIS_FIND
  return false;
}

bool AcceptsStrategy(const String& material, MaterialPsdStrategy strategy) {
  [[maybe_unused]] const auto value = static_cast<PsdStrategy>(static_cast<int>(strategy));
#define DERMIS_ASK(Name) \
  if (material == Name<double>::kName) return Name<double>::Supports(value);
  DERMIS_MATERIALS(DERMIS_ASK)
#undef DERMIS_ASK
  return true;
}

// Calls f(key, params) for the sub-struct in force: the one whose key is the type's name with a small first letter.
template <class F> void VisitMaterialInForce(const SoftMaterialParams& material, F&& f) {
  String key = EnumName(material.type);
  key[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(key[0])));
  ForEachField<SoftMaterialParams>([&](const auto& field) {
    if constexpr (HasFields<typename std::decay_t<decltype(field)>::Value>)
      if (key == field.name) f(key, material.*field.member);
  });
}

// Sets the arrays that the model leaves empty to the uniform values of the actor.
template <class Params> void FillMissing(PerElementSoftMaterialData& data, const Params& params, size_t elementCount) {
  const auto fill = [&](const String& name, const DynamicArray<Real>& values) {
    DynamicArray<Real>* array = ElementArray(data, name);
    if (!array || !array->empty()) return;
    for (size_t e = 0; e < elementCount; ++e) array->insert(array->end(), values.begin(), values.end());
  };
  ForEachField<Params>([&](const auto& field) {
    using Value = typename std::decay_t<decltype(field)>::Value;
    const auto& value = params.*field.member;
    if constexpr (std::is_same_v<Value, Real>)
      fill(field.name, {value});
    else if constexpr (std::is_same_v<Value, std::array<Real, 6>>)
      fill(field.name, {value.begin(), value.end()});
    else if constexpr (HasFields<Value>)
      FillMissing(data, value, elementCount);
  });
  if constexpr (requires { params.anisoDir; }) {
    fill("anisoPhi", {std::atan2(params.anisoDir.y, std::hypot(params.anisoDir.x, params.anisoDir.z))});
    fill("anisoTheta", {std::atan2(params.anisoDir.z, params.anisoDir.x)});
  }
}

}  // namespace

void ResolveMaterial(const SoftActorParams& params, const String& path, ValidatedSoft& soft, ValidationReport& report) {
  const SoftMaterialParams& material = params.material;
  const String type = EnumName(material.type);
  soft.material = material;
  const String at = Under(path, "material");
  if (!IsSupported(type))
    return report.Problem(at + ".type",
                          fmt::format("{} is not supported yet; use one of {}", type, SupportedMaterials()));

  // One strategy an actor: the parameters' and the model's must agree, where both name one.
  String key;
  VisitMaterialInForce(material, [&](const String& name, const auto& values) {
    key = name;
    if constexpr (requires { values.psdStrategy; }) soft.psdStrategy = values.psdStrategy;
  });
  const auto& perElement = params.shape->GetModel().material;
  if (perElement && perElement->type == material.type) {
    soft.perElement = perElement;
    VisitMaterialInForce(material,
                         [&](const String&, const auto& p) { FillMissing(*soft.perElement, p, soft.tets.size()); });
    const MaterialPsdStrategy given = soft.psdStrategy, file = perElement->psdStrategy;
    constexpr auto kDefault = MaterialPsdStrategy::MaterialDefault;
    if (given == kDefault)
      soft.psdStrategy = file;
    else if (file != kDefault && file != given)
      report.Problem(fmt::format("{}.{}.psdStrategy", at, key),
                     fmt::format("{} differs from {} in the model; name one", EnumName(given), EnumName(file)));
  } else if (perElement) {
    report.Note(
        at, fmt::format("the model's materials are for {} and are not used with {}", EnumName(perElement->type), type));
  }
  if (!AcceptsStrategy(type, soft.psdStrategy))
    report.Problem(fmt::format("{}.{}.psdStrategy", at, key),
                   fmt::format("{} is not available for {}; use Projection", EnumName(soft.psdStrategy), type));
}

}  // namespace dermis
