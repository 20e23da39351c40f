// All materials. To add one, write its header, include it here and add it to the list; the tests then cover it.
//
// The header also names the public parameters: DERMIS_KEY_Name and DERMIS_PARAMETERS_Name, see neo_hookean.h.
//
// A material is `template <class S> struct Name` with
//   kName, kParameters        its name in scene files and the number of its parameters
//   kSampleRange              from which tests draw each parameter
//   kHasRotation              whether the energy contains the polar rotation; it is then not smooth where two singular
//                             values sum to zero
//   Supports(PsdStrategy)     constexpr
//   Name(parameters)          from `const S (&)[kParameters]`
//   LameMu(), LameLambda()    [Pa] the small-strain constants of stiffness damping
//   Energy(F)                 [J/m^3] relative to F = 1
//   Difference(F0, F1)        Energy(F1) - Energy(F0) without cancellation
//   Stress(F)                 [Pa] first Piola-Kirchhoff
//   Linearize(F, strategy, P) the stress into P, and the tangent, a `Tangent` with
//     Apply(dF)               dP
//     ElementHessian(g, scale, out)   the 45 numbers of kernels/tet.h
#pragma once

#include "kernels/materials/arap.h"
#include "kernels/materials/neo_hookean.h"

// M(X, name) for each material; DERMIS_MATERIALS is the common case.
#define DERMIS_FOR_MATERIALS(M, X) M(X, NeoHookean) M(X, Arap)

#define DERMIS_APPLY(X, name) X(name)
#define DERMIS_MATERIALS(X) DERMIS_FOR_MATERIALS(DERMIS_APPLY, X)
