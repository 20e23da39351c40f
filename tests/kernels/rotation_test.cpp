// Exponential map, logarithm and the derivative of the logarithm, at tiny angles, at the switches of their series, and
// near half a turn.
#include "kernels/rotation.h"

#include <cmath>
#include <numbers>

#include "tests/catch.h"
#include "tests/kernels/samples.h"

using namespace dermis;

namespace {

constexpr double kPi = std::numbers::pi;

// Both sides of every switch of a series (1e-8 in the logarithm, 1e-3 in exp, 1e-2 in the Jacobian), and half a turn.
const double kAngles[] = {0,       1e-300,  1e-12, 1e-9, 0.99e-8, 1.01e-8, 1e-5,       0.99e-3,   1.01e-3,
                          0.99e-2, 1.01e-2, 0.1,   1,    kPi / 2, 3,       kPi - 1e-3, kPi - 1e-9};

Vec3d Unit(Random& random) {
  const Vec3d v = RandomVector(random);
  return (1.0 / Norm(v)) * v;
}

double Distance(const Quat& a, const Quat& b) {
  return std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z) + std::abs(a.w - b.w);
}

// The left Jacobian of SO(3), 1 + (1 - cos a)/a^2 [w] + (a - sin a)/a^3 [w]^2 (Sola, Deray and Atchuthan 2018, eq.
// 145), with coefficients in long double and without cancellation.
Mat3d LeftJacobian(const Vec3d& w) {
  const long double a = std::sqrt((long double)(w.x) * w.x + (long double)(w.y) * w.y + (long double)(w.z) * w.z);
  const long double half = a > 0 ? std::sin(a / 2) / a : 0.5L;
  long double cubic = 0, term = 1.0L / 6;
  for (int k = 0; k < 20; ++k) {
    cubic += term;
    term *= -a * a / ((2 * k + 4) * (2 * k + 5));
  }
  const Mat3d skew = Skew(w);
  return Mat3d::Identity() + double(2 * half * half) * skew + double(cubic) * (skew * skew);
}

}  // namespace

TEST_CASE("Rotation: the exponential map is Rodrigues' formula, to the last digits at every angle") {
  // The same quaternion in long double; 4 roundings of 1.1e-16. As a matrix, Rodrigues' formula.
  Random random(1);
  for (const double angle : kAngles) {
    const Vec3d axis = Unit(random), w = angle * axis;
    CAPTURE(angle);
    const long double half = 0.5L * angle, s = angle > 0 ? std::sin(half) / angle : 0.5L;
    const Quat exact{double(s * w.x), double(s * w.y), double(s * w.z), double(std::cos(half))};
    CHECK(Distance(ExpQuat(w), exact) <= 5e-16 * (1 + angle));
    CHECK(Size(ExpMatrix(w) - RotationAbout(axis, angle)) <= 2e-15);
    const Mat3d r = ExpMatrix(w);
    CHECK(Size(TransposeTimes(r, r) - Mat3d::Identity()) <= 5e-15);
  }
}

TEST_CASE("Rotation: the logarithm inverts the exponential map, and is at most half a turn") {
  // Relative to the angle: tiny rotations keep all their digits. Near pi the angle is well conditioned too (atan2).
  Random random(2);
  for (const double angle : kAngles) {
    const Vec3d w = angle * Unit(random);
    CAPTURE(angle);
    const Quat q = ExpQuat(w);
    CHECK(Norm(LogQuat(q) - w) <= 2e-15 * angle);
    // q and -q are one rotation
    CHECK(Norm(LogQuat({-q.x, -q.y, -q.z, -q.w}) - w) <= 2e-15 * angle);
    // Beyond half a turn the shorter way round.
    if (angle > 0.1) {
      const Vec3d longer = ((2 * kPi - angle) / angle) * w;
      CHECK(Norm(LogQuat(ExpQuat(longer)) + w) <= 5e-15);
    }
  }
}

TEST_CASE("Rotation: InverseLeftJacobian is the inverse of the left Jacobian") {
  // Against the closed form of the Jacobian itself. Round-off of a product of 3x3 matrices of size up to 5.
  Random random(3);
  for (const double angle : kAngles) {
    const Vec3d w = angle * Unit(random);
    CAPTURE(angle);
    CHECK(Size(LeftJacobian(w) * InverseLeftJacobian(w) - Mat3d::Identity()) <= 1e-14);
  }
}

TEST_CASE("Rotation: InverseLeftJacobian is the derivative of the logarithm by left rotations") {
  // log(exp(d) exp(w)) = w + InverseLeftJacobian(w) d + O(d^2). Central differences with steps of 1e-5: third
  // derivatives of order 1 leave 1e-10, round-off 1e-16/1e-5.
  Random random(4);
  for (const double angle : kAngles) {
    if (angle > kPi - 1e-4) continue;  // there the logarithm jumps within the step
    const Vec3d w = angle * Unit(random), d = Unit(random);
    CAPTURE(angle);
    const double h = 1e-5;
    const Vec3d plus = LogQuat(ExpQuat(h * d) * ExpQuat(w)), minus = LogQuat(ExpQuat(-h * d) * ExpQuat(w));
    CHECK(Norm((0.5 / h) * (plus - minus) - InverseLeftJacobian(w) * d) <= 1e-9);
  }
}

TEST_CASE("Rotation: products of quaternions are products of matrices") {
  // Round-off of a product of matrices of size 1.
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Quat a = ExpQuat(3.0 * RandomVector(random)), b = ExpQuat(3.0 * RandomVector(random));
    CHECK(Size(ToMatrix(a * b) - ToMatrix(a) * ToMatrix(b)) <= 3e-15);
    CHECK(Size(ToMatrix(Conjugate(a)) - Transpose(ToMatrix(a))) <= 1e-15);
    const Quat n = Normalized({3 * a.x, 3 * a.y, 3 * a.z, 3 * a.w});
    CHECK(Distance(n, a) <= 2e-15);
  }
}
