#include "bindings/cli/run_settings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/registry.h"
#include "host/record/output_folder.h"
#include "host/record/recorder.h"

namespace dermis::cli {

namespace {

constexpr int kMaxSteps = 1000000000;
constexpr Real kMinTimeStep = 1e-12;  // [s]
constexpr Real kMaxTimeStep = 10;     // [s]

DynamicArray<String> BackendNames() {
  DynamicArray<String> names{"cpu", "cuda"};
  for (const BackendTable* backend : AllBackends())
    if (std::find(names.begin(), names.end(), backend->name) == names.end()) names.emplace_back(backend->name);
  return names;
}

// What is recorded, and that it has a place to go.
void CheckRecording(const RunArguments& arguments, RunSettings& settings, Problems& problems) {
  if (arguments.record)
    settings.record = ParseList("--record", *arguments.record, RecorderKinds(), problems);
  else if (arguments.out)
    settings.record = {"trajectory", "csv"};
  const bool needsFolder = std::any_of(settings.record.begin(), settings.record.end(), RecorderNeedsFolder);
  if (needsFolder && !arguments.out)
    problems.push_back("--record " + *arguments.record + ": files need a folder; add --out DIR");
  if (arguments.force && !arguments.out) problems.push_back("--force: means something only together with --out DIR");
  if (!arguments.out) return;
  Error error;
  CheckOutputFolder(*arguments.out, arguments.force, error);
  for (const String& problem : error.GetProblems()) problems.push_back("--out: " + problem);
  settings.out = *arguments.out;
}

}  // namespace

void CheckSolver(const Optional<String>& backend, const Optional<String>& threads, const Optional<String>& tolerance,
                 SceneOptions& options, Problems& problems) {
  if (backend) options.backend = ParseChoice("--backend", *backend, BackendNames(), problems).value_or("");
  if (threads) {
    const int most = AvailableThreads();
    options.numThreads = ParseInteger("--threads", *threads, 1, most, problems,
                                      "[1, " + std::to_string(most) + "], the processors of this machine")
                             .value_or(1);
  }
  if (tolerance)
    options.tolerance =
        ParseReal("--tolerance", *tolerance, 0, std::numeric_limits<Real>::infinity(), "m", problems).value_or(0);
}

RunSettings CheckRun(const RunArguments& arguments, Problems& problems) {
  RunSettings settings;
  settings.sceneFile = arguments.scene;
  settings.root = arguments.root.value_or("");
  settings.strict = arguments.strict;
  settings.noContact = arguments.noContact;
  settings.scene.fixConstrainedNodes = arguments.fixConstrainedNodes;

  if (arguments.dt) {
    const Optional<Real> dt = ParseReal("--dt", *arguments.dt, 0, kMaxTimeStep, "s", problems);
    if (dt && *dt < kMinTimeStep)
      problems.push_back("--dt: a time step of " + *arguments.dt + " s is outside [1e-12, 10]");
    else if (dt)
      settings.dt = *dt;
  }
  if (arguments.steps) {
    settings.steps =
        ParseInteger("--steps", *arguments.steps, 0, kMaxSteps, problems, "[0, " + std::to_string(kMaxSteps) + "]")
            .value_or(0);
  } else {
    // One second; a quotient such as 1/0.1 may miss a whole number by an ulp.
    const Real steps = std::ceil(1 / settings.dt * (1 - 1e-12));
    if (steps > kMaxSteps)
      problems.push_back("--dt: " + *arguments.dt + " s makes too many steps of one second; add --steps N");
    else
      settings.steps = int(steps);
  }
  if (arguments.every) settings.every = ParseInteger("--every", *arguments.every, 1, kMaxSteps, problems).value_or(1);
  CheckSolver(arguments.backend, arguments.threads, arguments.tolerance, settings.scene, problems);
  if (arguments.tolerance) settings.tolerance = settings.scene.tolerance;
  if (arguments.integration) {
    const auto name = ParseChoice("--integration", *arguments.integration, {"BackwardEuler", "BDF2"}, problems);
    if (name) settings.scene.integrationMethod = EnumFromName<IntegrationMethod>(*name);
  }
  if (arguments.root && !std::filesystem::is_directory(*arguments.root))
    problems.push_back("--root: \"" + *arguments.root + "\" is not a folder");
  CheckRecording(arguments, settings, problems);
  return settings;
}

}  // namespace dermis::cli
