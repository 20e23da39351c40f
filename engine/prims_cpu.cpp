// Scan, sort and runs on the CPU, and for the emulator, whose device memory is host memory.
//
// An array is cut into contiguous parts, one a thread. Counts are exact in any order and the sort is stable, so the
// number of parts does not change the result.
#include "engine/prims.h"

#if defined(DERMIS_EMULATED) || !DERMIS_DEVICE_BACKEND

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#if defined(_OPENMP)
#define DERMIS_FOR_PARTS _Pragma("omp parallel for schedule(static, 1) num_threads(parts)")
#else
#define DERMIS_FOR_PARTS
#endif

DERMIS_NAMESPACE_BEGIN

namespace {

constexpr int kParallelCount = 1 << 15;  // below, a parallel region costs more than it saves

int PartsOf(const Exec& exec, int count) { return count < kParallelCount ? 1 : std::max(1, exec.threads); }
int PartBegin(int count, int parts, int part) { return int(int64_t(count) * part / parts); }

constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;
using Histogram = std::array<int, kDigits>;

// One pass of a least-significant-digit radix sort. False, and nothing moved, when all digits are equal.
template <class Key>
bool SortByDigit(int parts, const Key* keys, const int32_t* values, Key* sortedKeys, int32_t* sortedValues, int count,
                 int shift, Key mask) {
  auto digit = [=](Key key) { return int((key & mask) >> shift & Key(kDigits - 1)); };
  std::vector<Histogram> where(parts);
  DERMIS_FOR_PARTS
  for (int part = 0; part < parts; ++part) {
    where[part].fill(0);
    for (int k = PartBegin(count, parts, part); k < PartBegin(count, parts, part + 1); ++k)
      ++where[part][digit(keys[k])];
  }
  // Counts become positions: digit by digit, and within a digit part by part.
  int position = 0;
  for (int d = 0; d < kDigits; ++d) {
    const int begin = position;
    for (Histogram& histogram : where) {
      const int size = histogram[d];
      histogram[d] = position;
      position += size;
    }
    if (position - begin == count) return false;
  }
  DERMIS_FOR_PARTS
  for (int part = 0; part < parts; ++part) {
    Histogram next = where[part];
    for (int k = PartBegin(count, parts, part); k < PartBegin(count, parts, part + 1); ++k) {
      const int target = next[digit(keys[k])]++;
      sortedKeys[target] = keys[k];
      sortedValues[target] = values[k];
    }
  }
  return true;
}

template <class Key>
void RadixSort(const Exec& exec, Scratch& scratch, Key* keys, int32_t* values, int count, int keyBits) {
  if (count < 2) return;
  Key* from = keys;
  Key* to = static_cast<Key*>(scratch.Reserve(size_t(count) * (sizeof(Key) + sizeof(int32_t))));
  int32_t* fromValues = values;
  int32_t* toValues = reinterpret_cast<int32_t*>(to + count);
  const Key mask = keyBits >= int(8 * sizeof(Key)) ? ~Key(0) : (Key(1) << keyBits) - 1;
  for (int shift = 0; shift < keyBits; shift += kDigitBits) {
    if (!SortByDigit(PartsOf(exec, count), from, fromValues, to, toValues, count, shift, mask)) continue;
    std::swap(from, to);
    std::swap(fromValues, toValues);
  }
  if (from == keys) return;
  std::copy(from, from + count, keys);
  std::copy(fromValues, fromValues + count, values);
}

}  // namespace

void ExclusiveScan(const Exec& exec, Scratch&, const int32_t* in, int32_t* sums, int count) {
  const int parts = PartsOf(exec, count);
  std::vector<int32_t> total(parts + 1, 0);
  if (parts > 1) {
    DERMIS_FOR_PARTS
    for (int part = 0; part < parts; ++part) {
      int32_t sum = 0;
      for (int k = PartBegin(count, parts, part); k < PartBegin(count, parts, part + 1); ++k) sum += in[k];
      total[part + 1] = sum;
    }
    for (int part = 0; part < parts; ++part) total[part + 1] += total[part];
  }
  DERMIS_FOR_PARTS
  for (int part = 0; part < parts; ++part) {
    int32_t sum = total[part];
    for (int k = PartBegin(count, parts, part); k < PartBegin(count, parts, part + 1); ++k) {
      sums[k] = sum;
      sum += in[k];
    }
    if (part == parts - 1) sums[count] = sum;
  }
}

void SortPairs(const Exec& exec, Scratch& scratch, uint32_t* keys, int32_t* values, int count, int keyBits) {
  RadixSort(exec, scratch, keys, values, count, keyBits);
}
void SortPairs(const Exec& exec, Scratch& scratch, uint64_t* keys, int32_t* values, int count, int keyBits) {
  RadixSort(exec, scratch, keys, values, count, keyBits);
}

int RunLengths(const Exec&, Scratch&, const uint64_t* keys, int count, uint64_t* uniqueKeys, int32_t* lengths) {
  int runs = 0;
  for (int k = 0; k < count; ++k) {
    if (runs > 0 && uniqueKeys[runs - 1] == keys[k]) {
      ++lengths[runs - 1];
      continue;
    }
    uniqueKeys[runs] = keys[k];
    lengths[runs++] = 1;
  }
  return runs;
}

DERMIS_NAMESPACE_END

#endif
