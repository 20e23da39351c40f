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

// One stretch of a launch. Never inlined: serial and parallel launches must run the same machine code, or products and
// sums are contracted differently in two copies and the last digit depends on the number of threads.
template <class Kernel>
__attribute__((noinline)) void RunRange(const Kernel& shared, int count, int64_t begin, int64_t end) {
  const Kernel kernel = shared;  // its fields in registers
  while (begin < end) {
    const int world = int(begin / count), first = int(begin % count);
    const int last = int(end - begin < count - first ? first + (end - begin) : count);
    for (int i = first; i < last; ++i) kernel(world, i);
    begin += last - first;
  }
}

// Runs kernel(world, i) for all worlds and 0 <= i < count. `cost` is the weight of one item against a node update.
template <class Kernel> void Launch(const Exec& exec, int worlds, int count, const Kernel& kernel, int cost = 1) {
  const int64_t total = int64_t(worlds) * count;
  if (exec.threads == 1 || total * cost < kParallelGrain) return RunRange(kernel, count, 0, total);
#pragma omp parallel for schedule(static, 1) num_threads(exec.threads)
  for (int part = 0; part < exec.threads; ++part)
    RunRange(kernel, count, total * part / exec.threads, total * (part + 1) / exec.threads);
}

template <class Kernel> __attribute__((noinline)) void RunTeam(const Kernel& kernel, int world, int index) {
  kernel(Team{}, world, index);
}

// Runs kernel(team, world, index) for all worlds and 0 <= index < count.
template <class Kernel>
void LaunchTeams(const Exec& exec, int worlds, int count, const Kernel& kernel, int64_t cost = 1) {
  const int64_t total = int64_t(worlds) * count;
  if (exec.threads == 1 || total < 2 || total * cost < kParallelGrain) {
    for (int world = 0; world < worlds; ++world)
      for (int i = 0; i < count; ++i) RunTeam(kernel, world, i);
    return;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(exec.threads)
  for (int64_t k = 0; k < total; ++k) RunTeam(kernel, int(k / count), int(k % count));
}

// Waits until all launches are done: nothing to do on the CPU.
inline void Synchronize(const Exec&) {}

DERMIS_NAMESPACE_END
