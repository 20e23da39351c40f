#include "engine/backend_info.h"

#include <cstdio>
#include <thread>

#include "engine/launch.h"
#include "kernels/pack.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

DERMIS_NAMESPACE_BEGIN

#if defined(__CUDACC__)

namespace {

// The oldest card that the build has code for.
constexpr int kMinimumMajor = 8;

std::string Version(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

}  // namespace

bool BackendAvailable(std::string& why) {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    why = "no NVIDIA driver is installed";
    return false;
  }
  int count = 0;  // the call leaves it as it is on error
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorInsufficientDriver) {
    int runtime = 0;
    (void)cudaRuntimeGetVersion(&runtime);
    why = "the NVIDIA driver supports CUDA " + Version(driver) + ", older than the " + Version(runtime) +
          " this library was built with; update the driver";
    return false;
  }
  if (error != cudaSuccess && error != cudaErrorNoDevice) {
    why = std::string("the CUDA runtime did not start: ") + cudaGetErrorString(error);
    return false;
  }
  if (count == 0) {
    why = "no CUDA device is visible";
    return false;
  }
  cudaDeviceProp properties{};
  if (const cudaError_t queried = cudaGetDeviceProperties(&properties, 0)) {
    why = std::string("device 0 does not answer: ") + cudaGetErrorString(queried);
    return false;
  }
  if (properties.major < kMinimumMajor) {
    why = std::string(properties.name) + " has compute capability " + std::to_string(properties.major) + "." +
          std::to_string(properties.minor) + "; 8.0 is the oldest supported";
    return false;
  }
  return true;
}

std::string DescribeBackend() {
  int driver = 0, runtime = 0, count = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  (void)cudaGetDeviceCount(&count);
  std::string text = "runtime: CUDA " + Version(runtime) + ", driver: CUDA " + Version(driver) + "\n";
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) continue;
    char line[512];
    std::snprintf(line, sizeof line, "device %d: %s, compute capability %d.%d, %.1f GiB, %d multiprocessors\n", device,
                  properties.name, properties.major, properties.minor, double(properties.totalGlobalMem) / (1 << 30),
                  properties.multiProcessorCount);
    text += line;
  }
  return text;
}

#elif defined(DERMIS_EMULATED)

bool BackendAvailable(std::string&) { return true; }

std::string DescribeBackend() {
  return "device kernels on fibers of one thread, " + std::to_string(kTeamSize) + " threads a team; for tests only\n";
}

#else

// The instruction set was looked at before this was called (engine/registry.cpp): this file itself needs it.
bool BackendAvailable(std::string&) { return true; }

std::string DescribeBackend() {
  std::string text = "instruction set: ";
  text += DERMIS_LANES == 8 ? "x86-64-v4 (AVX-512)" : "x86-64-v3 (AVX2, FMA)";
  text += ", " + std::to_string(DERMIS_LANES) + " doubles a pack\n";
#if defined(_OPENMP)
  text += "threads: " + std::to_string(omp_get_max_threads()) + ", OpenMP " + std::to_string(_OPENMP / 100) + "\n";
#else
  text += "threads: 1, built without OpenMP\n";
#endif
  text += "processors: " + std::to_string(std::thread::hardware_concurrency()) + "\n";
  return text;
}

#endif

DERMIS_NAMESPACE_END
