// One compiled scene on this backend: buffers for template, parameters, state and work, and the step.
#include "engine/simulation.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "engine/buffer.h"
#include "engine/kinematics.h"
#include "engine/newton.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

namespace {

// Numbers past the end of an array that a vector load may touch.
constexpr size_t kPadding = 8;
// Where launches run: so many threads of the CPU, or the device's default stream.
Exec MakeExec(int threads) {
  Exec exec;
  exec.threads = threads;
  return exec;
}

// Denormal numbers are flushed to zero while a step runs: they cost a hundred cycles each. The caller's mode comes
// back.
class FlushDenormals {
 public:
#if defined(__SSE2__) && !defined(__CUDACC__)
  FlushDenormals() : saved_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(saved_ | 0x8040); }
  ~FlushDenormals() { __builtin_ia32_ldmxcsr(saved_); }

 private:
  unsigned saved_;
#endif
};

// On a device a larger system is iterated rather than factored.
constexpr int kMaxDenseOnDevice = 384;

// Counts islands in each state, one team over everything.
struct CountIslands {
  ViewRef v;
  int worlds;
  IslandCounts* counts;
  DERMIS_HD void operator()(const Team& team, int, int) const {
    double active = 0, searching = 0, iterating = 0, failed = 0;
    const int total = worlds * v.m.actors;
    for (int k = team.rank; k < total; k += team.size) {
      const IslandState& island = v.Island(k / v.m.actors, k % v.m.actors);
      active += island.active != 0;
      searching += island.searching != 0;
      iterating += island.iterating != 0;
      failed += island.active && island.failed;
    }
    const IslandCounts sums{int(team.Sum(active)), int(team.Sum(searching)), int(team.Sum(iterating)),
                            int(team.Sum(failed))};
    if (team.rank == 0) *counts = sums;
  }
};

