// Newton's method on the incremental potential, all islands of all worlds side by side, each with its own scalars.
#pragma once

#include "engine/linear/solve.h"
#include "engine/simulation.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

// Counts of islands in each state, read back by the host between launches.
struct IslandCounts {
  int32_t active, searching, iterating, failed;
};

// What the solver needs besides the view.
struct SolverContext {
  Exec exec;
  int worlds;
  const View* v;
  SolverUse use;
  const int32_t* materialBlockBegin;  // host copy
  int maxIterations;
  IslandCounts (*count)(void*);  // reads the island states
  void* counter;
  PhaseTimes* times;  // null: not measured
};

// Gradient and matrix of active islands at the current iterate.
void Linearize(const SolverContext& c);
// Advances every island by one step of `dt` seconds.
void NewtonStep(const SolverContext& c, double dt);
// Differences of energy between trial and current iterate, per island: IslandState::difference and magnitude.
void SumDifferences(const SolverContext& c);

DERMIS_NAMESPACE_END
