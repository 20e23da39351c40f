// Runs real __global__ kernels on the host, for tests of what only a device does: barriers, shuffles, shared memory.
//
// A block is a set of fibers, one a thread, that the scheduler below resumes in turn; blocks run one after another.
// A barrier suspends the fiber until all threads of its block (or warp) wait at the same barrier. When none can go on,
// the kernel is divergent: the emulator says which thread waits where and aborts. Kernels without barriers are started
// with kItems and run as plain loops without fibers.
//
// The environment variable DERMIS_EMU_REVERSE=1 runs blocks and threads from the last to the first: a kernel that
// depends on their order then gives another answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <source_location>
#include <type_traits>
#include <vector>

#include "engine/cuda_emu/fiber.h"

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
// Blocks run one at a time on an OS thread, so one static copy is the shared memory of the block that runs.
#define __shared__ static thread_local

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace cuda_emu {

enum Kind { kItems, kBarriers };  // whether the threads of a kernel may wait for one another

inline constexpr int kWarp = 32;

// Where a thread waits: in which call, from which source line. All must wait in the same one.
struct Barrier {
  const char* call = nullptr;  // nullptr: it can run
  const char* file = nullptr;
  unsigned line = 0;
  bool block = false;  // of the whole block, or of its warp
  bool operator==(const Barrier& o) const { return call == o.call && line == o.line && block == o.block; }
};

struct Thread {
  Fiber fiber;
  dim3 index;
  Barrier waits;
  bool done = false;
  uint64_t slot[2] = {};  // what it offers to its warp, in turns: one read ends before the next but one write
  unsigned turn = 0;
};

// The block that runs on this OS thread. Fibers are kept from launch to launch.
struct Block {
  dim3 blockIndex, blockSize, gridSize;
  dim3 itemIndex;             // threadIdx of a kernel without barriers
  Thread* current = nullptr;  // nullptr in a kernel without barriers
  unsigned size = 0;
  void (*body)(void*) = nullptr;
  void* bodyArgument = nullptr;
  std::vector<std::unique_ptr<Thread>> threads;
};
inline thread_local Block block;

[[noreturn]] inline void Fail(const char* what) {
  std::fprintf(stderr, "cuda_emu: block (%u,%u,%u): %s\n", block.blockIndex.x, block.blockIndex.y, block.blockIndex.z,
               what);
  std::abort();
}

inline void PrintState(unsigned i) {
  const Thread& thread = *block.threads[i];
  if (thread.done)
    std::fprintf(stderr, "  thread %u has returned\n", i);
  else if (!thread.waits.call)
    std::fprintf(stderr, "  thread %u can run\n", i);
  else
    std::fprintf(stderr, "  thread %u waits in %s (%s:%u)\n", i, thread.waits.call, thread.waits.file,
                 thread.waits.line);
}

[[noreturn]] inline void FailDivergent(unsigned i, unsigned j) {
  std::fprintf(stderr, "cuda_emu: divergent barrier in block (%u,%u,%u):\n", block.blockIndex.x, block.blockIndex.y,
               block.blockIndex.z);
  PrintState(i);
  PrintState(j);
  std::abort();
}

inline void Wait(const char* call, bool wholeBlock, const std::source_location& where) {
  Thread* thread = block.current;
  if (!thread) Fail("a barrier in a kernel that was started without barriers");
  thread->waits = {call, where.file_name(), unsigned(where.line()), wholeBlock};
  thread->fiber.Yield();
}

inline void RequireFullMask(unsigned mask) {
  if (mask != ~0u) Fail("only the full warp mask is emulated");
}

inline unsigned Rank() {
  const dim3& i = block.current->index;
  return i.x + block.blockSize.x * (i.y + block.blockSize.y * i.z);
}

// Every thread of the warp offers a value, and gets that of lane source(own lane); its own when there is no such lane.
template <class T, class Source>
T Exchange(const char* call, unsigned mask, T value, Source source, const std::source_location& where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t));
  RequireFullMask(mask);
  if (!block.current) Fail("a shuffle in a kernel that was started without barriers");
  Thread& self = *block.current;
  const unsigned turn = self.turn++ % 2;
  std::memcpy(&self.slot[turn], &value, sizeof(T));
  Wait(call, false, where);
  const unsigned rank = Rank(), lane = rank % kWarp, first = rank - lane;
  unsigned from = source(lane);
  if (from >= unsigned(kWarp) || first + from >= block.size) from = lane;
  std::memcpy(&value, &block.threads[first + from]->slot[turn], sizeof(T));
  return value;
}

