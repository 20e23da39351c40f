#include "engine/newton.h"

#include <chrono>

#include "engine/assembly.h"
#include "engine/kinematics.h"
#include "engine/terms/elements.h"
#include "engine/terms/nodes.h"
#include "engine/terms/skeleton.h"
#include "kernels/team.h"

DERMIS_NAMESPACE_BEGIN

namespace {

// The energy is known to this part of positions times forces: a few units in the last place.
constexpr double kRoundOff = 4e-15;
// Armijo: the part of the predicted decrease that a step must reach.
constexpr double kSufficientDecrease = 1e-4;
constexpr int kMaxHalvings = 30;
// Eisenstat and Walker 1996, choice 2.
constexpr double kForcingGamma = 0.9, kForcingMax = 0.1, kForcingMin = 1e-10;

DERMIS_HD bool IsFinite(double a) { return a - a == 0; }

struct SumItem {
  const double* values;
  DERMIS_HD double operator()(int k) const { return values[k]; }
};

DERMIS_HD void Diverge(IslandState& island, StepStage stage, int item) {
  island.flags |= int(StepFlag::Diverged);
  island.active = island.searching = island.iterating = 0;
  island.badStage = int(stage);
  island.badIteration = island.newton;
  island.badItem = item;
}

// The first row of an actor with a number that is not finite, -1 when there is none.
DERMIS_HD int FirstBadRow(const double* rows, int count) {
  for (int k = 0; k < 3 * count; ++k)
    if (!IsFinite(rows[k])) return k / 3;
  return -1;
}

// |g|, and the verdict on a last step that was below round-off: it must have lowered |g|.
struct JudgeGradient {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    if (!island.active) return;
    const int rows = v.actorRowBegin[actor + 1] - v.actorRowBegin[actor];
    const double* gradient = v.rowGradient(world) + 3 * int64_t(v.actorRowBegin[actor]);
    const double residual = Sqrt(SumOver(team, 0, 3 * rows, ProductItem{gradient, gradient}));
    if (team.rank != 0) return;
    if (!IsFinite(residual)) return Diverge(island, StepStage::Gradient, FirstBadRow(gradient, rows));
    const double before = island.residual;
    if (island.checkGradient && residual >= before) {
      island.slot ^= 1;  // back to the iterate before; no step can lower the energy any further
      island.active = 0;
      island.flags |= int(StepFlag::Stopped);
      return;
    }
    island.checkGradient = 0;
    island.residual = residual;
    const double ratio = before > 0 ? residual / before : 1.0;
    const double last = island.forcing;
    double forcing = island.newton == 0 ? kForcingMax : Min(kForcingMax, kForcingGamma * ratio * ratio);
    if (kForcingGamma * last * last > 0.1) forcing = Max(forcing, kForcingGamma * last * last);
    island.forcing = Max(forcing, kForcingMin);
    island.failed = 0;
  }
};

// Islands whose matrix was not positive definite are assembled again: elements projected, and of the
// geometric terms the positive part.
struct RetryFailed {
  ViewRef v;
  bool begin;
  DERMIS_HD void operator()(int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    if (begin) {
      // `active` is parked in `searching` while only the failed ones are assembled.
      island.searching = island.active;
      island.active = island.active && island.failed && island.geometric;
      if (island.active) {
        island.geometric = 0;
        island.failed = 0;
        island.flags |= int(StepFlag::Indefinite);
      }
    } else {
      island.active = island.searching;
      island.searching = 0;
      island.geometric = 1;
    }
  }
};

// g.dc, and the start of the line search.
struct StartSearch {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    if (!island.active) return;
    const int rows = v.actorRowBegin[actor + 1] - v.actorRowBegin[actor];
    const int64_t row0 = 3 * int64_t(v.actorRowBegin[actor]);
    const double slope = SumOver(team, 0, 3 * rows, ProductItem{v.rowGradient(world) + row0, v.rowStep(world) + row0});
    if (team.rank != 0) return;
    if (island.failed) {
      island.active = 0;
      island.flags |= int(StepFlag::Stopped);
      island.badStage = int(StepStage::Factorization);
      island.badIteration = island.newton;
      return;
    }
    if (!IsFinite(slope)) return Diverge(island, StepStage::LinearSolve, FirstBadRow(v.rowStep(world) + row0, rows));
    island.slope = slope;
    island.alpha = 1;
    island.searching = 1;
  }
};

