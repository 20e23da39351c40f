// DIR/trajectory.json: positions of everything at the recorded steps.
//
//   steps        step numbers, 0 first
//   articulated  name: q and qd [steps, dofs]; links [steps, links, 7], world from link: translation [m], quaternion
//   xyzw soft         name: x, world positions [steps, nodes, 3] [m]; energy, elastic, relative to rest [steps] [J]
//   skin         x [steps, vertices, 3] [m]; with skins on several actors: name: x
//   rigid        name: com, centre of mass [steps, 3] [m]; quat_xyzw [steps, 4]
//   dt, integration, note, size, program, scene, settings: facts of the run
#pragma once

#include "host/record/recorder.h"

namespace dermis {

// Holds all recorded positions in memory, and writes the file at the end.
std::unique_ptr<Recorder> CreateTrajectoryRecorder(const String& folder, const RunFacts& facts);

}  // namespace dermis
