#include "bindings/cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "bindings/cli/exit_code.h"
#include "bindings/cli/interrupt.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/run_settings.h"
#include "bindings/cli/step_counts.h"
#include "host/io/scene_file.h"
#include "host/record/output_folder.h"

namespace dermis::cli {

namespace {

int Fail(const Problems& problems) {
  for (const String& problem : problems) fmt::print(stderr, "dermis: {}\n", problem);
  return kUserError;
}

// 64-bit FNV-1a of a file's bytes.
uint64_t HashFile(const String& path) {
  std::ifstream stream(path, std::ios::binary);
  uint64_t hash = 0xcbf29ce484222325ull;
  char block[1 << 14];
  while (stream.read(block, sizeof block), stream.gcount() > 0)
    for (std::streamsize i = 0; i < stream.gcount(); ++i) hash = (hash ^ (unsigned char)block[i]) * 0x100000001b3ull;
  return hash;
}

// Whether a scene has two things that could touch.
bool CouldTouch(const SceneDescription& scene) {
  size_t surfaces = scene.actors.soft.size();
  for (const RigidActorParams& rigid : scene.actors.rigid) surfaces += rigid.colliderType != ColliderType::None;
  const auto addLinks = [&](const ArticulatedActorParams& skeleton) {
    for (const ArticulatedLinkParams& link : skeleton.links)
      surfaces += link.shape.IsValid() && link.colliderType != ColliderType::None;
    surfaces += skeleton.skin.has_value();
  };
  for (const ArticulatedActorParams& actor : scene.actors.articulated) addLinks(actor);
  for (const SoftSkinnedActorParams& actor : scene.actors.softSkinned) {
    addLinks(actor.skeletonParams);
    surfaces += actor.softParams.size();
  }
  return surfaces > 1;
}

RunFacts MakeFacts(const RunSettings& settings, const SceneDescription& description) {
  RunFacts facts;
  facts.programVersion = DERMIS_VERSION;
  facts.sceneFile = std::filesystem::path(settings.sceneFile).filename().string();
  facts.sceneHash = HashFile(settings.sceneFile);
  facts.note = description.scene.description;
  facts.dt = settings.dt;
  facts.every = settings.every;
  facts.threads = settings.scene.numThreads;
  facts.tolerance = settings.tolerance;
  facts.integration = settings.scene.integrationMethod.value_or(description.scene.solver.integrationMethod);
  facts.fixConstrainedNodes = settings.scene.fixConstrainedNodes;
  return facts;
}

// The recorders of a run, in the order asked for.
class Recording {
 public:
  Recording(const RunSettings& settings, const RunFacts& facts, Error& error) : every_(settings.every) {
    if (!settings.out.empty()) PrepareOutputFolder(settings.out, error);
    for (const String& kind : settings.record) recorders_.push_back(CreateRecorder(kind, settings.out, facts, error));
  }
  void Record(Scene& scene, int step, StepCounts& counts, Error& error) {
    if (step % every_ != 0 || recorders_.empty()) return;
    const RecordedStep recorded = counts.TakeRecorded(step, scene.GetTotalSimulationTime());
    for (const auto& recorder : recorders_) recorder->Record(scene, recorded, error);
  }
  // Each recorder closes its files, whatever happened to another one.
  void Finish(Scene& scene, Problems& problems) {
    for (const auto& recorder : recorders_) {
      Error error;
      recorder->Finish(scene, error);
      problems.insert(problems.end(), error.GetProblems().begin(), error.GetProblems().end());
    }
  }

 private:
  int every_;
  DynamicArray<std::unique_ptr<Recorder>> recorders_;
};

void PrintSummary(const Scene& scene, const RunSettings& settings, const StepCounts& counts, int steps,
                  double seconds) {
  fmt::print(stderr, "{} steps, {:.6g} s, on {}", steps, scene.GetTotalSimulationTime(), scene.GetBackendName());
  if (steps > 0)
    fmt::print(stderr, ": {:.3g} ms and {:.2f} Newton iterations a step", 1e3 * seconds / steps,
               double(counts.TotalNewton()) / steps);
  if (counts.NotConvergedSteps() > 0)
    fmt::print(stderr, "; {} of {} steps did not converge", counts.NotConvergedSteps(), steps);
  fmt::print(stderr, "\n");
  if (!settings.out.empty() && !settings.record.empty()) fmt::print(stderr, "recorded in {}\n", settings.out);
}

// Advances the scene; returns the exit code.
int Advance(Scene& scene, const RunSettings& settings, const RunFacts& facts) {
  using Clock = std::chrono::steady_clock;
  Error error;
  Recording recording(settings, facts, error);
  if (!error.IsOK()) return Fail(error.GetProblems());
  StepCounts counts(settings.scene.maxNewtonIterations);
  recording.Record(scene, 0, counts, error);
  CatchInterrupts();
  Progress progress(settings.steps);
  Clock::duration stepping{};
  int step = 0, code = kOk;
  while (step < settings.steps && error.IsOK() && code == kOk && !InterruptSignal()) {
    const Clock::time_point start = Clock::now();
    scene.Step(settings.dt, error);
    stepping += Clock::now() - start;
    if (!error.IsOK()) break;
    const String failure = counts.Add(scene, ++step);
    if (!failure.empty()) {
      progress.Clear();
      fmt::print(stderr, "dermis: {}{}\n", failure, settings.strict ? "" : "; going on, further ones are only counted");
    }
    if (settings.strict && !counts.LastConverged()) code = kNotConverged;
    recording.Record(scene, step, counts, error);
    progress.Update(step, scene.GetTotalSimulationTime(), counts.LastNewton());
  }
  progress.Clear();
  Problems problems = error.GetProblems();
  recording.Finish(scene, problems);
  if (!problems.empty()) return Fail(problems);
  if (InterruptSignal() && step < settings.steps) {
    fmt::print(stderr, "dermis: interrupted after step {} of {}; what was recorded is complete\n", step,
               settings.steps);
    code = 128 + InterruptSignal();
  }
  PrintSummary(scene, settings, counts, step, std::chrono::duration<double>(stepping).count());
  return code;
}

}  // namespace

int Run(const RunArguments& arguments) {
  Problems problems;
  const RunSettings settings = CheckRun(arguments, problems);
  if (!problems.empty()) return Fail(problems);

  Error error;
  const SceneDescription description = LoadSceneFromFile(settings.sceneFile, settings.root, error);
  const std::unique_ptr<Scene> scene = Scene::Create(description, settings.scene, error);
  if (!error.IsOK()) return Fail(error.GetProblems());
  for (const String& note : scene->GetNotes()) fmt::print(stderr, "note: {}\n", note);
  if (!settings.noContact && CouldTouch(description))
    fmt::print(stderr,
               "note: contact is not simulated yet, bodies pass through each other; --no-contact hides this note\n");
  return Advance(*scene, settings, MakeFacts(settings, description));
}

}  // namespace dermis::cli
