// Joints against scalar recursions: springs, limits, friction, armature, initial velocities, placement.
#include <algorithm>
#include <complex>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

constexpr Real kDt = 0.01;
using Type = ArticulatedJointType;

SceneDescription OneLink(const ArticulatedJointParams& joint, const ArticulatedLinkParams& link, Real gravity) {
  SceneDescription description = SceneWith(gravity);
  ArticulatedActorParams actor;
  actor.joints = {joint};
  actor.links = {link};
  description.actors.articulated = {actor};
  return description;
}
// 1 kg on a slider along x, held by a spring: limits on both sides at 0.
SceneDescription Oscillator(Real stiffness) {
  ArticulatedJointParams joint = Joint(Type::Prismatic, {1, 0, 0});
  joint.minLimit = joint.maxLimit = Real3{};
  joint.limitStiffness = stiffness;
  SceneDescription description = OneLink(joint, PointLink(-1, 1), 0);
  description.actors.articulated[0].jointVelocities = DynamicArray<Real>{1.0};
  return description;
}

}  // namespace

TEST_CASE("oscillator: implicit Euler damps and slows by its known factors", "[physics][oscillator]") {
  // (q w + i v) is multiplied by 1 / (1 + i w dt) a step. At 1 Hz and 0.01 s: amplitude 0.998032 a step, 0.821188
  // after a second, and a frequency of atan(w dt) / dt, that is a period of 1.001315 s.
  const Real w = 2 * kPi;
  const auto scene = Start(Oscillator(w * w));
  std::complex<Real> state(0, 1);
  Real phase = 0;
  for (int step = 0; step < 100; ++step) {
    Advance(*scene, kDt, 1);
    const std::complex<Real> now(w * Q(*scene), Qd(*scene));
    CHECK(std::abs(now) / std::abs(state) == Approx(1 / std::sqrt(1 + w * w * kDt * kDt)).epsilon(1e-9));
    phase += std::arg(state / now);
    state = now;
  }
  CHECK(1 / std::sqrt(1 + w * w * kDt * kDt) == Approx(0.998032).epsilon(1e-6));
  CHECK(std::abs(state) == Approx(0.821188).epsilon(1e-6));
  CHECK(phase == Approx(100 * std::atan(w * kDt)).epsilon(1e-9));
  CHECK(2 * kPi * 100 * kDt / phase == Approx(1.001315).epsilon(1e-6));
}

TEST_CASE("oscillator: BDF2 follows its recursion and keeps more of the amplitude", "[physics][oscillator]") {
  // h = 2/3 dt, base states 4/3 s_n - 1/3 s_{n-1}, first step implicit Euler.
  const Real k = 4 * kPi * kPi;
  const auto scene = Start(Oscillator(k), kTight, IntegrationMethod::BDF2);
  Real q = 0, v = 1, q0 = 0, v0 = 1;
  for (int step = 0; step < 100; ++step) {
    Advance(*scene, kDt, 1);
    const Real h = step == 0 ? kDt : kDt * 2 / 3, share = step == 0 ? 0 : 1.0 / 3;
    const Real base = q + share * (q - q0), baseV = v + share * (v - v0);
    q0 = q;
    v0 = v;
    v = (baseV - h * k * base) / (1 + h * h * k);
    q = base + h * v;
    CHECK(std::abs(Q(*scene) - q) <= 1e-11);
    CHECK(std::abs(Qd(*scene) - v) <= 1e-9);
  }
  CHECK(std::hypot(2 * kPi * q, v) > 0.98);
  CHECK(std::hypot(2 * kPi * q, v) < 1);
}

TEST_CASE("limits: a load opens them by load / stiffness", "[physics][limits]") {
  // Statically k gap = m g. Large steps damp the motion towards it. Starts inside, at, and outside of the limits.
  for (const Real upper : {0.05, 0.0, -0.05}) {
    ArticulatedJointParams joint = Joint(Type::Prismatic, {0, 0, -1});
    joint.minLimit = Real3{0, 0, 0.3};
    joint.maxLimit = Real3{0, 0, -upper};  // along the axis: upper
    joint.limitStiffness = 500;
    const auto scene = Start(OneLink(joint, PointLink(-1, 2), kGravity));
    Advance(*scene, 1.0, 60);
    CHECK(Q(*scene) == Approx(upper + 2 * kGravity / 500).epsilon(1e-9));
  }
  // A rod on a hinge about y, horizontal at 0: k gap = m g L/2 cos q.
  ArticulatedJointParams hinge = Joint(Type::Revolute, {0, 1, 0});
  hinge.minLimit = Real3{0, -1, 0};
  hinge.maxLimit = Real3{0, 0.2, 0};
  hinge.limitStiffness = 300;
  const auto scene = Start(OneLink(hinge, RodLink(-1, 2, {0.5, 0, 0}), kGravity));
  Advance(*scene, 1.0, 80);
  CHECK(300 * (Q(*scene) - 0.2) == Approx(2 * kGravity * 0.25 * std::cos(Q(*scene))).epsilon(1e-9));
  // The same on a spherical joint: its rotation vector is limited about y only.
  ArticulatedJointParams ball = Joint(Type::Spherical);
  ball.minLimit = Real3{-1, -1, -1};
  ball.maxLimit = Real3{1, 0.2, 1};
  ball.limitStiffness = 300;
  ArticulatedLinkParams rod = RodLink(-1, 2, {0.5, 0, 0});
  rod.momentOfInertia = {0.01, 0, 0, 0.05, 0, 0.05};
  const auto spherical = Start(OneLink(ball, rod, kGravity));
  Advance(*spherical, 1.0, 80);
  CHECK(Q(*spherical, 1) == Approx(Q(*scene)).epsilon(1e-8));
  CHECK(std::abs(Q(*spherical, 0)) + std::abs(Q(*spherical, 2)) <= 1e-9);
}

