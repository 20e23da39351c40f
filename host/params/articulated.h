// Parameters of an articulated actor: parallel arrays of joints and links. Joint i connects link i to its parent.
#pragma once

#include "host/params/rigid.h"

namespace dermis {

// Friction of a joint, 1/2 viscous v^2 + coulomb phi(|v|) with phi smooth below falloffVel. v is in rad/s or m/s.
struct JointFrictionParams {
  Real viscous = 0;
  Real coulomb = 0;
  Real falloffVel = 1e-3;
  Real stictionExtra = 0;
  Real stribeckVel = 0;
  bool operator==(const JointFrictionParams&) const = default;
};
constexpr auto FieldsOf(const JointFrictionParams*) {
  using S = JointFrictionParams;
  return std::tuple{
      Field{&S::viscous, "viscous", "N m s or N s/m", NonNegative(), "Friction in proportion to speed."},
      Field{&S::coulomb, "coulomb", "N m or N", NonNegative(), "Friction independent of speed."},
      Field{&S::falloffVel, "falloffVel", "rad/s or m/s", Positive(),
            "Speed below which Coulomb's friction is smoothed."},
      Field{&S::stictionExtra, "stictionExtra", "N m or N", NonNegative(), "Extra friction at low speed.", Use::Kept},
      Field{&S::stribeckVel, "stribeckVel", "rad/s or m/s", NonNegative(), "Speed where the extra friction ends.",
            Use::Kept}};
}

struct ArticulatedJointParams {
  String name = {};
  ArticulatedJointType type = ArticulatedJointType::Invalid;
  TransformRT parentLinkFromJoint = {};
  Real3 axis = {};
  JointFrictionParams friction = {};
  Optional<Real> inertia = {};
  Optional<Real3> minLimit = {};
  Optional<Real3> maxLimit = {};
  Real limitStiffness = 100;
  Real limitDamping = 0;
  bool operator==(const ArticulatedJointParams&) const = default;
};
constexpr auto FieldsOf(const ArticulatedJointParams*) {
  using S = ArticulatedJointParams;
  return std::tuple{
      Field{&S::name, "name", "", {}, "Name; joint_i when empty."},
      Field{&S::type, "type", "", {}, "Free, Prismatic, Revolute, Spherical or Hard.", Use::Required},
      Field{&S::parentLinkFromJoint,
            "parentLinkFromJoint",
            "m",
            {},
            "Joint frame in the parent link's frame; of a root joint, in the root frame."},
      Field{&S::axis, "axis", "", Finite(), "Axis of a Prismatic or Revolute joint in the joint frame; normalised."},
      Field{&S::friction, "friction", "", {}, "Friction; ignored by Free and Hard joints."},
      Field{&S::inertia, "inertia", "kg m^2 or kg", NonNegative(),
            "Armature of a Prismatic or Revolute joint; 0 when absent."},
      Field{&S::minLimit, "minLimit", "rad or m", Extended(),
            "Lower limit: along the axis, or a rotation vector; none when absent."},
      Field{&S::maxLimit, "maxLimit", "rad or m", Extended(),
            "Upper limit: along the axis, or a rotation vector; none when absent."},
      Field{&S::limitStiffness, "limitStiffness", "N m/rad or N/m", NonNegative(), "Stiffness of the limits."},
      Field{&S::limitDamping, "limitDamping", "N m s or N s/m", NonNegative(), "Damping of the limits."}};
}

struct ArticulatedLinkParams {
  String name = {};
  int parentLink = -1;
  TransformRT parentJointFromLink = {};
  ShapeHandle shape = {};
  String layer = {};
  ColliderType colliderType = ColliderType::Auto;
  ContactParams contact = {};
  bool hasGravity = true;
  Optional<Real> density = {};
  Optional<Real> mass = {};
  Optional<Real3> centerOfMass = {};
  Optional<std::array<Real, 6>> momentOfInertia = {};
  ActorBoundaryElementType boundaryElementType = ActorBoundaryElementType::P1Q3;
  Optional<BoundarySubsamplingParams> boundarySubsampling = {};
  bool operator==(const ArticulatedLinkParams&) const = default;
};
constexpr auto FieldsOf(const ArticulatedLinkParams*) {
  using S = ArticulatedLinkParams;
  return std::tuple{
      Field{&S::name, "name", "", {}, "Name, unique in the actor; link_i when empty."},
      Field{&S::parentLink, "parentLink", "", AtLeast(-1),
            "Index of the parent link, less than the link's own; -1 for a root."},
      Field{&S::parentJointFromLink,
            "parentJointFromLink",
            "m",
            {},
            "Link frame in its joint's frame; the rotation must be identity."},
      Field{&S::shape, "shape", "", {}, "A surface mesh, or none.", Use::Obeyed, kLinkShapeKeys},
      Field{&S::layer, "layer", "", {}, "Contact layer."},
      Field{&S::colliderType, "colliderType", "", {}, "What other actors collide with; Auto follows the shape."},
      Field{&S::contact, "contact", "", {}, "Contact parameters."},
      Field{&S::hasGravity, "hasGravity", "", {}, "Whether gravity acts."},
      Field{&S::density, "density", "kg/m^3", Positive(), kDensitySentence},
      Field{&S::mass, "mass", "kg", Positive(), kMassSentence},
      Field{&S::centerOfMass, "centerOfMass", "m", Finite(), kCenterOfMassSentence},
      Field{&S::momentOfInertia, "momentOfInertia", "kg m^2", Finite(), kInertiaSentence},
      Field{&S::boundaryElementType, "boundaryElementType", "", {}, kBoundaryElementSentence, Use::Kept},
      Field{&S::boundarySubsampling, "boundarySubsampling", "", {}, "Use of a share of the samples.", Use::Kept}};
}

// Closes a loop of links by a compliant spherical joint.
struct ArticulatedCycleJointParams {
  int parentLink = -1;
  int childLink = -1;
  TransformRT jointFromChildLink = {};
  Real stiffness = 50000;
  bool operator==(const ArticulatedCycleJointParams&) const = default;
};
constexpr auto FieldsOf(const ArticulatedCycleJointParams*) {
  using S = ArticulatedCycleJointParams;
  return std::tuple{
      Field{&S::parentLink, "parentLink", "", AtLeast(0), "Index of one link.", Use::Required},
      Field{&S::childLink, "childLink", "", AtLeast(0), "Index of the other link.", Use::Required},
      Field{&S::jointFromChildLink, "jointFromChildLink", "m", {}, "Child link's frame in the joint's frame."},
      Field{&S::stiffness, "stiffness", "N/m", Positive(), "Stiffness of the joint."}};
}

// A triangle mesh with skinning weights over the links. With blending data it is a blended skin.
struct ArticulatedSkinParams {
  ShapeHandle shape = {};
  String layer = {};
  ContactParams contact = {};
  ActorBoundaryElementType boundaryElementType = ActorBoundaryElementType::P1Q3;
  Optional<BoundarySubsamplingParams> boundarySubsampling = {};
  DynamicArray<String> nonCollidingLinks = {};
  bool operator==(const ArticulatedSkinParams&) const = default;
};
constexpr auto FieldsOf(const ArticulatedSkinParams*) {
  using S = ArticulatedSkinParams;
  return std::tuple{
      Field{&S::shape, "shape", "", {}, "The mesh, in the root link's frame at rest.", Use::Required, kLinkShapeKeys},
      Field{&S::layer, "layer", "", {}, "Contact layer."},
      Field{&S::contact, "contact", "", {}, "Contact parameters."},
      Field{&S::boundaryElementType, "boundaryElementType", "", {}, kBoundaryElementSentence, Use::Kept},
      Field{&S::boundarySubsampling, "boundarySubsampling", "", {}, "Use of a share of the samples.", Use::Kept},
      Field{&S::nonCollidingLinks,
            "nonCollidingLinks",
            "",
            {},
            "Links whose part of the skin never touches.",
            Use::Kept}};
}

struct ArticulatedActorParams {
  String name = {};
  TransformRT worldFromRoot = {};
  DynamicArray<ArticulatedJointParams> joints = {};
  DynamicArray<ArticulatedLinkParams> links = {};
  DynamicArray<ArticulatedCycleJointParams> cycles = {};
  Optional<ArticulatedSkinParams> skin = {};
  Optional<DynamicArray<Real>> jointVelocities = {};
  bool operator==(const ArticulatedActorParams&) const = default;
};
constexpr auto FieldsOf(const ArticulatedActorParams*) {
  using S = ArticulatedActorParams;
  return std::tuple{
      Field{&S::name, "name", "", {}, "Name of the actor; nested actors are named name/link and name/soft."},
      Field{&S::worldFromRoot, "worldFromRoot", "m", {}, "Placement of the root frame.", Use::Obeyed, kPlacementKeys},
      Field{&S::joints, "joints", "", {}, "Joint i connects link i to its parent."},
      Field{&S::links, "links", "", {}, "Links, parents before children."},
      Field{&S::cycles, "cycles", "", {}, "Joints that close loops."},
      Field{&S::skin, "skin", "", {}, "A skin over the links."},
      Field{&S::jointVelocities, "jointVelocities", "rad/s or m/s", Finite(),
            "Initial velocity, one entry a degree of freedom; 0 when absent."}};
}

}  // namespace dermis