// Whether threads [begin, end) all wait at one barrier of the given kind. Lets them go on if so.
inline bool Release(unsigned begin, unsigned end, bool wholeBlock) {
  const Barrier& barrier = block.threads[begin]->waits;
  for (unsigned i = begin; i < end; ++i) {
    const Thread& thread = *block.threads[i];
    if (thread.done || !thread.waits.call || thread.waits.block != wholeBlock || !(thread.waits == barrier))
      return false;
  }
  for (unsigned i = begin; i < end; ++i) block.threads[i]->waits = {};
  return true;
}

inline void FiberEntry() {
  Thread& self = *block.current;
  self.fiber.Enter();
  block.body(block.bodyArgument);
  self.done = true;
  self.fiber.LeaveForever();
}

// Runs the threads of the current block until all have returned.
inline void RunFibers(bool reverse) {
  const unsigned size = block.size;
  for (unsigned i = 0; i < size; ++i) {
    Thread& thread = *block.threads[i];
    thread.index = {i % block.blockSize.x, i / block.blockSize.x % block.blockSize.y,
                    i / (block.blockSize.x * block.blockSize.y)};
    thread.waits = {};
    thread.done = false;
    thread.turn = 0;
    thread.fiber.Prepare(FiberEntry);
  }
  const unsigned warps = (size + kWarp - 1) / kWarp;
  for (unsigned live = size; live > 0;) {
    bool progress = false;
    // Each warp runs ahead until its threads wait for the whole block, so that a warp that overtakes another is seen.
    for (unsigned w = 0; w < warps; ++w) {
      const unsigned begin = (reverse ? warps - 1 - w : w) * kWarp, end = std::min(begin + kWarp, size);
      do {
        for (unsigned k = begin; k < end; ++k) {
          Thread& thread = *block.threads[reverse ? begin + end - 1 - k : k];
          if (thread.done || thread.waits.call) continue;
          block.current = &thread;
          thread.fiber.Resume();
          progress = true;
          if (thread.done) --live;
        }
      } while (Release(begin, end, false));
    }
    block.current = nullptr;
    progress |= Release(0, size, true);
    if (live > 0 && !progress) {
      // Name a thread that waits, and the first that does not wait with it.
      unsigned i = 0;
      while (block.threads[i]->done) ++i;
      unsigned j = 0;
      while (j + 1 < size && !block.threads[j]->done && block.threads[j]->waits == block.threads[i]->waits) ++j;
      FailDivergent(i, j);
    }
  }
}

// Runs kernel(arguments...) over the grid; the answer to kernel<<<grid, threads>>>(arguments...).
template <class... Parameters>
void Start(Kind kind, dim3 grid, dim3 threads, void (*kernel)(Parameters...), Parameters... arguments) {
  if (block.current) Fail("a kernel that starts a kernel is not emulated");
  const char* variable = std::getenv("DERMIS_EMU_REVERSE");
  const bool reverse = variable && *variable && std::strcmp(variable, "0") != 0;
  block.gridSize = grid;
  block.blockSize = threads;
  block.size = threads.x * threads.y * threads.z;
  if (block.size == 0 || block.size > 1024) Fail("a block must have 1 to 1024 threads");
  if (grid.y > 65535 || grid.z > 65535 || grid.x > 2147483647u) Fail("the grid is larger than a device allows");

  auto call = [&] { kernel(arguments...); };
  block.body = [](void* body) { (*static_cast<decltype(call)*>(body))(); };
  block.bodyArgument = &call;
  if (kind == kBarriers)
    while (block.threads.size() < block.size) block.threads.push_back(std::make_unique<Thread>());

  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  for (uint64_t k = 0; k < blocks; ++k) {
    const uint64_t b = reverse ? blocks - 1 - k : k;
    block.blockIndex = {unsigned(b % grid.x), unsigned(b / grid.x % grid.y), unsigned(b / (uint64_t(grid.x) * grid.y))};
    if (kind == kBarriers) {
      RunFibers(reverse);
      continue;
    }
    for (unsigned t = 0; t < block.size; ++t) {
      const unsigned i = reverse ? block.size - 1 - t : t;
      block.itemIndex = {i % threads.x, i / threads.x % threads.y, i / (threads.x * threads.y)};
      call();
    }
  }
}

}  // namespace cuda_emu

