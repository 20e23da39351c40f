// Launch() and LaunchTeams() on a device: one item a thread, one team a block. Also compiled for the emulator.
//
// The kernel struct travels as a parameter of the launch, so it may hold at most kMaxKernelBytes, and its type must not
// be local to a function.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/device_runtime.h"

DERMIS_NAMESPACE_BEGIN

// Where launches of one simulation run. A stream must be a blocking one (cudaStreamCreate), so that the copies of
// Buffer, on the default stream, stay in order with it. `threads` is for the CPU backends and unused here.
struct Exec {
  int threads = 1;
  cudaStream_t stream = nullptr;
};

inline constexpr int kItemThreads = 128;  // threads of a block of Launch()
#if defined(DERMIS_EMULATED)
inline constexpr int kTeamSize = 64;  // two warps: the fewest that use every part of a reduction
#else
inline constexpr int kTeamSize = 128;
#endif
inline constexpr size_t kMaxKernelBytes = 4000;  // of parameters, on every toolkit and device
inline constexpr int kMaxGridY = 65535;          // worlds beyond it are looped over

// NaN wins, so that it is seen wherever it first appears.
DERMIS_HD double TeamLarger(double a, double b) { return (a > b || a != a) ? a : b; }

// The threads of a block, working on one thing. All of them must call Sync(), Sum() and Max() together.
struct Team {
  int rank;
  double* scratch;  // shared memory, one double a warp
  static constexpr int size = kTeamSize;

  DERMIS_HD void Sync() const {
#if defined(__CUDA_ARCH__) || defined(DERMIS_EMULATED)
    __syncthreads();
#endif
  }
  // The sum, or the largest, of `value` over the team; every thread gets it. Fixed order: a tree of 32 lanes, then the
  // warps from the first to the last.
  DERMIS_HD double Sum(double value) const {
#if defined(__CUDA_ARCH__) || defined(DERMIS_EMULATED)
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    ShareWarps(value);
    value = scratch[0];
    for (int warp = 1; warp < size / 32; ++warp) value += scratch[warp];
#endif
    return value;
  }
  DERMIS_HD double Max(double value) const {
#if defined(__CUDA_ARCH__) || defined(DERMIS_EMULATED)
    for (int offset = 16; offset > 0; offset /= 2) value = TeamLarger(value, __shfl_down_sync(~0u, value, offset));
    ShareWarps(value);
    value = scratch[0];
    for (int warp = 1; warp < size / 32; ++warp) value = TeamLarger(value, scratch[warp]);
#endif
    return value;
  }

 private:
  // Puts the value of the first lane of each warp into scratch. The first barrier: all have read what was there before.
  DERMIS_HD void ShareWarps(double value) const {
    Sync();
    if (rank % 32 == 0) scratch[rank / 32] = value;
    Sync();
  }
};

template <class Kernel> __global__ void __launch_bounds__(kItemThreads) RunItems(Kernel kernel, int worlds, int count) {
  const int item = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (item >= count) return;
  for (int world = int(blockIdx.y * blockDim.y + threadIdx.y); world < worlds; world += int(gridDim.y * blockDim.y))
    kernel(world, item);
}

template <class Kernel> __global__ void __launch_bounds__(kTeamSize) RunTeams(Kernel kernel, int worlds) {
  __shared__ double scratch[kTeamSize / 32];
  Team team;
  team.rank = int(threadIdx.x);
  team.scratch = scratch;
  for (int world = int(blockIdx.y); world < worlds; world += int(gridDim.y)) {
    kernel(team, world, int(blockIdx.x));
    team.Sync();
  }
}

// Runs kernel(world, i) for all worlds and 0 <= i < count. Few items: a block takes several worlds.
template <class Kernel> void Launch(const Exec& exec, int worlds, int count, const Kernel& kernel, int = 1) {
  static_assert(sizeof(Kernel) <= kMaxKernelBytes);
  if (worlds <= 0 || count <= 0) return;
  int width = kItemThreads;
  while (width / 2 >= count) width /= 2;
  const int height = std::min(kItemThreads / width, worlds);
  const dim3 block(width, height);
  const dim3 grid((count - 1) / width + 1, std::min((worlds - 1) / height + 1, kMaxGridY));
#if defined(DERMIS_EMULATED)
  (void)exec;
  cuda_emu::Start(cuda_emu::kItems, grid, block, RunItems<Kernel>, kernel, worlds, count);
#else
  // It takes >>> apart in a header.
  // clang-format off
  RunItems<Kernel><<<grid, block, 0, exec.stream>>>(kernel, worlds, count);
  // clang-format on
  if (const cudaError_t error = cudaGetLastError()) ThrowDeviceError(error, __PRETTY_FUNCTION__);
#endif
}

// Runs kernel(team, world, index) for all worlds and 0 <= index < count.
template <class Kernel> void LaunchTeams(const Exec& exec, int worlds, int count, const Kernel& kernel, int64_t = 1) {
  static_assert(sizeof(Kernel) <= kMaxKernelBytes);
  if (worlds <= 0 || count <= 0) return;
  const dim3 grid(count, std::min(worlds, kMaxGridY));
#if defined(DERMIS_EMULATED)
  (void)exec;
  cuda_emu::Start(cuda_emu::kBarriers, grid, dim3(kTeamSize), RunTeams<Kernel>, kernel, worlds);
#else
  // clang-format off
  RunTeams<Kernel><<<grid, kTeamSize, 0, exec.stream>>>(kernel, worlds);
  // clang-format on
  if (const cudaError_t error = cudaGetLastError()) ThrowDeviceError(error, __PRETTY_FUNCTION__);
#endif
}

// Waits until all launches on the stream are done; throws when one failed.
inline void Synchronize(const Exec& exec) { DERMIS_CUDA_CHECK(cudaStreamSynchronize(exec.stream)); }

DERMIS_NAMESPACE_END
