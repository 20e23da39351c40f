// Energies of joint coordinates: limits, friction, armature. Value differences, gradient and Gauss-Newton Hessian in
// the joint's own deltas (scalars; left rotation vectors).
//
//   limit     k/2 gap^2 + d/(2 h) ((gap - gap0)^2 - gap0^2) beyond a limit; gap is how far q lies beyond it and 0
//   inside,
//             gap0 that of the base state. Compliant, one-sided. The constant makes it continuous at the limit; where a
//             limit is left (gap0 not 0) its slope jumps there, and there may be two minimisers.
//   friction  h (mu_v/2 v^2 + mu_0 phi(|v|)), v = (q - q0)/h, phi(x) = x^2/v_f (1 - x/(3 v_f)) below v_f, then linear
//   armature  a/(2 h^2) |q - q0 - h qd|^2
#pragma once

#include "kernels/joints/list.h"

DERMIS_NAMESPACE_BEGIN

struct DofParameters {
  double armature, minLimit, maxLimit, limitStiffness, limitDamping, viscous, coulomb, falloffVelocity;
};

// phi of friction; its derivative over x, phi'/x, which stays finite at 0; and its second derivative.
DERMIS_HD double FrictionPotential(double x, double falloff) {
  return x < falloff ? x * x / falloff * (1.0 - x / (3.0 * falloff)) : x - falloff / 3.0;
}
DERMIS_HD double FrictionSlope(double x, double falloff) {
  return x < falloff ? (2.0 - x / falloff) / falloff : 1.0 / x;
}
DERMIS_HD double FrictionCurvature(double x, double falloff) {
  return x < falloff ? 2.0 * (1.0 - x / falloff) / falloff : 0.0;
}

// Energy of one joint at q (user coordinates) whose motion since the base state is `moved`.
template <class Joint> struct JointTerms {
  const DofParameters* parameters;  // [kDofs]
  double h;
  const double* predicted;  // h qd [kDofs]
  const double* baseUser;   // user coordinates of the base state [kDofs]

  static constexpr bool IsRotation(int k) { return Joint::kRotation >= 0 && k >= Joint::kRotation; }

  // Distance beyond a limit, signed as q; 0 inside.
  DERMIS_HD static double Gap(const DofParameters& p, double q) {
    return q < p.minLimit ? q - p.minLimit : q > p.maxLimit ? q - p.maxLimit : 0.0;
  }
  DERMIS_HD double LimitEnergy(int k, double q) const {
    const DofParameters& p = parameters[k];
    const double gap = Gap(p, q);
    if (gap == 0.0) return 0.0;
    // (gap - gap0)^2 - gap0^2 = gap (gap - 2 gap0)
    return 0.5 * p.limitStiffness * gap * gap + 0.5 * p.limitDamping / h * gap * (gap - 2.0 * Gap(p, baseUser[k]));
  }
  // The speed that friction sees: of a scalar, or of the whole rotation.
  DERMIS_HD double Speed(int k, const double* moved) const {
    if (!IsRotation(k)) return Abs(moved[k]) / h;
    const double* w = moved + Joint::kRotation;
    return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) / h;
  }
  DERMIS_HD double Energy(const double* q, const double* moved) const {
    double sum = 0;
    for (int k = 0; k < Joint::kDofs; ++k) {
      const DofParameters& p = parameters[k];
      sum += LimitEnergy(k, q[k]);
      const double lag = moved[k] - predicted[k];
      sum += 0.5 * p.armature / (h * h) * lag * lag;
      if constexpr (Joint::kHasFriction) {
        sum += 0.5 * p.viscous / h * moved[k] * moved[k];
        // The Coulomb term of a rotation is one term: counted with its first coordinate.
        if (p.coulomb > 0 && (!IsRotation(k) || k == Joint::kRotation))
          sum += h * p.coulomb * FrictionPotential(Speed(k, moved), p.falloffVelocity);
      }
    }
    return sum;
  }
  // Derivatives by q (limits) and by `moved` (friction, armature); Hessians are diagonal, positive.
  DERMIS_HD void Derivatives(const double* q, const double* moved, double* gradientQ, double* hessianQ,
                             double* gradientMoved, double* hessianMoved) const {
    for (int k = 0; k < Joint::kDofs; ++k) {
      const DofParameters& p = parameters[k];
      gradientQ[k] = hessianQ[k] = 0;
      const double gap = Gap(p, q[k]);
      if (gap != 0.0) {
        gradientQ[k] = p.limitStiffness * gap + p.limitDamping / h * (gap - Gap(p, baseUser[k]));
        hessianQ[k] = p.limitStiffness + p.limitDamping / h;
      }
      gradientMoved[k] = p.armature / (h * h) * (moved[k] - predicted[k]);
      hessianMoved[k] = p.armature / (h * h);
      if constexpr (Joint::kHasFriction) {
        double slope = p.viscous / h, curvature = p.viscous / h;
        if (p.coulomb > 0) {
          const DofParameters& c = parameters[IsRotation(k) ? Joint::kRotation : k];
          const double speed = Speed(k, moved), secant = c.coulomb / h * FrictionSlope(speed, c.falloffVelocity);
          slope += secant;
          // Of a rotation the secant, an upper bound of the second derivative in every direction.
          curvature += IsRotation(k) ? secant : c.coulomb / h * FrictionCurvature(speed, c.falloffVelocity);
        }
        gradientMoved[k] += slope * moved[k];
        hessianMoved[k] += curvature;
      }
    }
  }
};

DERMIS_NAMESPACE_END
