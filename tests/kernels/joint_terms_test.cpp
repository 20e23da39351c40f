// Energies of joint coordinates: derivatives away from kinks, one-sided limits, friction that is smooth at rest.
#include "kernels/joint_terms.h"

#include "tests/catch.h"
#include "tests/kernels/joints.h"

using namespace dermis;

namespace {

// A joint with all terms, away from kinks by more than `margin`: the limits of its coordinates, and the falloff.
template <class Joint> struct Sample {
  DofParameters parameters[Joint::kDofs + 1] = {};
  JointNumbers q, moved, base, predicted;
  double h = 0.01;

  explicit Sample(Random& random) {
    for (int k = 0; k < Joint::kDofs; ++k) {
      q[k] = Uniform(random, -2, 2);
      moved[k] = Uniform(random, -0.1, 0.1);
      base[k] = q[k] - moved[k];
      predicted[k] = Uniform(random, -0.1, 0.1);
      DofParameters& p = parameters[k];
      p = {Uniform(random, 0, 2), Uniform(random, -1.5, -0.5), Uniform(random, 0.5, 1.5), Uniform(random, 1, 100),
           Uniform(random, 0, 1), Uniform(random, 0, 1),       Uniform(random, 0, 1),     Uniform(random, 1, 20)};
      if (std::abs(q[k] - p.minLimit) < 0.01) q[k] = p.minLimit - 0.01;
      if (std::abs(q[k] - p.maxLimit) < 0.01) q[k] = p.maxLimit + 0.01;
    }
    // The parameters of a rotation's friction are those of its first coordinate.
    if constexpr (Joint::kRotation >= 0)
      for (int k = 1; k < 3; ++k) {
        parameters[Joint::kRotation + k].coulomb = parameters[Joint::kRotation].coulomb;
        parameters[Joint::kRotation + k].falloffVelocity = parameters[Joint::kRotation].falloffVelocity;
      }
  }
  JointTerms<Joint> Terms() const { return {parameters, h, predicted, base}; }
  bool NearFalloff() const {
    for (int k = 0; k < Joint::kDofs; ++k)
      if (std::abs(Terms().Speed(k, moved) - parameters[k].falloffVelocity) < 0.1) return true;
    return false;
  }
};

}  // namespace

TEST_CASE("Joint terms: gradients and Hessians are the derivatives of the energy, for every kind") {
  // Central differences. Energies are up to 1e4 (armature 2/(2 h^2) with h = 0.01): their round-off over the step of
  // 1e-5 leaves 1e-7, their third derivatives 1e-10 times 1e4.
  ForEachJoint([]<class Joint>() {
    if constexpr (Joint::kDofs > 0) {
      Random random(1);
      for (int i = 0; i < 100; ++i) {
        const Sample<Joint> sample(random);
        if (sample.NearFalloff()) continue;
        const JointTerms<Joint> terms = sample.Terms();
        double gq[Joint::kDofs], hq[Joint::kDofs], gm[Joint::kDofs], hm[Joint::kDofs];
        terms.Derivatives(sample.q, sample.moved, gq, hq, gm, hm);
        for (int k = 0; k < Joint::kDofs; ++k) {
          CAPTURE(Joint::kName, k);
          const double step = 1e-5;
          JointNumbers plus = sample.q, minus = sample.q;
          plus[k] += step, minus[k] -= step;
          REQUIRE(std::abs((terms.Energy(plus, sample.moved) - terms.Energy(minus, sample.moved)) / (2 * step) -
                           gq[k]) <= 1e-5);
          double gPlus[Joint::kDofs], gMinus[Joint::kDofs], rest[3][Joint::kDofs];
          terms.Derivatives(plus, sample.moved, gPlus, rest[0], rest[1], rest[2]);
          terms.Derivatives(minus, sample.moved, gMinus, rest[0], rest[1], rest[2]);
          REQUIRE(std::abs((gPlus[k] - gMinus[k]) / (2 * step) - hq[k]) <= 1e-6 * (1 + hq[k]));

          plus = minus = sample.moved;
          plus[k] += step, minus[k] -= step;
          REQUIRE(std::abs((terms.Energy(sample.q, plus) - terms.Energy(sample.q, minus)) / (2 * step) - gm[k]) <=
                  1e-5);
          terms.Derivatives(sample.q, plus, rest[0], rest[1], gPlus, rest[2]);
          terms.Derivatives(sample.q, minus, rest[0], rest[1], gMinus, rest[2]);
          const double curvature = (gPlus[k] - gMinus[k]) / (2 * step);
          // The Coulomb term of a rotation has its secant as Hessian: exact or above, never below.
          if (Joint::kHasFriction && JointTerms<Joint>::IsRotation(k))
            REQUIRE(hm[k] >= curvature - 1e-6 * hm[k]);
          else
            REQUIRE(std::abs(curvature - hm[k]) <= 1e-6 * (1 + hm[k]));
        }
      }
    }
  });
}

