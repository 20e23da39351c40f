// How the tangent of a material is made positive semidefinite. Energy and stress never depend on it.
#pragma once

namespace dermis {

// Plain data, the same in all backends.
enum class PsdStrategy {
  MaterialDefault,     // the material's own choice
  None,                // the exact tangent
  Projection,          // negative eigenvalues become 0
  Fast,                // indefinite terms are dropped
  AbsEigenProjection,  // negative eigenvalues change sign (Chen et al. 2024)
  PerTermProjection,   // every summand is projected by itself
};

}  // namespace dermis
