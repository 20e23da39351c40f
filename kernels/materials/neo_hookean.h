// The stable neo-Hookean material of Smith, de Goes, Kim 2018, Stable Neo-Hookean Flesh Simulation, eq. 14.
//
//   Psi = mu/2 (Ic - 3) + lambda/2 (J - alpha)^2 - mu/2 ln(Ic + 1),     Ic = |F|^2,  J = det F,  alpha = 1 + 3 mu / (4
//   lambda)
//
// Its mu and lambda are 4/3 mu_Lame and lambda_Lame + 5/6 mu_Lame (there, section 3.4), so that small strains follow
// Hooke's law with the Young's modulus and Poisson ratio given. Defined for every F, inverted and flat ones too.
#pragma once

#include "kernels/materials/isotropic.h"

// The member of SoftMaterialParams, and the parameters in the order of the constructor: X(name, default, unit, range,
// sentence). The public parameter struct, its checks and its docs are made from them, see host/params/material.h.
#define DERMIS_KEY_NeoHookean neoHookean
#define DERMIS_PARAMETERS_NeoHookean(X)                               \
  X(youngsModulus, 1e5, "Pa", Positive(), "Young's modulus at rest.") \
  X(poissonRatio, 0.45, "", Open(-1, 0.5, "use 0.49 for nearly incompressible"), "Poisson's ratio at rest.")

DERMIS_NAMESPACE_BEGIN

template <class S> struct NeoHookean {
  static constexpr const char* kName = "NeoHookean";
  static constexpr int kParameters = 2;
  static constexpr double kSampleRange[kParameters][2] = {{1.0, 1e7}, {-0.99, 0.49}};
  static constexpr bool kHasRotation = false;
  static constexpr bool Supports(PsdStrategy strategy) { return strategy != PsdStrategy::PerTermProjection; }
  using Tangent = IsotropicTangent<S>;

  // parameters = Young's modulus [Pa] > 0, Poisson ratio in (-1, 0.5)
  DERMIS_HD explicit NeoHookean(const S (&parameters)[kParameters]) {
    const S nu = parameters[1];
    lameMu_ = S(0.5) * parameters[0] / (S(1.0) + nu);
    lameLambda_ = S(2.0) * lameMu_ * nu / (S(1.0) - S(2.0) * nu);
    mu_ = S(4.0 / 3.0) * lameMu_;
    lambda_ = lameLambda_ + S(5.0 / 6.0) * lameMu_;
  }

  DERMIS_HD S LameMu() const { return lameMu_; }
  DERMIS_HD S LameLambda() const { return lameLambda_; }

  DERMIS_HD S Energy(const Mat3<S>& f) const { return Difference(Mat3<S>::Identity(), f); }

  DERMIS_HD S Difference(const Mat3<S>& f0, const Mat3<S>& f1) const {
    const Mat3<S> dF = f1 - f0;
    const S dIc = Inner(dF, f0 + f1);
    // det(F0 + dF) - det F0, exactly
    const Mat3<S> cofactor = Cofactor(f0);
    const S dJ = Inner(cofactor, dF) + Inner(Cofactor(dF), f0) + Determinant(dF);
    const S j0 = Dot(f0.r[0], cofactor.r[0]);
    const S ratio = dIc / (NormSquared(f0) + S(1.0));
    // lambda/2 ((J1 - alpha)^2 - (J0 - alpha)^2) = lambda dJ (J0 - alpha + dJ/2), and lambda alpha = lambda + 3/4 mu
    return S(0.5) * mu_ * (dIc - Log1p(ratio)) + dJ * (lambda_ * (j0 - S(1.0) + S(0.5) * dJ) - S(0.75) * mu_);
  }

  DERMIS_HD Mat3<S> Stress(const Mat3<S>& f) const {
    const Mat3<S> cofactor = Cofactor(f);
    return DistortionFactor(NormSquared(f)) * f + Pressure(Dot(f.r[0], cofactor.r[0])) * cofactor;
  }

  DERMIS_HD Tangent Linearize(const Mat3<S>& f, PsdStrategy strategy, Mat3<S>& stress) const {
    const Mat3<S> cofactor = Cofactor(f);
    const S ic = NormSquared(f);
    const S a = DistortionFactor(ic), b = Pressure(Dot(f.r[0], cofactor.r[0]));
    stress = a * f + b * cofactor;

    if (strategy == PsdStrategy::MaterialDefault) strategy = PsdStrategy::Projection;
    const Svd3<S> svd = Svd(f);
    const Vec3<S> s = svd.s;
    // Psi'' = a 1 + 2 mu/(Ic + 1)^2 F (x) F + lambda dJ (x) dJ + b J''. Only the last is indefinite: a >= 0.
    const S inverse = S(1.0) / (ic + S(1.0));
    const S c = S(2.0) * mu_ * inverse * inverse;
    const Vec3<S> dJ{s.y * s.z, s.x * s.z, s.x * s.y};
    const Sym3<S> definite = Sym3<S>::Diagonal(a, a, a) + c * OuterSquare(s) + lambda_ * OuterSquare(dJ);
    const Vec3<S> aaa{a, a, a};
    if (strategy == PsdStrategy::Fast) return Tangent(svd, definite, aaa, aaa, strategy);
    // J'' in the eigenframe: dJ_i/ds_j = s_k in the scaling block, -+ s_k on flip and twist of the plane (i, j).
    const Vec3<S> bs{b * s.z, b * s.y, b * s.x};
    const Sym3<S> scaling = definite + Sym3<S>{S(0.0), bs.x, bs.y, S(0.0), bs.z, S(0.0)};
    return Tangent(svd, scaling, aaa + bs, aaa - bs, strategy);
  }

 private:
  // mu (1 - 1/(Ic + 1))
  DERMIS_HD S DistortionFactor(const S& ic) const { return mu_ * (ic / (ic + S(1.0))); }
  // lambda (J - alpha)
  DERMIS_HD S Pressure(const S& j) const { return lambda_ * (j - S(1.0)) - S(0.75) * mu_; }

  S mu_, lambda_, lameMu_, lameLambda_;
};

DERMIS_NAMESPACE_END
