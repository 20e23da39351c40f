// Derivatives of the skeleton and of skinned points against finite differences, and the gradient of a whole step.
#include <algorithm>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

using Type = ArticulatedJointType;

// Every kind of joint in one chain.
SceneDescription Chain() {
  SceneDescription description = SceneWith();
  ArticulatedActorParams actor;
  actor.worldFromRoot = {RotationOf({1, 1, 0}, 0.4), {1, 2, 3}};
  actor.joints = {Joint(Type::Free), Joint(Type::Revolute, {1, 2, 0}, {0.2, 0, 0}),
                  Joint(Type::Prismatic, {0, 1, 1}, {0.1, 0.1, 0}), Joint(Type::Hard, {}, {0, 0.1, 0}),
                  Joint(Type::Spherical, {}, {0, 0.1, 0.1})};
  for (int i = 0; i < 5; ++i) {
    actor.joints[size_t(i)].parentLinkFromJoint.rotation = RotationOf({0.3, -1, 0.5}, 0.3 * i);
    actor.links.push_back(BoxLink(i - 1, {0.1, 0.2, 0.15}, {0.02, 0.05, -0.03}));
    actor.links.back().parentJointFromLink.translation = {0, 0, 0.02 * i};
  }
  actor.jointVelocities = DynamicArray<Real>{0.3, -0.2, 0.1, 1, 2, -1.5, 3, 0.5, 1, -2, 0.5};
  description.actors.articulated = {actor};
  return description;
}

// The configuration h qd further: scalars are added, rotation vectors act from the left on unit quaternions.
DynamicArray<Real> Moved(DynamicArray<Real> config, const DynamicArray<Real>& qd, Real h,
                         const DynamicArray<Type>& joints) {
  size_t c = 0, d = 0;
  for (const Type type : joints) {
    const int scalars = type == Type::Free ? 3 : type == Type::Revolute || type == Type::Prismatic ? 1 : 0;
    for (int k = 0; k < scalars; ++k) config[c++] += h * qd[d++];
    if (type != Type::Free && type != Type::Spherical) continue;
    const Real3 w{qd[d], qd[d + 1], qd[d + 2]};
    const Quaternion q =
        RotationOf(w, h * Norm(w)) * Quaternion{config[c], config[c + 1], config[c + 2], config[c + 3]};
    for (const Real value : {q.x, q.y, q.z, q.w}) config[c++] = value;
    d += 3;
  }
  REQUIRE(c == config.size());
  REQUIRE(d == qd.size());
  return config;
}

// Central difference of what `positions` reads along the joint velocities qd.
template <class Read>
DynamicArray<Real> Difference(Scene& scene, const DynamicArray<Real>& qd, const DynamicArray<Type>& joints,
                              const Read& read) {
  constexpr Real h = 1e-5;
  Simulation& simulation = scene.GetSimulation();
  const DynamicArray<Real> config = simulation.GetState("config", 0);
  simulation.SetState("config", 0, Moved(config, qd, h, joints));
  DynamicArray<Real> result = read();
  simulation.SetState("config", 0, Moved(config, qd, -h, joints));
  const DynamicArray<Real> before = read();
  simulation.SetState("config", 0, config);
  for (size_t k = 0; k < result.size(); ++k) result[k] = (result[k] - before[k]) / (2 * h);
  return result;
}

}  // namespace

TEST_CASE("kinematics: velocities of links are the derivative of their transforms", "[physics][kinematics]") {
  // Every joint alone, then all together, from a pose in motion. Central differences have an error of 1e-10.
  const auto scene = Start(Chain());
  const DynamicArray<Type> joints{Type::Free, Type::Revolute, Type::Prismatic, Type::Hard, Type::Spherical};
  Advance(*scene, 0.02, 20);
  Simulation& simulation = scene->GetSimulation();
  const CompiledModel& model = scene->GetModel();
  for (int moving = 0; moving <= model.m.dofs; ++moving) {
    DynamicArray<Real> qd(size_t(model.m.dofs), 0.0);
    for (int d = 0; d < model.m.dofs; ++d)
      if (d == moving || moving == model.m.dofs) qd[size_t(d)] = 0.5 + 0.3 * d;
    INFO("coordinate " << moving);
    simulation.SetState("dofVelocity", 0, qd);
    simulation.VelocitiesFromJoints(0);
    // dA/dt = W A for the rotation, and the velocity of the centre of mass.
    const DynamicArray<Real> rate = Difference(*scene, qd, joints, [&] { return simulation.FrameTransforms(0); });
    const DynamicArray<Real> frames = simulation.FrameTransforms(0), spin = simulation.GetState("frameSpin", 0);
    const DynamicArray<Real> velocity = simulation.GetState("frameVelocity", 0);
    Real largest = 0;
    for (size_t f = 0; f < size_t(model.m.frames); ++f)
      for (size_t i = 0; i < 3; ++i) {
        Real center = rate[12 * f + 4 * i + 3];
        for (size_t j = 0; j < 3; ++j) {
          center += rate[12 * f + 4 * i + j] * model.frameCenter[3 * f + j];
          Real turned = 0;
          for (size_t k = 0; k < 3; ++k) turned += spin[9 * f + 3 * i + k] * frames[12 * f + 4 * k + j];
          largest = std::max(largest, std::abs(turned - rate[12 * f + 4 * i + j]));
        }
        largest = std::max(largest, std::abs(center - velocity[3 * f + i]));
      }
    CHECK(largest <= 1e-8);
  }
}

