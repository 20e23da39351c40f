// What every material must satisfy, for each entry of the list and each strategy that it supports.
#include "tests/catch.h"
#include "tests/kernels/samples.h"

using namespace dermis;

namespace {

using Matrix9 = Eigen::Matrix<double, 9, 9>;

// The matrix with each eigenvalue replaced by f(eigenvalue).
template <class F> Matrix9 MapEigenvalues(const Matrix9& h, F f) {
  const Eigen::SelfAdjointEigenSolver<Matrix9> solver(0.5 * (h + h.transpose()));
  return solver.eigenvectors() * solver.eigenvalues().unaryExpr(f).asDiagonal() * solver.eigenvectors().transpose();
}

double SmallestEigenvalue(const Matrix9& h) {
  return Eigen::SelfAdjointEigenSolver<Matrix9>(h, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

}  // namespace

TEST_CASE("Materials: stress is the derivative of energy, tangent that of stress") {
  // Central differences with steps of 1e-5 leave about 1e-10; 1e-7 relative is what the reference engine asks of
  // itself.
  ForEachMaterial([]<template <class> class M>() {
    Random random(1);
    for (const Mat3d& f : DeformationGradients(random)) {
      const M<double> material = RandomMaterial<M>(random);
      if (!IsSmooth<M>(f)) continue;
      CAPTURE(M<double>::kName, f.r[0].x, f.r[0].y, f.r[0].z, f.r[1].x, f.r[1].y, f.r[1].z, f.r[2].x, f.r[2].y,
              f.r[2].z);
      const double step = 1e-5, tolerance = 1e-7 * (Scale(material) + Size(material.Stress(f)));
      Mat3d stress;
      const auto tangent = material.Linearize(f, PsdStrategy::None, stress);
      for (int k = 0; k < 3; ++k) {
        const Mat3d d = RandomMatrix(random), plus = f + step * d, minus = f - step * d;
        REQUIRE(std::abs((material.Energy(plus) - material.Energy(minus)) / (2 * step) - Inner(stress, d)) <=
                tolerance);
        REQUIRE(std::abs(material.Difference(minus, plus) / (2 * step) - Inner(stress, d)) <= tolerance);
        REQUIRE(Size((0.5 / step) * (material.Stress(plus) - material.Stress(minus)) - tangent.Apply(d)) <= tolerance);
      }
    }
  });
}

TEST_CASE("Materials: differences of energy keep their digits for the smallest steps") {
  // To third order the difference is stress at the middle times step. Subtracted energies would be wrong by 1e-16 of
  // the energy, here 1e-16 of the step.
  ForEachMaterial([]<template <class> class M>() {
    Random random(2);
    for (const Mat3d& f : DeformationGradients(random)) {
      const M<double> material = RandomMaterial<M>(random);
      if (!IsSmooth<M>(f)) continue;
      const double step = 1e-9;
      const Mat3d end = f + step * RandomMatrix(random), d = end - f;
      const double size = Scale(material) * (1 + std::pow(Size(f), 5));
      CAPTURE(M<double>::kName, size);
      REQUIRE(std::abs(material.Difference(f, end) - Inner(material.Stress(f + 0.5 * d), d)) <= 1e-14 * step * size);
      const Mat3d far = f + RandomMatrix(random);
      const double difference = material.Energy(far) - material.Energy(f);
      REQUIRE(std::abs(material.Difference(f, far) - difference) <=
              1e-14 * Scale(material) * (1 + std::pow(Size(far) + Size(f), 6)));
    }
  });
}

TEST_CASE("Materials: strategies give the dense projections and leave the stress alone") {
  ForEachMaterial([]<template <class> class M>() {
    Random random(3);
    for (const Mat3d& f : DeformationGradients(random, 200)) {
      const M<double> material = RandomMaterial<M>(random);
      CAPTURE(M<double>::kName, f.r[0].x, f.r[0].y, f.r[0].z, f.r[1].x, f.r[1].y, f.r[1].z, f.r[2].x, f.r[2].y,
              f.r[2].z);
      Mat3d stress;
      const Matrix9 exact = Dense(material.Linearize(f, PsdStrategy::None, stress));
      const double size = exact.norm();
      REQUIRE(std::isfinite(size));
      REQUIRE((exact - exact.transpose()).norm() <= 1e-13 * size);
      // At a kink the rotation is not unique, and two evaluations may take different ones.
      const bool unique = IsSmooth<M>(f);
      const double stressSize = Scale(material) * (1 + Size(f)) + Size(stress);
      if (unique) REQUIRE(Size(stress - material.Stress(f)) <= 1e-13 * stressSize);
      for (PsdStrategy strategy : kStrategies) {
        if (strategy == PsdStrategy::None || !M<double>::Supports(strategy)) continue;
        CAPTURE(int(strategy));
        Mat3d other;
        const Matrix9 h = Dense(material.Linearize(f, strategy, other));
        REQUIRE(h.allFinite());
        REQUIRE(SmallestEigenvalue(h) >= -1e-12 * size - 1e-100);
        if (!unique) continue;
        REQUIRE(Size(other - stress) <= 1e-13 * stressSize);
        if (strategy == PsdStrategy::Projection)
          REQUIRE((h - MapEigenvalues(exact, [](double x) { return std::max(x, 0.0); })).norm() <=
                  1e-10 * size + 1e-100);
        if (strategy == PsdStrategy::AbsEigenProjection)
          REQUIRE((h - MapEigenvalues(exact, [](double x) { return std::abs(x); })).norm() <= 1e-10 * size + 1e-100);
        if (strategy == PsdStrategy::MaterialDefault)
          REQUIRE((h - Dense(material.Linearize(f, PsdStrategy::Projection, other))).norm() <= 1e-12 * size + 1e-100);
      }
    }
  });
}

TEST_CASE("Materials: every material supports its default and the exact tangent") {
  ForEachMaterial([]<template <class> class M>() {
    CHECK(M<double>::Supports(PsdStrategy::MaterialDefault));
    CHECK(M<double>::Supports(PsdStrategy::None));
    CHECK(M<double>::Supports(PsdStrategy::Projection));
  });
  CHECK(NeoHookean<double>::Supports(PsdStrategy::Fast));
  CHECK_FALSE(NeoHookean<double>::Supports(PsdStrategy::PerTermProjection));
  CHECK_FALSE(Arap<double>::Supports(PsdStrategy::Fast));
  CHECK_FALSE(Arap<double>::Supports(PsdStrategy::PerTermProjection));
}

TEST_CASE("Materials: rest has neither energy nor stress and is a minimum, rigid rotation changes nothing") {
  ForEachMaterial([]<template <class> class M>() {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
      const M<double> material = RandomMaterial<M>(random);
      const double scale = Scale(material);
      CAPTURE(M<double>::kName, scale);
      const Mat3d rest = Mat3d::Identity(), q = RandomRotation(random);
      REQUIRE(std::abs(material.Energy(rest)) <= 1e-28 * scale);
      REQUIRE(Size(material.Stress(rest)) <= 1e-14 * scale);
      REQUIRE(std::abs(material.Energy(q)) <= 1e-14 * scale);
      REQUIRE(Size(material.Stress(q)) <= 1e-14 * scale);
      REQUIRE(material.Energy(q * (rest + 0.25 * RandomMatrix(random))) > 0);
      // Objective: Psi(Q F) = Psi(F), P(Q F) = Q P(F). Isotropic: Psi(F Q) = Psi(F).
      const Mat3d f = rest + RandomMatrix(random);
      if (!IsSmooth<M>(f)) continue;
      const double tolerance = 1e-14 * scale * (1 + std::pow(Size(f), 6));
      REQUIRE(std::abs(material.Energy(q * f) - material.Energy(f)) <= tolerance);
      REQUIRE(std::abs(material.Energy(f * q) - material.Energy(f)) <= tolerance);
      REQUIRE(Size(material.Stress(q * f) - q * material.Stress(f)) <= 10 * tolerance);
    }
  });
}

namespace {

// All results of one material on one pack of deformation gradients, in one list.
template <template <class> class M, class S>
std::vector<S> Evaluate(const double (&p)[M<double>::kParameters], const Mat3<S>& f, const Mat3<S>& other,
                        PsdStrategy strategy) {
  S parameters[M<double>::kParameters];
  for (int i = 0; i < M<double>::kParameters; ++i) parameters[i] = S(p[i]);
  const M<S> material(parameters);
  Mat3<S> stress;
  const auto tangent = material.Linearize(f, strategy, stress);
  std::vector<S> result{material.Energy(f), material.Difference(f, other)};
  const S o(0.0), one(1.0), two(2.0);
  S hessian[kTetHessianSize];
  tangent.ElementHessian({{one, o, two}, {o, one, one}, {-one, two, o}}, S(0.5), hessian);
  const Mat3<S> dP = tangent.Apply(other), direct = material.Stress(f);
  for (int i = 0; i < 9; ++i) {
    result.push_back(stress(i / 3, i % 3));
    result.push_back(dP(i / 3, i % 3));
    result.push_back(direct(i / 3, i % 3));
  }
  result.insert(result.end(), hessian, hessian + kTetHessianSize);
  return result;
}

template <int N> void ComparePacks() {
  ForEachMaterial([]<template <class> class M>() {
    Random random(5);
    std::vector<Mat3d> inputs;
    for (const Mat3d& f : DeformationGradients(random, 200))
      if (IsSmooth<M>(f)) inputs.push_back(f);
    for (size_t i = 0; i + N <= inputs.size(); ++i)
      for (PsdStrategy strategy : kStrategies) {
        if (!M<double>::Supports(strategy)) continue;
        CAPTURE(M<double>::kName, int(strategy), N);
        double p[M<double>::kParameters] = {};
        for (int k = 0; k < M<double>::kParameters; ++k)
          p[k] = Uniform(random, M<double>::kSampleRange[k][0], M<double>::kSampleRange[k][1]);
        Mat3<Pack<N>> mixed, equal;
        for (int k = 0; k < 9; ++k) {
          equal(k / 3, k % 3) = inputs[i](k / 3, k % 3);
          for (int lane = 0; lane < N; ++lane) SetLane(mixed(k / 3, k % 3), lane, inputs[i + lane](k / 3, k % 3));
        }
        const Mat3d otherLane = Mat3d::Identity();
        const Mat3<Pack<N>> other = Mat3<Pack<N>>::Identity();
        const auto a = Evaluate<M, Pack<N>>(p, mixed, other, strategy),
                   b = Evaluate<M, Pack<N>>(p, equal, other, strategy);
        for (int lane = 0; lane < N; ++lane) {
          const auto single = Evaluate<M, double>(p, inputs[i + lane], otherLane, strategy);
          double size = 0;
          for (double value : single) size = std::max(size, std::abs(value));
          for (size_t k = 0; k < single.size(); ++k) {
            REQUIRE(std::abs(Lane(a[k], lane) - single[k]) <= 1e-11 * size);
            // Neighbours have no influence, to the bit.
            if (lane == 0) REQUIRE(Lane(a[k], 0) == Lane(b[k], 0));
          }
        }
      }
  });
}

}  // namespace

TEST_CASE("Materials: packs of 4 and 8 equal single lanes, and lanes do not influence each other") {
  ComparePacks<4>();
  ComparePacks<8>();
}