TEST_CASE("Joint terms: friction is smooth at rest and at its falloff, and linear beyond") {
  // phi, phi' and phi'' at both sides of the falloff; phi'/x at 0 is 2/falloff. One rounding.
  for (const double falloff : {0.01, 1.0, 30.0}) {
    CAPTURE(falloff);
    const double below = falloff * (1 - 1e-9), above = falloff * (1 + 1e-9);
    CHECK(FrictionPotential(0, falloff) == 0);
    CHECK(FrictionSlope(0, falloff) == 2 / falloff);
    CHECK(FrictionCurvature(0, falloff) == 2 / falloff);
    CHECK(std::abs(FrictionPotential(above, falloff) - FrictionPotential(below, falloff)) <= 3e-9 * falloff);
    CHECK(std::abs(FrictionSlope(above, falloff) - FrictionSlope(below, falloff)) <= 3e-9 / falloff);
    CHECK(FrictionCurvature(below, falloff) <= 3e-9 / falloff);
    CHECK(FrictionCurvature(above, falloff) == 0);
    CHECK(std::abs(FrictionPotential(7 * falloff, falloff) - FrictionPotential(6 * falloff, falloff) - falloff) <=
          1e-14 * falloff);
    for (const double x : {1e-6 * falloff, 0.3 * falloff, 0.9 * falloff, 2 * falloff}) {
      const double step = 1e-5 * falloff;
      const double slope =
          (FrictionPotential(x + step, falloff) - FrictionPotential(std::abs(x - step), falloff)) / (2 * step);
      CHECK(std::abs(slope - x * FrictionSlope(x, falloff)) <= 1e-9);
    }
  }
}

TEST_CASE("Joint terms: a limit acts beyond it only, and where it opens the energy does not jump") {
  // Stiffness and damping of a revolute joint; inside the limits nothing, 1e-9 beyond at most (k + 2 d |gap0|/h) 1e-9.
  DofParameters p[] = {{0, -0.5, 0.5, 100, 2, 0, 0, 1}};
  const double h = 0.01, predicted[] = {0}, moved[] = {0};
  for (const double base : {-0.9, 0.0, 0.2, 0.8}) {
    const JointTerms<Revolute> terms{p, h, predicted, &base};
    CAPTURE(base);
    for (const double q : {-0.5, -0.4999, 0.0, 0.3, 0.5}) CHECK(terms.Energy(&q, moved) == 0);
    for (const double edge : {-0.5, 0.5}) {
      const double beyond = edge * (1 + 2e-9);
      CHECK(std::abs(terms.Energy(&beyond, moved)) <= (100 + 2 * 2 * 0.5 / h) * 1e-9);
    }
  }
  // k/2 gap^2 + d/(2 h) ((gap - gap0)^2 - gap0^2) with gap = 0.3 and gap0 = 0.1: 50 * 0.09 + 100 * (0.04 - 0.01) J
  const double q = 0.8, base = 0.6;
  const JointTerms<Revolute> terms{p, h, predicted, &base};
  CHECK(std::abs(terms.Energy(&q, moved) - 7.5) <= 1e-14);
}