TEST_CASE("limits: a joint locked by equal limits is a spring on both sides", "[physics][limits]") {
  ArticulatedJointParams hinge = Joint(Type::Revolute, {0, 1, 0});
  hinge.minLimit = hinge.maxLimit = Real3{0, -0.4, 0};
  hinge.limitStiffness = 1000;
  const auto scene = Start(OneLink(hinge, RodLink(-1, 2, {0.5, 0, 0}), kGravity));
  Advance(*scene, 1.0, 80);
  CHECK(1000 * (Q(*scene) + 0.4) == Approx(2 * kGravity * 0.25 * std::cos(Q(*scene))).epsilon(1e-9));
  // Reversed limits are refused by name.
  hinge.minLimit = Real3{0, 0.2, 0};
  hinge.maxLimit = Real3{0, 0.1, 0};
  Error error;
  CHECK(!Scene::Create(OneLink(hinge, RodLink(-1, 2, {0.5, 0, 0}), kGravity), {}, error));
  CHECK(error.GetDescription().find("joints[0].minLimit: 0.2 is above maxLimit 0.1") != String::npos);
}

TEST_CASE("limits: damping slows the way back by its recursion", "[physics][limits]") {
  // m (v1 - v0) / dt + k gap1 + d (gap1 - gap0) / dt = 0 as long as the limit is open; gap = q - 1 below 1.
  const Real mass = 2, stiffness = 30, damping = 10;
  ArticulatedJointParams slider = Joint(Type::Prismatic, {1, 0, 0});
  slider.minLimit = Real3{1, 0, 0};
  slider.maxLimit = Real3{2, 0, 0};
  slider.limitStiffness = stiffness;
  slider.limitDamping = damping;
  const auto scene = Start(OneLink(slider, PointLink(-1, mass), 0));
  Real gap = -1, v = 0;
  for (int step = 0; step < 40; ++step) {
    Advance(*scene, kDt, 1);
    v = (mass * v - kDt * stiffness * gap) / (mass + kDt * damping + kDt * kDt * stiffness);
    gap += kDt * v;
    REQUIRE(gap < 0);
    CHECK(std::abs(Q(*scene) - 1 - gap) <= 1e-11);
  }
}

TEST_CASE("friction: below its threshold a hinge creeps at the known speed, above it slips", "[physics][friction]") {
  // Coulomb's law, smoothed: mu (2 y - y^2) = torque with y = v / falloffVel, so y = 1 - sqrt(1 - torque / mu).
  const Real torque = 2 * kGravity * 0.25, inertia = 2 * 0.25 / 3;
  ArticulatedJointParams hinge = Joint(Type::Revolute, {0, 1, 0});
  for (const Real ratio : {0.3, 0.728, 0.95}) {
    hinge.friction.coulomb = torque / ratio;
    const auto scene = Start(OneLink(hinge, RodLink(-1, 2, {0.5, 0, 0}), kGravity));
    Advance(*scene, kDt, 50);
    // The torque falls with the cosine of an angle below 5e-4.
    CHECK(Qd(*scene) == Approx(1e-3 * (1 - std::sqrt(1 - ratio))).epsilon(1e-4));
  }
  hinge.friction.coulomb = 0.8 * torque;
  const auto scene = Start(OneLink(hinge, RodLink(-1, 2, {0.5, 0, 0}), kGravity));
  Advance(*scene, kDt, 1);
  CHECK(Qd(*scene) == Approx(0.2 * torque / inertia * kDt).epsilon(1e-3));
}

