#include "engine/ladder.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <vector>

#include "engine/prims.h"
#include "kernels/dense_cholesky.h"
#include "kernels/linalg.h"

DERMIS_NAMESPACE_BEGIN

namespace {

constexpr int kSizes[] = {0, 1, 7, 1000, 100000};

// A fixed sequence of 64 random bits (SplitMix64; Steele, Lea and Flood 2014).
struct Random {
  uint64_t state = 1;
  uint64_t Bits() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double Unit() { return double(Bits() >> 11) * 0x1p-53; }
};

template <class T> Buffer<T> ToBackend(const std::vector<T>& values) {
  Buffer<T> buffer;
  buffer.Upload(values);
  return buffer;
}

// Several threads and one: the answers must be the same bits.
std::vector<Exec> Execs() {
  std::vector<Exec> execs(2);
  execs[1].threads = 3;
  return execs;
}

std::string At(const char* what, int64_t index) { return std::string(what) + " at " + std::to_string(index); }

std::string TestBuffer() {
  Buffer<double> empty;
  if (empty.size() != 0 || !empty.Download().empty()) return "a new buffer is not empty";
  Buffer<double> buffer(1000);
  for (double value : buffer.Download())
    if (value != 0) return "a resized buffer is not zero";
  const double* data = buffer.data();
  Buffer<double> moved(std::move(buffer));
  if (moved.data() != data || moved.size() != 1000) return "a move copied or lost the memory";
  moved.Resize(0);
  if (moved.size() != 0) return "Resize(0) keeps a size";
  return "";
}

std::string TestCopy() {
  std::vector<double> values(1000);
  for (int k = 0; k < 1000; ++k) values[k] = k + 0.5;
  Buffer<double> buffer = ToBackend(values);
  if (buffer.Download() != values) return "what was uploaded does not come back";
  const double part[3] = {-1, -2, -3};
  buffer.Upload(part, 3, 10);
  std::copy(part, part + 3, values.begin() + 10);
  if (buffer.Download() != values) return "an upload with an offset changed other items";
  double back[5] = {};
  buffer.Download(back, 5, 9);
  if (!std::equal(back, back + 5, values.begin() + 9)) return "a download with an offset is wrong";
  return "";
}

struct CountVisits {
  int32_t* visits;
  int count;
  DERMIS_HD void operator()(int world, int i) const { visits[int64_t(world) * count + i] += 1 + i % 3; }
};

std::string TestLaunch() {
  // Shapes on both sides of a block, of a parallel region and of the largest grid; 0 of either is nothing.
  const int shapes[][2] = {{1, 1},      {3, 127},   {2, 128},   {2, 129}, {5, 3},
                           {1, 100000}, {70000, 2}, {1000, 70}, {0, 5},   {5, 0}};
  for (const Exec& exec : Execs())
    for (auto [worlds, count] : shapes) {
      Buffer<int32_t> visits(size_t(worlds) * count);
      Launch(exec, worlds, count, CountVisits{visits.data(), count});
      Synchronize(exec);
      const std::vector<int32_t> result = visits.Download();
      for (size_t k = 0; k < result.size(); ++k)
        if (result[k] != 1 + int(k % count) % 3) return At("an item was not run exactly once", int64_t(k));
    }
  return "";
}

std::string TestReduce() {
  for (int size : kSizes) {
    Random random;
    std::vector<double> values(size);
    double magnitude = 0;
    long double sum = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (double& value : values) {
      value = random.Unit() - 0.5;
      sum += value;
      magnitude += std::abs(value);
      largest = std::max(largest, value);
    }
    const Buffer<double> buffer = ToBackend(values);
    double first = 0;
    for (const Exec& exec : Execs()) {
      Scratch scratch;
      const double result = ReduceSum(exec, scratch, buffer.data(), size);
      // A tree of depth log2(n) loses about as many roundings of the magnitude.
      if (!(std::abs(result - double(sum)) <= 20 * 0x1p-53 * magnitude)) return At("wrong sum of", size);
      if (exec.threads == 1) first = result;
      if (result != first) return At("the sum depends on the number of threads: count", size);
      if (ReduceMax(exec, scratch, buffer.data(), size) != largest) return At("wrong maximum of", size);
    }
    if (size == 0) continue;
    values[size / 2] = std::numeric_limits<double>::quiet_NaN();
    const Buffer<double> withNan = ToBackend(values);
    Scratch scratch;
    if (!std::isnan(ReduceMax(Exec{}, scratch, withNan.data(), size))) return At("a maximum hides a NaN: count", size);
    if (!std::isnan(ReduceSum(Exec{}, scratch, withNan.data(), size))) return At("a sum hides a NaN: count", size);
  }
  return "";
}

std::string TestScan() {
  for (int size : kSizes)
    for (const Exec& exec : Execs()) {
      Random random;
      std::vector<int32_t> values(size), expected(size + 1, 0);
      for (int k = 0; k < size; ++k) {
        values[k] = int32_t(random.Bits() % 100);
        expected[k + 1] = expected[k] + values[k];
      }
      const Buffer<int32_t> in = ToBackend(values);
      Buffer<int32_t> sums = ToBackend(std::vector<int32_t>(size + 1, -7));
      Scratch scratch;
      ExclusiveScan(exec, scratch, in.data(), sums.data(), size);
      Synchronize(exec);
      if (sums.Download() != expected) return At("wrong scan of", size);
    }
  return "";
}

template <class Key> std::string TestSortOf(const Exec& exec, int size, int keyBits, Key mask) {
  Random random;
  std::vector<Key> keys(size);
  std::vector<int32_t> order(size);
  for (int k = 0; k < size; ++k) {
    keys[k] = Key(random.Bits()) & mask;
    order[k] = k;
  }
  Buffer<Key> keyBuffer = ToBackend(keys);
  Buffer<int32_t> valueBuffer = ToBackend(order);
  Scratch scratch;
  SortPairs(exec, scratch, keyBuffer.data(), valueBuffer.data(), size, keyBits);
  Synchronize(exec);

  const Key compared = keyBits == int(8 * sizeof(Key)) ? ~Key(0) : (Key(1) << keyBits) - 1;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return (keys[a] & compared) < (keys[b] & compared); });
  if (valueBuffer.Download() != order) return At("wrong or unstable order of", size);
  const std::vector<Key> sorted = keyBuffer.Download();
  for (int k = 0; k < size; ++k)
    if (sorted[k] != keys[order[k]]) return At("a key left its value", k);
  return "";
}