TEST_CASE("kinematics: velocities of skinned nodes are the derivative of their positions", "[physics][kinematics]") {
  // x = sum_l w_l T_l(q) (X + u), blended over two links.
  for (const Type root : {Type::Free, Type::Spherical, Type::Revolute, Type::Prismatic}) {
    INFO(EnumName(root));
    SceneDescription description = SceneWith();
    description.actors.softSkinned = {SkinnedBar(root)};
    const auto scene = Start(description);
    Advance(*scene, 0.02, 10);
    Simulation& simulation = scene->GetSimulation();
    DynamicArray<Real> qd;
    for (int d = 0; d < scene->GetModel().m.dofs; ++d) qd.push_back(0.7 - 0.4 * d);
    simulation.SetState("dofVelocity", 0, qd);
    simulation.VelocitiesFromJoints(0);
    const DynamicArray<Real> rate =
        Difference(*scene, qd, {root, Type::Revolute}, [&] { return simulation.NodePositions(0); });
    CHECK(LargestDifference(rate, simulation.GetState("nodeVelocity", 0)) <= 1e-8);
  }
}

TEST_CASE("kinematics: the gradient of a step is the slope of its energy", "[physics][kinematics]") {
  // Posed stress, inertia and gravity of a skinned bar, both dampings, friction, armature and an open limit.
  SoftSkinnedActorParams actor = SkinnedBar(Type::Spherical);
  ArticulatedJointParams& hinge = actor.skeletonParams.joints[1];
  hinge.friction = {.viscous = 0.3, .coulomb = 0.2, .falloffVel = 0.5};
  hinge.inertia = 0.1;
  hinge.minLimit = Real3{0, 0.3, 0};
  hinge.maxLimit = Real3{0, 0.5, 0};
  actor.softParams[0].material.massDampingCoefficient = 0.5;
  actor.softParams[0].material.stiffnessDampingCoefficient = 0.05;
  actor.skeletonParams.jointVelocities = DynamicArray<Real>{0.5, 1, -1, 2};
  SceneDescription description = SceneWith();
  description.actors.softSkinned = {actor};
  const auto scene = Start(description);
  Advance(*scene, 0.01, 5);
  const CompiledModel& model = scene->GetModel();
  const size_t rows = 3 * size_t(model.m.rows), coordinates = rows - 3 * size_t(model.m.nodes);
  DynamicArray<Real> offset(rows, 0.0), zero(rows, 0.0);
  // Coordinates first, padded to whole rows; then the nodes, of which the constrained do not move.
  const auto isFree = [&](size_t k) {
    return k < coordinates ? k < size_t(model.m.dofs) : model.nodeConstrained[(k - coordinates) / 3] == 0;
  };
  for (size_t k = 0; k < rows; ++k)
    if (isFree(k)) offset[k] = 1e-3 * std::sin(1.0 + 7.0 * Real(k));
  for (int trial = 0; trial < 3; ++trial) {
    DynamicArray<Real> direction = zero, back = zero;
    const Real step = 1e-6;
    for (size_t k = 0; k < rows; ++k)
      if (isFree(k)) direction[k] = step * std::sin(2.0 + trial + 3.0 * Real(k));
    for (size_t k = 0; k < rows; ++k) back[k] = -direction[k];
    const auto ahead = scene->GetSimulation().ProbeStep(0.01, 0, offset, direction, true);
    const auto behind = scene->GetSimulation().ProbeStep(0.01, 0, offset, back, true);
    Real slope = 0, size = 0;
    for (size_t k = 0; k < rows; ++k) {
      slope += ahead.gradient[k] * direction[k];
      size += std::abs(ahead.gradient[k] * direction[k]);
    }
    CHECK(std::abs(slope - 0.5 * (ahead.difference - behind.difference)) <= 1e-7 * size);
  }
}

}  // namespace dermis
