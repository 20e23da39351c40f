#include "kernels/tet.h"

#include "tests/catch.h"
#include "tests/kernels/samples.h"

using namespace dermis;

namespace {

struct Tet {
  Vec3d x[4], g[3];
  double volume;
};

// A random tetrahedron with a random deformation.
Tet RandomTet(Random& random, double noise) {
  Mat3d edges;
  do edges = RandomMatrix(random);
  while (Determinant(edges) < 0.1);
  Tet tet;
  const Mat3d inverse = Inverse(edges), f = RandomRotation(random) * (Mat3d::Identity() + noise * RandomMatrix(random));
  tet.volume = Determinant(edges) / 6;
  tet.x[0] = RandomVector(random);
  for (int a = 0; a < 3; ++a) {
    tet.g[a] = inverse.r[a];
    tet.x[a + 1] = tet.x[0] + f * edges.Column(a);
  }
  return tet;
}

Eigen::Matrix<double, 12, 1> Flatten(const Vec3d (&v)[4]) {
  Eigen::Matrix<double, 12, 1> r;
  for (int i = 0; i < 12; ++i) r(i) = v[i / 3][i % 3];
  return r;
}

// d(gradient)/dx by central differences; gradient(x, out).
template <class Gradient> Eigen::Matrix<double, 12, 12> DifferenceHessian(const Tet& tet, Gradient gradient) {
  Eigen::Matrix<double, 12, 12> h;
  const double step = 1e-6;
  for (int j = 0; j < 12; ++j) {
    Vec3d x[4] = {tet.x[0], tet.x[1], tet.x[2], tet.x[3]}, plus[4], minus[4];
    x[j / 3][j % 3] += step;
    gradient(x, plus);
    x[j / 3][j % 3] -= 2 * step;
    gradient(x, minus);
    h.col(j) = (Flatten(plus) - Flatten(minus)) / (2 * step);
  }
  return h;
}

double SmallestEigenvalue(const Eigen::Matrix<double, 12, 12>& h) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>>(h, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

}  // namespace

TEST_CASE("DeformationGradient: reproduces an affine map, NodeGradient is its transpose") {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Tet tet = RandomTet(random, 0.5), other = RandomTet(random, 0.5);
    const Mat3d p = RandomMatrix(random);
    Vec3d forces[4];
    NodeGradient(p, tet.g, tet.volume, forces);
    double work = 0;
    for (int a = 0; a < 4; ++a) work += Dot(forces[a], other.x[a]);
    CHECK(std::abs(work - tet.volume * Inner(p, DeformationGradient(other.x, tet.g))) <=
          1e-12 * (1 + std::abs(work)) * 10);
  }
}

TEST_CASE("ElementHessian: the 45 numbers are the derivative of the nodal gradient") {
  ForEachMaterial([]<template <class> class M>() {
    Random random(2);
    for (int i = 0; i < 100; ++i) {
      const Tet tet = RandomTet(random, i % 2 ? 0.3 : 1.0);
      if (!IsSmooth<M>(DeformationGradient(tet.x, tet.g))) continue;
      const M<double> material = RandomMaterial<M>(random);
      const Eigen::Matrix<double, 12, 12> expected = DifferenceHessian(tet, [&](const Vec3d(&x)[4], Vec3d(&out)[4]) {
        NodeGradient(material.Stress(DeformationGradient(x, tet.g)), tet.g, tet.volume, out);
      });
      Mat3d stress;
      double h[kTetHessianSize];
      material.Linearize(DeformationGradient(tet.x, tet.g), PsdStrategy::None, stress)
          .ElementHessian(tet.g, tet.volume, h);
      CAPTURE(M<double>::kName);
      REQUIRE((Dense(h) - expected).norm() <= 1e-6 * expected.norm());
    }
  });
}

