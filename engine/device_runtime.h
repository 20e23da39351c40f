// The CUDA runtime, or its emulation, and the check that every call goes through.
#pragma once

#include <stdexcept>
#include <string>

#if defined(DERMIS_EMULATED)
#include "engine/cuda_emu/runtime.h"
#else
#include <cuda_runtime.h>
#endif

#include "kernels/backend.h"

DERMIS_NAMESPACE_BEGIN

[[noreturn]] inline void ThrowDeviceError(cudaError_t error, const char* call) {
  throw std::runtime_error(std::string("CUDA: ") + call + " failed: " + cudaGetErrorString(error));
}

DERMIS_NAMESPACE_END

// Throws std::runtime_error, with the call and the runtime's text, when a call fails. An error of an earlier kernel
// shows at the next call.
#define DERMIS_CUDA_CHECK(call)                                                     \
  do {                                                                              \
    const cudaError_t dermisError = (call);                                         \
    if (dermisError != cudaSuccess) ::dermis::ThrowDeviceError(dermisError, #call); \
  } while (false)
