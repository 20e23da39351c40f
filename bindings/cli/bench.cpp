#include "bindings/cli/bench.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "bindings/cli/exit_code.h"
#include "bindings/cli/run_settings.h"
#include "bindings/cli/step_counts.h"
#include "engine/registry.h"
#include "host/bench/bench_scenes.h"
#include "host/io/json.h"
#include "host/io/scene_file.h"

namespace dermis::cli {

namespace {

const DynamicArray<String> kScenes{"pendulum", "elastic_skin", "beam"};
constexpr int kWarmUp = 5;  // steps that the median leaves out

BenchScene MakeScene(const BenchArguments& arguments, Problems& problems) {
  Error error;
  BenchScene scene;
  const String size =
      arguments.size ? ParseChoice("--size", *arguments.size, {"s", "m", "l"}, problems).value_or("s") : "s";
  if (arguments.size && arguments.scene != "beam") problems.push_back("--size: only the beam has sizes");
  if (arguments.scene == "pendulum") {
    scene = MakePendulumScene(error);
  } else if (arguments.scene == "elastic_skin") {
    scene = MakeElasticSkinScene(error);
  } else if (arguments.scene == "beam") {
    scene = MakeBeamScene(size == "s" ? BeamSize::Small : size == "m" ? BeamSize::Medium : BeamSize::Large, error);
  } else if (arguments.scene.find('.') != String::npos || std::filesystem::exists(arguments.scene)) {
    scene = {.description = LoadSceneFromFile(arguments.scene, error), .dt = 1.0 / 60, .steps = 60};
  } else {
    ParseChoice("scene", arguments.scene, kScenes, problems);
  }
  for (const String& problem : error.GetProblems()) problems.push_back(problem);
  return scene;
}

// What one run of the scene took.
struct Timing {
  explicit Timing(int maxNewtonIterations) : counts(maxNewtonIterations) {}
  std::unique_ptr<Scene> scene;
  DynamicArray<double> milliseconds;  // of each step
  StepCounts counts;
  PhaseTimes phases;  // sums [s]
};

Timing TimeSteps(const BenchScene& bench, const SceneOptions& options, Error& error) {
  using Clock = std::chrono::steady_clock;
  Timing timing(options.maxNewtonIterations);
  timing.scene = Scene::Create(bench.description, options, error);
  for (int step = 1; step <= bench.steps && error.IsOK(); ++step) {
    const Clock::time_point start = Clock::now();
    timing.scene->Step(bench.dt, error);
    timing.milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    timing.counts.Add(*timing.scene, step);
    const PhaseTimes& times = timing.scene->GetStepTimes();
    for (double PhaseTimes::*phase : {&PhaseTimes::begin, &PhaseTimes::elements, &PhaseTimes::assembly,
                                      &PhaseTimes::solve, &PhaseTimes::lineSearch, &PhaseTimes::end})
      timing.phases.*phase += times.*phase;
  }
  return timing;
}

// Median of the steps after the warm-up, or of the last one when there are no others.
double MedianStep(DynamicArray<double> milliseconds) {
  if (milliseconds.empty()) return 0;
  const auto begin = milliseconds.begin() + std::min<std::ptrdiff_t>(kWarmUp, std::ptrdiff_t(milliseconds.size()) - 1);
  const auto middle = begin + (milliseconds.end() - begin) / 2;
  std::nth_element(begin, middle, milliseconds.end());
  if ((milliseconds.end() - begin) % 2 == 1) return *middle;
  return (*middle + *std::max_element(begin, middle)) / 2;
}

String ProcessorName() {
  std::ifstream stream("/proc/cpuinfo");
  for (String line; std::getline(stream, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown";
}

String InstructionSetOf(const String& backend) {
  for (const BackendTable* table : AllBackends())
    if (table->name == backend)
      return table->needs == InstructionSet::X86_64 ? "x86-64" : fmt::format("x86-64-v{}", int(table->needs));
  return "unknown";
}

double PeakMemoryMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

void PrintLine(const BenchArguments& arguments, const BenchScene& bench, const SceneOptions& options,
               const Timing& timed, const Timing& phased, double memory) {
  const double steps = std::max(1, bench.steps);
  const String backend = timed.scene->GetBackendName();
  const auto quoted = [](const String& text) { return WriteJson(JsonValue(text)); };
  fmt::print("{{\"engine\": \"dermis {}\", \"scene\": {}", DERMIS_VERSION, quoted(arguments.scene));
  if (arguments.scene == "beam") fmt::print(", \"size\": {}", quoted(arguments.size.value_or("s")));
  fmt::print(", \"machine\": {{\"cpu\": {}, \"cores\": {}, \"isa\": \"{}\"}}", quoted(ProcessorName()),
             AvailableThreads(), InstructionSetOf(backend));
  fmt::print(", \"backend\": \"{}\", \"threads\": {}, \"steps\": {}, \"dt\": {}", backend, options.numThreads,
             bench.steps, bench.dt);
  fmt::print(", \"ms_per_step\": {:.5g}, \"newton\": {:.4g}, \"pcg\": {:.4g}, \"not_converged\": {}",
             MedianStep(timed.milliseconds), double(timed.counts.TotalNewton()) / steps,
             double(timed.counts.TotalLinear()) / steps, timed.counts.NotConvergedSteps());
  if (bench.tipNode >= 0) {
    const SoftLayout& soft = timed.scene->GetActors().front().softs.front();
    const Real rest = bench.description.actors.soft.front().shape->GetNodes()[size_t(bench.tipNode)].y;
    fmt::print(", \"tip\": {:.8g}", timed.scene->GetNodePositions(soft)[size_t(bench.tipNode)].y - rest);
  }
  const PhaseTimes& p = phased.phases;
  const double scale = 1e3 / steps;
  fmt::print(
      ", \"phases\": {{\"begin\": {:.4g}, \"elements\": {:.4g}, \"assembly\": {:.4g}, \"solve\": {:.4g}, "
      "\"line_search\": {:.4g}, \"end\": {:.4g}}}, \"peak_memory_mb\": {:.1f}}}\n",
      scale * p.begin, scale * p.elements, scale * p.assembly, scale * p.solve, scale * p.lineSearch, scale * p.end,
      memory);
}

}  // namespace

int Bench(const BenchArguments& arguments) {
  Problems problems;
  BenchScene bench = MakeScene(arguments, problems);
  if (arguments.steps) bench.steps = ParseInteger("--steps", *arguments.steps, 1, 1000000, problems).value_or(1);
  if (arguments.dt) bench.dt = ParseReal("--dt", *arguments.dt, 0, 10, "s", problems).value_or(1);
  SceneOptions options;
  options.fixConstrainedNodes = bench.fixConstrainedNodes;
  CheckSolver(arguments.backend, arguments.threads, arguments.tolerance, options, problems);

  Error error;
  if (problems.empty()) {
    const Timing timed = TimeSteps(bench, options, error);
    // Memory of one run; and the clocks of the phases stay out of the times above.
    const double memory = PeakMemoryMegabytes();
    options.timePhases = true;
    const Timing phased = TimeSteps(bench, options, error);
    if (error.IsOK()) {
      PrintLine(arguments, bench, options, timed, phased, memory);
      return kOk;
    }
    problems = error.GetProblems();
  }
  for (const String& problem : problems) fmt::print(stderr, "dermis: {}\n", problem);
  return kUserError;
}

}  // namespace dermis::cli
