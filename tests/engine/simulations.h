// Models on chosen backends, for the tests of the engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

#include "engine/registry.h"
#include "engine/simulation.h"
#include "host/compile/compile.h"
#include "host/validate.h"
#include "kernels/joints/list.h"
#include "kernels/materials/psd_strategy.h"
#include "tests/catch.h"
#include "tests/reference_scene.h"

extern "C" const dermis::BackendTable* dermis_backend_emu();

namespace dermis {

// Converged to round-off, whatever the size of the scene [m].
inline constexpr double kTight = 1e-12;

inline CompiledModel CompileScene(const SceneDescription& scene, double tolerance = kTight,
                                  bool fixConstrainedNodes = true) {
  Error error;
  const ValidatedScene validated = Validate(scene, error);
  REQUIRE(error.IsOK());
  return Compile(validated, {tolerance, fixConstrainedNodes}).model;
}
inline CompiledModel CompileReference(const std::string& name, double tolerance = kTight) {
  return CompileScene(LoadReferenceScene(name), tolerance);
}
// Time step of the reference scenes with joints [s].
inline constexpr double kStep = 1.0 / 120;

// The best CPU backend; all usable CPU backends; those and the emulated one.
inline const BackendTable& Cpu() {
  std::string why;
  const BackendTable* backend = ChooseBackend("cpu", why);
  REQUIRE(backend);
  return *backend;
}
inline std::vector<const BackendTable*> CpuBackends() {
  std::vector<const BackendTable*> backends;
  for (const char* name : {"cpu_v3", "cpu_v4"}) {
    std::string why;
    if (const BackendTable* backend = ChooseBackend(name, why)) backends.push_back(backend);
  }
  return backends;
}
inline std::vector<const BackendTable*> CpuAndEmulated() {
  std::vector<const BackendTable*> backends = CpuBackends();
  backends.push_back(dermis_backend_emu());
  return backends;
}

inline std::unique_ptr<Simulation> Start(const BackendTable& backend, const CompiledModel& model,
                                         const SimulationOptions& options = {}) {
  auto simulation = backend.create(model, options);
  for (int world = 0; world < options.worlds; ++world) simulation->VelocitiesFromJoints(world);
  return simulation;
}
inline void Steps(Simulation& simulation, int count, double dt = kStep) {
  for (int step = 0; step < count; ++step) simulation.Step(dt);
}

// Every state array of one world.
using State = std::map<std::string, std::vector<double>>;
inline State StateOf(const Simulation& simulation, int world = 0) {
  State state;
#define DERMIS_X(type, name, count, sentence) state[#name] = simulation.GetState(#name, world);
  DERMIS_STATE_FIELDS(DERMIS_X)
#undef DERMIS_X
  return state;
}
inline void SetState(Simulation& simulation, const State& state, int world = 0) {
  for (const auto& [name, values] : state) simulation.SetState(name, world, values);
}
// The first array that differs in a bit, or "".
inline std::string FirstDifference(const State& a, const State& b) {
  for (const auto& [name, values] : a) {
    const std::vector<double>& other = b.at(name);
    if (values.size() != other.size()) return name;
    if (!values.empty() && std::memcmp(values.data(), other.data(), values.size() * sizeof(double)) != 0) return name;
  }
  return "";
}
inline double LargestOf(const std::vector<double>& values) {
  double largest = 0;
  for (const double x : values) largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : INFINITY;
  return largest;
}
inline double LargestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::isfinite(a[i] - b[i]) ? std::max(largest, std::abs(a[i] - b[i])) : INFINITY;
  return largest;
}

// Prints an error that was found when the environment has DERMIS_SHOW_ERRORS, to see how tight a tolerance can be.
#define DERMIS_SHOW(message)                              \
  do {                                                    \
    if (std::getenv("DERMIS_SHOW_ERRORS")) WARN(message); \
  } while (false)

// Numbers in [-1, 1] from a fixed sequence.
struct Randoms {
  std::mt19937_64 engine;
  explicit Randoms(int seed) : engine(uint64_t(seed)) {}
  double operator()() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
};

}  // namespace dermis
