// Bodies that nothing holds: free fall, rest, rigid motion, momentum, gravity flags.
#include <algorithm>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

constexpr Real kDt = 0.01;

// A free chain of a box and a rod, with a hinge about y between them.
ArticulatedActorParams FreeChain() {
  ArticulatedActorParams chain;
  chain.joints = {Joint(ArticulatedJointType::Free), Joint(ArticulatedJointType::Revolute, {0, 1, 0}, {0.2, 0, 0}),
                  Joint(ArticulatedJointType::Spherical, {}, {0.3, 0, 0})};
  chain.links = {BoxLink(-1, {0.4, 0.1, 0.1}), RodLink(0, 1, {0.3, 0, 0}), BoxLink(1, {0.2, 0.1, 0.05}, {0.1, 0, 0})};
  return chain;
}
SoftActorParams Cube(int cells = 2) { return Soft(TetShape(BoxTets({cells, cells, cells}, {0.2, 0.2, 0.2}))); }

Real LargestChange(const DynamicArray<Real3>& now, const DynamicArray<Real3>& before, const Real3& motion) {
  Real largest = 0;
  for (size_t n = 0; n < now.size(); ++n) largest = std::max(largest, Norm(now[n] - before[n] - motion));
  return largest;
}
Real LargestForce(Scene& scene, Real dt) {
  const DynamicArray<Real> zero(3 * size_t(scene.GetSimulation().Counts().rows), 0.0);
  Real largest = 0;
  for (const Real g : scene.GetSimulation().ProbeStep(dt, 0, zero, zero, true).gradient)
    largest = std::max(largest, std::abs(g));
  return largest;
}

}  // namespace

TEST_CASE("free fall: every kind of body falls by the implicit Euler sum", "[physics][fall]") {
  // z = -1/2 g dt^2 n (n + 1), the sum of n implicit Euler steps: -4.954050 m after 100 steps of 0.01 s.
  SceneDescription description = SceneWith();
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3}, {3, 0, 0})};
  description.actors.soft = {Cube()};
  description.actors.articulated = {FreeChain()};
  description.actors.softSkinned = {SkinnedBar(ArticulatedJointType::Free)};
  const auto scene = Start(description);
  DynamicArray<DynamicArray<Real3>> nodes, links;
  for (const ActorLayout& actor : scene->GetActors()) {
    for (const SoftLayout& soft : actor.softs) nodes.push_back(scene->GetNodePositions(soft));
    auto& places = links.emplace_back();
    for (const TransformRT& link : scene->GetLinkTransforms(actor)) places.push_back(link.translation);
  }
  Advance(*scene, kDt, 100);
  const Real fall = -0.5 * kGravity * kDt * kDt * 100 * 101;
  CHECK(fall == Approx(-4.954050));
  const Real tolerance = 1e-12 * std::abs(fall);
  size_t soft = 0;
  for (const ActorLayout& actor : scene->GetActors()) {
    INFO(actor.name);
    for (const SoftLayout& layout : actor.softs) {
      CHECK(LargestChange(scene->GetNodePositions(layout), nodes[soft++], {0, 0, fall}) <= 2 * tolerance);
      CHECK(scene->GetElasticEnergy(layout) <= 1e-14);
    }
    DynamicArray<Real3> places;
    for (const TransformRT& link : scene->GetLinkTransforms(actor)) {
      places.push_back(link.translation);
      CHECK(Norm(Real3{link.rotation.x, link.rotation.y, link.rotation.z}) <= 1e-12);
    }
    CHECK(LargestChange(places, links[size_t(actor.actor)], {0, 0, fall}) <= 2 * tolerance);
  }
  const RigidState rigid = scene->GetRigidState(First(*scene));
  CHECK(std::abs(rigid.centerOfMass.z - fall) <= tolerance);
  CHECK(std::abs(rigid.linearVelocity.z + kGravity) <= 1e-11);
}

