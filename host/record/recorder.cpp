#include "host/record/recorder.h"

#include <cinttypes>
#include <cstdio>

#include "host/record/energies.h"
#include "host/record/trajectory.h"
#include "host/record/vtk_series.h"

namespace dermis {

namespace {

// Prints the hash of the final state: equal lines, equal results.
class HashRecorder : public Recorder {
 public:
  void Record(Scene&, const RecordedStep&, Error&) override {}
  void Finish(Scene& scene, Error&) override { std::printf("hash 0x%016" PRIx64 "\n", scene.GetStateHash()); }
};

}  // namespace

const DynamicArray<String>& RecorderKinds() {
  static const DynamicArray<String> kinds{"trajectory", "csv", "vtk", "hash"};
  return kinds;
}

bool RecorderNeedsFolder(const String& kind) { return kind != "hash"; }

std::unique_ptr<Recorder> CreateRecorder(const String& kind, const String& folder, const RunFacts& facts,
                                         Error& error) {
  if (!error.IsOK()) return nullptr;
  if (kind == "trajectory") return CreateTrajectoryRecorder(folder, facts);
  if (kind == "csv") return CreateEnergyRecorder(folder, error);
  if (kind == "vtk") return CreateVtkRecorder(folder, error);
  if (kind == "hash") return std::make_unique<HashRecorder>();
  error.Set("recorder \"" + kind + "\": there is none of this kind");
  return nullptr;
}

}  // namespace dermis
