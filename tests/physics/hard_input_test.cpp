// Inputs that broke other engines: small, stiff, flat, pinned, fine, squashed and inverted bodies.
#include <algorithm>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

bool IsAt(Real a, Real b) { return std::abs(a - b) < 1e-9; }

// A cantilever: the face x = 0 is held.
std::unique_ptr<Scene> Cantilever(const MeshData& mesh, SoftActorParams soft, Real gravity, Real tolerance) {
  soft.shape = TetShape(mesh);
  SceneDescription description = SceneWith(gravity);
  description.actors.soft = {soft};
  auto scene = Start(description, tolerance);
  Prescribe(*scene, NodesWhere(mesh, [](const Real3& x) { return x.x < 1e-12; }), [](int) { return Real3{}; });
  return scene;
}
Real Tip(const Scene& scene) { return scene.GetNodePositions(First(scene).softs[0]).back().z; }

}  // namespace

TEST_CASE("size: a body a thousand times smaller rests and moves alike", "[physics][hard]") {
  // With E, dt^2 and L scaled by s, at the same density and gravity, all displacements scale by s.
  Real tip = 0;
  for (const Real s : {1.0, 0.1, 0.01, 0.001}) {
    INFO("scale " << s);
    const MeshData mesh = BoxTets({3, 2, 2}, {0.3 * s, 0.1 * s, 0.1 * s});
    SceneDescription free = SceneWith(0);
    free.actors.soft = {Soft(TetShape(mesh))};
    const auto unloaded = Start(free, 0);
    Advance(*unloaded, 0.01, 100);
    for (const Real u : unloaded->GetSimulation().GetState("displacement", 0)) CHECK(std::abs(u) <= 1e-14 * s);

    const auto loaded = Cantilever(mesh, Soft({}, SoftMaterialType::NeoHookean, 2e4 * s), kGravity, 1e-11 * s);
    Advance(*loaded, 0.02 * std::sqrt(s), 15);
    const Real now = (Tip(*loaded) - 0.1 * s) / s;
    if (s == 1) tip = now;
    CHECK(now < -0.01);
    CHECK(now == Approx(tip).epsilon(1e-8));
  }
}

TEST_CASE("stiffness: flat cells from 1e4 to 1e9 Pa converge and stay finite", "[physics][hard]") {
  // Cells of 0.1 x 0.1 x 0.01 m. Stiffer sinks less.
  const MeshData mesh = BoxTets({4, 2, 4}, {0.4, 0.2, 0.04});
  for (const SoftMaterialType type : {SoftMaterialType::NeoHookean, SoftMaterialType::Arap}) {
    Real before = -1e300;
    for (const Real youngs : {1e4, 1e5, 1e6, 1e7, 1e8, 1e9}) {
      INFO(EnumName(type) << " " << youngs);
      const auto scene = Cantilever(mesh, Soft({}, type, youngs), kGravity, 0);
      for (int step = 0; step < 10; ++step) {
        Advance(*scene, 1.0 / 60, 1);
        CHECK(scene->GetReport(First(*scene)).newtonIterations <= 20);
      }
      CHECK(AllFinite(scene->GetNodePositions(First(*scene).softs[0])));
      if (youngs >= 1e6) {  // softer ones are still on their way down
        CHECK(Tip(*scene) > before);
        before = Tip(*scene);
      }
    }
    CHECK(before == Approx(0.04).epsilon(1e-2));
  }
}

