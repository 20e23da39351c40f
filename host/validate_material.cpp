// Materials of soft bodies: which are supported, and what they accept.
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

// Sets the arrays that the model leaves empty to the uniform value of the actor.
void FillMissing(PerElementSoftMaterialData& data, const SoftMaterialParams& material, size_t elementCount) {
  const auto fill = [&](DynamicArray<Real>& array, Real value) {
    if (array.empty()) array.assign(elementCount, value);
  };
  VisitMaterialInForce(material, [&](const String&, const auto& params) {
    if constexpr (requires { params.youngsModulus; }) {
      fill(data.youngsModulus, params.youngsModulus);
      fill(data.poissonRatio, params.poissonRatio);
    } else if constexpr (requires { params.passiveIsotropic; }) {
      fill(data.youngsModulus, params.passiveIsotropic.youngsModulus);
      fill(data.poissonRatio, params.passiveIsotropic.poissonRatio);
      fill(data.anisoAlpha, params.activeAnisotropic.alpha);
      fill(data.anisoLength, params.activeAnisotropic.length);
      const Real3& d = params.activeAnisotropic.anisoDir;
      fill(data.anisoPhi, std::atan2(d.y, std::hypot(d.x, d.z)));
      fill(data.anisoTheta, std::atan2(d.z, d.x));
    } else {
      fill(data.arapStiffness, params.stiffness);
      if constexpr (requires { params.shapeTargetTensor; })
        if (data.shapeTargetTensor.empty())
          for (size_t e = 0; e < elementCount; ++e)
            data.shapeTargetTensor.insert(data.shapeTargetTensor.end(), params.shapeTargetTensor.begin(),
                                          params.shapeTargetTensor.end());
    }
  });
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
    FillMissing(*soft.perElement, material, soft.tets.size());
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
