// Parameters of a soft actor, alone or nested in a soft-skinned actor.
#pragma once

#include "host/params/contact.h"
#include "host/params/material.h"
#include "host/shape_handle.h"

namespace dermis {

struct SoftActorParams {
  String name = {};
  String layer = {};
  TransformRT worldFromLocal = {};
  ShapeHandle shape = {};
  SoftMaterialParams material = {};
  ContactParams contact = {};
  bool hasGravity = true;
  bool hasInertia = true;
  bool hasStress = true;
  bool useContactSkin = false;
  ActorBoundaryElementType boundaryElementType = ActorBoundaryElementType::P1Q3;
  bool operator==(const SoftActorParams&) const = default;
};
constexpr auto FieldsOf(const SoftActorParams*) {
  using S = SoftActorParams;
  return std::tuple{
      Field{&S::name, "name", "", {}, "Name of the actor."},
      Field{&S::layer, "layer", "", {}, "Contact layer."},
      Field{&S::worldFromLocal,
            "worldFromLocal",
            "m",
            {},
            "Placement; identity inside a soft-skinned actor.",
            Use::Obeyed,
            kPlacementKeys},
      Field{&S::shape,
            "shape",
            "",
            {},
            "A tetrahedral mesh in which every node belongs to a tetrahedron.",
            Use::Required,
            kShapeKeys},
      Field{&S::material, "material", "", {}, "Material."},
      Field{&S::contact, "contact", "", {}, "Contact parameters."},
      Field{&S::hasGravity, "hasGravity", "", {}, "Gravity; must be false inside a soft-skinned actor."},
      Field{&S::hasInertia, "hasInertia", "", {}, "Inertia, inside a soft-skinned actor on unposed positions."},
      Field{&S::hasStress, "hasStress", "", {}, "Elasticity, inside a soft-skinned actor on unposed positions."},
      Field{&S::useContactSkin, "useContactSkin", "", {}, "Contact samples from an embedded skin mesh.", Use::Kept},
      Field{
          &S::boundaryElementType, "boundaryElementType", "", {}, "Quadrature rule of a sampled contact.", Use::Kept}};
}

}  // namespace dermis
