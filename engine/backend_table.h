// What the rest of the program sees of one backend: a small table of functions, the only symbol of its library.
//
// A library is compiled for one instruction set throughout. Before its functions are called (other than the one that
// returns the table, which is a constant), somebody compiled for any machine must have looked at `needs`: see
// engine/registry.h.
#pragma once

#include <memory>
#include <string>

namespace dermis {

class Simulation;
struct CompiledModel;
struct SimulationOptions;

// Changes with this table, CompiledModel or Simulation: a library of another version is refused.
inline constexpr int kBackendAbi = 1;

enum class InstructionSet : int { X86_64 = 1, X86_64_V3 = 3, X86_64_V4 = 4 };

struct BackendTable {
  int abi;
  const char* name;      // cpu_v3, cpu_v4, cuda, emu
  InstructionSet needs;  // of the host code in this library

  // Whether a simulation can run here, and why not. The first call may start a driver.
  bool (*available)(std::string& why);
  // One line a fact, for people: lanes, threads, devices.
  std::string (*describe)();

  // The numbered tests that a new backend must climb, 0 <= rung < ladderCount: "" or what failed. See engine/ladder.h.
  int ladderCount;
  const char* (*ladderName)(int rung);
  std::string (*ladderRun)(int rung);

  // Throws std::runtime_error when the device refuses memory. nullptr in a library without a solver.
  std::unique_ptr<Simulation> (*create)(const CompiledModel&, const SimulationOptions&);
};

}  // namespace dermis