TEST_CASE("friction: a slider slows by Coulomb's and by viscous friction as the recursions say",
          "[physics][friction]") {
  ArticulatedJointParams slider = Joint(Type::Prismatic, {1, 0, 0});
  slider.friction.coulomb = 3;
  slider.friction.falloffVel = 1e-3;
  SceneDescription description = OneLink(slider, PointLink(-1, 2), 0);
  description.actors.articulated[0].jointVelocities = DynamicArray<Real>{1.0};
  const auto coulomb = Start(description);
  // v falls by mu dt / m = 0.015 a step: 0.01 is left after 66 steps, and the next one stops it.
  Advance(*coulomb, kDt, 66);
  CHECK(Qd(*coulomb) == Approx(1 - 66 * 0.015).epsilon(1e-9));
  Advance(*coulomb, kDt, 10);
  // It stops: m v / dt + mu (2 y - y^2) = m v0 / dt, and nearly nothing is left.
  CHECK(Qd(*coulomb) >= 0);
  CHECK(Qd(*coulomb) <= 1e-6);
  Real path = 0;
  for (int n = 1; n <= 66; ++n) path += kDt * (1 - 0.015 * n);
  CHECK(Q(*coulomb) == Approx(path).margin(kDt * 1e-3));

  description.actors.articulated[0].joints[0].friction = {.viscous = 4};
  const auto viscous = Start(description);
  Advance(*viscous, kDt, 100);
  CHECK(Qd(*viscous) == Approx(std::pow(1 + 4 * kDt / 2, -100)).epsilon(1e-10));
}

TEST_CASE("armature: a joint accelerates as if its inertia were larger", "[physics][armature]") {
  // (m + a) dv / dt = m g on a slider; (I + a) on a hinge.
  ArticulatedJointParams slider = Joint(Type::Prismatic, {0, 0, 1});
  slider.inertia = 6;
  const auto scene = Start(OneLink(slider, PointLink(-1, 2), kGravity));
  Advance(*scene, kDt, 100);
  CHECK(Q(*scene) == Approx(2.0 / (2 + 6) * -4.954050).epsilon(1e-10));

  ArticulatedJointParams hinge = Joint(Type::Revolute, {0, 1, 0});
  hinge.inertia = 0.4;
  const auto turned = Start(OneLink(hinge, RodLink(-1, 2, {0.5, 0, 0}), kGravity));
  const Real dt = 1e-4, inertia = 2 * 0.25 / 3;
  Advance(*turned, dt, 1);
  CHECK(Qd(*turned) == Approx(2 * kGravity * 0.25 / (inertia + 0.4) * dt).epsilon(1e-6));
}

TEST_CASE("initial velocities: the first step of a body moves its joint as far", "[physics][joints]") {
  // A free body turns by asin(dt |w|), where dt w is the skew part of the rotation; translations move by dt v.
  const Real3 w{1.5, -2, 0.7};
  const Real3 turned = (std::asin(kDt * Norm(w)) / Norm(w)) * w;
  SceneDescription description = OneLink(Joint(Type::Free), BoxLink(-1, {0.1, 0.2, 0.3}), 0);
  description.actors.articulated[0].jointVelocities = DynamicArray<Real>{0.1, 0.2, -0.3, w.x, w.y, w.z};
  const auto free = Start(description);
  Advance(*free, kDt, 1);
  const DynamicArray<Real> q = free->GetArticulatedState(First(*free)).q,
                           qd = free->GetArticulatedState(First(*free)).qd;
  CHECK(LargestDifference(q, {1e-3, 2e-3, -3e-3, turned.x, turned.y, turned.z}) <= 1e-13);
  CHECK(LargestDifference(qd, {0.1, 0.2, -0.3, w.x, w.y, w.z}) <= 1e-11);

  description.actors = {};
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3}, {1, 2, 3})};
  description.actors.rigid[0].linearVelocity = Real3{0.1, 0.2, -0.3};
  description.actors.rigid[0].angularVelocity = w;
  const auto rigid = Start(description);
  Advance(*rigid, kDt, 1);
  const RigidState state = rigid->GetRigidState(First(*rigid));
  CHECK(Norm(state.centerOfMass - Real3{1.001, 2.002, 2.997}) <= 1e-13);
  const Quaternion expected = RotationOf(w, std::asin(kDt * Norm(w)));
  CHECK(Norm(Rotate(state.rotation, {1, 2, 3}) - Rotate(expected, {1, 2, 3})) <= 1e-12);

  // About the centre of mass a hinge does the same; a slider moves by dt v; a ball turns as the free body does.
  const auto first = [&](Type type, const Real3& axis, DynamicArray<Real> velocity) {
    SceneDescription one = OneLink(Joint(type, axis), BoxLink(-1, {0.1, 0.2, 0.3}), 0);
    one.actors.articulated[0].jointVelocities = velocity;
    const auto scene = Start(one);
    Advance(*scene, kDt, 1);
    return scene->GetArticulatedState(First(*scene)).q;
  };
  CHECK(LargestDifference(first(Type::Revolute, {0, 2, 0}, {3}), {std::asin(0.03)}) <= 1e-13);
  CHECK(LargestDifference(first(Type::Prismatic, {0, 2, 0}, {3}), {0.03}) <= 1e-13);
  CHECK(LargestDifference(first(Type::Spherical, {}, {w.x, w.y, w.z}), {turned.x, turned.y, turned.z}) <= 1e-13);
}

}  // namespace dermis
