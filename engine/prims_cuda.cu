// Scan, sort and runs on CUDA, with CUB. The only file that includes it: it takes tens of seconds to compile.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>

#include "engine/prims.h"

DERMIS_NAMESPACE_BEGIN

namespace {

size_t Aligned(size_t bytes) { return (bytes + 255) / 256 * 256; }

template <class Key>
void RadixSort(const Exec& exec, Scratch& scratch, Key* keys, int32_t* values, int count, int keyBits) {
  if (count < 2) return;
  size_t bytes = 0;
  cub::DoubleBuffer<Key> keyBuffer(keys, nullptr);
  cub::DoubleBuffer<int32_t> valueBuffer(values, nullptr);
  DERMIS_CUDA_CHECK(
      cub::DeviceRadixSort::SortPairs(nullptr, bytes, keyBuffer, valueBuffer, count, 0, keyBits, exec.stream));

  const size_t keyBytes = Aligned(count * sizeof(Key)), valueBytes = Aligned(count * sizeof(int32_t));
  auto* memory = static_cast<unsigned char*>(scratch.Reserve(keyBytes + valueBytes + bytes));
  keyBuffer = cub::DoubleBuffer<Key>(keys, reinterpret_cast<Key*>(memory));
  valueBuffer = cub::DoubleBuffer<int32_t>(values, reinterpret_cast<int32_t*>(memory + keyBytes));
  DERMIS_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(memory + keyBytes + valueBytes, bytes, keyBuffer, valueBuffer,
                                                    count, 0, keyBits, exec.stream));
  if (keyBuffer.Current() != keys)
    DERMIS_CUDA_CHECK(
        cudaMemcpyAsync(keys, keyBuffer.Current(), count * sizeof(Key), cudaMemcpyDeviceToDevice, exec.stream));
  if (valueBuffer.Current() != values)
    DERMIS_CUDA_CHECK(
        cudaMemcpyAsync(values, valueBuffer.Current(), count * sizeof(int32_t), cudaMemcpyDeviceToDevice, exec.stream));
}

}  // namespace

void ExclusiveScan(const Exec& exec, Scratch& scratch, const int32_t* in, int32_t* sums, int count) {
  DERMIS_CUDA_CHECK(cudaMemsetAsync(sums, 0, sizeof(int32_t), exec.stream));
  if (count <= 0) return;
  size_t bytes = 0;
  DERMIS_CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in, sums + 1, count, exec.stream));
  void* memory = scratch.Reserve(bytes);
  DERMIS_CUDA_CHECK(cub::DeviceScan::InclusiveSum(memory, bytes, in, sums + 1, count, exec.stream));
}

void SortPairs(const Exec& exec, Scratch& scratch, uint32_t* keys, int32_t* values, int count, int keyBits) {
  RadixSort(exec, scratch, keys, values, count, keyBits);
}
void SortPairs(const Exec& exec, Scratch& scratch, uint64_t* keys, int32_t* values, int count, int keyBits) {
  RadixSort(exec, scratch, keys, values, count, keyBits);
}

int RunLengths(const Exec& exec, Scratch& scratch, const uint64_t* keys, int count, uint64_t* uniqueKeys,
               int32_t* lengths) {
  if (count <= 0) return 0;
  size_t bytes = 0;
  int* runs = nullptr;
  DERMIS_CUDA_CHECK(
      cub::DeviceRunLengthEncode::Encode(nullptr, bytes, keys, uniqueKeys, lengths, runs, count, exec.stream));
  auto* memory = static_cast<unsigned char*>(scratch.Reserve(256 + bytes));
  runs = reinterpret_cast<int*>(memory);
  DERMIS_CUDA_CHECK(
      cub::DeviceRunLengthEncode::Encode(memory + 256, bytes, keys, uniqueKeys, lengths, runs, count, exec.stream));
  int result = 0;
  CopyToHost(exec, &result, runs, 1);
  return result;
}

DERMIS_NAMESPACE_END
