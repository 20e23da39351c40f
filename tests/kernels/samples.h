// Random matrices and the deformation gradients that every material must survive.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/materials/list.h"

DERMIS_NAMESPACE_BEGIN

using Random = std::mt19937_64;

inline double Uniform(Random& random, double a, double b) {
  return std::uniform_real_distribution<double>(a, b)(random);
}

inline Vec3d RandomVector(Random& random) {
  return {Uniform(random, -1, 1), Uniform(random, -1, 1), Uniform(random, -1, 1)};
}

inline Mat3d RandomMatrix(Random& random) {
  return {{RandomVector(random), RandomVector(random), RandomVector(random)}};
}

inline Mat3d RandomRotation(Random& random) {
  const Vec3d axis = RandomVector(random);
  const Mat3d k = Skew((1.0 / Norm(axis)) * axis);
  const double angle = Uniform(random, -3.1, 3.1);
  return Mat3d::Identity() + std::sin(angle) * k + (1.0 - std::cos(angle)) * (k * k);
}

inline double Size(const Mat3d& m) { return std::sqrt(NormSquared(m)); }

// Rest, stretched, squashed, flat, inverted, reflected, with equal and vanishing singular values; then random ones.
inline std::vector<Mat3d> DeformationGradients(Random& random, int count = 40) {
  const double diagonals[][3] = {{1, 1, 1},     {1.2, 1, 1},      {0.5, 0.8, 1.1}, {0.3, 0.3, 0.3}, {2, 2, 0.25},
                                 {1, 1, 1e-6},  {1, 1, 0},        {1, 0, 0},       {0, 0, 0},       {1e-3, 1e-3, 1},
                                 {-0.5, 1, 1},  {1, 1, -0.2},     {1, 1, -1},      {1, -1, -1},     {-1, -1, -1},
                                 {2, 1, -0.99}, {1.5, 1.5, -0.3}, {0.1, 0.1, -0.1}};
  std::vector<Mat3d> result;
  for (const auto& d : diagonals) {
    const Mat3d f = Mat3d::Diagonal(d[0], d[1], d[2]);
    result.push_back(f);
    result.push_back(RandomRotation(random) * f * RandomRotation(random));
  }
  for (int i = 0; i < count; ++i)
    result.push_back(Mat3d::Identity() + Uniform(random, 0.05, 1.5) * RandomMatrix(random));
  return result;
}

// Whether the energy can be differentiated twice with finite differences around F.
template <template <class> class M> bool IsSmooth(const Mat3d& f) {
  if (!M<double>::kHasRotation) return true;
  const Vec3d s = Svd(f).s;
  return s.y + s.z > 0.05;
}

template <template <class> class M> M<double> RandomMaterial(Random& random) {
  double p[M<double>::kParameters] = {};
  for (int i = 0; i < M<double>::kParameters; ++i)
    p[i] = Uniform(random, M<double>::kSampleRange[i][0], M<double>::kSampleRange[i][1]);
  return M<double>(p);
}

// The size of the stresses of a material [Pa], to which round-off is compared.
template <class Material> double Scale(const Material& material) {
  return material.LameMu() + std::abs(material.LameLambda());
}

// f.operator()<Material>() for each entry of the list.
#define DERMIS_VISIT(Name) f.template operator()<Name>();
template <class F> void ForEachMaterial(F f) { DERMIS_MATERIALS(DERMIS_VISIT) }
#undef DERMIS_VISIT

inline constexpr PsdStrategy kStrategies[] = {PsdStrategy::MaterialDefault,    PsdStrategy::None,
                                              PsdStrategy::Projection,         PsdStrategy::Fast,
                                              PsdStrategy::AbsEigenProjection, PsdStrategy::PerTermProjection};

// The 9x9 matrix of a tangent, rows and columns by rows of F.
template <class Tangent> Eigen::Matrix<double, 9, 9> Dense(const Tangent& tangent) {
  Eigen::Matrix<double, 9, 9> h;
  for (int j = 0; j < 9; ++j) {
    Mat3d dF = Mat3d::Zero();
    dF(j / 3, j % 3) = 1;
    const Mat3d dP = tangent.Apply(dF);
    for (int i = 0; i < 9; ++i) h(i, j) = dP(i / 3, i % 3);
  }
  return h;
}

// The 12x12 matrix of the 45 stored numbers.
inline Eigen::Matrix<double, 12, 12> Dense(const double (&h)[kTetHessianSize]) {
  Eigen::Matrix<double, 12, 12> result;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result(3 * a + i, 3 * b + j) = TetHessianBlock(h, a, b)(i, j);
  return result;
}

DERMIS_NAMESPACE_END
