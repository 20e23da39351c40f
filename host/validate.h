// Validation: finds every problem of a scene before it reports, and changes nothing.
#pragma once

#include "host/validated.h"

namespace dermis {

// Checks a scene and resolves it. On failure the error lists all problems, each with its path, value, allowed range and
// remedy, and the result is empty.
ValidatedScene Validate(const SceneDescription& scene, Error& error);

// The same checks for one actor that is about to be created; paths start at its parameters
// ("softParams[1].material.neoHookean.poissonRatio: ..."). True when there is no problem.
bool ValidateActor(const RigidActorParams& params, Error& error);
bool ValidateActor(const SoftActorParams& params, Error& error);
bool ValidateActor(const ArticulatedActorParams& params, Error& error);
bool ValidateActor(const SoftSkinnedActorParams& params, Error& error);

}  // namespace dermis