class BackendSimulation final : public Simulation {
 public:
  BackendSimulation(const CompiledModel& model, const SimulationOptions& options)
      : options_(options), m_(model.m), hostMaterialBlockBegin_(model.materialBlockBegin), solver_(model.actorSolver) {
    exec_ = MakeExec(options.threads);
#if !DERMIS_DEVICE_BACKEND
    // The workers of the pool live on, and keep the mode. The calling thread has it during a step.
#pragma omp parallel num_threads(options.threads)
    if (omp_get_thread_num() > 0) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
    std::vector<int32_t> systems = LayOutSolvers(model);
    view_.m = m_;
    view_.integration = int(options.integration);
#define DERMIS_X(type, name, sentence) UploadTemplate(name##_, view_.name, model.name);
    DERMIS_TEMPLATE_FIELDS(DERMIS_X)
#undef DERMIS_X
    UploadTemplate(actorSystemBegin_, view_.actorSystemBegin, systems);
    UploadTemplate(actorSolver_, view_.actorSolver, solver_);
    const auto& m = m_;
    const int worlds = options.worlds;
#define DERMIS_X(type, name, count, sentence) AllocateParameter(name##_, view_.name, model.name, int64_t(count), #name);
    DERMIS_PARAMETER_FIELDS(DERMIS_X)
#undef DERMIS_X
#define DERMIS_X(type, name, count, sentence) \
  AllocateState(name##_, view_.name, model.name, int64_t(count), worlds, #name);
    DERMIS_STATE_FIELDS(DERMIS_X)
#undef DERMIS_X
#define DERMIS_X(type, name, count, sentence) AllocateWork(name##_, view_.name, int64_t(count), worlds);
    DERMIS_WORK_FIELDS(DERMIS_X)
#undef DERMIS_X
    counts_.Resize(size_t(std::max(1, options.threads)));
    reports_.resize(size_t(worlds) * m_.actors);
  }

  int Worlds() const override { return options_.worlds; }
  const ModelCounts& Counts() const override { return m_; }

  void Step(double dt) override {
    [[maybe_unused]] const FlushDenormals flush;
    times_ = {};
    const int chunks = WorldChunks();
    if (chunks > 1) {
#if !DERMIS_DEVICE_BACKEND
#pragma omp parallel for schedule(static, 1) num_threads(chunks)
      for (int k = 0; k < chunks; ++k) {
        const int begin = int(int64_t(options_.worlds) * k / chunks),
                  end = int(int64_t(options_.worlds) * (k + 1) / chunks);
        StepWorlds(MakeExec(1), k, begin, end, dt, nullptr);
      }
#endif
    } else {
      StepWorlds(exec_, 0, 0, options_.worlds, dt, options_.timePhases ? &times_ : nullptr);
    }
    ReadReports();
  }

  const IslandReport& Report(int world, int island) const override {
    return reports_[size_t(world) * m_.actors + island];
  }
  const PhaseTimes& Times() const override { return times_; }

  std::vector<double> GetState(const std::string& name, int world) const override {
#define DERMIS_X(type, field, count, sentence) \
  if (name == #field) return ReadWorld(field##_, view_.field, Count_##field(), world);
    DERMIS_STATE_FIELDS(DERMIS_X)
#undef DERMIS_X
    throw std::invalid_argument("no state array is called " + name);
  }
  void SetState(const std::string& name, int world, const std::vector<double>& values) override {
#define DERMIS_X(type, field, count, sentence) \
  if (name == #field) return WriteWorld(field##_, view_.field, Count_##field(), world, values, name);
    DERMIS_STATE_FIELDS(DERMIS_X)
#undef DERMIS_X
    throw std::invalid_argument("no state array is called " + name);
  }
  std::vector<double> GetParameter(const std::string& name, int world) const override {
#define DERMIS_X(type, field, count, sentence) \
  if (name == #field) return ReadWorld(field##_, view_.field, Count_##field(), world);
    DERMIS_PARAMETER_FIELDS(DERMIS_X)
#undef DERMIS_X
    throw std::invalid_argument("no parameter is called " + name);
  }
  void SetParameter(const std::string& name, int world, const std::vector<double>& values) override {
#define DERMIS_X(type, field, count, sentence)                                                               \
  if (name == #field) {                                                                                      \
    if (world >= 0) GiveEveryWorldACopy(field##_, view_.field, Count_##field());                             \
    const int first = world >= 0 ? world : 0;                                                                \
    const int last = world >= 0 ? world : view_.field.stride == 0 ? 0 : options_.worlds - 1;                 \
    for (int w = first; w <= last; ++w) WriteWorld(field##_, view_.field, Count_##field(), w, values, name); \
    return;                                                                                                  \
  }
    DERMIS_PARAMETER_FIELDS(DERMIS_X)
#undef DERMIS_X
    throw std::invalid_argument("no parameter is called " + name);
  }

  void VelocitiesFromJoints(int world) override {
    dermis::VelocitiesFromJoints(exec_, view_, world);
    Synchronize(exec_);
  }

  std::vector<double> NodePositions(int world) const override {
    return Positions(world, slotNode_, view_.slotNode, m_.nodes, 3);
  }
  std::vector<double> PointPositions(int world) const override {
    return Positions(world, slotPoint_, view_.slotPoint, m_.points, 3);
  }
  std::vector<double> FrameTransforms(int world) const override {
    return Positions(world, slotFrame_, view_.slotFrame, m_.frames, 12);
  }

  Probe ProbeStep(double dt, int world, const std::vector<double>& offset, const std::vector<double>& direction,
                  bool geometric) override {
    const View v = WorldsFrom(world);
    const SolverContext c = Context(exec_, v, 1, nullptr);
    BeginStep(exec_, 1, v, dt);
    EvaluateCurrent(exec_, 1, v);
    WriteWorld(rowStep_, view_.rowStep, 3 * int64_t(m_.rows), world, offset, "offset");
    Search(world, geometric);
    EvaluateTrial(exec_, 1, v);
    AcceptTrial(world);
    Linearize(c);
    Probe probe;
    probe.gradient = ReadWorld(rowGradient_, view_.rowGradient, 3 * int64_t(m_.rows), world);
    WriteWorld(rowDirection_, view_.rowDirection, 3 * int64_t(m_.rows), world, direction, "direction");
    MatrixProduct(exec_, 1, v);
    probe.product = ReadWorld(rowProduct_, view_.rowProduct, 3 * int64_t(m_.rows), world);
    WriteWorld(rowStep_, view_.rowStep, 3 * int64_t(m_.rows), world, direction, "direction");
    EvaluateTrial(exec_, 1, v);
    SumDifferences(c);
    for (const IslandState& island : Islands(world)) probe.difference += island.difference;
    AcceptTrial(world);
    Linearize(c);
    probe.gradientMoved = ReadWorld(rowGradient_, view_.rowGradient, 3 * int64_t(m_.rows), world);
    return probe;
  }

 private:
  // Numbers a world of each array, under the name of the array.
#define DERMIS_X(type, name, count, sentence)   \
  int64_t Count_##name() const {                \
    [[maybe_unused]] const ModelCounts& m = m_; \
    return int64_t(count);                      \
  }
  DERMIS_PARAMETER_FIELDS(DERMIS_X)
  DERMIS_STATE_FIELDS(DERMIS_X)
#undef DERMIS_X

  // A device has no sparse factorisation: small actors become dense there, large ones are iterated.
  std::vector<int32_t> LayOutSolvers(const CompiledModel& model) {
    std::vector<int32_t> begin(size_t(m_.actors) + 1, 0);
    for (int a = 0; a < m_.actors; ++a) {
      const int n = 3 * (model.actorRowBegin[a + 1] - model.actorRowBegin[a]);
      auto kind = LinearSolverKind(solver_[a]);
      if (DERMIS_DEVICE_BACKEND && kind == LinearSolverKind::Sparse)
        kind = n <= kMaxDenseOnDevice ? LinearSolverKind::Dense : LinearSolverKind::ConjugateGradients;
      solver_[a] = int32_t(kind);
      use_.dense |= kind == LinearSolverKind::Dense;
      use_.sparse |= kind == LinearSolverKind::Sparse;
      use_.conjugateGradients |= kind == LinearSolverKind::ConjugateGradients;
      begin[a + 1] = begin[a] + (kind == LinearSolverKind::Dense ? n * n : 0);
    }
    m_.system = begin.back();
    return begin;
  }

  template <class T> void UploadTemplate(Buffer<T>& buffer, const T*& pointer, const std::vector<T>& values) {
    buffer.Resize(values.size() + kPadding);
    buffer.Upload(values.data(), values.size());
    pointer = buffer.data();
  }
  template <class T>
  void AllocateParameter(Buffer<T>& buffer, WorldArray<T>& array, const std::vector<T>& values, int64_t count,
                         const char* name) {
    CheckSize(values.size(), count, name);
    buffer.Resize(size_t(count) + kPadding);
    buffer.Upload(values.data(), values.size());
    array = {buffer.data(), 0};
  }
  template <class T>
  void AllocateState(Buffer<T>& buffer, WorldArray<T>& array, const std::vector<T>& values, int64_t count, int worlds,
                     const char* name) {
    CheckSize(values.size(), count, name);
    buffer.Resize(size_t(count) * worlds + kPadding);
    for (int w = 0; w < worlds; ++w) buffer.Upload(values.data(), values.size(), size_t(count) * w);
    array = {buffer.data(), count};
  }
  template <class T> void AllocateWork(Buffer<T>& buffer, WorldArray<T>& array, int64_t count, int worlds) {
    // Every world starts on a 64-byte line, so that what a pack loads does not depend on the world.
    const int64_t stride = (count + 7) / 8 * 8;
    buffer.Resize(size_t(stride) * worlds + kPadding);
    array = {buffer.data(), stride};
  }
  static void CheckSize(size_t size, int64_t count, const char* name) {
    if (int64_t(size) != count) throw std::logic_error(std::string("compiled model: ") + name + " has the wrong size");
  }
  template <class T> void GiveEveryWorldACopy(Buffer<T>& buffer, WorldArray<T>& array, int64_t count) {
    if (array.stride != 0 || options_.worlds == 1 || count == 0) return;
    std::vector<T> values(static_cast<size_t>(count));
    buffer.Download(values.data(), values.size());
    buffer.Resize(size_t(count) * options_.worlds + kPadding);
    for (int w = 0; w < options_.worlds; ++w) buffer.Upload(values.data(), values.size(), size_t(count) * w);
    array = {buffer.data(), count};
  }

  template <class T>
  std::vector<double> ReadWorld(const Buffer<T>& buffer, const WorldArray<T>& array, int64_t count, int world) const {
    CheckWorld(world);
    std::vector<T> values(static_cast<size_t>(count));
    buffer.Download(values.data(), values.size(), size_t(array.stride) * world);
    return {values.begin(), values.end()};
  }
  template <class T>
  void WriteWorld(Buffer<T>& buffer, const WorldArray<T>& array, int64_t count, int world,
                  const std::vector<double>& values, const std::string& name) {
    CheckWorld(world);
    if (int64_t(values.size()) != count)
      throw std::invalid_argument(name + ": " + std::to_string(values.size()) + " numbers given, a world has " +
                                  std::to_string(count));
    const std::vector<T> converted(values.begin(), values.end());
    buffer.Upload(converted.data(), converted.size(), size_t(array.stride) * world);
  }
  void CheckWorld(int world) const {
    if (world < 0 || world >= options_.worlds)
      throw std::out_of_range("world " + std::to_string(world) + " of " + std::to_string(options_.worlds));
  }

  // The view with `world` as its world 0.
  View WorldsFrom(int world) const {
    View v = view_;
#define DERMIS_X(type, name, count, sentence) v.name.data += world * v.name.stride;
    DERMIS_PARAMETER_FIELDS(DERMIS_X)
    DERMIS_STATE_FIELDS(DERMIS_X)
    DERMIS_WORK_FIELDS(DERMIS_X)
#undef DERMIS_X
    return v;
  }
  // Worlds are spread over threads when there are enough of them; else a launch is.
  int WorldChunks() const {
    if (DERMIS_DEVICE_BACKEND || options_.threads < 2 || options_.worlds < 2 * options_.threads) return 1;
    return options_.threads;
  }

  // The worlds whose islands a step counts; on a device, `slot` is its own place for the result.
  struct Counter {
    const BackendSimulation* simulation;
    Exec exec;
    int slot, worlds;
    View v;
  };
  // Without a counter of islands: for a linearisation; a step adds its own.
  SolverContext Context(const Exec& exec, const View& v, int worlds, PhaseTimes* times) {
    return {exec,    worlds,  &v,   use_, hostMaterialBlockBegin_.data(), options_.maxNewtonIterations,
            nullptr, nullptr, times};
  }
  void StepWorlds(const Exec& exec, int slot, int begin, int end, double dt, PhaseTimes* times) {
    const View v = WorldsFrom(begin);
    Counter counter{this, exec, slot, end - begin, v};
    SolverContext c = Context(exec, v, end - begin, times);
    c.counter = &counter;
    c.count = [](void* p) { return static_cast<Counter*>(p)->simulation->Count(*static_cast<Counter*>(p)); };
    NewtonStep(c, dt);
    Synchronize(exec);
  }
  IslandCounts Count(const Counter& counter) const {
#if DERMIS_DEVICE_BACKEND
    IslandCounts counts;
    LaunchTeams(counter.exec, 1, 1,
                CountIslands{counter.v, counter.worlds, const_cast<IslandCounts*>(counts_.data()) + counter.slot});
    Synchronize(counter.exec);
    counts_.Download(&counts, 1, counter.slot);
    return counts;
#else
    IslandCounts counts;
    CountIslands{counter.v, counter.worlds, &counts}(Team{}, 0, 0);
    return counts;
#endif
  }

  std::vector<IslandState> Islands(int world) const {
    std::vector<IslandState> islands(size_t(m_.actors));
    island_.Download(islands.data(), islands.size(), size_t(view_.island.stride) * world);
    return islands;
  }
  void WriteIslands(int world, const std::vector<IslandState>& islands) {
    island_.Upload(islands.data(), islands.size(), size_t(view_.island.stride) * world);
  }
  // All islands of a world take part in a trial with the whole step.
  void Search(int world, bool geometric) {
    std::vector<IslandState> islands = Islands(world);
    for (IslandState& island : islands) {
      island.searching = island.active = 1;
      island.alpha = 1;
      island.geometric = geometric;
    }
    WriteIslands(world, islands);
  }
  // The trial becomes the current iterate.
  void AcceptTrial(int world) {
    std::vector<IslandState> islands = Islands(world);
    for (IslandState& island : islands) island.slot ^= 1;
    WriteIslands(world, islands);
  }

  void ReadReports() {
    for (int world = 0; world < options_.worlds; ++world) {
      const std::vector<IslandState> islands = Islands(world);
      for (int a = 0; a < m_.actors; ++a) {
        const IslandState& island = islands[a];
        IslandReport& report = reports_[size_t(world) * m_.actors + a];
        report.flags = island.flags;
        report.newtonIterations = island.newton;
        report.linearIterations = island.linear;
        report.lineSearchHalvings = island.halvings;
        report.badStage = StepStage(island.badStage);
        report.badIteration = island.badIteration;
        report.badItem = island.badItem;
        report.residual = island.residual;
        report.gradientMotion = -island.slope;
        report.motion = island.motion;
        report.stepLength = island.alpha;
      }
    }
  }

  // Positions of the present state: evaluated anew, since the state may have been set.
  std::vector<double> Positions(int world, const Buffer<double>& buffer, const WorldArray<double>& array, int items,
                                int numbers) const {
    CheckWorld(world);
    const View v = WorldsFrom(world);
    ShowState(exec_, 1, v);
    Synchronize(exec_);
    std::vector<double> result(size_t(items) * numbers);
    buffer.Download(result.data(), result.size(), size_t(array.stride) * world);
    return result;
  }

  SimulationOptions options_;
  ModelCounts m_;
  std::vector<int32_t> hostMaterialBlockBegin_, solver_;
  SolverUse use_;
  Exec exec_;
  View view_;
  PhaseTimes times_;
  std::vector<IslandReport> reports_;
  Buffer<IslandCounts> counts_;
#define DERMIS_X(type, name, sentence) Buffer<type> name##_;
  DERMIS_TEMPLATE_FIELDS(DERMIS_X)
#undef DERMIS_X
#define DERMIS_X(type, name, count, sentence) Buffer<type> name##_;
  DERMIS_PARAMETER_FIELDS(DERMIS_X)
  DERMIS_STATE_FIELDS(DERMIS_X)
  DERMIS_WORK_FIELDS(DERMIS_X)
#undef DERMIS_X
};

}  // namespace

std::unique_ptr<Simulation> CreateSimulation(const CompiledModel& model, const SimulationOptions& options) {
  return std::make_unique<BackendSimulation>(model, options);
}

DERMIS_NAMESPACE_END