TEST_CASE("ElementHessian: is G^T H G of the dense tangent for every strategy, and then positive semidefinite") {
  ForEachMaterial([]<template <class> class M>() {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
      const Tet tet = RandomTet(random, i % 2 ? 0.3 : 1.5);
      const M<double> material = RandomMaterial<M>(random);
      // dF = G dx
      Eigen::Matrix<double, 9, 12> map;
      for (int j = 0; j < 12; ++j) {
        Vec3d x[4] = {};
        x[j / 3][j % 3] = 1;
        const Mat3d dF = DeformationGradient(x, tet.g);
        for (int k = 0; k < 9; ++k) map(k, j) = dF(k / 3, k % 3);
      }
      for (PsdStrategy strategy : kStrategies) {
        if (!M<double>::Supports(strategy)) continue;
        Mat3d stress;
        const auto tangent = material.Linearize(DeformationGradient(tet.x, tet.g), strategy, stress);
        double h[kTetHessianSize];
        tangent.ElementHessian(tet.g, tet.volume, h);
        const Eigen::Matrix<double, 12, 12> expected = tet.volume * map.transpose() * Dense(tangent) * map;
        CAPTURE(M<double>::kName, int(strategy));
        REQUIRE((Dense(h) - expected).norm() <= 1e-13 * expected.norm());
        if (strategy != PsdStrategy::None) REQUIRE(SmallestEigenvalue(Dense(h)) >= -1e-12 * expected.norm());
      }
    }
  });
}

TEST_CASE("StiffnessDamping: stress is the derivative of the energy, which rigid motion leaves at zero") {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const StiffnessDamping<double> damping{Uniform(random, 1, 1e5), Uniform(random, 0, 1e6), Uniform(random, 0, 0.1),
                                           0.01};
    const Mat3d before = Mat3d::Identity() + RandomMatrix(random), f = before + 0.1 * RandomMatrix(random),
                d = RandomMatrix(random);
    const double scale = damping.beta / damping.h * (damping.mu + damping.lambda), step = 1e-5;
    const double slope = damping.Difference(before, f - step * d, f + step * d) / (2 * step);
    CHECK(std::abs(slope - Inner(damping.Stress(before, f), d)) <= 1e-8 * scale);
    // h beta/2 (2 mu E':E' + lambda tr(E')^2) written out
    const Sym3<double> rate = (1 / damping.h) * (GreenStrain(f) - GreenStrain(before));
    const double energy = 0.5 * damping.h * damping.beta *
                          (2 * damping.mu * Inner(rate, rate) + damping.lambda * Trace(rate) * Trace(rate));
    CHECK(damping.Energy(before, f) == Approx(energy).epsilon(1e-12));
    const Mat3d rotated = RandomRotation(random) * before;
    CHECK(damping.Energy(before, rotated) <= 1e-28 * scale * 100);
    CHECK(Size(damping.Stress(before, rotated)) <= 1e-13 * scale);
  }
}

TEST_CASE("StiffnessDamping: the Hessian is added, exact without the geometric term, and positive semidefinite") {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Tet tet = RandomTet(random, 0.8);
    const StiffnessDamping<double> damping{Uniform(random, 1, 1e5), Uniform(random, 0, 1e6), Uniform(random, 0.01, 0.1),
                                           0.01};
    const Mat3d f = DeformationGradient(tet.x, tet.g);
    double h[kTetHessianSize] = {};
    damping.AddElementHessian(f, tet.g, tet.volume, h);
    // Where the strain has not changed, viscous stress and with it the geometric term vanish, and finite differences
    // apply.
    const Eigen::Matrix<double, 12, 12> expected = DifferenceHessian(tet, [&](const Vec3d(&x)[4], Vec3d(&out)[4]) {
      NodeGradient(damping.Stress(f, DeformationGradient(x, tet.g)), tet.g, tet.volume, out);
    });
    CHECK((Dense(h) - expected).norm() <= 1e-8 * expected.norm());
    CHECK(SmallestEigenvalue(Dense(h)) >= -1e-12 * expected.norm());
    double twice[kTetHessianSize];
    for (int k = 0; k < kTetHessianSize; ++k) twice[k] = h[k];
    damping.AddElementHessian(f, tet.g, tet.volume, twice);
    CHECK((Dense(twice) - 2 * Dense(h)).norm() <= 1e-14 * expected.norm());
  }
}
