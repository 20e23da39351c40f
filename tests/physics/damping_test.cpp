// Rayleigh damping of soft bodies.
#include <algorithm>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

constexpr Real kDt = 0.01;

const MeshData& CubeMesh() {
  static const MeshData mesh = BoxTets({2, 1, 1}, {0.4, 0.2, 0.2});
  return mesh;
}
SceneDescription CubeScene(Real massDamping, Real stiffnessDamping) {
  SceneDescription description = SceneWith(0);
  SoftActorParams soft = Soft(TetShape(CubeMesh()));
  soft.material.massDampingCoefficient = massDamping;
  soft.material.stiffnessDampingCoefficient = stiffnessDamping;
  description.actors.soft = {soft};
  return description;
}

// Gradient of the incremental potential after moving from rest by a linear map.
DynamicArray<Real> GradientAfter(const SceneDescription& description, const Real3x3& map) {
  const auto scene = Start(description);
  DynamicArray<Real> offset, zero;
  for (int n = 0; n < int(CubeMesh().coordinates.size() / 3); ++n) {
    const Real3 u = map * NodeOf(CubeMesh(), n) - NodeOf(CubeMesh(), n);
    offset.insert(offset.end(), {u.x, u.y, u.z});
  }
  zero.assign(offset.size(), 0.0);
  return scene->GetSimulation().ProbeStep(kDt, 0, offset, zero, true).gradient;
}

}  // namespace

TEST_CASE("mass damping: a free body slows by 1 / (1 + alpha dt) a step", "[physics][damping]") {
  // M (v1 - v0) / dt + alpha M v1 = 0.
  const Real3 v0{1, -2, 0.5};
  for (const Real alpha : {0.0, 0.5, 20.0}) {
    const auto scene = Start(CubeScene(alpha, 0));
    SetVelocity(*scene, [&](int) { return v0; });
    const SoftLayout& soft = First(*scene).softs[0];
    const DynamicArray<Real3> before = scene->GetNodePositions(soft);
    Advance(*scene, kDt, 50);
    Real path = 0, speed = 1;
    for (int step = 0; step < 50; ++step) path += kDt * (speed /= 1 + alpha * kDt);
    const DynamicArray<Real> velocity = scene->GetSimulation().GetState("nodeVelocity", 0);
    for (size_t n = 0; n < before.size(); ++n) {
      CHECK(Norm(Real3{velocity[3 * n], velocity[3 * n + 1], velocity[3 * n + 2]} - speed * v0) <= 1e-10);
      CHECK(Norm(scene->GetNodePositions(soft)[n] - before[n] - path * v0) <= 1e-11);
    }
  }
}

TEST_CASE("stiffness damping: translations and rotations are not damped", "[physics][damping]") {
  // It acts on the rate of Green's strain, which a rigid motion does not change.
  const auto scene = Start(CubeScene(0, 0.5));
  SetVelocity(*scene, [](int) { return Real3{1, -2, 0.5}; });
  Advance(*scene, kDt, 50);
  for (size_t n = 0; n < CubeMesh().coordinates.size() / 3; ++n)
    CHECK(Norm(scene->GetNodePositions(First(*scene).softs[0])[n] - NodeOf(CubeMesh(), int(n)) -
               Real3{0.5, -1, 0.25}) <= 1e-11);

  const Real3x3 turn = RotationMatrix(RotationOf({1, 2, -0.5}, 0.4));
  const DynamicArray<Real> plain = GradientAfter(CubeScene(0, 0), turn),
                           damped = GradientAfter(CubeScene(0, 0.5), turn);
  const Real3x3 stretch{Real3{1.01, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}};
  const Real scale =
      LargestDifference(GradientAfter(CubeScene(0, 0), stretch), GradientAfter(CubeScene(0, 0.5), stretch));
  CHECK(scale > 100);
  CHECK(LargestDifference(plain, damped) <= 1e-11 * scale);
}

TEST_CASE("stiffness damping: a stiff tetrahedron loses the share dt / (dt + beta) of its strain a step",
          "[physics][damping]") {
  // Without inertia C : E1 + beta C : (E1 - E0) / dt = 0, so E1 / E0 = beta / (dt + beta). One node free; strains
  // below 1e-3, whose squares are left out.
  MeshData mesh;
  mesh.nodesPerElement = 4;
  mesh.coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  mesh.connectivity = {0, 1, 2, 3};
  for (const SoftMaterialType type : {SoftMaterialType::NeoHookean, SoftMaterialType::Arap})
    for (const Real beta : {0.001, 0.01, 0.1}) {
      INFO(EnumName(type) << " beta " << beta);
      SceneDescription description = SceneWith(0);
      SoftActorParams soft = Soft(TetShape(mesh), type, 1e9, 0.3);
      soft.material.stiffnessDampingCoefficient = beta;
      soft.hasInertia = false;
      description.actors.soft = {soft};
      const auto scene = Start(description, 1e-13);
      Prescribe(*scene, {0, 1, 2}, [](int) { return Real3{}; });
      const Real3 start{1e-4, -2e-4, 2e-4};
      Displace(*scene, [&](int n) { return n == 3 ? start : Real3{}; });
      Real before = Norm(start);
      for (int step = 0; step < 5; ++step) {
        Advance(*scene, kDt, 1);
        const Real now = Norm(scene->GetNodePositions(First(*scene).softs[0])[3] - Real3{0, 0, 1});
        CHECK((before - now) / before == Approx(kDt / (kDt + beta)).epsilon(2e-3));
        before = now;
      }
    }
}

}  // namespace dermis