// Whether a guess, rowStep with alpha 1, is tried at all.
struct StartGuess {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    island.alpha = 1;
    island.searching = island.active;
  }
};

struct SumDifference {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    if (!island.searching) return;
    const int nodeBegin = v.actorNodeBegin[actor], nodeEnd = v.actorNodeBegin[actor + 1];
    const int elementBegin = 8 * v.actorBlockBegin[actor], elementEnd = 8 * v.actorBlockBegin[actor + 1];
    const double difference = SumOver(team, nodeBegin, nodeEnd, SumItem{v.nodeDifference(world)}) +
                              SumOver(team, elementBegin, elementEnd, SumItem{v.elementDifference(world)}) +
                              v.skeletonDifference(world)[actor];
    const double magnitude =
        SumOver(team, nodeBegin, nodeEnd, SumItem{v.nodeMagnitude(world)}) + v.skeletonMagnitude(world)[actor];
    if (team.rank != 0) return;
    island.difference = difference;
    island.magnitude = magnitude;
  }
};

// Squared distance between the trial and the current position of a point.
struct MotionItem {
  const double* a;
  const double* b;
  DERMIS_HD double operator()(int k) const {
    return NormSquared(LoadVec3(a + 3 * int64_t(k)) - LoadVec3(b + 3 * int64_t(k)));
  }
};

DERMIS_HD double LargestMotion(const Team& team, const View& v, int world, int actor, int slot) {
  const int64_t nodes = 3 * int64_t(v.m.nodes), points = 3 * int64_t(v.m.points);
  double motion = 0;
  if (v.actorNodeBegin[actor] < v.actorNodeBegin[actor + 1])
    motion = MaxOver(team, v.actorNodeBegin[actor], v.actorNodeBegin[actor + 1],
                     MotionItem{v.slotNode(world) + slot * nodes, v.slotNode(world) + (slot ^ 1) * nodes});
  if (v.actorPointBegin[actor] < v.actorPointBegin[actor + 1])
    motion =
        Max(motion, MaxOver(team, v.actorPointBegin[actor], v.actorPointBegin[actor + 1],
                            MotionItem{v.slotPoint(world) + slot * points, v.slotPoint(world) + (slot ^ 1) * points}));
  return Sqrt(motion);
}

struct JudgeGuess {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    if (!island.searching) return;
    island.searching = 0;
    if (island.difference < 0 && IsFinite(island.difference)) island.slot ^= 1;
  }
};

struct JudgeTrial {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    if (!island.searching) return;
    const double motion = LargestMotion(team, v, world, actor, island.slot);
    team.Sync();
    if (team.rank != 0) return;
    // Below this the difference is noise: a full Newton step is taken, and the next gradient decides about it.
    const double noise = kRoundOff * island.magnitude;
    const bool lowers =
        IsFinite(island.difference) && island.difference <= kSufficientDecrease * island.alpha * island.slope;
    const bool isNoise =
        IsFinite(island.difference) && island.alpha == 1 && -island.slope <= noise && island.difference <= noise;
    const bool isSmall = island.alpha == 1 && motion <= v.actorTolerance(world)[actor];
    if (!lowers && !isNoise && isSmall && IsFinite(island.difference)) {
      // As near as it was asked for, and nothing to be gained: the step is not taken.
      island.searching = island.active = 0;
      island.flags |= int(StepFlag::Converged);
      island.motion = motion;
      ++island.newton;
      return;
    }
    if (!lowers && !isNoise) {
      if (island.halvings - island.halvingsBefore >= kMaxHalvings) {
        island.searching = island.active = 0;
        island.flags |= int(IsFinite(island.difference) ? StepFlag::Stopped : StepFlag::Diverged);
        island.badStage = int(StepStage::LineSearch);
        island.badIteration = island.newton;
        return;
      }
      ++island.halvings;
      island.alpha *= 0.5;
      return;
    }
    island.halvingsBefore = island.halvings;
    island.searching = 0;
    island.slot ^= 1;
    island.motion = motion;
    ++island.newton;
    island.checkGradient = !lowers;
    if (isSmall) {
      island.flags |= int(StepFlag::Converged);
      island.active = 0;
    }
  }
};

struct StopAll {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    if (island.active) island.flags |= int(StepFlag::Stopped);
    island.active = 0;
  }
};