std::string TestSort() {
  for (int size : kSizes)
    for (const Exec& exec : Execs()) {
      std::string failure = TestSortOf<uint32_t>(exec, size, 32, ~0u);
      if (failure.empty()) failure = TestSortOf<uint64_t>(exec, size, 64, ~uint64_t(0));
      if (failure.empty()) failure = TestSortOf<uint64_t>(exec, size, 64, 0xff000f);  // many equal, bytes unused
      if (failure.empty()) failure = TestSortOf<uint32_t>(exec, size, 10, 0xffff);    // bits that do not count
      if (!failure.empty()) return failure;

      // Runs of the sorted keys.
      std::vector<uint64_t> keys(size), uniqueExpected;
      std::vector<int32_t> lengthsExpected;
      for (int k = 0; k < size; ++k) keys[k] = uint64_t(std::sqrt(double(k)));
      for (uint64_t key : keys) {
        if (uniqueExpected.empty() || uniqueExpected.back() != key) {
          uniqueExpected.push_back(key);
          lengthsExpected.push_back(0);
        }
        ++lengthsExpected.back();
      }
      const Buffer<uint64_t> in = ToBackend(keys);
      Buffer<uint64_t> unique(size);
      Buffer<int32_t> lengths(size);
      Scratch scratch;
      const int runs = RunLengths(exec, scratch, in.data(), size, unique.data(), lengths.data());
      if (runs != int(uniqueExpected.size())) return At("wrong number of runs of", size);
      std::vector<uint64_t> uniqueFound = unique.Download();
      std::vector<int32_t> lengthsFound = lengths.Download();
      uniqueFound.resize(runs);
      lengthsFound.resize(runs);
      if (uniqueFound != uniqueExpected || lengthsFound != lengthsExpected) return At("wrong runs of", size);
    }
  return "";
}

