// Pendulums: periods, order of convergence, energy, placement.
#include <algorithm>
#include <complex>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

using Type = ArticulatedJointType;
constexpr Real kRodPeriod = 1.637947;  // 2 pi sqrt(2 L / 3 g) of a uniform rod of 1 m [s]

// A uniform rod of 1 m on a hinge about y, released at an angle from the vertical.
SceneDescription Rod(Real angle) {
  SceneDescription description = SceneWith();
  ArticulatedActorParams actor;
  actor.joints = {Joint(Type::Revolute, {0, 1, 0})};
  actor.joints[0].parentLinkFromJoint.rotation = RotationOf({0, 1, 0}, angle);
  actor.links = {RodLink(-1, 1, {0, 0, -1})};
  description.actors.articulated = {actor};
  return description;
}
// Four times the time to the lowest point, found between the steps.
Real Period(Real angle, Real dt, IntegrationMethod method) {
  const auto scene = Start(Rod(angle), 1e-12, method);
  Real before = angle, energy = scene->GetEnergies().Total();
  for (int step = 0; step < 20000; ++step) {
    Advance(*scene, dt, 1);
    const Real now = angle + Q(*scene);
    if (method == IntegrationMethod::BackwardEuler) {
      CHECK(scene->GetEnergies().Total() <= energy + 1e-12);
      energy = scene->GetEnergies().Total();
    }
    if (now <= 0) return 4 * dt * (step + before / (before - now));
    before = now;
  }
  return 0;
}

// Two rods on hinges, let go level.
SceneDescription DoublePendulum() {
  SceneDescription description = SceneWith();
  ArticulatedActorParams actor;
  actor.joints = {Joint(Type::Revolute, {0, 1, 0}), Joint(Type::Revolute, {0, 1, 0}, {0.5, 0, 0})};
  actor.links = {RodLink(-1, 1, {0.5, 0, 0}), RodLink(0, 0.7, {0.4, 0, 0})};
  description.actors.articulated = {actor};
  return description;
}
DynamicArray<Real> After(Real time, int steps, IntegrationMethod method) {
  const auto scene = Start(DoublePendulum(), 1e-12, method);
  Advance(*scene, time / steps, steps);
  return scene->GetArticulatedState(First(*scene)).q;
}

}  // namespace

TEST_CASE("pendulum: the period of a rod at small and large angles", "[physics][pendulum]") {
  // T / T0 = 1 / agm(1, cos(angle / 2)): 1.017409, 1.073182, 1.180341, 1.762204 at 30, 60, 90 and 150
  // degrees. Two step sizes, and
  // the error of first order taken out of them: what is left is of second order, (w dt)^2 / 12 = 1e-6 and less.
  CHECK(2 * kPi * std::sqrt(2 / (3 * kGravity)) == Approx(kRodPeriod).epsilon(1e-6));
  const Real ratios[][2] = {{0.1, 1}, {30, 1.017409}, {60, 1.073182}, {90, 1.180341}, {150, 1.762204}};
  for (const IntegrationMethod method : {IntegrationMethod::BackwardEuler, IntegrationMethod::BDF2})
    for (const auto& [degrees, ratio] : ratios) {
      INFO(EnumName(method) << ", " << degrees << " degrees");
      const Real angle = degrees * kPi / 180;
      const Real period = 2 * Period(angle, 1e-3, method) - Period(angle, 2e-3, method);
      CHECK(period == Approx(ratio * kRodPeriod).epsilon(2e-5));
    }
  // Implicit Euler at a small angle has the frequency atan(w dt) / dt.
  const Real dt = 5e-3, w = 2 * kPi / kRodPeriod;
  CHECK(Period(1e-3, dt, IntegrationMethod::BackwardEuler) == Approx(2 * kPi * dt / std::atan(w * dt)).epsilon(1e-5));
}

TEST_CASE("convergence: first order of implicit Euler, on a pendulum and on a double one", "[physics][integration]") {
  const Real exact = 1.180341 * kRodPeriod;
  const Real coarse = Period(kPi / 2, 4e-3, IntegrationMethod::BackwardEuler) - exact;
  const Real fine = Period(kPi / 2, 2e-3, IntegrationMethod::BackwardEuler) - exact;
  CHECK(coarse / fine == Approx(2).margin(0.1));
  // Against two finer runs, with their error of first order taken out.
  const Real half = After(0.5, 2000, IntegrationMethod::BackwardEuler)[1];
  const Real reference = 2 * After(0.5, 4000, IntegrationMethod::BackwardEuler)[1] - half;
  const Real euler = After(0.5, 500, IntegrationMethod::BackwardEuler)[1] - reference;
  CHECK(euler / (After(0.5, 1000, IntegrationMethod::BackwardEuler)[1] - reference) == Approx(2).margin(0.1));
  // Both methods lead to the same motion. Of a rotation BDF2, too, is of first order, see below.
  CHECK(2 * After(0.5, 2000, IntegrationMethod::BDF2)[1] - After(0.5, 1000, IntegrationMethod::BDF2)[1] ==
        Approx(reference).margin(0.01 * std::abs(euler)));
}

