// A compiled scene on one backend: state of all worlds, steps, reports. What host code sees of the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/model.h"

namespace dermis {

enum class TimeIntegration : int { BackwardEuler = 0, BDF2 = 1 };

struct SimulationOptions {
  int worlds = 1;
  int threads = 1;  // CPU only
  TimeIntegration integration = TimeIntegration::BackwardEuler;
  int maxNewtonIterations = 50;
  bool timePhases = false;
};

// How the last step of one island ended. Flags may be combined.
enum class StepFlag : int32_t {
  Converged = 1,  // the last Newton step moved no point by more than the tolerance
  Stopped = 2,    // iterations used up, or no step lowers the energy
  Diverged = 4,   // a number that is not finite appeared; the island keeps the state before the step
  Indefinite =
      8,  // the system was not positive definite at some iteration; negative geometric terms were dropped there
};

// Stage where a number that is not finite was first seen.
enum class StepStage : int32_t { None = 0, Start, Gradient, Factorization, LinearSolve, LineSearch };
const char* Name(StepStage stage);

// The report of one step of one island of one world.
struct IslandReport {
  int32_t flags = 0;
  int32_t newtonIterations = 0;
  int32_t linearIterations = 0;  // conjugate gradients, summed over the Newton iterations
  int32_t lineSearchHalvings = 0;
  StepStage badStage = StepStage::None;
  int32_t badIteration = -1;
  int32_t badItem = -1;       // row of the actor, where known
  double residual = 0;        // norm of the gradient at the end (N)
  double gradientMotion = 0;  // -g.dc of the last iteration: twice the energy still to be gained (J)
  double motion = 0;          // largest motion of a point in the last Newton step (m)
  double stepLength = 0;      // of the last Newton step
  bool Has(StepFlag flag) const { return flags & int32_t(flag); }
};

// Seconds of the last step, by phase.
struct PhaseTimes {
  double begin = 0, elements = 0, assembly = 0, solve = 0, lineSearch = 0, end = 0;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual int Worlds() const = 0;
  virtual const ModelCounts& Counts() const = 0;
  // Advances every world by dt > 0 seconds. Never throws for what the state contains: it reports.
  virtual void Step(double dt) = 0;
  virtual const IslandReport& Report(int world, int island) const = 0;
  virtual const PhaseTimes& Times() const = 0;

  // State arrays by the names of DERMIS_STATE_FIELDS; `values` holds one world.
  virtual std::vector<double> GetState(const std::string& name, int world) const = 0;
  virtual void SetState(const std::string& name, int world, const std::vector<double>& values) = 0;
  // Parameters by the names of DERMIS_PARAMETER_FIELDS. world < 0 sets all worlds; a single world gives that
  // parameter a copy for every world first.
  virtual std::vector<double> GetParameter(const std::string& name, int world) const = 0;
  virtual void SetParameter(const std::string& name, int world, const std::vector<double>& values) = 0;
  // Velocities of frames and nodes follow from the joint velocities; the history starts anew.
  virtual void VelocitiesFromJoints(int world) = 0;

  // World positions [nodes, 3] and [points, 3] of the present state (m).
  virtual std::vector<double> NodePositions(int world) const = 0;
  virtual std::vector<double> PointPositions(int world) const = 0;
  // World transforms of the frames from the rest frame [frames, 12] (m).
  virtual std::vector<double> FrameTransforms(int world) const = 0;

  // For tests: value differences, gradient and Hessian of the incremental potential at c = retract(state, offset), and
  // the gradient at retract(c, direction), there by its own left rotations.
  struct Probe {
    std::vector<double> gradient;       // [rows, 3]
    std::vector<double> product;        // Hessian times the given direction [rows, 3]
    double difference = 0;              // Phi(retract(c, direction)) - Phi(c), over all actors
    std::vector<double> gradientMoved;  // [rows, 3]
  };
  virtual Probe ProbeStep(double dt, int world, const std::vector<double>& offset, const std::vector<double>& direction,
                          bool geometric) = 0;
};

}  // namespace dermis