std::string TestSegmentedSum() {
  // Short segments (an item each), long ones (a team each), empty ones between.
  for (int size : kSizes)
    for (int mean : {3, 500}) {
      Random random;
      std::vector<double> values(size);
      for (double& value : values) value = double(random.Bits() % 1000);  // sums are exact
      std::vector<int32_t> offsets = {0};
      while (offsets.back() < size)
        offsets.push_back(std::min(size, offsets.back() + int32_t(random.Bits() % (2 * mean + 1))));
      const int segments = int(offsets.size()) - 1;
      const Buffer<double> in = ToBackend(values);
      const Buffer<int32_t> offsetBuffer = ToBackend(offsets);
      for (const Exec& exec : Execs()) {
        Buffer<double> sums(segments);
        SegmentedSum(exec, in.data(), offsetBuffer.data(), segments, size, sums.data());
        Synchronize(exec);
        const std::vector<double> result = sums.Download();
        for (int s = 0; s < segments; ++s) {
          double expected = 0;
          for (int k = offsets[s]; k < offsets[s + 1]; ++k) expected += values[k];
          if (result[s] != expected) return At("wrong sum of segment", s);
        }
      }
    }
  return "";
}

// x <- A^-1 A x, by one item.
struct InvertAndBack {
  const Mat3d* matrices;
  Vec3d* vectors;
  DERMIS_HD void operator()(int, int i) const { vectors[i] = Inverse(matrices[i]) * (matrices[i] * vectors[i]); }
};

// Replaces a row by itself over its sum, in two passes that need a barrier; keeps the sum and the largest item.
struct NormalizeRow {
  double* rows;
  double* sums;     // [worlds, count]
  double* largest;  // [worlds, count]
  int count;
  int length;
  template <class TeamType> DERMIS_HD void operator()(const TeamType& team, int world, int index) const {
    const int64_t id = int64_t(world) * count + index;
    double* row = rows + id * length;
    const double sum = SumOver(team, 0, length, [row](int k) { return row[k]; });
    const double top = MaxOver(team, 0, length, [row](int k) { return row[k]; });
    for (int k = team.rank; k < length; k += team.size) row[k] /= sum;
    team.Sync();
    // The neighbour's item, written by another thread.
    double shifted = 0;
    for (int k = team.rank; k < length; k += team.size) shifted += row[(k + 1) % length];
    shifted = team.Sum(shifted);
    if (team.rank == 0) {
      sums[id] = sum * shifted;
      largest[id] = top;
    }
  }
};

std::string TestKernel() {
  constexpr int kItems = 1000;
  Random random;
  std::vector<Mat3d> matrices(kItems);
  std::vector<Vec3d> vectors(kItems);
  for (int i = 0; i < kItems; ++i) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) matrices[i](r, c) = random.Unit() + (r == c ? 3 : 0);  // well conditioned
    for (int r = 0; r < 3; ++r) vectors[i][r] = random.Unit();
  }
  const Buffer<Mat3d> matrixBuffer = ToBackend(matrices);
  Buffer<Vec3d> vectorBuffer = ToBackend(vectors);
  Launch(Exec{}, 1, kItems, InvertAndBack{matrixBuffer.data(), vectorBuffer.data()});
  const std::vector<Vec3d> back = vectorBuffer.Download();
  for (int i = 0; i < kItems; ++i)
    if (!(Norm(back[i] - vectors[i]) < 1e-14)) return At("a 3x3 inverse is wrong", i);

  for (int length : {1, 31, 64, 1000})
    for (const Exec& exec : Execs()) {
      constexpr int kWorlds = 3, kRows = 5;
      std::vector<double> rows(size_t(kWorlds) * kRows * length);
      for (double& value : rows) value = 1 + double(random.Bits() % 1000);
      Buffer<double> rowBuffer = ToBackend(rows), sums(kWorlds * kRows), largest(kWorlds * kRows);
      LaunchTeams(exec, kWorlds, kRows, NormalizeRow{rowBuffer.data(), sums.data(), largest.data(), kRows, length},
                  1000);
      Synchronize(exec);
      const std::vector<double> sumsFound = sums.Download(), largestFound = largest.Download();
      for (int id = 0; id < kWorlds * kRows; ++id) {
        const double* row = rows.data() + size_t(id) * length;
        double sum = 0;
        for (int k = 0; k < length; ++k) sum += row[k];
        if (!(std::abs(sumsFound[id] - sum) <= 1e-13 * sum)) return At("a team's sum or barrier is wrong: row", id);
        if (largestFound[id] != *std::max_element(row, row + length)) return At("a team's maximum is wrong: row", id);
      }
    }
  return "";
}

