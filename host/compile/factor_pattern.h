// The choice of an actor's linear solver, and the pattern of its sparse factor.
#pragma once

#include "engine/model.h"

namespace dermis {

// Sets actorSolver of an actor and appends its factor pattern when that is sparse. Actors are treated in order.
//
// A symbolic factorisation by approximate minimum degree (Eigen's), coordinates last, gives the cost of a direct solve;
// that of conjugate gradients is a number of iterations that grows with the cube root of the number of nodes. The
// cheaper one is taken. The figures are those of one core, see docs/design.md.
void ChooseSolver(CompiledModel& model, int actor);

}  // namespace dermis
