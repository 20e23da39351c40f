// Launch() and LaunchTeams() on the CPU: OpenMP, static schedule, serial below a threshold.
#pragma once

#include <cstdint>

#include "kernels/backend.h"

DERMIS_NAMESPACE_BEGIN

// Where launches of one simulation run. On the CPU: how many threads a launch may use.
struct Exec {
  int threads = 1;
};

// Fewer items than this are not worth a parallel region (about 5 us on two cores).
inline constexpr int64_t kParallelGrain = 2048;

// One thread is the whole team.
struct Team {
  static constexpr int rank = 0;
  static constexpr int size = 1;
  DERMIS_HD void Sync() const {}
  // The sum, or the largest, of `value` over the team; every thread gets it.
  DERMIS_HD double Sum(double value) const { return value; }
  DERMIS_HD double Max(double value) const { return value; }
};

// Runs kernel(world, i) for all worlds and 0 <= i < count. `cost` is the weight of one item against a node update.
template <class Kernel>
void Launch(const Exec& exec, int worlds, int count, const Kernel& kernel, int cost = 1) {
  const int64_t total = int64_t(worlds) * count;
  if (exec.threads == 1 || total * cost < kParallelGrain) {
    for (int world = 0; world < worlds; ++world)
      for (int i = 0; i < count; ++i) kernel(world, i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(exec.threads)
  for (int64_t k = 0; k < total; ++k) kernel(int(k / count), int(k % count));
}

// Runs kernel(team, world, index) for all worlds and 0 <= index < count.
template <class Kernel>
void LaunchTeams(const Exec& exec, int worlds, int count, const Kernel& kernel, int64_t cost = 1) {
  const int64_t total = int64_t(worlds) * count;
  if (exec.threads == 1 || total < 2 || total * cost < kParallelGrain) {
    for (int world = 0; world < worlds; ++world)
      for (int i = 0; i < count; ++i) kernel(Team{}, world, i);
    return;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(exec.threads)
  for (int64_t k = 0; k < total; ++k) kernel(Team{}, int(k / count), int(k % count));
}

// Waits until all launches are done: nothing to do on the CPU.
inline void Synchronize(const Exec&) {}

DERMIS_NAMESPACE_END
