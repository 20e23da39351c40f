// As-rigid-as-possible elasticity: Psi = mu/2 |F - R|^2, R = U V^T the rotation of the rotation-variant decomposition.
// (Tangent: Smith, de Goes, Kim 2019, section 4.2; R maximises <R, F> over the proper rotations.)
//
// Not smooth where s1 + s2 = 0, at F = 0 and at a pure reflection for instance: R is not unique there.
#pragma once

#include "kernels/materials/isotropic.h"

// The public parameters, see neo_hookean.h.
#define DERMIS_KEY_Arap arap
#define DERMIS_PARAMETERS_Arap(X) X(stiffness, 1000, "Pa", Positive(), "Stiffness, the mu of the energy.")

DERMIS_NAMESPACE_BEGIN

template <class S> struct Arap {
  static constexpr const char* kName = "Arap";
  static constexpr int kParameters = 1;
  static constexpr double kSampleRange[kParameters][2] = {{0.1, 1e6}};
  static constexpr bool kHasRotation = true;
  static constexpr bool Supports(PsdStrategy strategy) {
    return strategy != PsdStrategy::Fast && strategy != PsdStrategy::PerTermProjection;
  }
  using Tangent = IsotropicTangent<S>;

  // parameters = stiffness [Pa] > 0
  DERMIS_HD explicit Arap(const S (&parameters)[kParameters]) : mu_(parameters[0]) {}

  // Psi = mu/2 |e|^2 at small strain e, where Hooke's law has LameMu |e|^2.
  DERMIS_HD S LameMu() const { return S(0.5) * mu_; }
  DERMIS_HD S LameLambda() const { return S(0.0); }

  DERMIS_HD S Energy(const Mat3<S>& f) const {
    const S o(1.0);
    const Vec3<S> s = Svd(f).s;
    return S(0.5) * mu_ * NormSquared(s - Vec3<S>{o, o, o});
  }

  DERMIS_HD S Difference(const Mat3<S>& f0, const Mat3<S>& f1) const {
    // Psi = mu/2 (|F|^2 + 3) - mu <R, F>, and <R1, F1> - <R0, F0> = <R0, dF> + <R1 - R0, F1>. The last is of second
    // order: with W = R0^T R1, the rotation by t about n, and F1 = R1 S1 it is <1 - W, S1> = (1 - cos t)(tr S1 - n.S1
    // n).
    const Mat3<S> r0 = Rotation(f0), r1 = Rotation(f1), dF = f1 - f0;
    const Mat3<S> w = TransposeTimes(r0, r1);
    const Vec3<S> axis = Axial(w);  // sin t n
    const Sym3<S> stretch = SymmetricPart(TransposeTimes(r1, f1));
    const S onePlusCos = S(0.5) + S(0.5) * Trace(w);
    const S quadratic = (NormSquared(axis) * Trace(stretch) - Dot(axis, stretch * axis)) / Max(onePlusCos, S(0.5));
    const S change = Select(onePlusCos > S(0.5), quadratic, Inner(r1 - r0, f1));
    return mu_ * (Inner(dF, S(0.5) * (f0 + f1) - r0) - change);
  }

  DERMIS_HD Mat3<S> Stress(const Mat3<S>& f) const { return mu_ * (f - Rotation(f)); }

  DERMIS_HD Tangent Linearize(const Mat3<S>& f, PsdStrategy strategy, Mat3<S>& stress) const {
    const Svd3<S> svd = Svd(f);
    stress = mu_ * (f - TimesTranspose(svd.u, svd.v));
    if (strategy == PsdStrategy::MaterialDefault) strategy = PsdStrategy::Projection;
    const Vec3<S> s = svd.s;
    const Vec3<S> twist{Twist(s.x + s.y), Twist(s.x + s.z), Twist(s.y + s.z)};
    return Tangent(svd, Sym3<S>::Diagonal(mu_, mu_, mu_), twist, {mu_, mu_, mu_}, strategy);
  }

 private:
  DERMIS_HD static Mat3<S> Rotation(const Mat3<S>& f) {
    const Svd3<S> svd = Svd(f);
    return TimesTranspose(svd.u, svd.v);
  }
  // mu (1 - 2/(s_i + s_j)), kept finite where the energy has its kink
  DERMIS_HD S Twist(const S& sum) const { return mu_ - S(2.0) * mu_ / Max(sum, S(1e-6)); }

  S mu_;
};

DERMIS_NAMESPACE_END
