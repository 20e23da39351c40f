// What every kind of joint must satisfy, for each entry of the list; and the sense and continuity of angles.
#include "tests/kernels/joints.h"

#include <numbers>

#include "tests/catch.h"

using namespace dermis;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSamples = 50;

double Distance(const Vec3d& a, const Vec3d& b) { return Norm(a - b); }

}  // namespace

TEST_CASE("Joints: the twist of a degree of freedom is the derivative of the transform") {
  // Central differences with steps of 1e-5 of transforms of size 5: truncation 1e-10, round-off 1e-10.
  ForEachJoint([]<class Joint>() {
    Random random(1);
    for (int i = 0; i < kSamples; ++i) {
      const Vec3d axis = RandomAxis(random);
      const JointNumbers c = RandomConfig<Joint>(random);
      const Affine3d now = Joint::Transform(c, axis);
      for (int k = 0; k < Joint::kDofs; ++k) {
        CAPTURE(Joint::kName, k);
        JointNumbers unit;
        unit[k] = 1;
        const double h = 1e-5;
        const Affine3d slope = (0.5 / h) * (Joint::Transform(Moved<Joint>(c, unit, h), axis) -
                                            Joint::Transform(Moved<Joint>(c, unit, -h), axis));
        REQUIRE(Size(slope - Applied(Joint::MotionOf(c, axis, k), now, 1)) <= 1e-9);
      }
    }
  });
}

TEST_CASE("Joints: products of twists, the outer one first, are the second derivatives of the transform") {
  // d2A/dk dl = S_outer S_inner A by Order, the symmetric mean within one rotation. Second differences with steps of
  // 1e-4: truncation 1e-8 times fourth derivatives of size 20, round-off 1e-15/1e-8.
  ForEachJoint([]<class Joint>() {
    Random random(2);
    for (int i = 0; i < kSamples; ++i) {
      CAPTURE(Joint::kName);
      const Vec3d axis = RandomAxis(random);
      const JointNumbers c = RandomConfig<Joint>(random), d = RandomDelta<Joint>(random);
      const Affine3d now = Joint::Transform(c, axis);
      const double h = 1e-4;
      const Affine3d curvature = (1 / (h * h)) * (Joint::Transform(Moved<Joint>(c, d, h), axis) - 2.0 * now +
                                                  Joint::Transform(Moved<Joint>(c, d, -h), axis));
      Affine3d sum = 0.0 * now;
      for (int k = 0; k < Joint::kDofs; ++k)
        for (int l = 0; l < Joint::kDofs; ++l) {
          const Twist sk = Joint::MotionOf(c, axis, k), sl = Joint::MotionOf(c, axis, l);
          const Affine3d kl = Applied(sk, Applied(sl, now, 1), 0), lk = Applied(sl, Applied(sk, now, 1), 0);
          const int ok = Joint::Order(k), ol = Joint::Order(l);
          sum = sum + (d[k] * d[l]) * (ok < ol ? kl : ok > ol ? lk : 0.5 * (kl + lk));
        }
      REQUIRE(Size(curvature - sum) <= 2e-6);
    }
  });
}

TEST_CASE("Joints: retraction and difference are inverse, and so are user coordinates and configuration") {
  // Round-off of numbers of size 3.
  ForEachJoint([]<class Joint>() {
    Random random(3);
    for (int i = 0; i < kSamples; ++i) {
      CAPTURE(Joint::kName);
      const JointNumbers a = RandomConfig<Joint>(random), b = RandomConfig<Joint>(random);
      JointNumbers d = RandomUser<Joint>(random), moved, back, there;
      Joint::Retract(a, d, moved);
      Joint::Delta(a, moved, back);
      for (int k = 0; k < Joint::kDofs; ++k) REQUIRE(std::abs(back[k] - d[k]) <= 5e-15);
      Joint::Delta(a, b, d);
      Joint::Retract(a, d, there);
      const Vec3d axis = RandomAxis(random);
      REQUIRE(Size(Joint::Transform(there, axis) - Joint::Transform(b, axis)) <= 1e-14);
      // No change is none, to the bit of a scalar and the last one of a rotation.
      Joint::Delta(a, a, d);
      for (int k = 0; k < Joint::kDofs; ++k) REQUIRE(std::abs(d[k]) <= 2e-16);

      const JointNumbers q = RandomUser<Joint>(random);
      JointNumbers c, user;
      Joint::FromUser(q, c);
      Joint::ToUser(c, user);
      for (int k = 0; k < Joint::kDofs; ++k) REQUIRE(std::abs(user[k] - q[k]) <= 5e-15);
      // Stored rotations are unit quaternions.
      if constexpr (Joint::kRotation >= 0) {
        const Quat r = Joint::Rotation(moved);
        REQUIRE(std::abs(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w - 1) <= 1e-15);
      }
    }
  });
}