#define threadIdx (cuda_emu::block.current ? cuda_emu::block.current->index : cuda_emu::block.itemIndex)
#define blockIdx (cuda_emu::block.blockIndex)
#define blockDim (cuda_emu::block.blockSize)
#define gridDim (cuda_emu::block.gridSize)

inline void __syncthreads(const std::source_location& where = std::source_location::current()) {
  cuda_emu::Wait("__syncthreads", true, where);
}
inline void __syncwarp(unsigned mask = ~0u, const std::source_location& where = std::source_location::current()) {
  cuda_emu::RequireFullMask(mask);
  cuda_emu::Wait("__syncwarp", false, where);
}
template <class T>
T __shfl_sync(unsigned mask, T value, int source, const std::source_location& where = std::source_location::current()) {
  return cuda_emu::Exchange(
      "__shfl_sync", mask, value, [=](unsigned) { return unsigned(source) % 32u; }, where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                   const std::source_location& where = std::source_location::current()) {
  return cuda_emu::Exchange(
      "__shfl_down_sync", mask, value, [=](unsigned lane) { return lane + delta; }, where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta,
                 const std::source_location& where = std::source_location::current()) {
  return cuda_emu::Exchange(
      "__shfl_up_sync", mask, value, [=](unsigned lane) { return lane - delta; }, where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, unsigned bits,
                  const std::source_location& where = std::source_location::current()) {
  return cuda_emu::Exchange(
      "__shfl_xor_sync", mask, value, [=](unsigned lane) { return lane ^ bits; }, where);
}
inline unsigned __ballot_sync(unsigned mask, int predicate,
                              const std::source_location& where = std::source_location::current()) {
  // One exchange, then a look at what every lane of the warp offered.
  const unsigned turn = cuda_emu::block.current ? cuda_emu::block.current->turn % 2 : 0;
  cuda_emu::Exchange<unsigned>(
      "__ballot_sync", mask, predicate != 0, [](unsigned lane) { return lane; }, where);
  const unsigned first = cuda_emu::Rank() / 32u * 32u;
  unsigned bits = 0;
  for (unsigned lane = 0; lane < 32 && first + lane < cuda_emu::block.size; ++lane)
    bits |= unsigned(cuda_emu::block.threads[first + lane]->slot[turn] & 1) << lane;
  return bits;
}

// Threads never run at the same time, so plain reads and writes are atomic.
template <class T> T atomicAdd(T* address, std::type_identity_t<T> value) {
  const T old = *address;
  *address = T(old + value);
  return old;
}
template <class T> T atomicMax(T* address, std::type_identity_t<T> value) {
  const T old = *address;
  if (value > old) *address = value;
  return old;
}
template <class T> T atomicMin(T* address, std::type_identity_t<T> value) {
  const T old = *address;
  if (value < old) *address = value;
  return old;
}
template <class T> T atomicOr(T* address, std::type_identity_t<T> value) {
  const T old = *address;
  *address = old | value;
  return old;
}
template <class T> T atomicExch(T* address, std::type_identity_t<T> value) {
  const T old = *address;
  *address = value;
  return old;
}
template <class T> T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  const T old = *address;
  if (old == compare) *address = value;
  return old;
}
inline void __threadfence() {}
