// DIR/vtk/: the moving meshes for ParaView, a .pvd collection (time in seconds) and one .vtu a recorded step of each:
//
//   soft    all tetrahedra; `displacement` of the nodes in the rest frame [m], `actor` and `soft` of the cells
//   skin    skins of articulated actors; `actor`
//   bodies  surfaces of links and rigid bodies; `actor`, `frame`
//
// Numbers of actors, softs and frames count from 0 in the order of the scene. A collection without cells is left out.
#pragma once

#include "host/record/recorder.h"

namespace dermis {

std::unique_ptr<Recorder> CreateVtkRecorder(const String& folder, Error& error);

// Removes the collections in `folder` and the step files that they name.
void RemoveVtkSeries(const String& folder);

}  // namespace dermis