// Adds the time of a block to one phase, when phases are measured.
class PhaseTimer {
 public:
  PhaseTimer(const SolverContext& c, double PhaseTimes::*phase) : context_(c), phase_(phase) {
    if (c.times) start_ = std::chrono::steady_clock::now();
  }
  ~PhaseTimer() {
    if (!context_.times) return;
    Synchronize(context_.exec);
    context_.times->*phase_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const SolverContext& context_;
  double PhaseTimes::*phase_;
  std::chrono::steady_clock::time_point start_;
};

void Solve(const SolverContext& c) {
  const View& v = *c.v;
  if (c.use.dense) SolveDense(c.exec, c.worlds, v);
#if DERMIS_LANES > 1
  if (c.use.sparse) SolveSparse(c.exec, c.worlds, v);
#endif
  if (c.use.conjugateGradients)
    SolveConjugateGradients(
        c.exec, c.worlds, v,
        [](void* p) {
          const auto& context = *static_cast<const SolverContext*>(p);
          return context.count(context.counter).iterating > 0;
        },
        const_cast<SolverContext*>(&c));
}

void SolveOrRetry(const SolverContext& c) {
  const View& v = *c.v;
  {
    PhaseTimer timer(c, &PhaseTimes::solve);
    Solve(c);
  }
  if (c.count(c.counter).failed == 0) return;
  Launch(c.exec, c.worlds, v.m.actors, RetryFailed{v, true});
  {
    PhaseTimer timer(c, &PhaseTimes::assembly);
    LinearizeElements(c.exec, c.worlds, v, c.materialBlockBegin);
    SkeletonGradients(c.exec, c.worlds, v);
    AssembleMatrix(c.exec, c.worlds, v);
  }
  {
    PhaseTimer timer(c, &PhaseTimes::solve);
    Solve(c);
  }
  Launch(c.exec, c.worlds, v.m.actors, RetryFailed{v, false});
}

}  // namespace

void Linearize(const SolverContext& c) {
  const View& v = *c.v;
  {
    PhaseTimer timer(c, &PhaseTimes::elements);
    LinearizeElements(c.exec, c.worlds, v, c.materialBlockBegin);
  }
  PhaseTimer timer(c, &PhaseTimes::assembly);
  NodeGradients(c.exec, c.worlds, v);
  SkeletonGradients(c.exec, c.worlds, v);
  AssembleMatrix(c.exec, c.worlds, v);
}

void SumDifferences(const SolverContext& c) {
  const View& v = *c.v;
  NodeDifferences(c.exec, c.worlds, v);
  ElementDifferences(c.exec, c.worlds, v, c.materialBlockBegin);
  SkeletonDifferences(c.exec, c.worlds, v);
  LaunchTeams(c.exec, c.worlds, v.m.actors, SumDifference{v}, 64);
}

void NewtonStep(const SolverContext& c, double dt) {
  const View& v = *c.v;
  const Exec& exec = c.exec;
  {
    PhaseTimer timer(c, &PhaseTimes::begin);
    BeginStep(exec, c.worlds, v, dt);
    EvaluateCurrent(exec, c.worlds, v);
    // First guess: the last state, or where its velocities lead, whichever has the lower energy.
    PredictedMotion(exec, c.worlds, v, dt);
    Launch(exec, c.worlds, v.m.actors, StartGuess{v});
    EvaluateTrial(exec, c.worlds, v);
    SumDifferences(c);
    Launch(exec, c.worlds, v.m.actors, JudgeGuess{v});
  }
  for (int iteration = 0; iteration < c.maxIterations; ++iteration) {
    Linearize(c);
    LaunchTeams(exec, c.worlds, v.m.actors, JudgeGradient{v}, 64);
    if (c.count(c.counter).active == 0) break;
    SolveOrRetry(c);
    PhaseTimer timer(c, &PhaseTimes::lineSearch);
    LaunchTeams(exec, c.worlds, v.m.actors, StartSearch{v}, 64);
    while (c.count(c.counter).searching > 0) {
      EvaluateTrial(exec, c.worlds, v);
      SumDifferences(c);
      LaunchTeams(exec, c.worlds, v.m.actors, JudgeTrial{v}, 64);
    }
    if (c.count(c.counter).active == 0) break;
  }
  PhaseTimer timer(c, &PhaseTimes::end);
  Launch(exec, c.worlds, v.m.actors, StopAll{v});
  EndStep(exec, c.worlds, v, dt);
}

DERMIS_NAMESPACE_END