TEST_CASE("gravity: bodies without it stay where they are", "[physics][fall]") {
  // hasGravity false of a rigid, a soft and a link. The free link takes its share of the weight of the other:
  // two equal masses, one with gravity, joined rigidly, fall at g / 2.
  SceneDescription description = SceneWith();
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3}), RigidBox({0.1, 0.1, 0.1}, {2, 0, 0})};
  description.actors.rigid[0].hasGravity = false;
  description.actors.soft = {Cube()};
  description.actors.soft[0].hasGravity = false;
  ArticulatedActorParams pair;
  pair.joints = {Joint(ArticulatedJointType::Prismatic, {0, 0, 1}), Joint(ArticulatedJointType::Hard)};
  pair.links = {PointLink(-1, 2), PointLink(0, 2)};
  pair.links[1].hasGravity = false;
  description.actors.articulated = {pair};
  const auto scene = Start(description);
  const DynamicArray<Real3> before = scene->GetNodePositions(scene->GetActors()[2].softs[0]);
  Advance(*scene, kDt, 10);
  const Real fall = -0.5 * kGravity * kDt * kDt * 10 * 11;
  CHECK(Norm(scene->GetRigidState(scene->GetActors()[0]).centerOfMass) == 0);
  CHECK(scene->GetRigidState(scene->GetActors()[1]).centerOfMass.z == Approx(fall).epsilon(1e-12));
  CHECK(scene->GetNodePositions(scene->GetActors()[2].softs[0]) == before);
  CHECK(scene->GetArticulatedState(scene->GetActors()[3]).q[0] == Approx(0.5 * fall).epsilon(1e-12));
}

TEST_CASE("rigid motion of the rest shape: no force and no energy", "[physics][invariance]") {
  // Elastic energies depend on F^T F only; forces are compared with those of a strain of 1 %.
  const MeshData mesh = BoxTets({2, 2, 2}, {0.2, 0.2, 0.2});
  const Real3x3 turn = RotationMatrix(RotationOf({1, 2, -0.5}, 2.2));
  for (const SoftMaterialType type : {SoftMaterialType::NeoHookean, SoftMaterialType::Arap}) {
    INFO(EnumName(type));
    SceneDescription description = SceneWith(0);
    description.actors.soft = {Soft(TetShape(mesh), type)};
    const auto scene = Start(description);
    Displace(*scene, [&](int n) { return 0.01 * NodeOf(mesh, n); });
    const Real force = LargestForce(*scene, kDt);
    CHECK(force > 1);
    const Real energy = scene->GetEnergies().elastic;
    Displace(*scene, [&](int n) { return turn * NodeOf(mesh, n) - NodeOf(mesh, n) + Real3{0.3, -2, 5}; });
    CHECK(LargestForce(*scene, kDt) <= 1e-11 * force);
    CHECK(std::abs(scene->GetEnergies().elastic) <= 1e-11 * energy);
    // Equivariance: the strained body, turned, has the same energy.
    Displace(*scene, [&](int n) { return turn * (1.01 * NodeOf(mesh, n)) - NodeOf(mesh, n); });
    CHECK(scene->GetEnergies().elastic == Approx(energy).epsilon(1e-10));
    CHECK(LargestForce(*scene, kDt) <= std::sqrt(3.0) * force * (1 + 1e-9));
  }
}

TEST_CASE("rest: bodies a kilometre away do not drift", "[physics][invariance]") {
  // One unit in the last place of 1 km is 1.1e-13 m. A placed body has no force at all; one that was moved there by its
  // displacement feels the round-off of its positions and must not gain from it.
  const MeshData mesh = BoxTets({2, 2, 2}, {0.2, 0.2, 0.2});
  const Real3 far{1000, -1000, 500};
  SceneDescription description = SceneWith(0);
  description.actors.soft = {Cube()};
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3}, far)};
  description.actors.articulated = {FreeChain()};
  description.actors.softSkinned = {SkinnedBar(ArticulatedJointType::Free)};
  description.actors.soft[0].worldFromLocal = {RotationOf({1, 1, 0}, 0.7), far};
  description.actors.articulated[0].worldFromRoot = {RotationOf({1, 1, 0}, 0.7), far};
  description.actors.softSkinned[0].skeletonParams.worldFromRoot = {RotationOf({1, 1, 0}, 0.7), far};
  const auto scene = Start(description, 1e-9);
  const DynamicArray<Real> before = scene->GetSimulation().NodePositions(0);
  const Real3 center = scene->GetRigidState(First(*scene)).centerOfMass;
  Advance(*scene, kDt, 100);
  CHECK(LargestDifference(scene->GetSimulation().NodePositions(0), before) <= 2e-11);
  CHECK(Norm(scene->GetRigidState(First(*scene)).centerOfMass - center) == 0);

  SceneDescription moved = SceneWith(0);
  moved.actors.soft = {Cube()};
  const auto away = Start(moved, 1e-9);
  Displace(*away, [&](int) { return far; });
  Advance(*away, kDt, 100);
  const DynamicArray<Real3> ended = away->GetNodePositions(First(*away).softs[0]);
  for (size_t n = 0; n < ended.size(); ++n) CHECK(Norm(ended[n] - far - NodeOf(mesh, int(n))) <= 2e-11);
}

