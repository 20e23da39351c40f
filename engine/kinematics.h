// The point map: frames from joint coordinates, world positions from frames and displacements; the start and the end
// of a step in time.
#pragma once

#include "engine/launch.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

// Sets the base state, the predicted motion and the first iterate (the last state, prescribed nodes moved).
void BeginStep(const Exec& exec, int worlds, const View& v, double dt);
// rowStep = the motion that the last velocities predict, as a first guess.
void PredictedMotion(const Exec& exec, int worlds, const View& v, double dt);
// Frames, nodes and points of the current iterate of active islands.
void EvaluateCurrent(const Exec& exec, int worlds, const View& v);
// The trial iterate: current, moved by alpha * rowStep; its frames, nodes and points; islands that are searching.
void EvaluateTrial(const Exec& exec, int worlds, const View& v);
// Writes configuration, displacements, velocities and history of islands that did not diverge.
void EndStep(const Exec& exec, int worlds, const View& v, double dt);
// Frames, nodes and points of the present state, in slot 0.
void ShowState(const Exec& exec, int worlds, const View& v);
// frameSpin, frameVelocity, nodeVelocity from dofVelocity at the present state of one world.
void VelocitiesFromJoints(const Exec& exec, const View& v, int world);

DERMIS_NAMESPACE_END
