// The assembled matrix product of the conjugate gradients, in double, on one core: against the time that its bytes take
// at the copy bandwidth measured in the same run.
//
// The matrix is that of a beam of 27 x 27 x 27 nodes (19,683), six tetrahedra a cell: about 15 blocks of 3x3 a row.
// Bytes: blocks, columns, row ends, and both vectors once. The result is checked against a plain loop before anything
// is timed.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "engine/linear/block_product.h"

DERMIS_NAMESPACE_BEGIN
namespace {

constexpr int kSide = 27;

struct Matrix {
  std::vector<double> values, x, y;
  std::vector<int32_t> rowBegin, column;
  int rows = kSide * kSide * kSide;
  // Blocks, columns and row ends are read once, x once (the rest of its reads are from cache), y is written.
  double Bytes() const { return double(column.size()) * (72 + 4) + double(rows) * (4 + 24 + 24); }
};

// Neighbours in the split of a cell into six tetrahedra around its diagonal: offsets with components all 0, 1 or all 0,
// -1.
Matrix MakeMatrix() {
  Matrix m;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  m.rowBegin.push_back(0);
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j)
      for (int k = 0; k < kSide; ++k) {
        std::set<int> columns;
        for (int sign : {-1, 1})
          for (int corner = 0; corner < 8; ++corner) {
            const int a = i + sign * (corner & 1), b = j + sign * (corner >> 1 & 1), c = k + sign * (corner >> 2);
            if (a >= 0 && b >= 0 && c >= 0 && a < kSide && b < kSide && c < kSide)
              columns.insert((a * kSide + b) * kSide + c);
          }
        m.column.insert(m.column.end(), columns.begin(), columns.end());
        m.rowBegin.push_back(int32_t(m.column.size()));
      }
  m.values.resize(9 * m.column.size() + 8);
  m.x.resize(3 * size_t(m.rows) + 8);
  m.y.resize(3 * size_t(m.rows) + 8);
  for (double& value : m.values) value = normal(random);
  for (double& value : m.x) value = normal(random);
  return m;
}

void Product(Matrix& m) {
  for (int row = 0; row < m.rows; ++row) {
    const Vec3d sum = RowProduct(m.values.data(), m.column.data(), m.rowBegin[row], m.rowBegin[row + 1], m.x.data());
    m.y[3 * size_t(row)] = sum.x;
    m.y[3 * size_t(row) + 1] = sum.y;
    m.y[3 * size_t(row) + 2] = sum.z;
  }
}

void Check(Matrix& m) {
  Product(m);
  for (int row = 0; row < m.rows; ++row)
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (int e = m.rowBegin[row]; e < m.rowBegin[row + 1]; ++e)
        for (int j = 0; j < 3; ++j) sum += m.values[9 * size_t(e) + 3 * i + j] * m.x[3 * size_t(m.column[e]) + j];
      if (std::abs(sum - m.y[3 * size_t(row) + i]) > 1e-12 * (1 + std::abs(sum))) {
        std::fprintf(stderr, "block product: row %d differs from a plain loop\n", row);
        std::exit(1);
      }
    }
}

double Seconds(const auto& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Alternates the product with a copy that moves as many bytes (read plus written), and reports the ratio of the best
// times.
void BM_AssembledProduct(benchmark::State& state) {
  Matrix m = MakeMatrix();
  Check(m);
  const size_t half = size_t(m.Bytes() / 2);
  std::vector<char> from(half, 1), to(half, 2);
  double product = 1e9, copy = 1e9;
  for (auto _ : state) {
    copy = std::min(copy, Seconds([&] {
                      std::memcpy(to.data(), from.data(), half);
                      benchmark::DoNotOptimize(to.data());
                    }));
    const double time = Seconds([&] { Product(m); });
    benchmark::DoNotOptimize(m.y.data());
    product = std::min(product, time);
    state.SetIterationTime(time);
  }
  state.counters["product_us"] = 1e6 * product;
  state.counters["copy_us"] = 1e6 * copy;
  state.counters["copy_GBps"] = m.Bytes() / copy / 1e9;
  state.counters["ratio_to_copy"] = product / copy;
}
BENCHMARK(BM_AssembledProduct)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
DERMIS_NAMESPACE_END