TEST_CASE("Joints: the reported velocity is the difference over the step, sin of the angle for rotations") {
  // (R1 - R0) R1^T = 1 - exp(-w) has the skew part sin|w|/|w| [w]. Round-off over h.
  ForEachJoint([]<class Joint>() {
    Random random(4);
    for (int i = 0; i < kSamples; ++i) {
      CAPTURE(Joint::kName);
      const JointNumbers a = RandomConfig<Joint>(random), d = RandomUser<Joint>(random), b = Moved<Joint>(a, d, 1);
      const double h = 0.01;
      JointNumbers velocity;
      Joint::Velocity(a, b, h, velocity);
      double factor = 1;
      if constexpr (Joint::kRotation >= 0) {
        const double* w = d.values + Joint::kRotation;
        const double angle = Norm(Vec3d{w[0], w[1], w[2]});
        factor = std::sin(angle) / angle;
      }
      for (int k = 0; k < Joint::kDofs; ++k) {
        const bool rotates = Joint::kRotation >= 0 && k >= Joint::kRotation;
        REQUIRE(std::abs(velocity[k] - (rotates ? factor : 1.0) * d[k] / h) <= 1e-14 / h);
      }
    }
  });
}

TEST_CASE("Joints: positive angles turn by the right-hand rule, positive distances go along the axis") {
  // +30 degrees about z takes x to (cos 30, sin 30, 0).
  const Vec3d expected{std::cos(kPi / 6), std::sin(kPi / 6), 0};
  const Vec3d x{1, 0, 0}, z{0, 0, 1};
  const double angle[] = {kPi / 6};
  CHECK(Distance(Revolute::Transform(angle, z) * x, expected) <= 1e-15);
  CHECK(Distance(Revolute::Transform(angle, -z) * x, {expected.x, -expected.y, 0}) <= 1e-15);
  const double distance[] = {0.3};
  CHECK(Distance(Prismatic::Transform(distance, z) * x, {1, 0, 0.3}) == 0);
  JointNumbers c;
  const double rotation[] = {0, 0, kPi / 6}, pose[] = {1, 2, 3, 0, 0, kPi / 6};
  Spherical::FromUser(rotation, c);
  CHECK(Distance(Spherical::Transform(c, z) * x, expected) <= 1e-15);
  Free::FromUser(pose, c);
  CHECK(Distance(Free::Transform(c, z) * x, expected + Vec3d{1, 2, 3}) <= 1e-15);
}

TEST_CASE("Joints: angles keep their sign up to half a turn") {
  // +-179 degrees come back as they were set; 181 about an axis is 179 about its opposite.
  for (const double degrees : {30.0, -30.0, 179.0, -179.0, 181.0}) {
    const double angle = degrees * kPi / 180;
    CAPTURE(degrees);
    const double w[] = {0, angle, 0};
    JointNumbers c, user;
    Spherical::FromUser(w, c);
    Spherical::ToUser(c, user);
    CHECK(std::abs(user[1] - (angle > kPi ? angle - 2 * kPi : angle)) <= 2e-15);
    CHECK(std::abs(user[0]) + std::abs(user[2]) == 0);
  }
}

TEST_CASE("Joints: a revolute joint counts turns") {
  // 18 steps of 30 degrees are 540 degrees, not 180; the difference to the start is 540 degrees too.
  double angle[] = {0};
  const double step[] = {kPi / 6};
  for (int i = 0; i < 18; ++i) {
    double next[1];
    Revolute::Retract(angle, step, next);
    CHECK(next[0] > angle[0]);
    angle[0] = next[0];
  }
  double user[1], delta[1];
  const double start[] = {0};
  Revolute::ToUser(angle, user);
  Revolute::Delta(start, angle, delta);
  CHECK(std::abs(user[0] - 3 * kPi) <= 1e-14);
  CHECK(delta[0] == angle[0]);
  CHECK(Distance(Revolute::Transform(angle, {0, 0, 1}) * Vec3d{1, 0, 0}, {-1, 0, 0}) <= 2e-14);
}

TEST_CASE("Joints: the list's limits hold every kind, and kinds are found by number") {
  int kind = 0;
  ForEachJoint([&kind]<class Joint>() {
    CAPTURE(Joint::kName);
    CHECK(Joint::kDofs <= kMaxJointDofs);
    CHECK(Joint::Size() <= kMaxJointConfig);
    CHECK(VisitJoint(kind++, [](auto found) { return std::string(decltype(found)::kName); }) == Joint::kName);
  });
}
