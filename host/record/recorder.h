// What a run writes. A recorder is told of every recorded step and closes its files at the end.
//
// Files are valid whenever the program is interrupted: a file is either replaced as a whole (replaced_file.h) or grows
// by complete entries.
#pragma once

#include <memory>

#include "host/scene.h"

namespace dermis {

// Facts about a run that files repeat, so that a result tells where it comes from.
struct RunFacts {
  String programVersion;
  String sceneFile;        // name without folder
  uint64_t sceneHash = 0;  // FNV-1a of the file's bytes
  String note;             // free text of the scene
  Real dt = 0;             // [s]
  int every = 1;           // every how many steps are recorded
  int threads = 1;
  Optional<Real> tolerance;  // [m]; absent: the default of each actor
  IntegrationMethod integration = IntegrationMethod::BackwardEuler;
  bool fixConstrainedNodes = false;
};

// One recorded step. The counts are sums over all actors and over the steps since the recorded step before.
struct RecordedStep {
  int step = 0;   // 0 is the start
  Real time = 0;  // [s]
  int newtonIterations = 0;
  int linearIterations = 0;
  int notConverged = 0;  // steps of single actors
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  // The scene is in the state after `step`. Problems with files become errors.
  virtual void Record(Scene& scene, const RecordedStep& step, Error& error) = 0;
  // After the last step, whether it was recorded or not.
  virtual void Finish(Scene& scene, Error& error) = 0;
};

// The kinds of recorders: trajectory, csv, vtk, hash.
const DynamicArray<String>& RecorderKinds();
// Whether recorders of this kind write files; `hash` prints a line.
bool RecorderNeedsFolder(const String& kind);
// A recorder of a known kind, whose files lie in the existing folder `folder`.
std::unique_ptr<Recorder> CreateRecorder(const String& kind, const String& folder, const RunFacts& facts, Error& error);

}  // namespace dermis
