// The few calls of the CUDA runtime that the engine makes, on host memory: the emulated backend's device.
//
// Streams are synchronous. New memory is filled with 0xff bytes (every double is NaN), so that a kernel which reads
// what nothing wrote gives a visibly wrong answer; AddressSanitizer sees reads out of bounds.
#pragma once

#include <cstdlib>
#include <cstring>

#include "engine/cuda_emu/emulator.h"

enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
using cudaStream_t = struct EmulatedStream*;

template <class T> cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  *pointer = static_cast<T*>(std::malloc(bytes));
  if (!*pointer) return cudaErrorMemoryAllocation;
  std::memset(static_cast<void*>(*pointer), 0xff, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaFree(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* target, const void* source, size_t bytes, cudaMemcpyKind) {
  if (bytes) std::memcpy(target, source, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* target, const void* source, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(target, source, bytes, kind);
}
inline cudaError_t cudaMemset(void* target, int value, size_t bytes) {
  if (bytes) std::memset(target, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* target, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(target, value, bytes);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : "out of memory"; }
