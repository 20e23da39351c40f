// Meshes, actors and runs that the physics tests share.
#pragma once

#include <functional>

#include "host/scene.h"
#include "host/shape.h"

namespace dermis {

constexpr Real kPi = 3.141592653589793;
constexpr Real kGravity = 9.81;  // [m/s^2], along -z in SceneWith
constexpr Real kTight = 1e-11;   // largest motion in a converged Newton step [m]; near round-off for bodies of a metre

// Meshes. A box [0, size] + corner of cells, six tetrahedra each.
MeshData BoxTets(const std::array<int, 3>& cells, const Real3& size, const Real3& corner = {});
// The same mesh with its inner nodes moved by up to `share` of a cell, from a fixed seed.
MeshData Irregular(MeshData mesh, const std::array<int, 3>& cells, const Real3& size, Real share);
Real3 NodeOf(const MeshData& mesh, int node);
DynamicArray<int> NodesWhere(const MeshData& mesh, const std::function<bool(const Real3&)>& holds);
ShapeHandle TetShape(const MeshData& mesh, const DynamicArray<int>& constrainedNodes = {});
// A box around `center` as a closed surface.
ShapeHandle BoxSurface(const Real3& size, const Real3& center = {});

// Actors.
RigidActorParams RigidBox(const Real3& size, const Real3& position = {});
ArticulatedJointParams Joint(ArticulatedJointType type, const Real3& axis = {}, const Real3& position = {});
ArticulatedLinkParams BoxLink(int parent, const Real3& size, const Real3& center = {});
// A uniform rod from the link's origin along `along` [m], with a radius of gyration of 1e-3 m about itself.
ArticulatedLinkParams RodLink(int parent, Real mass, const Real3& along);
// A mass of small extent at `position`: radius of gyration 1e-3 m.
ArticulatedLinkParams PointLink(int parent, Real mass, const Real3& position = {});
SoftActorParams Soft(const ShapeHandle& shape, SoftMaterialType type = SoftMaterialType::NeoHookean,
                     Real stiffness = 1e5, Real poissonRatio = 0.45);
// A bar 0.6 x 0.1 x 0.1 m on two boxes joined by a hinge about y at x = 0.3, skinned to both; the root joint is
// `root`. Clamped at both ends.
SoftSkinnedActorParams SkinnedBar(ArticulatedJointType root);

// Runs. All REQUIRE success.
SceneDescription SceneWith(Real gravity = kGravity);  // without actors
std::unique_ptr<Scene> Start(const SceneDescription& description, Real tolerance = kTight,
                             IntegrationMethod method = IntegrationMethod::BackwardEuler, int worlds = 1);
// Steps that must converge.
void Advance(Scene& scene, Real dt, int steps);
inline const ActorLayout& First(const Scene& scene) { return scene.GetActors().front(); }
inline Real Q(const Scene& scene, int dof = 0) { return scene.GetArticulatedState(First(scene)).q[size_t(dof)]; }
inline Real Qd(const Scene& scene, int dof = 0) { return scene.GetArticulatedState(First(scene)).qd[size_t(dof)]; }

// Prescribes displacements of some nodes of the only soft from now on.
void Prescribe(Scene& scene, const DynamicArray<int>& nodes, const std::function<Real3(int)>& displacement);
// Sets the displacement of every node of the only soft, at rest.
void Displace(Scene& scene, const std::function<Real3(int)>& displacement);
// Sets the velocity of every node of the only soft.
void SetVelocity(Scene& scene, const std::function<Real3(int)>& velocity);

Quaternion RotationOf(const Real3& axis, Real angle);
Real LargestDifference(const DynamicArray<Real>& a, const DynamicArray<Real>& b);
bool AllFinite(const DynamicArray<Real3>& points);
// Linear map with the rows a.
inline Real3 operator*(const Real3x3& a, const Real3& x) { return {Dot(a[0], x), Dot(a[1], x), Dot(a[2], x)}; }

}  // namespace dermis
