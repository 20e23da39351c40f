// Reduce, scan, sort, runs and segmented sums over arrays of the backend. Each result is the same for every number of
// threads: sums run over fixed blocks, in fixed order.
//
// The sums are kernels of our own. Scan, sort and runs are loops of ours on the CPU (prims_cpu.cpp) and CUB on CUDA
// (prims_cuda.cu).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/buffer.h"
#include "engine/launch.h"
#include "kernels/team.h"

DERMIS_NAMESPACE_BEGIN

// Working memory of the functions below; it grows and is never given back, so that a step does not allocate.
class Scratch {
 public:
  void* Reserve(size_t bytes) {
    if (bytes > memory_.size()) memory_.Resize(bytes + bytes / 2);
    return memory_.data();
  }

 private:
  Buffer<unsigned char> memory_;
};

// Copies from memory of the backend, after all earlier launches; returns when it is done.
template <class T> void CopyToHost(const Exec& exec, T* target, const T* source, size_t count) {
#if DERMIS_DEVICE_BACKEND
  DERMIS_CUDA_CHECK(cudaMemcpyAsync(target, source, count * sizeof(T), cudaMemcpyDeviceToHost, exec.stream));
  Synchronize(exec);
#else
  (void)exec;
  for (size_t k = 0; k < count; ++k) target[k] = source[k];
#endif
}

// Sum of the values, to the host; 0 of none.
double ReduceSum(const Exec& exec, Scratch& scratch, const double* values, int count);
// Largest value, to the host; -infinity of none, NaN when one is NaN.
double ReduceMax(const Exec& exec, Scratch& scratch, const double* values, int count);

// sums[k] = 0 + in[0] + ... + in[k-1] for 0 <= k <= count: count + 1 numbers, the last is the total. Not in place.
void ExclusiveScan(const Exec& exec, Scratch& scratch, const int32_t* in, int32_t* sums, int count);

// Sorts the pairs by key, in place and stable; only the lowest keyBits bits of the keys are compared.
void SortPairs(const Exec& exec, Scratch& scratch, uint32_t* keys, int32_t* values, int count, int keyBits = 32);
void SortPairs(const Exec& exec, Scratch& scratch, uint64_t* keys, int32_t* values, int count, int keyBits = 64);

// Keys that are equal side by side become one: uniqueKeys[r] occurs lengths[r] times. Returns the number of runs; both
// outputs need room for `count`.
int RunLengths(const Exec& exec, Scratch& scratch, const uint64_t* keys, int count, uint64_t* uniqueKeys,
               int32_t* lengths);

// sums[s] = sum of values[offsets[s]] ... values[offsets[s + 1] - 1]. `count` = offsets[segments], which chooses
// between an item and a team for a segment.
void SegmentedSum(const Exec& exec, const double* values, const int32_t* offsets, int segments, int count,
                  double* sums);

DERMIS_NAMESPACE_END
