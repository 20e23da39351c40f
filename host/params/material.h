// Parameters of the elastic materials of soft bodies.
#pragma once

#include "host/params/enums.h"
#include "host/params/field.h"

namespace dermis {

inline constexpr char kPsdSentence[] = "How the Hessian is made positive; energy and force never change.";
inline constexpr Range kPoissonRatio = Open(-1, 0.5, "use 0.49 for nearly incompressible");

// The parameter struct of each simulated material, from the list beside its kernel: NeoHookeanParams, ArapParams ...
#define DERMIS_MEMBER(name, value, unit, range, sentence) Real name = value;
#define DERMIS_ROW(name, value, unit, range, sentence) Field{&S::name, #name, unit, range, sentence},
#define DERMIS_X(Name)                                                                                              \
  struct Name##Params {                                                                                             \
    DERMIS_PARAMETERS_##Name(DERMIS_MEMBER) MaterialPsdStrategy psdStrategy = MaterialPsdStrategy::MaterialDefault; \
    bool operator==(const Name##Params&) const = default;                                                           \
  };                                                                                                                \
  constexpr auto FieldsOf(const Name##Params*) {                                                                    \
    using S = Name##Params;                                                                                         \
    return std::tuple{DERMIS_PARAMETERS_##Name(DERMIS_ROW)                                                          \
                          Field{&S::psdStrategy, "psdStrategy", "", {}, kPsdSentence}};                             \
  }
DERMIS_MATERIALS(DERMIS_X)
#undef DERMIS_X
#undef DERMIS_ROW
#undef DERMIS_MEMBER

struct StVenantKirchhoffParams {
  Real youngsModulus = 1e5;
  Real poissonRatio = 0.45;
  MaterialPsdStrategy psdStrategy = MaterialPsdStrategy::MaterialDefault;
  bool operator==(const StVenantKirchhoffParams&) const = default;
};
constexpr auto FieldsOf(const StVenantKirchhoffParams*) {
  using S = StVenantKirchhoffParams;
  return std::tuple{Field{&S::youngsModulus, "youngsModulus", "Pa", Positive(), "Young's modulus at rest."},
                    Field{&S::poissonRatio, "poissonRatio", "", kPoissonRatio, "Poisson's ratio at rest."},
                    Field{&S::psdStrategy, "psdStrategy", "", {}, kPsdSentence}};
}

// Small-strain linear elasticity; not invariant under rotation.
struct LinearElasticParams {
  Real youngsModulus = 1e5;
  Real poissonRatio = 0.45;
  bool operator==(const LinearElasticParams&) const = default;
};
constexpr auto FieldsOf(const LinearElasticParams*) {
  using S = LinearElasticParams;
  return std::tuple{Field{&S::youngsModulus, "youngsModulus", "Pa", Positive(), "Young's modulus."},
                    Field{&S::poissonRatio, "poissonRatio", "", kPoissonRatio, "Poisson's ratio."}};
}

// A fibre that is driven to a target length (Kim, de Goes and Iben 2019).
struct ActiveAnisotropicParams {
  Real alpha = 1000;
  Real length = 1;
  Real3 anisoDir{1, 0, 0};
  MaterialPsdStrategy psdStrategy = MaterialPsdStrategy::MaterialDefault;
  bool operator==(const ActiveAnisotropicParams&) const = default;
};
constexpr auto FieldsOf(const ActiveAnisotropicParams*) {
  using S = ActiveAnisotropicParams;
  return std::tuple{Field{&S::alpha, "alpha", "Pa", NonNegative(), "Stiffness of the fibres."},
                    Field{&S::length, "length", "", NonNegative(), "Target stretch of the fibres; 1 is at rest."},
                    Field{&S::anisoDir, "anisoDir", "", NonZero(), "Fibre direction in the rest frame; normalised."},
                    Field{&S::psdStrategy, "psdStrategy", "", {}, kPsdSentence}};
}

struct ActiveNeoHookeanParams {
  NeoHookeanParams passiveIsotropic = {};
  ActiveAnisotropicParams activeAnisotropic = {};
  bool operator==(const ActiveNeoHookeanParams&) const = default;
};
constexpr auto FieldsOf(const ActiveNeoHookeanParams*) {
  using S = ActiveNeoHookeanParams;
  return std::tuple{Field{&S::passiveIsotropic, "passiveIsotropic", "", {}, "The tissue around the fibres."},
                    Field{&S::activeAnisotropic, "activeAnisotropic", "", {}, "The fibres."}};
}

// ARAP towards a target shape S = 1 + sym(shapeTargetTensor) (Klar et al. 2020).
struct ActiveShapeTargetingArapParams {
  Real stiffness = 1000;
  std::array<Real, 6> shapeTargetTensor{};
  MaterialPsdStrategy psdStrategy = MaterialPsdStrategy::Projection;
  bool operator==(const ActiveShapeTargetingArapParams&) const = default;
};
constexpr auto FieldsOf(const ActiveShapeTargetingArapParams*) {
  using S = ActiveShapeTargetingArapParams;
  return std::tuple{Field{&S::stiffness, "stiffness", "Pa", Positive(), "Stiffness, the mu of the energy."},
                    Field{&S::shapeTargetTensor, "shapeTargetTensor", "", Finite(),
                          "Target strain xx, xy, xz, yy, yz, zz; zero is the rest shape."},
                    Field{&S::psdStrategy, "psdStrategy", "", {}, kPsdSentence}};
}

// The material of one soft body: the sub-struct named by `type` is in force.
struct SoftMaterialParams {
  SoftMaterialType type = SoftMaterialType::NeoHookean;
#define DERMIS_X(Name) Name##Params DERMIS_KEY_##Name = {};
  DERMIS_MATERIALS(DERMIS_X)
#undef DERMIS_X
  StVenantKirchhoffParams stVenantKirchhoff = {};
  LinearElasticParams linearElastic = {};
  ActiveNeoHookeanParams activeNeoHookean = {};
  ActiveShapeTargetingArapParams activeShapeTargetingArap = {};
  Real density = 1000;
  Real massDampingCoefficient = 0;
  Real stiffnessDampingCoefficient = 0;
  bool stiffnessDampingIncludeGeometricTerm = false;
  bool operator==(const SoftMaterialParams&) const = default;
};
constexpr auto FieldsOf(const SoftMaterialParams*) {
  using S = SoftMaterialParams;
  return std::tuple{
      Field{&S::type, "type", "", {}, "The material in force."},
#define DERMIS_TEXT(text) #text
#define DERMIS_ROW(Name, key) Field{&S::key, DERMIS_TEXT(key), "", {}, "Parameters of " #Name "."},
#define DERMIS_X(Name) DERMIS_ROW(Name, DERMIS_KEY_##Name)
      DERMIS_MATERIALS(DERMIS_X)
#undef DERMIS_X
#undef DERMIS_ROW
#undef DERMIS_TEXT
          Field{&S::stVenantKirchhoff, "stVenantKirchhoff", "", {}, "Parameters of StVenantKirchhoff."},
      Field{&S::linearElastic, "linearElastic", "", {}, "Parameters of LinearElastic."},
      Field{&S::activeNeoHookean, "activeNeoHookean", "", {}, "Parameters of ActiveNeoHookean."},
      Field{
          &S::activeShapeTargetingArap, "activeShapeTargetingArap", "", {}, "Parameters of ActiveShapeTargetingArap."},
      Field{&S::density, "density", "kg/m^3", Positive(), "Mass density at rest."},
      Field{&S::massDampingCoefficient, "massDampingCoefficient", "1/s", NonNegative(),
            "Rayleigh damping in proportion to mass."},
      Field{&S::stiffnessDampingCoefficient, "stiffnessDampingCoefficient", "s", NonNegative(),
            "Rayleigh damping in proportion to stiffness, on the rate of Green's strain."},
      Field{&S::stiffnessDampingIncludeGeometricTerm,
            "stiffnessDampingIncludeGeometricTerm",
            "",
            {},
            "Whether the Hessian of the damping has its geometric term.",
            Use::Kept}};
}

}  // namespace dermis
