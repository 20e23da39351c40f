#include "tests/physics/scenes.h"

#include <algorithm>
#include <random>

#include "tests/catch.h"

namespace dermis {

MeshData BoxTets(const std::array<int, 3>& cells, const Real3& size, const Real3& corner) {
  const auto index = [&](const std::array<int, 3>& c) {
    return (c[0] * (cells[1] + 1) + c[1]) * (cells[2] + 1) + c[2];
  };
  MeshData mesh;
  mesh.nodesPerElement = 4;
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k)
        mesh.coordinates.insert(
            mesh.coordinates.end(),
            {corner.x + size.x * i / cells[0], corner.y + size.y * j / cells[1], corner.z + size.z * k / cells[2]});
  // One tetrahedron for each order of walking along the three axes; odd orders are turned around.
  static constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static constexpr bool kOdd[6] = {false, true, true, false, false, true};
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k)
        for (int order = 0; order < 6; ++order) {
          std::array<int, 3> at{i, j, k};
          int tet[4] = {index(at)};
          for (int a = 0; a < 3; ++a) {
            ++at[size_t(kOrders[order][a])];
            tet[a + 1] = index(at);
          }
          if (kOdd[order]) std::swap(tet[1], tet[2]);
          mesh.connectivity.insert(mesh.connectivity.end(), tet, tet + 4);
        }
  return mesh;
}

MeshData Irregular(MeshData mesh, const std::array<int, 3>& cells, const Real3& size, Real share) {
  std::mt19937 random(7);
  for (int i = 0, node = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k, ++node)
        for (int a = 0; a < 3; ++a) {
          const bool isInside = i > 0 && i < cells[0] && j > 0 && j < cells[1] && k > 0 && k < cells[2];
          const Real offset = share * (2.0 * Real(random()) / Real(std::mt19937::max()) - 1.0);
          if (isInside) mesh.coordinates[size_t(3 * node + a)] += offset * size[a] / cells[size_t(a)];
        }
  return mesh;
}

Real3 NodeOf(const MeshData& mesh, int node) {
  const Real* p = &mesh.coordinates[size_t(3 * node)];
  return {p[0], p[1], p[2]};
}
DynamicArray<int> NodesWhere(const MeshData& mesh, const std::function<bool(const Real3&)>& holds) {
  DynamicArray<int> nodes;
  for (int n = 0; n < int(mesh.coordinates.size() / 3); ++n)
    if (holds(NodeOf(mesh, n))) nodes.push_back(n);
  return nodes;
}
ShapeHandle TetShape(const MeshData& mesh, const DynamicArray<int>& constrainedNodes) {
  ModelData model;
  model.mesh = mesh;
  model.constrainedNodes = constrainedNodes;
  return CreateModelShape(model, ErrorAssert{});
}
ShapeHandle BoxSurface(const Real3& size, const Real3& center) {
  DynamicArray<Real> coords;
  for (int i = 0; i < 8; ++i)
    for (int a = 0; a < 3; ++a) coords.push_back(center[a] + ((i >> (2 - a)) & 1 ? 0.5 : -0.5) * size[a]);
  return CreateTriMeshShape(coords, {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                     2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3},
                            ErrorAssert{});
}

RigidActorParams RigidBox(const Real3& size, const Real3& position) {
  RigidActorParams rigid;
  rigid.shape = BoxSurface(size);
  rigid.worldFromLocal.translation = position;
  return rigid;
}
ArticulatedJointParams Joint(ArticulatedJointType type, const Real3& axis, const Real3& position) {
  ArticulatedJointParams joint;
  joint.type = type;
  joint.axis = axis;
  joint.parentLinkFromJoint.translation = position;
  return joint;
}
ArticulatedLinkParams BoxLink(int parent, const Real3& size, const Real3& center) {
  ArticulatedLinkParams link;
  link.parentLink = parent;
  link.shape = BoxSurface(size, center);
  return link;
}
ArticulatedLinkParams RodLink(int parent, Real mass, const Real3& along) {
  ArticulatedLinkParams link;
  link.parentLink = parent;
  link.mass = mass;
  link.centerOfMass = 0.5 * along;
  // mass/12 (l^2 1 - l l^T), and a little about the axis: no body has none.
  const Real l2 = Dot(along, along), around = 1e-6 * mass / l2, s = mass / 12;
  const auto entry = [&](int i, int j) { return (i == j ? s * l2 : 0) + (around - s) * along[i] * along[j]; };
  link.momentOfInertia = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  return link;
}
ArticulatedLinkParams PointLink(int parent, Real mass, const Real3& position) {
  ArticulatedLinkParams link;
  link.parentLink = parent;
  link.mass = mass;
  link.centerOfMass = position;
  const Real i = 1e-6 * mass;
  link.momentOfInertia = {i, 0, 0, i, 0, i};
  return link;
}
SoftActorParams Soft(const ShapeHandle& shape, SoftMaterialType type, Real stiffness, Real poissonRatio) {
  SoftActorParams soft;
  soft.shape = shape;
  soft.material.type = type;
  soft.material.neoHookean.youngsModulus = stiffness;
  soft.material.neoHookean.poissonRatio = poissonRatio;
  soft.material.arap.stiffness = stiffness;
  return soft;
}
SoftSkinnedActorParams SkinnedBar(ArticulatedJointType root) {
  SoftSkinnedActorParams actor;
  const Real3 y{0, 1, 0};
  const bool hasAxis = root == ArticulatedJointType::Revolute || root == ArticulatedJointType::Prismatic;
  actor.skeletonParams.joints = {Joint(root, hasAxis ? y : Real3{}),
                                 Joint(ArticulatedJointType::Revolute, y, {0.3, 0, 0})};
  actor.skeletonParams.links = {BoxLink(-1, {0.3, 0.05, 0.05}, {0.15, 0, 0}),
                                BoxLink(0, {0.3, 0.05, 0.05}, {0.15, 0, 0})};
  MeshData mesh = BoxTets({6, 1, 1}, {0.6, 0.1, 0.1}, {0, -0.05, -0.05});
  SkinningData& skinning = mesh.skinning.emplace();
  skinning.weightsPerNode = 2;
  for (size_t n = 0; n < mesh.coordinates.size() / 3; ++n) {
    const Real second = std::clamp((mesh.coordinates[3 * n] - 0.15) / 0.3, 0.0, 1.0);
    skinning.indices.insert(skinning.indices.end(), {0, 1});
    skinning.weights.insert(skinning.weights.end(), {1 - second, second});
  }
  SoftActorParams soft =
      Soft(TetShape(mesh, NodesWhere(mesh, [](const Real3& x) { return x.x < 1e-9 || x.x > 0.6 - 1e-9; })));
  soft.hasGravity = soft.hasInertia = soft.hasStress = false;
  actor.softParams = {soft};
  actor.hasGravity = actor.hasInertia = actor.hasStress = true;
  return actor;
}

