// The emulator of CUDA threads: what it runs, and what it must refuse. Compiled with DERMIS_EMULATED.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <string>
#include <vector>

#include "engine/buffer.h"
#include "engine/launch.h"
#include "tests/catch.h"

namespace {

// Runs the body in a child process and returns what it wrote to stderr; empty unless it aborted.
template <class Body> std::string AbortMessage(Body body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    dup2(ends[1], 2);
    body();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) text.append(part, size_t(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? text : "";
}

// Both orders of threads.
template <class Body> void InBothOrders(Body body) {
  for (const char* reverse : {"0", "1"}) {
    INFO("DERMIS_EMU_REVERSE=" << reverse);
    setenv("DERMIS_EMU_REVERSE", reverse, 1);
    body();
  }
  unsetenv("DERMIS_EMU_REVERSE");
}

__global__ void Shuffles(int* out) {  // out[6][blockDim]
  const int i = int(threadIdx.x), n = int(blockDim.x);
  out[0 * n + i] = __shfl_down_sync(~0u, i, 3);
  out[1 * n + i] = __shfl_up_sync(~0u, i, 1);
  out[2 * n + i] = __shfl_xor_sync(~0u, i, 5);
  out[3 * n + i] = __shfl_sync(~0u, i, 2);
  out[4 * n + i] = int(__ballot_sync(~0u, i % 3 == 0));
  out[5 * n + i] = int(__shfl_down_sync(~0u, double(i) + 0.5, 1) * 2);
}

__global__ void ReverseInSharedMemory(int* values) {
  __shared__ int shared[96];
  shared[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  values[blockIdx.x * blockDim.x + threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
}

__global__ void CountAndMark(int* count, int* largest, int* place) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  place[i] = atomicAdd(count, 1);
  atomicMax(largest, i);
}

__global__ void NeighbourWithoutBarrier(int* values) {
  __shared__ int shared[64];
  shared[threadIdx.x] = -1;
  __syncthreads();
  shared[threadIdx.x] = int(threadIdx.x);
  values[threadIdx.x] = shared[(threadIdx.x + 1) % blockDim.x];  // a race: the barrier is missing
}

__global__ void SomeReturnEarly(int limit) {
  if (int(threadIdx.x) >= limit) return;
  __syncthreads();
}

__global__ void TwoBarriers() {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

__global__ void WarpAgainstBlock() {
  if (threadIdx.x == 0)
    __syncwarp();
  else
    __syncthreads();
}

__global__ void PartialMask(int* out) { *out = __shfl_sync(0xffffu, 1, 0); }

}  // namespace

TEST_CASE("emulated shuffles and ballots follow the CUDA programming guide, in a partial warp too", "[emu]") {
  constexpr int kThreads = 70;  // the third warp has 6 lanes
  InBothOrders([] {
    std::vector<int> out(6 * kThreads, -1);
    cuda_emu::Start(cuda_emu::kBarriers, dim3(1), dim3(kThreads), Shuffles, out.data());
    for (int i = 0; i < kThreads; ++i) {
      const int first = i / 32 * 32, lane = i % 32;
      auto from = [&](int source) {
        return source >= 0 && source < 32 && first + source < kThreads ? first + source : i;
      };
      REQUIRE(out[0 * kThreads + i] == from(lane + 3));
      REQUIRE(out[1 * kThreads + i] == from(lane - 1));
      REQUIRE(out[2 * kThreads + i] == from(lane ^ 5));
      REQUIRE(out[3 * kThreads + i] == from(2));
      unsigned ballot = 0;
      for (int k = 0; k < 32 && first + k < kThreads; ++k) ballot |= unsigned((first + k) % 3 == 0) << k;
      REQUIRE(unsigned(out[4 * kThreads + i]) == ballot);
      REQUIRE(out[5 * kThreads + i] == 2 * from(lane + 1) + 1);
    }
  });
}

TEST_CASE("emulated barriers order shared memory, block after block", "[emu]") {
  constexpr int kThreads = 96, kBlocks = 3;
  InBothOrders([] {
    std::vector<int> values(kThreads * kBlocks);
    for (int k = 0; k < kThreads * kBlocks; ++k) values[k] = k;
    cuda_emu::Start(cuda_emu::kBarriers, dim3(kBlocks), dim3(kThreads), ReverseInSharedMemory, values.data());
    for (int b = 0; b < kBlocks; ++b)
      for (int t = 0; t < kThreads; ++t) REQUIRE(values[b * kThreads + t] == b * kThreads + kThreads - 1 - t);
  });
}

TEST_CASE("emulated atomics count every thread; the reversed order is the other order", "[emu]") {
  for (cuda_emu::Kind kind : {cuda_emu::kItems, cuda_emu::kBarriers}) {
    bool reversed = false;
    InBothOrders([&] {
      int count = 0, largest = -1;
      std::vector<int> place(100);
      cuda_emu::Start(kind, dim3(2), dim3(50), CountAndMark, &count, &largest, place.data());
      REQUIRE(count == 100);
      REQUIRE(largest == 99);
      for (int i = 0; i < 100; ++i) REQUIRE(place[i] == (reversed ? 99 - i : i));
      reversed = true;
    });
  }
}

TEST_CASE("a race gives other answers when the threads run in the other order", "[emu]") {
  std::vector<std::vector<int>> answers;
  InBothOrders([&] {
    std::vector<int> values(64);
    cuda_emu::Start(cuda_emu::kBarriers, dim3(1), dim3(64), NeighbourWithoutBarrier, values.data());
    answers.push_back(values);
  });
  REQUIRE(answers[0] != answers[1]);
}

TEST_CASE("a divergent barrier is reported with the threads and lines, and aborts", "[emu]") {
  InBothOrders([] {
    for (void (*kernel)() : {TwoBarriers, WarpAgainstBlock}) {
      const std::string message =
          AbortMessage([&] { cuda_emu::Start(cuda_emu::kBarriers, dim3(1), dim3(64), kernel); });
      REQUIRE(message.find("divergent barrier in block (0,0,0)") != std::string::npos);
      REQUIRE(message.find("waits in __syncthreads") != std::string::npos);
    }
    for (int limit : {1, 32, 63}) {
      const std::string message =
          AbortMessage([&] { cuda_emu::Start(cuda_emu::kBarriers, dim3(2), dim3(64), SomeReturnEarly, limit); });
      REQUIRE(message.find("divergent barrier") != std::string::npos);
      REQUIRE(message.find("has returned") != std::string::npos);
    }
    // All of them or none is no divergence.
    cuda_emu::Start(cuda_emu::kBarriers, dim3(2), dim3(64), SomeReturnEarly, 64);
    cuda_emu::Start(cuda_emu::kBarriers, dim3(2), dim3(64), SomeReturnEarly, 0);
  });
}

TEST_CASE("what the emulator cannot run is refused", "[emu]") {
  int out = 0;
  REQUIRE(AbortMessage([] {
            cuda_emu::Start(cuda_emu::kItems, dim3(1), dim3(4), SomeReturnEarly, 4);
          }).find("started without barriers") != std::string::npos);
  REQUIRE(AbortMessage([&] {
            cuda_emu::Start(cuda_emu::kBarriers, dim3(1), dim3(32), PartialMask, &out);
          }).find("full warp mask") != std::string::npos);
  REQUIRE(AbortMessage([] {
            cuda_emu::Start(cuda_emu::kBarriers, dim3(1), dim3(1025), SomeReturnEarly, 0);
          }).find("1024") != std::string::npos);
}

TEST_CASE("new emulated device memory is NaN, a resized buffer is zero", "[emu]") {
  double* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4 * sizeof(double)) == cudaSuccess);
  for (int k = 0; k < 4; ++k) REQUIRE(std::isnan(memory[k]));
  cudaFree(memory);
  dermis::Buffer<double> buffer(4);
  REQUIRE(buffer.Download() == std::vector<double>(4, 0.0));
}