TEST_CASE("momentum: constant without gravity, and the energy never rises", "[physics][momentum]") {
  // The residual of a converged step bounds the change of momentum; implicit Euler only loses energy.
  SceneDescription description = SceneWith(0);
  description.actors.articulated = {FreeChain()};
  description.actors.articulated[0].jointVelocities = DynamicArray<Real>{0.3, -0.2, 0.1, 1, 2, -1.5, 3, 1, -2, 0.5};
  description.actors.softSkinned = {SkinnedBar(ArticulatedJointType::Free)};
  description.actors.softSkinned[0].skeletonParams.jointVelocities = DynamicArray<Real>{0.3, 0.4, 0, 1, -2, 1, 2};
  const auto scene = Start(description);
  const Real3 before = scene->GetEnergies().linearMomentum;
  CHECK(Norm(before) > 1);
  Real energy = scene->GetEnergies().Total();
  CHECK(energy > 1);
  for (int step = 0; step < 100; ++step) {
    Advance(*scene, kDt, 1);
    const SceneEnergies now = scene->GetEnergies();
    CHECK(now.Total() <= energy * (1 + 1e-9));
    energy = now.Total();
    CHECK(Norm(now.linearMomentum - before) <= 1e-9 * Norm(before));
  }
}

TEST_CASE("time steps that change: a constant velocity stays, and the fall is the sum of the steps",
          "[physics][fall]") {
  // v = -g t, and each Euler step falls by its own v dt. BDF2 restarts with an Euler step when dt changes.
  const Real steps[] = {0.01, 0.01, 0.02, 0.005, 0.005, 0.03};
  SceneDescription description = SceneWith();
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3})};
  description.actors.soft = {Cube(1)};
  description.actors.soft[0].hasGravity = false;
  for (const IntegrationMethod method : {IntegrationMethod::BackwardEuler, IntegrationMethod::BDF2}) {
    const auto scene = Start(description, kTight, method);
    SetVelocity(*scene, [](int) { return Real3{1, -2, 3}; });
    const DynamicArray<Real3> before = scene->GetNodePositions(scene->GetActors()[1].softs[0]);
    Real time = 0, fall = 0;
    for (const Real dt : steps) {
      Advance(*scene, dt, 1);
      time += dt;
      fall -= kGravity * time * dt;
      CHECK(LargestChange(scene->GetNodePositions(scene->GetActors()[1].softs[0]), before, time * Real3{1, -2, 3}) <=
            1e-11);
      CHECK(scene->GetRigidState(First(*scene)).linearVelocity.z == Approx(-kGravity * time).epsilon(1e-11));
    }
    if (method == IntegrationMethod::BackwardEuler)
      CHECK(scene->GetRigidState(First(*scene)).centerOfMass.z == Approx(fall).epsilon(1e-11));
  }
}

TEST_CASE("multistep integration keeps a constant velocity and a constant acceleration", "[physics][integration]") {
  // BDF2 is exact for positions of second degree; what its first step, an Euler step, adds is known.
  SceneDescription description = SceneWith(0);
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3})};
  description.actors.rigid[0].linearVelocity = Real3{1, -2, 3};
  description.actors.soft = {Cube(1)};
  for (const IntegrationMethod method : {IntegrationMethod::BackwardEuler, IntegrationMethod::BDF2}) {
    const auto scene = Start(description, kTight, method);
    SetVelocity(*scene, [](int) { return Real3{1, -2, 3}; });
    const DynamicArray<Real3> before = scene->GetNodePositions(scene->GetActors()[1].softs[0]);
    Advance(*scene, kDt, 50);
    CHECK(Norm(scene->GetRigidState(First(*scene)).centerOfMass - Real3{0.5, -1, 1.5}) <= 1e-12);
    CHECK(LargestChange(scene->GetNodePositions(scene->GetActors()[1].softs[0]), before, {0.5, -1, 1.5}) <= 1e-11);
  }
  description.scene.gravity = {0, 0, -kGravity};
  description.actors.rigid[0].linearVelocity.reset();
  const auto scene = Start(description, kTight, IntegrationMethod::BDF2);
  Advance(*scene, kDt, 100);
  // v_{n+1} = 4/3 v_n - 1/3 v_{n-1} - 2/3 g dt keeps v_n = -g dt n, and the Euler step starts on it.
  CHECK(scene->GetRigidState(First(*scene)).linearVelocity.z == Approx(-kGravity).epsilon(1e-12));
  // z_1 = -g dt^2 is 1/2 g dt^2 below the parabola; of that error e_1 the recursion keeps e_1 3/2 (1 - 3^-n).
  const Real z = -0.5 * kGravity - 0.5 * kGravity * kDt * kDt * 1.5 * (1 - std::pow(3.0, -100));
  CHECK(scene->GetRigidState(First(*scene)).centerOfMass.z == Approx(z).epsilon(1e-12));
}

}  // namespace dermis
