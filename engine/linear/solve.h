// Solves the Newton system of every active island: H dc = -g, by the solver that was chosen for its actor.
#pragma once

#include "engine/launch.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

// Which solvers a model uses, known on the host.
struct SolverUse {
  bool dense = false, sparse = false, conjugateGradients = false;
};

// The solvers. Each sets rowStep, or IslandState::failed where the matrix is not positive definite.
void SolveDense(const Exec& exec, int worlds, const View& v);
void SolveSparse(const Exec& exec, int worlds, const View& v);  // CPU only
// `anyIterating` returns whether an island still iterates; it is asked every few iterations.
void SolveConjugateGradients(const Exec& exec, int worlds, const View& v, bool (*anyIterating)(void*), void* context);
// rowProduct = H rowDirection, all actors (the matrix of the last assembly).
void MatrixProduct(const Exec& exec, int worlds, const View& v);

DERMIS_NAMESPACE_END
