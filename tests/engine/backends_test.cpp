// The same scene on every backend and by every linear solver.
#include "tests/engine/simulations.h"

using namespace dermis;

namespace {

// The largest error of any state array over the array's size, at least 0.01 rad or m, 1 rad/s or m/s: spins and
// displacements in free fall are only round-off.
double WorstDifference(const State& a, const State& b, std::string& where) {
  double worst = 0;
  for (const auto& [name, values] : a) {
    const bool isRate =
        name.find("Velocity") != name.npos || name.find("velocity") != name.npos || name.find("Spin") != name.npos;
    const double error = LargestDifference(values, b.at(name)) / std::max(isRate ? 1.0 : 1e-2, LargestOf(values));
    if (!(error <= worst)) {
      worst = error;
      where = name;
    }
  }
  return worst;
}

void Show(const std::string& what, double error, const std::string& where) {
  DERMIS_SHOW(what << ": " << error << " in " << where);
}

// The model with one linear solver for all actors; false where a sparse factor was not prepared.
bool UseSolver(CompiledModel& m, LinearSolverKind kind) {
  for (int a = 0; a < m.m.actors; ++a) {
    if (kind == LinearSolverKind::Sparse && m.actorFactorBegin[a] == m.actorFactorBegin[a + 1]) return false;
    m.actorSolver[a] = int(kind);
  }
  return true;
}

}  // namespace

TEST_CASE("Backends: the emulated device takes the same steps as the CPU", "[backends]") {
  // The same kernels with sums in another order, solved to 1e-12 m, where Newton's method leaves far less: 2e-12 of the
  // size of each array after one step and after five (found: 3e-13 in displacements of 1e-4 m).
  for (const std::string name :
       {"pendulum_seed", "elastic_skin", "blended_skin", "chain_free", "joint_terms", "cycle", "beam_neo_hookean"}) {
    const bool isBeam = name.starts_with("beam");
    const CompiledModel m = CompileReference(name);
    const double dt = isBeam ? 1.0 / 60 : kStep;
    const auto cpu = Start(Cpu(), m), emulated = Start(*dermis_backend_emu(), m);
    for (const int steps : {1, isBeam ? 1 : 4}) {
      Steps(*cpu, steps, dt);
      Steps(*emulated, steps, dt);
      std::string where;
      const double error = WorstDifference(StateOf(*cpu), StateOf(*emulated), where);
      Show(name, error, where);
      CAPTURE(name, steps, where);
      CHECK(error <= 2e-12);
      CHECK(LargestDifference(cpu->NodePositions(0), emulated->NodePositions(0)) <= 1e-12);
      CHECK(LargestDifference(cpu->FrameTransforms(0), emulated->FrameTransforms(0)) <= 1e-12);
    }
  }
}

TEST_CASE("Backends: the emulated device follows the reference scenes", "[backends]") {
  // Expected: tests/reference/NAME/trajectory.json, joint coordinates over the first recorded steps, see
  // tests/host/reference_test.cpp for the tolerance.
  for (const std::string name : {"pendulum_seed", "elastic_skin", "chain_spherical", "cycle", "beam_arap"}) {
    CAPTURE(name);
    const Trajectory t = LoadTrajectory(name);
    const CompiledModel m = CompileReference(name);
    const auto simulation = Start(*dermis_backend_emu(), m);
    int step = 0;
    for (size_t record = 0; t.steps[record] <= (m.m.dofs ? 8 : 2); ++record) {
      for (; step < t.steps[record]; ++step) {
        simulation->Step(t.dt);
        CHECK(simulation->Report(0, 0).Has(StepFlag::Converged));
      }
      for (const auto& [quantity, records] : t.quantities) {
        if (quantity.ends_with("/q")) {
          const std::vector<double> config = simulation->GetState("config", 0);
          std::vector<double> q(size_t(m.m.dofs));
          for (int f = 0; f < m.m.frames; ++f)
            VisitJoint(m.frameJoint[f], [&](auto kind) {
              decltype(kind)::ToUser(config.data() + m.frameConfigBegin[f], q.data() + m.frameDofBegin[f]);
            });
          CHECK(LargestDifference(q, records[record]) <= 1e-9);
        }
        if (quantity.ends_with("/x") && m.m.softs == 1) {
          const std::vector<double> nodes = simulation->NodePositions(0);
          std::vector<double> x;
          for (size_t i = 0; i < records[record].size() / 3; ++i)
            for (int k = 0; k < 3; ++k) x.push_back(nodes[3 * (t.nodes.empty() ? i : size_t(t.nodes[i])) + k]);
          CHECK(LargestDifference(x, records[record]) <= 1e-9);
        }
      }
    }
  }
}

TEST_CASE("Backends: sparse equals dense equals conjugate gradients", "[backends]") {
  // Each solves the same Newton systems; the steps end at 1e-12 m: 2e-11 of the size of every array after 5 steps
  // (found: 2.4e-12).
  for (const std::string& name : ReferenceNames()) {
    const bool isBeam = name.starts_with("beam");
    if (name == "beam_arap") continue;  // the same pattern as the other beam
    const CompiledModel original = CompileReference(name);
    const double dt = isBeam ? 1.0 / 60 : kStep;
    const auto chosen = Start(Cpu(), original);
    Steps(*chosen, isBeam ? 1 : 5, dt);
    const State expected = StateOf(*chosen);
    for (const auto kind : {LinearSolverKind::Dense, LinearSolverKind::Sparse, LinearSolverKind::ConjugateGradients}) {
      CompiledModel m = original;
      if (!UseSolver(m, kind)) continue;
      const auto simulation = Start(Cpu(), m);
      Steps(*simulation, isBeam ? 1 : 5, dt);
      std::string where;
      const double error = WorstDifference(expected, StateOf(*simulation), where);
      Show(name + " by " + std::to_string(int(kind)), error, where);
      CAPTURE(name, int(kind), where);
      for (int a = 0; a < m.m.actors; ++a) {
        CHECK(simulation->Report(0, a).Has(StepFlag::Converged));
        CHECK((simulation->Report(0, a).linearIterations > 0) == (kind == LinearSolverKind::ConjugateGradients));
      }
      CHECK(error <= 2e-11);
    }
  }
}

TEST_CASE("Backends: both instruction sets take the same steps", "[backends]") {
  // Packs of 4 and 8: only the order of sums within a vector differs: as for the emulated device.
  const auto backends = CpuBackends();
  if (backends.size() < 2) return;
  for (const std::string name : {"pendulum_seed", "elastic_skin", "chain_spherical", "beam_neo_hookean"}) {
    const CompiledModel m = CompileReference(name);
    const auto a = Start(*backends[0], m), b = Start(*backends[1], m);
    Steps(*a, 3);
    Steps(*b, 3);
    std::string where;
    const double error = WorstDifference(StateOf(*a), StateOf(*b), where);
    Show(name, error, where);
    CAPTURE(name, where);
    CHECK(error <= 1e-11);
  }
}