std::string TestSolve() {
  constexpr int kWorlds = 2, kSystems = 3;
  for (int n : {1, 5, 33, 96}) {
    Random random;
    std::vector<double> matrices(size_t(kWorlds) * kSystems * n * n), rhs(size_t(kWorlds) * kSystems * n), exact = rhs;
    for (int system = 0; system < kWorlds * kSystems; ++system) {
      // Diagonally dominant, hence positive definite with a condition number below 10.
      double* a = matrices.data() + size_t(system) * n * n;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) a[i * n + j] = a[j * n + i] = i == j ? n + 1 : random.Unit() - 0.5;
      for (int i = 0; i < n; ++i) exact[system * n + i] = random.Unit();
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) rhs[system * n + i] += a[i * n + j] * exact[system * n + j];
    }
    // One system is indefinite, and says at which pivot.
    const int bad = 4, badPivot = n / 2;
    matrices[size_t(bad) * n * n + badPivot * n + badPivot] = -1;

    std::vector<double> first;
    for (const Exec& exec : Execs()) {
      Buffer<double> matrixBuffer = ToBackend(matrices), rhsBuffer = ToBackend(rhs);
      Buffer<int32_t> failed(kWorlds * kSystems);
      LaunchTeams(exec, kWorlds, kSystems,
                  DenseCholesky{matrixBuffer.data(), rhsBuffer.data(), failed.data(), kSystems, n}, 10000);
      Synchronize(exec);
      const std::vector<int32_t> failedFound = failed.Download();
      const std::vector<double> solution = rhsBuffer.Download();
      for (int system = 0; system < kWorlds * kSystems; ++system) {
        if (failedFound[system] != (system == bad ? badPivot : -1)) return At("wrong failed pivot of system", system);
        const double* expected = system == bad ? rhs.data() : exact.data();
        for (int i = system * n; i < (system + 1) * n; ++i)
          if (!(std::abs(solution[i] - expected[i]) < 1e-13)) return At("wrong solution of system", system);
      }
      if (first.empty()) first = solution;
      if (first != solution) return "a solution depends on the number of threads";
    }
  }
  return "";
}

struct Rung {
  const char* name;
  std::string (*run)();
};
constexpr Rung kRungs[] = {
    {"buffer", TestBuffer},
    {"copy", TestCopy},
    {"launch", TestLaunch},
    {"reduce", TestReduce},
    {"scan", TestScan},
    {"sort and runs", TestSort},
    {"segmented sum", TestSegmentedSum},
    {"kernel", TestKernel},
    {"solve", TestSolve},
#if defined(DERMIS_HAS_LADDER_STEP)
    {"step", LadderStep},
#endif
};
static_assert(sizeof kRungs / sizeof kRungs[0] == kLadderCount);

}  // namespace

const char* LadderName(int rung) { return kRungs[rung].name; }

std::string RunLadder(int rung) {
  try {
    return kRungs[rung].run();
  } catch (const std::exception& error) {
    return error.what();
  }
}

DERMIS_NAMESPACE_END
