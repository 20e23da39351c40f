// Worlds never touch each other, and neither worlds nor threads change a bit of a result.
#include "host/bench/bench_scenes.h"
#include "tests/engine/simulations.h"

using namespace dermis;

namespace {

constexpr double kGravities[][3] = {{0, -9.8, 0}, {0, -1.6, 0}, {3, 0, -4}, {0, 0, 0}, {0, 9.8, 0}};

std::vector<double> Gravity(int world) {
  const double* g = kGravities[world % 5];
  return {g[0], g[1], g[2]};
}
// Material parameters with moduli (the first two of every material) multiplied by `factor`.
std::vector<double> Stiffened(const CompiledModel& m, double factor) {
  std::vector<double> values = m.blockMaterialParameters;
  for (size_t i = 0; i < values.size(); ++i)
    if (int(i / 8) % m.m.materialParameters < 2) values[i] *= factor;
  return values;
}
double Factor(int world) { return std::pow(2.0, world % 4 - 1); }

// World w of a batch, alone.
State Alone(const BackendTable& backend, const CompiledModel& m, int world, int steps) {
  const auto simulation = Start(backend, m);
  simulation->SetParameter("gravity", -1, Gravity(world));
  simulation->SetParameter("blockMaterialParameters", -1, Stiffened(m, Factor(world)));
  Steps(*simulation, steps);
  return StateOf(*simulation);
}

}  // namespace

TEST_CASE("Worlds: copies equal one world, to the bit", "[worlds]") {
  // V36: every state array of every world after 3 steps.
  for (const std::string name : {"pendulum_seed", "elastic_skin", "chain_free"}) {
    const CompiledModel m = CompileReference(name, 0);
    for (const BackendTable* backend : CpuAndEmulated()) {
      const auto one = Start(*backend, m);
      Steps(*one, 3);
      const State expected = StateOf(*one);
      for (const int worlds : {2, 5, 64}) {
        if (worlds > 2 && backend == dermis_backend_emu() && name != "pendulum_seed") continue;  // slow
        if (worlds > 5 && backend == dermis_backend_emu()) continue;
        const auto many = Start(*backend, m, {.worlds = worlds});
        Steps(*many, 3);
        for (int world = 0; world < worlds; ++world) {
          CAPTURE(name, std::string(backend->name), worlds, world);
          REQUIRE(FirstDifference(StateOf(*many, world), expected) == "");
          REQUIRE(many->Report(world, 0).newtonIterations == one->Report(0, 0).newtonIterations);
        }
      }
    }
  }
}

TEST_CASE("Worlds: gravity and stiffness of their own, in any order, equal scenes of their own", "[worlds]") {
  // P33, V36: each world is to the bit the scene that has only its parameters.
  const CompiledModel m = CompileReference("pendulum_seed", 0);
  const int worlds = 5, steps = 4;
  for (const BackendTable* backend : CpuAndEmulated()) {
    std::vector<State> alone;
    for (int world = 0; world < worlds; ++world) alone.push_back(Alone(*backend, m, world, steps));
    CHECK(FirstDifference(alone[0], alone[1]) != "");
    for (const auto& order : std::vector<std::vector<int>>{{0, 1, 2, 3, 4}, {3, 0, 4, 2, 1}}) {
      const auto many = Start(*backend, m, {.worlds = worlds});
      for (int world = 0; world < worlds; ++world) {
        many->SetParameter("gravity", world, Gravity(order[world]));
        many->SetParameter("blockMaterialParameters", world, Stiffened(m, Factor(order[world])));
      }
      Steps(*many, steps);
      for (int world = 0; world < worlds; ++world) {
        CAPTURE(std::string(backend->name), world, order[world]);
        REQUIRE(FirstDifference(StateOf(*many, world), alone[order[world]]) == "");
      }
    }
  }
}

TEST_CASE("Worlds: one with a number that is not finite never touches another", "[worlds]") {
  // V36: the others are to the bit what they are without it. The sick world says Diverged, where and when, and keeps
  // the state that it had before the step, which the user may set again.
  const CompiledModel m = CompileReference("pendulum_seed", 0);
  const int sick = 1, worlds = 4;
  for (const BackendTable* backend : CpuAndEmulated())
    for (const int threads : {1, 2}) {
      const bool isEmulated = backend == dermis_backend_emu();
      if (isEmulated && threads > 1) continue;
      const SimulationOptions options{.worlds = worlds, .threads = threads};
      const auto healthy = Start(*backend, m, options);
      Steps(*healthy, 2);
      const State before = StateOf(*healthy);
      Steps(*healthy, 3);
      const State expected = StateOf(*healthy);
      for (const std::string array :
           {"displacement", "config", "dofVelocity", "nodeVelocity", "frameVelocity", "frameSpin"})
        for (const double bad : {double(NAN), double(INFINITY)}) {
          if (isEmulated && (array == "frameSpin" || array == "dofVelocity" || bad > 0))
            continue;  // slow, the same code
          CAPTURE(std::string(backend->name), threads, array, bad);
          const auto simulation = Start(*backend, m, options);
          Steps(*simulation, 2);
          std::vector<double> values = simulation->GetState(array, sick);
          values.back() = bad;
          simulation->SetState(array, sick, values);
          simulation->Step(kStep);
          const IslandReport& report = simulation->Report(sick, 0);
          // The velocity of a joint enters through armature and the first guess only.
          const bool matters = array != "dofVelocity";
          if (matters) {
            CHECK(report.Has(StepFlag::Diverged));
            CHECK_FALSE(report.Has(StepFlag::Converged));
            CHECK(report.badStage != StepStage::None);
            CHECK(report.badIteration == 0);
          }
          Steps(*simulation, 2);
          for (int world = 0; world < worlds; ++world)
            if (world != sick) {
              REQUIRE(FirstDifference(StateOf(*simulation, world), expected) == "");
              REQUIRE(simulation->Report(world, 0).Has(StepFlag::Converged));
            }
          // A state that is set again goes on as if nothing had happened.
          SetState(*simulation, before, sick);
          Steps(*simulation, 3);
          REQUIRE(FirstDifference(StateOf(*simulation, sick), expected) == "");
        }
    }
}

TEST_CASE("Threads: one or two give the same bits", "[worlds]") {
  // P41: a body that is split over threads, many small worlds, and many actors. Three runs of each.
  struct Case {
    std::string name;
    CompiledModel model;
    int worlds;
    double dt;
  };
  std::vector<Case> cases;
  BenchScene beam = MakeBeamScene(BeamSize::Small, ErrorAssert{});
  cases.push_back({"beam", CompileScene(beam.description, 0, true), 1, beam.dt});
  cases.push_back({"worlds", CompileReference("elastic_skin", 0), 16, kStep});
  SceneDescription crowd = LoadReferenceScene("chain_spherical");
  const auto chain = crowd.actors.softSkinned.front();
  for (int i = 0; i < 12; ++i) {
    crowd.actors.softSkinned.push_back(chain);
    crowd.actors.softSkinned.back().skeletonParams.name = "Chain" + std::to_string(i);
  }
  cases.push_back({"actors", CompileScene(crowd, 0), 1, kStep});
  for (const Case& c : cases) {
    State expected;
    for (const int threads : {1, 2, 2, 3}) {
      const auto simulation = Start(Cpu(), c.model, {.worlds = c.worlds, .threads = threads});
      Steps(*simulation, 2, c.dt);
      const State state = StateOf(*simulation, c.worlds - 1);
      if (expected.empty()) expected = state;
      CAPTURE(c.name, threads);
      REQUIRE(FirstDifference(state, expected) == "");
    }
  }
}