SceneDescription SceneWith(Real gravity) {
  SceneDescription scene;
  scene.scene.gravity = {0, 0, -gravity};
  return scene;
}
std::unique_ptr<Scene> Start(const SceneDescription& description, Real tolerance, IntegrationMethod method,
                             int worlds) {
  Error error;
  SceneOptions options;
  options.tolerance = tolerance;
  options.integrationMethod = method;
  options.numWorlds = worlds;
  auto scene = Scene::Create(description, options, error);
  INFO(error.GetDescription());
  REQUIRE(error.IsOK());
  return scene;
}
void Advance(Scene& scene, Real dt, int steps) {
  Error error;
  for (int i = 0; i < steps; ++i) {
    scene.Step(dt, error);
    INFO("step " << i + 1 << " of " << steps << ", dt " << dt << " " << error.GetDescription());
    REQUIRE(error.IsOK());
    for (const ActorLayout& actor : scene.GetActors())
      for (int world = 0; world < scene.GetNumWorlds(); ++world) {
        const IslandReport& report = scene.GetReport(actor, world);
        INFO(actor.name << ": flags " << report.flags << ", Newton " << report.newtonIterations << ", motion "
                        << report.motion << ", residual " << report.residual);
        REQUIRE(report.Has(StepFlag::Converged));
      }
  }
}

void Prescribe(Scene& scene, const DynamicArray<int>& nodes, const std::function<Real3(int)>& displacement) {
  Simulation& simulation = scene.GetSimulation();
  DynamicArray<Real> fixed(size_t(simulation.Counts().nodes), 0.0), target(3 * fixed.size(), 0.0);
  for (const int n : nodes) {
    fixed[size_t(n)] = 1;
    const Real3 u = displacement(n);
    for (int a = 0; a < 3; ++a) target[size_t(3 * n + a)] = u[a];
  }
  simulation.SetParameter("nodeFixed", -1, fixed);
  simulation.SetParameter("nodeTarget", -1, target);
}

namespace {

DynamicArray<Real> NodeValues(const Scene& scene, const std::function<Real3(int)>& value) {
  DynamicArray<Real> values;
  for (int n = 0; n < int(scene.GetModel().m.nodes); ++n) {
    const Real3 v = value(n);
    values.insert(values.end(), {v.x, v.y, v.z});
  }
  return values;
}

}  // namespace

void Displace(Scene& scene, const std::function<Real3(int)>& displacement) {
  for (int world = 0; world < scene.GetNumWorlds(); ++world)
    for (const char* name : {"displacement", "displacementPrevious"})
      scene.GetSimulation().SetState(name, world, NodeValues(scene, displacement));
}
void SetVelocity(Scene& scene, const std::function<Real3(int)>& velocity) {
  for (int world = 0; world < scene.GetNumWorlds(); ++world)
    scene.GetSimulation().SetState("nodeVelocity", world, NodeValues(scene, velocity));
}

Quaternion RotationOf(const Real3& axis, Real angle) {
  const Real3 v = (std::sin(angle / 2) / Norm(axis)) * axis;
  return {v.x, v.y, v.z, std::cos(angle / 2)};
}
Real LargestDifference(const DynamicArray<Real>& a, const DynamicArray<Real>& b) {
  REQUIRE(a.size() == b.size());
  Real largest = 0;
  for (size_t k = 0; k < a.size(); ++k)
    largest = std::max(largest, std::isfinite(a[k] - b[k]) ? std::abs(a[k] - b[k]) : 1e300);
  return largest;
}
bool AllFinite(const DynamicArray<Real3>& points) {
  return std::all_of(points.begin(), points.end(), [](const Real3& p) { return std::isfinite(p.x + p.y + p.z); });
}

}  // namespace dermis
