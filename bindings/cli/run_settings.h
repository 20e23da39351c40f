// The checked settings of `dermis run`.
#pragma once

#include "bindings/cli/run.h"
#include "bindings/cli/values.h"
#include "host/scene.h"

namespace dermis::cli {

struct RunSettings {
  String sceneFile, root;
  Real dt = 1.0 / 60;  // [s]
  int steps = 60;
  int every = 1;
  SceneOptions scene;
  Optional<Real> tolerance;  // [m], when given
  DynamicArray<String> record;
  String out;  // "" writes nothing
  bool strict = false, noContact = false;
};

// Checks all values and the output folder; every problem is in `problems`.
RunSettings CheckRun(const RunArguments& arguments, Problems& problems);
// The options that `run` and `bench` share.
void CheckSolver(const Optional<String>& backend, const Optional<String>& threads, const Optional<String>& tolerance,
                 SceneOptions& options, Problems& problems);

}  // namespace dermis::cli
