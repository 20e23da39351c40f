// Parameters of a rigid actor.
#pragma once

#include "host/params/contact.h"
#include "host/shape_handle.h"

namespace dermis {

inline constexpr char kInertiaSentence[] =
    "Inertia tensor xx, xy, xz, yy, yz, zz about the centre of mass, products negative; from the mesh when absent.";
inline constexpr char kDensitySentence[] = "Mass density; 1000 when neither density nor mass is given.";
inline constexpr char kMassSentence[] = "Mass; takes precedence over density.";
inline constexpr char kCenterOfMassSentence[] = "Centre of mass in the local frame; from the mesh when absent.";
inline constexpr char kBoundaryElementSentence[] = "Quadrature rule of a sampled contact.";

struct RigidActorParams {
  String name = {};
  String layer = {};
  ShapeHandle shape = {};
  TransformRT worldFromLocal = {};
  ColliderType colliderType = ColliderType::Auto;
  bool isStatic = false;
  ContactParams contact = {};
  GridSdfParams sdf = {};
  bool hasGravity = true;
  Optional<Real> density = {};
  Optional<Real> mass = {};
  Optional<Real3> centerOfMass = {};
  Optional<std::array<Real, 6>> momentOfInertia = {};
  ActorBoundaryElementType boundaryElementType = ActorBoundaryElementType::P1Q3;
  Optional<BoundarySubsamplingParams> boundarySubsampling = {};
  Optional<Real3> linearVelocity = {};
  Optional<Real3> angularVelocity = {};
  bool operator==(const RigidActorParams&) const = default;
};
constexpr auto FieldsOf(const RigidActorParams*) {
  using S = RigidActorParams;
  return std::tuple{
      Field{&S::name, "name", "", {}, "Name of the actor."},
      Field{&S::layer, "layer", "", {}, "Contact layer."},
      Field{&S::shape,
            "shape",
            "",
            {},
            "A surface mesh; static actors may also have a plane, a sphere or a box.",
            Use::Required,
            kShapeKeys},
      Field{&S::worldFromLocal, "worldFromLocal", "m", {}, "Placement.", Use::Obeyed, kPlacementKeys},
      Field{&S::colliderType, "colliderType", "", {}, "What other actors collide with; Auto follows the shape."},
      Field{&S::isStatic, "isStatic", "", {}, "Whether the actor never moves."},
      Field{&S::contact, "contact", "", {}, "Contact parameters."},
      Field{&S::sdf, "sdf", "", {}, "Distance grid.", Use::Kept},
      Field{&S::hasGravity, "hasGravity", "", {}, "Whether gravity acts."},
      Field{&S::density, "density", "kg/m^3", Positive(), kDensitySentence},
      Field{&S::mass, "mass", "kg", Positive(), kMassSentence},
      Field{&S::centerOfMass, "centerOfMass", "m", Finite(), kCenterOfMassSentence},
      Field{&S::momentOfInertia, "momentOfInertia", "kg m^2", Finite(), kInertiaSentence},
      Field{&S::boundaryElementType, "boundaryElementType", "", {}, kBoundaryElementSentence, Use::Kept},
      Field{&S::boundarySubsampling, "boundarySubsampling", "", {}, "Use of a share of the samples.", Use::Kept},
      Field{&S::linearVelocity, "linearVelocity", "m/s", Finite(),
            "Initial velocity of the centre of mass, world frame; 0 when absent."},
      Field{&S::angularVelocity, "angularVelocity", "rad/s", Finite(),
            "Initial angular velocity, world frame; 0 when absent."}};
}

}  // namespace dermis
