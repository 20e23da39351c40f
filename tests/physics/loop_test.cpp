// Closed loops of links.
#include <algorithm>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

using Type = ArticulatedJointType;
constexpr Real kStiffness = 5e4;

// A swing: two rods of 0.3 m hang 0.5 m apart, and a third joins their ends. All hinges are parallel to y.
SceneDescription FourBar(const DynamicArray<Real>& velocities) {
  SceneDescription description = SceneWith();
  ArticulatedActorParams actor;
  const Real3 y{0, 1, 0};
  actor.joints = {Joint(Type::Revolute, y), Joint(Type::Revolute, y, {0, 0, -0.3}),
                  Joint(Type::Revolute, y, {0.5, 0, 0})};
  actor.links = {RodLink(-1, 1, {0, 0, -0.3}), RodLink(0, 2, {0.5, 0, 0}), RodLink(-1, 1, {0, 0, -0.3})};
  ArticulatedCycleJointParams cycle;
  cycle.parentLink = 2;
  cycle.childLink = 1;
  cycle.jointFromChildLink.translation = {-0.5, 0, 0};  // the joint is at the far end of the coupler
  cycle.stiffness = kStiffness;
  actor.cycles = {cycle};
  actor.jointVelocities = velocities;
  description.actors.articulated = {actor};
  return description;
}
// From the end of the hanging rod to the end of the coupler.
Real3 Gap(const Scene& scene) {
  const DynamicArray<TransformRT> links = scene.GetLinkTransforms(First(scene));
  return links[1] * Real3{0.5, 0, 0} - links[2] * Real3{0, 0, -0.3};
}

}  // namespace

TEST_CASE("loop: at rest it opens by load / stiffness", "[physics][loop]") {
  // Half of the weight of the coupler hangs on the compliant joint: 2 kg g / 2 / 5e4 N/m = 0.196 mm.
  const auto scene = Start(FourBar({0.3, -0.3, 0.3}));
  Advance(*scene, 0.5, 100);
  const Real3 gap = Gap(*scene);
  CHECK(gap.z == Approx(-kGravity / kStiffness).epsilon(2e-3));
  CHECK(std::abs(gap.x) <= 1e-8);
  CHECK(std::abs(gap.y) <= 1e-15);
}

TEST_CASE("loop: parallel axes swing without end, and the loop stays closed", "[physics][loop]") {
  // The load is at most the coupler's weight and its centripetal force m w^2 r; the energy never rises.
  const auto scene = Start(FourBar({4, -4, 4}));
  Real energy = scene->GetEnergies().Total(), largest = 0, turned = 0;
  for (int step = 0; step < 200; ++step) {
    Advance(*scene, 0.005, 1);
    largest = std::max(largest, Norm(Gap(*scene)));
    turned = std::max(turned, std::abs(Q(*scene)));
    const SceneEnergies now = scene->GetEnergies();
    const Real closure = 0.5 * kStiffness * Dot(Gap(*scene), Gap(*scene));
    CHECK(now.Total() + closure <= energy + 1e-9);
    energy = now.Total() + closure;
    for (const TransformRT& link : scene->GetLinkTransforms(First(*scene)))
      CHECK(std::abs(link.translation.y) <= 1e-13);
  }
  CHECK(turned > 0.3);
  CHECK(largest <= 2 * (kGravity + 16 * 0.3) / kStiffness);
}

}  // namespace dermis
