// The CPU primitives in this program's own compilation (dermis::host); the ladder runs them on every backend.
#include "engine/prims.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/catch.h"

namespace dermis {

namespace {

constexpr int kSizes[] = {0, 1, 7, 1000, 100000};
constexpr int kThreads[] = {1, 2, 3, 8};

Exec WithThreads(int threads) {
  Exec exec;
  exec.threads = threads;
  return exec;
}

template <class T> std::vector<T> RandomNumbers(int size, T low, T high) {
  std::mt19937_64 engine(7);
  std::vector<T> values(size);
  for (T& value : values) value = T(low + (high - low) * std::uniform_real_distribution<double>(0, 1)(engine));
  return values;
}

}  // namespace

TEST_CASE("ReduceSum equals std::accumulate to round-off and does not depend on the threads", "[prims]") {
  for (int size : kSizes) {
    const std::vector<double> values = RandomNumbers<double>(size, -1, 1);
    Scratch scratch;
    const double one = ReduceSum(WithThreads(1), scratch, values.data(), size);
    // Both orders lose at most log2(n) or n roundings; for n = 1e5 of random sign about sqrt(n) of them.
    REQUIRE(std::abs(one - std::accumulate(values.begin(), values.end(), 0.0)) <= 1e-16 * size);
    for (int threads : kThreads) REQUIRE(ReduceSum(WithThreads(threads), scratch, values.data(), size) == one);
  }
}

TEST_CASE("ReduceMax equals std::max_element", "[prims]") {
  for (int size : kSizes) {
    const std::vector<double> values = RandomNumbers<double>(size, -3, -1);
    const double expected = size ? *std::max_element(values.begin(), values.end()) : -INFINITY;
    Scratch scratch;
    for (int threads : kThreads) REQUIRE(ReduceMax(WithThreads(threads), scratch, values.data(), size) == expected);
  }
}

TEST_CASE("ExclusiveScan equals std::exclusive_scan with the total at the end", "[prims]") {
  for (int size : kSizes) {
    const std::vector<int32_t> values = RandomNumbers<int32_t>(size, -50, 100);
    std::vector<int32_t> expected(size + 1, 0);
    std::inclusive_scan(values.begin(), values.end(), expected.begin() + 1);
    Scratch scratch;
    for (int threads : kThreads) {
      std::vector<int32_t> sums(size + 1, -1);
      ExclusiveScan(WithThreads(threads), scratch, values.data(), sums.data(), size);
      REQUIRE(sums == expected);
    }
  }
}

TEST_CASE("SortPairs equals std::stable_sort", "[prims]") {
  for (int size : kSizes)
    for (int threads : kThreads)
      for (uint64_t range : {uint64_t(3), uint64_t(1) << 20, uint64_t(1) << 62}) {
        std::vector<uint64_t> keys = RandomNumbers<uint64_t>(size, 0, range);
        std::vector<int32_t> values(size);
        std::iota(values.begin(), values.end(), 0);
        std::vector<int32_t> expected = values;
        std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return keys[a] < keys[b]; });
        Scratch scratch;
        SortPairs(WithThreads(threads), scratch, keys.data(), values.data(), size);
        REQUIRE(values == expected);
        REQUIRE(std::is_sorted(keys.begin(), keys.end()));
      }
}

TEST_CASE("SegmentedSum does not depend on the threads, for short and for long segments", "[prims]") {
  for (int size : {1000, 100000})
    for (int length : {1, 10, 63, 64, 1000}) {
      const std::vector<double> values = RandomNumbers<double>(size, -1, 1);
      std::vector<int32_t> offsets;
      for (int k = 0; k < size; k += length) offsets.push_back(k);
      const int segments = int(offsets.size());
      offsets.push_back(size);
      std::vector<double> one(segments);
      SegmentedSum(WithThreads(1), values.data(), offsets.data(), segments, size, one.data());
      for (int s = 0; s < segments; ++s) {
        const double expected = std::accumulate(values.begin() + offsets[s], values.begin() + offsets[s + 1], 0.0);
        REQUIRE(std::abs(one[s] - expected) <= 1e-16 * length * 2);
      }
      for (int threads : kThreads) {
        std::vector<double> sums(segments, NAN);
        SegmentedSum(WithThreads(threads), values.data(), offsets.data(), segments, size, sums.data());
        REQUIRE(sums == one);
      }
    }
}

}  // namespace dermis