TEST_CASE("convergence: second order of BDF2 where nothing but displacements moves", "[physics][integration]") {
  // A clamped bar that falls into its bend, after 0.1 s, against steps eight times finer.
  const MeshData mesh = BoxTets({4, 1, 1}, {0.4, 0.1, 0.1});
  SceneDescription description = SceneWith();
  description.actors.soft = {Soft(TetShape(mesh), SoftMaterialType::NeoHookean, 2e4, 0.3)};
  const auto after = [&](int steps, IntegrationMethod method) {
    const auto scene = Start(description, 1e-12, method);
    Prescribe(*scene, NodesWhere(mesh, [](const Real3& x) { return x.x < 1e-9; }), [](int) { return Real3{}; });
    Advance(*scene, 0.1 / steps, steps);
    return scene->GetSimulation().GetState("displacement", 0);
  };
  const DynamicArray<Real> exact = after(3200, IntegrationMethod::BDF2);
  const Real bdf2 = LargestDifference(after(400, IntegrationMethod::BDF2), exact);
  CHECK(LargestDifference(after(200, IntegrationMethod::BDF2), exact) / bdf2 == Approx(4).margin(0.4));
  const Real euler = LargestDifference(after(400, IntegrationMethod::BackwardEuler), exact);
  CHECK(LargestDifference(after(200, IntegrationMethod::BackwardEuler), exact) / euler == Approx(2).margin(0.2));
  CHECK(bdf2 < 0.1 * euler);
}

TEST_CASE("rotation: a free spin slows by the recursion of the projected predictor", "[physics][integration]") {
  // The body turns to the rotation that is nearest to R~ = (1 + h W) R. About a principal axis that is a product of
  // complex numbers: with t the angle from the base state, h W = 1 - exp(-i t) of the last step.
  using Complex = std::complex<Real>;
  const Real spin = 5, dt = 0.01;
  SceneDescription description = SceneWith(0);
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3})};
  description.actors.rigid[0].angularVelocity = Real3{0, 0, spin};
  for (const IntegrationMethod method : {IntegrationMethod::BackwardEuler, IntegrationMethod::BDF2}) {
    INFO(EnumName(method));
    const auto scene = Start(description, 1e-13, method);
    Complex w = (std::polar(1.0, std::asin(spin * dt)) - 1.0) / dt, w0 = w;
    Real angle = 0, angle0 = 0;
    for (int step = 0; step < 100; ++step) {
      Advance(*scene, dt, 1);
      const bool isBdf2 = method == IntegrationMethod::BDF2 && step > 0;
      const Real h = isBdf2 ? dt * 2 / 3 : dt, share = isBdf2 ? 1.0 / 3 : 0;
      const Real turn = std::arg(1.0 + h * (w + share * (w - w0)));
      const Real next = angle + share * (angle - angle0) + turn;
      w0 = w;
      w = (1.0 - std::polar(1.0, -turn)) / h;
      angle0 = angle;
      angle = next;
    }
    const Quaternion expected = RotationOf({0, 0, 1}, angle);
    const Quaternion q = scene->GetRigidState(First(*scene)).rotation;
    CHECK(Norm(Rotate(q, {1, 1, 0}) - Rotate(expected, {1, 1, 0})) <= 1e-11);
    CHECK(angle < spin);
  }
}

TEST_CASE("placement: a turned and moved actor under turned gravity has the turned trajectory",
          "[physics][invariance]") {
  SoftSkinnedActorParams actor = SkinnedBar(Type::Spherical);
  actor.skeletonParams.jointVelocities = DynamicArray<Real>{0.5, 1, -1, 2};
  SceneDescription plain = SceneWith();
  plain.actors.softSkinned = {actor};
  const auto reference = Start(plain);
  const TransformRT place{RotationOf({1, -2, 0.5}, 1.9), {2, -3, 1}};
  SceneDescription turned = plain;
  turned.scene.gravity = Rotate(place.rotation, plain.scene.gravity);
  turned.actors.softSkinned[0].skeletonParams.worldFromRoot = place;
  const auto scene = Start(turned);
  Advance(*reference, 0.01, 40);
  Advance(*scene, 0.01, 40);
  const DynamicArray<Real3> a = reference->GetNodePositions(First(*reference).softs[0]);
  const DynamicArray<Real3> b = scene->GetNodePositions(First(*scene).softs[0]);
  Real largest = 0;
  for (size_t n = 0; n < a.size(); ++n) largest = std::max(largest, Norm(place * a[n] - b[n]));
  CHECK(largest <= 1e-10);
  CHECK(LargestDifference(reference->GetArticulatedState(First(*reference)).q,
                          scene->GetArticulatedState(First(*scene)).q) <= 1e-9);
  CHECK(Norm(a.back() - Real3{0.6, 0.05, 0.05}) > 0.1);  // it has moved
}

}  // namespace dermis