TEST_CASE("pinning: one face, all nodes, none", "[physics][hard]") {
  const MeshData mesh = BoxTets({2, 2, 2}, {0.2, 0.2, 0.2});
  const auto face = Cantilever(mesh, Soft({}, SoftMaterialType::NeoHookean, 1e4), kGravity, kTight);
  Advance(*face, 0.01, 20);
  const DynamicArray<Real3> nodes = face->GetNodePositions(First(*face).softs[0]);
  Real smallest = 1e300;
  for (int n = 0; n < int(nodes.size()); ++n) {
    const Real moved = Norm(nodes[size_t(n)] - NodeOf(mesh, n));
    if (IsAt(NodeOf(mesh, n).x, 0))
      CHECK(moved == 0);
    else
      smallest = std::min(smallest, moved);
  }
  CHECK(smallest > 1e-3);

  SceneDescription description = SceneWith();
  description.actors.soft = {Soft(TetShape(mesh))};
  const auto all = Start(description);
  Prescribe(*all, NodesWhere(mesh, [](const Real3&) { return true; }), [](int n) { return Real3{0.01 * n, 0, 0}; });
  Advance(*all, 0.01, 10);
  for (int n = 0; n < int(nodes.size()); ++n)
    CHECK(Norm(all->GetNodePositions(First(*all).softs[0])[size_t(n)] - NodeOf(mesh, n) - Real3{0.01 * n, 0, 0}) <=
          1e-15);

  const auto none = Start(description);
  Advance(*none, 0.01, 10);
  CHECK(Tip(*none) - 0.2 == Approx(-0.5 * kGravity * 1e-4 * 10 * 11).epsilon(1e-11));
  // Pins that come and go: let go of everything, and it falls from there.
  Advance(*all, 0.01, 5);
  Prescribe(*all, {}, [](int) { return Real3{}; });
  Advance(*all, 0.01, 5);
  CHECK(AllFinite(all->GetNodePositions(First(*all).softs[0])));
}

TEST_CASE("refinement: a finer mesh at the same step stays finite and bends a little more", "[physics][hard]") {
  // Linear tetrahedra are too stiff, the coarser the more.
  Real before = 1;
  for (const int refined : {1, 2, 4}) {
    const MeshData mesh = BoxTets({4 * refined, refined, refined}, {0.4, 0.1, 0.1});
    const auto scene = Cantilever(mesh, Soft({}, SoftMaterialType::NeoHookean, 1e5), kGravity, 0);
    Advance(*scene, 1.0 / 60, 10);
    INFO(refined << " cells across, tip at " << Tip(*scene));
    CHECK(AllFinite(scene->GetNodePositions(First(*scene).softs[0])));
    CHECK(Tip(*scene) < before);
    CHECK(Tip(*scene) > -0.15);
    before = Tip(*scene);
  }
}

TEST_CASE("squashed, inverted and flat starts: every step converges and the energy falls", "[physics][hard]") {
  const MeshData mesh = BoxTets({2, 2, 2}, {0.2, 0.2, 0.2});
  const Real3x3 starts[] = {
      {Real3{0.3, 0, 0}, Real3{0, 0.3, 0}, Real3{0, 0, 0.3}}, {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, -0.2}},
      {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 0}},       {Real3{0, 0, 0}, Real3{0, 0, 0}, Real3{0, 0, 1}},
      {Real3{1.5, 0, 0}, Real3{0, -0.8, 0}, Real3{0, 0, 1}},  {Real3{0, 0, 0}, Real3{0, 0, 0}, Real3{0, 0, 0}}};
  for (const SoftMaterialType type : {SoftMaterialType::NeoHookean, SoftMaterialType::Arap})
    for (const Real3x3& start : starts) {
      INFO(EnumName(type) << " diag " << start[0].x << " " << start[1].y << " " << start[2].z);
      SceneDescription description = SceneWith(0);
      description.actors.soft = {Soft(TetShape(mesh), type)};
      const auto scene = Start(description, 0);
      Displace(*scene, [&](int n) { return start * NodeOf(mesh, n) - NodeOf(mesh, n); });
      Real energy = scene->GetEnergies().Total();
      CHECK(energy > 1);
      for (int step = 0; step < 60; ++step) {
        Advance(*scene, 1.0 / 60, 1);
        const Real now = scene->GetEnergies().Total();
        CHECK(now <= energy + 1e-9);
        energy = now;
      }
      CHECK(AllFinite(scene->GetNodePositions(First(*scene).softs[0])));
    }
}

}  // namespace dermis
