#include "host/bench/bench_scenes.h"

#include <algorithm>

#include "host/shape.h"

namespace dermis {

namespace {

constexpr Real kThickness = 0.025;  // of arms and soft bars [m]

// The unit cube with a corner in the origin, scaled to a box.
ShapeHandle MakeBox(const Real3& size, Error& error) {
  MeshData mesh;
  mesh.nodesPerElement = 3;
  for (int corner = 0; corner < 8; ++corner)
    mesh.coordinates.insert(mesh.coordinates.end(), {Real(corner >> 2 & 1), Real(corner >> 1 & 1), Real(corner & 1)});
  mesh.connectivity = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
  ModelData model;
  model.mesh = mesh;
  return CreateModelShape(model, ShapeSource{.path = "", .scale = size, .rotation = {}, .translation = {}}, error);
}

// A bar along x of `cells` boxes, five tetrahedra each, mirrored from box to box; four nodes a cross section.
MeshData MakeBar(Real begin, Real length, int cells) {
  static constexpr int kEven[5][4] = {{0, 1, 3, 4}, {2, 3, 1, 6}, {5, 4, 6, 1}, {7, 6, 4, 3}, {1, 3, 4, 6}};
  static constexpr int kOdd[5][4] = {{1, 2, 0, 5}, {3, 0, 2, 7}, {4, 7, 5, 0}, {6, 5, 7, 2}, {0, 5, 2, 7}};
  MeshData mesh;
  mesh.nodesPerElement = 4;
  for (int i = 0; i <= cells; ++i) {
    const Real x = begin + length * i / cells;
    mesh.coordinates.insert(mesh.coordinates.end(),
                            {x, 0, 0, x, kThickness, 0, x, kThickness, kThickness, x, 0, kThickness});
  }
  for (int i = 0; i < cells; ++i)
    for (const auto& tet : i % 2 == 0 ? kEven : kOdd)
      for (const int corner : tet) mesh.connectivity.push_back(4 * i + corner);
  return mesh;
}

// Two arms of 0.25 and 0.125 m on revolute joints about -z, the first one 0.5 m above the origin.
SoftSkinnedActorParams MakeDoublePendulum(Error& error) {
  SoftSkinnedActorParams actor;
  actor.skeletonParams.name = "Pendulum";
  const Real lengths[2] = {0.25, 0.125};
  const Real3 joints[2] = {{0, 0.5, 0}, {lengths[0], kThickness / 2, kThickness / 2}};
  for (int i = 0; i < 2; ++i) {
    ArticulatedJointParams joint;
    joint.type = ArticulatedJointType::Revolute;
    joint.axis = {0, 0, -1};
    joint.parentLinkFromJoint.translation = joints[i];
    actor.skeletonParams.joints.push_back(joint);
    ArticulatedLinkParams link;
    link.name = i == 0 ? "UpperArm" : "LowerArm";
    link.layer = "Pendulum";
    link.parentLink = i - 1;
    link.parentJointFromLink.translation = {0, -kThickness / 2, -kThickness / 2};
    link.colliderType = ColliderType::None;
    link.shape = MakeBox({lengths[i], kThickness, kThickness}, error);
    actor.skeletonParams.links.push_back(link);
  }
  actor.hasGravity = actor.hasInertia = true;
  return actor;
}

SoftActorParams MakeSoftPart(const char* name, ModelData model, Error& error) {
  SoftActorParams soft;
  soft.name = name;
  soft.layer = "Soft";
  soft.material.density = 500;
  soft.material.neoHookean.youngsModulus = 15e3;
  soft.hasGravity = soft.hasInertia = soft.hasStress = false;
  soft.shape = CreateModelShape(std::move(model), error);
  return soft;
}

}  // namespace

BenchScene MakePendulumScene(Error& error) {
  SoftSkinnedActorParams actor = MakeDoublePendulum(error);
  actor.skeletonParams.jointVelocities = DynamicArray<Real>{4.2, 0};
  ModelData model;
  model.mesh = MakeBar(0.375, 0.1, 3);
  model.constrainedNodes = {0, 1, 2, 3};
  actor.softParams = {MakeSoftPart("SoftArm", std::move(model), error)};
  actor.softParams[0].hasStress = true;
  actor.softAttachLinks = {"LowerArm"};
  BenchScene scene{.description = {}, .dt = 1.0 / 120, .steps = 480};
  scene.description.actors.softSkinned = {actor};
  return scene;
}

BenchScene MakeElasticSkinScene(Error& error) {
  SoftSkinnedActorParams actor = MakeDoublePendulum(error);
  ModelData model;
  model.mesh = MakeBar(0, 0.475, 19);
  // Clamped where the arms begin: two cross sections at each joint.
  for (const int section : {0, 1, 12, 13})
    for (int corner = 0; corner < 4; ++corner) model.constrainedNodes.push_back(4 * section + corner);
  // The weight passes from the upper to the lower arm over 0.1 m around the joint.
  SkinningData& skinning = model.mesh->skinning.emplace();
  skinning.weightsPerNode = 2;
  for (size_t node = 0; node < model.mesh->coordinates.size() / 3; ++node) {
    const Real lower = std::clamp((model.mesh->coordinates[3 * node] - 0.2) / 0.1, 0.0, 1.0);
    skinning.indices.insert(skinning.indices.end(), {0, 1});
    skinning.weights.insert(skinning.weights.end(), {1 - lower, lower});
  }
  actor.softParams = {MakeSoftPart("Skin", std::move(model), error)};
  actor.hasStress = true;
  BenchScene scene{.description = {}, .dt = 1.0 / 120, .steps = 240};
  scene.description.actors.softSkinned = {actor};
  return scene;
}

BenchScene MakeBeamScene(BeamSize size, Error& error) {
  const std::array<int, 3> cells = size == BeamSize::Small    ? std::array{16, 4, 4}
                                   : size == BeamSize::Medium ? std::array{40, 8, 8}
                                                              : std::array{96, 16, 16};
  const auto index = [&](int i, int j, int k) { return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k; };
  ModelData model;
  MeshData& mesh = model.mesh.emplace();
  mesh.nodesPerElement = 4;
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k) {
        if (i == 0) model.constrainedNodes.push_back(index(i, j, k));
        mesh.coordinates.insert(mesh.coordinates.end(), {1.0 * i / cells[0], 0.25 * j / cells[1], 0.25 * k / cells[2]});
      }
  // One tetrahedron for each order of walking along the three axes; odd orders are turned around.
  static constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static constexpr bool kOdd[6] = {false, true, true, false, false, true};
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k)
        for (int order = 0; order < 6; ++order) {
          std::array<int, 3> corner{i, j, k};
          int tet[4] = {index(i, j, k)};
          for (int a = 0; a < 3; ++a) {
            ++corner[kOrders[order][a]];
            tet[a + 1] = index(corner[0], corner[1], corner[2]);
          }
          if (kOdd[order]) std::swap(tet[1], tet[2]);
          mesh.connectivity.insert(mesh.connectivity.end(), tet, tet + 4);
        }

  BenchScene scene{.description = {}, .dt = 1.0 / 60, .steps = size == BeamSize::Large ? 20 : 60};
  scene.fixConstrainedNodes = true;
  scene.tipNode = index(cells[0], cells[1] / 2, cells[2] / 2);
  SoftActorParams beam;
  beam.name = "Beam";
  beam.material.density = 1000;
  beam.material.neoHookean.youngsModulus = 1e6;
  beam.material.neoHookean.poissonRatio = 0.45;
  beam.shape = CreateModelShape(std::move(model), error);
  scene.description.actors.soft = {beam};
  return scene;
}

}  // namespace dermis
