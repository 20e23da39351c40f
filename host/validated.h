// A scene that has been checked and resolved: what compilation to flat arrays starts from. Only Validate makes one.
//
// Frames and names: all links of an articulation have an index; link 0 is the root link. Nested soft actors and skins
// are authored in the rest frame, the root link's own frame at rest. Joint i moves link i; the transform of link i is
//   worldFromLink_i = worldFromParent * parentLinkFromJoint_i * J_i(q_i) * jointFromLink_i,
// where the parent of a root link is the articulation's root frame, worldFromRoot.
#pragma once

#include "host/params/scene.h"
#include "host/shape_mass.h"

namespace dermis {

// The collider of a body after Auto was resolved. Box, Sphere and Plane have their data filled in the body's frame,
// from the model's metadata or else from the bounds of its mesh.
struct ValidatedCollider {
  ColliderType type = ColliderType::None;  // None, Mesh, Box, Sphere or Plane
  BoxData box;
  SphereData sphere;
  PlaneData plane;
};

// A rigid body, or a link.
struct ValidatedBody {
  String name;  // full: "Actor", or "Actor/Link"
  String layer;
  bool hasGravity = true;
  MassProperties mass;
  ShapeHandle shape;  // may be empty for a link; the surface is shape->GetNodes(), shape->GetTriangles()
  ValidatedCollider collider;
  ContactParams contact;
};

struct ValidatedRigid {
  ValidatedBody body;
  bool isStatic = false;
  TransformRT worldFromLocal;
  Real3 linearVelocity;   // of the centre of mass, world frame [m/s]
  Real3 angularVelocity;  // world frame [rad/s]
};

// Weights of frames on points, in rows: the pairs of point p are [offsets[p], offsets[p+1]). Zero weights are left out,
// the order is the file's. For soft actors and skins of an articulation a frame is a link index.
struct FrameWeights {
  DynamicArray<int> offsets;  // [points + 1]
  DynamicArray<int> frames;
  DynamicArray<Real> weights;
};

struct ValidatedSoft {
  String name;  // full: "Actor", or "Actor/Soft"
  String layer;
  TransformRT worldFromLocal;                  // identity when nested
  DynamicArray<Real3> nodes;                   // [nodes] rest positions: local frame, or the skeleton's rest frame [m]
  DynamicArray<std::array<int, 4>> tets;       // positive volume
  DynamicArray<std::array<int, 3>> triangles;  // outer surface, outward
  DynamicArray<char> isConstrained;            // [nodes] 1 where the model lists the node as constrained
  FrameWeights skinning;                       // empty for a standalone soft, whose one frame is the world
  int attachLink = -1;                         // link index, or -1 when skinned by data or standalone
  SoftMaterialParams material;
  Optional<PerElementSoftMaterialData> perElement;  // set when it is for this material type; missing arrays are filled
  MaterialPsdStrategy psdStrategy =
      MaterialPsdStrategy::MaterialDefault;  // of the params or the model, whichever names one
  // A standalone soft has its terms at Rest: its rest frame is its local frame, and nothing poses it.
  EnergyDomain gravity = EnergyDomain::Off;
  EnergyDomain inertia = EnergyDomain::Off;
  EnergyDomain stress = EnergyDomain::Off;
  bool isColliding = true;  // false under a blended skin
  ContactParams contact;
  ShapeHandle shape;
};

struct ValidatedJoint {
  String name;
  ArticulatedJointType type = ArticulatedJointType::Hard;
  int parentLink = -1;  // -1: the root frame
  TransformRT parentLinkFromJoint;
  Real3 jointFromLink;           // a translation
  Real3 axis;                    // unit; Prismatic and Revolute only
  int dofOffset = 0;             // in q and jointVelocities; a Free joint has translation, then rotation
  int dofCount = 0;              // 0 Hard, 1 Prismatic and Revolute, 3 Spherical, 6 Free
  JointFrictionParams friction;  // zero where it is ignored
  Real armature = 0;
  bool hasLimits = false;
  Real minLimit[3] = {-kInfinity, -kInfinity, -kInfinity};  // per degree of freedom, along the unit axis
  Real maxLimit[3] = {kInfinity, kInfinity, kInfinity};
  Real limitStiffness = 0;
  Real limitDamping = 0;
};

struct ValidatedLink {
  ValidatedBody body;
  int parentLink = -1;
  TransformRT rootFromLinkAtRest;  // at q = 0
  // Skinning maps a rest point X to worldFromLink * (linkFromRestFrame X); sums of these with weights.
  TransformRT linkFromRestFrame;
  bool isColliding = true;
};

struct ValidatedCycle {
  int parentLink = -1;
  int childLink = -1;
  Real3 pointInParent;  // the two points coincide at rest; each in its link's frame
  Real3 pointInChild;
  Real stiffness = 0;
};

// Where vertex v of a skin follows a soft node: x = T(X + weight u_node).
struct SkinBlend {
  int vertex = 0;
  int soft = 0;  // index into ValidatedArticulated::softs
  int node = 0;
  Real weight = 0;
};

struct ValidatedSkin {
  String layer;
  ContactParams contact;
  DynamicArray<Real3> nodes;  // [vertices] rest frame
  DynamicArray<std::array<int, 3>> triangles;
  FrameWeights skinning;          // frames are links
  DynamicArray<SkinBlend> blend;  // at most one a vertex and soft, weight > 0; empty unless it is a blended skin
  ShapeHandle shape;
};

// An articulated actor, with nested softs when it is soft-skinned.
struct ValidatedArticulated {
  String name;
  bool isSoftSkinned = false;
  TransformRT worldFromRoot;
  int dofCount = 0;
  DynamicArray<Real> jointVelocities;   // [dofCount], zeros when none are given
  DynamicArray<ValidatedJoint> joints;  // [links]
  DynamicArray<ValidatedLink> links;
  DynamicArray<ValidatedCycle> cycles;
  DynamicArray<ValidatedSoft> softs;
  Optional<ValidatedSkin> skin;
  // Pairs of links that never touch: adjacent, or joined through hard joints or links without shape. first < second.
  DynamicArray<std::array<int, 2>> nonCollidingLinks;
  bool enableCollidingLinks = true;
};

class ValidatedScene {
 public:
  // An empty scene.
  ValidatedScene() = default;
  const SceneSettings& GetSettings() const { return settings_; }
  const ContactFilterParams& GetContactFilter() const { return contactFilter_; }
  const DynamicArray<ValidatedRigid>& GetRigid() const { return rigid_; }
  // Standalone soft actors.
  const DynamicArray<ValidatedSoft>& GetSoft() const { return soft_; }
  // The scene's articulated actors, then its soft-skinned actors.
  const DynamicArray<ValidatedArticulated>& GetArticulated() const { return articulated_; }
  // What was put in order, ignored or looks wrong, a sentence each.
  const DynamicArray<String>& GetNotes() const { return notes_; }

 private:
  friend ValidatedScene Validate(const SceneDescription& scene, Error& error);
  SceneSettings settings_;
  ContactFilterParams contactFilter_;
  DynamicArray<ValidatedRigid> rigid_;
  DynamicArray<ValidatedSoft> soft_;
  DynamicArray<ValidatedArticulated> articulated_;
  DynamicArray<String> notes_;
};

}  // namespace dermis
