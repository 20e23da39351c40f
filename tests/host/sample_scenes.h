// Small shapes and actors for the tests of the host library.
#pragma once

#include "host/shape_mass.h"
#include "host/validate.h"
#include "tests/catch.h"

namespace dermis {

// The problems of an error as one text.
inline String Problems(const Error& error) { return error.GetDescription(); }

// Passes when the error has a problem that contains the text.
inline void RequireProblem(const Error& error, const String& text) {
  INFO("looking for: " << text << "\nfound: " << error.GetDescription());
  bool found = false;
  for (const String& problem : error.GetProblems()) found |= problem.find(text) != String::npos;
  REQUIRE(found);
}

// The box [0, a] x [0, b] x [0, c] as a closed surface, outward.
inline ShapeHandle BoxSurface(Real a, Real b, Real c) {
  DynamicArray<Real> coords;
  for (int i = 0; i < 8; ++i)
    for (const Real v : {i & 4 ? a : 0, i & 2 ? b : 0, i & 1 ? c : 0}) coords.push_back(v);
  return CreateTriMeshShape(coords, {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                     2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3},
                            ErrorAssert{});
}

// The corner tetrahedron of the unit cube, with its nodes 0, 1, 2 constrained, and skinning data on one link if asked.
inline ModelData TetModel(int skinnedTo = -1) {
  ModelData model;
  MeshData& mesh = model.mesh.emplace();
  mesh.nodesPerElement = 4;
  mesh.coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  mesh.connectivity = {0, 1, 2, 3};
  model.constrainedNodes = {0, 1, 2};
  if (skinnedTo >= 0) mesh.skinning = SkinningData{1, DynamicArray<int>(4, skinnedTo), DynamicArray<Real>(4, 1.0)};
  return model;
}
inline ShapeHandle TetShape(int skinnedTo = -1) { return CreateModelShape(TetModel(skinnedTo), ErrorAssert{}); }

// Two arms on revolute joints, with one tetrahedron on the second.
inline SoftSkinnedActorParams Pendulum() {
  SoftSkinnedActorParams params;
  params.skeletonParams.name = "Skel";
  for (int i = 0; i < 2; ++i) {
    ArticulatedJointParams joint;
    joint.type = ArticulatedJointType::Revolute;
    joint.axis = {0, 0, -1};
    joint.parentLinkFromJoint.translation = {i ? 0.25 : 0.0, 0, 0};
    params.skeletonParams.joints.push_back(joint);
    ArticulatedLinkParams link;
    link.name = i ? "LowerArm" : "UpperArm";
    link.parentLink = i - 1;
    link.shape = BoxSurface(0.25, 0.025, 0.025);
    params.skeletonParams.links.push_back(link);
  }
  SoftActorParams soft;
  soft.name = "SoftArm";
  soft.shape = TetShape();
  soft.hasGravity = false;
  soft.hasInertia = false;
  params.softParams = {soft};
  params.softAttachLinks = {"LowerArm"};
  params.hasGravity = true;
  params.hasInertia = true;
  return params;
}

inline SceneDescription SceneOf(const SoftSkinnedActorParams& params) {
  SceneDescription scene;
  scene.actors.softSkinned = {params};
  return scene;
}

}  // namespace dermis
