// Our kernels against cuSPARSE (3x3 block-sparse product) and cuSOLVER (batched dense Cholesky), on one device.
//
//   vendor_bench [FILE.json]
//
// Each pair runs alternately in one process and is timed with events; results must agree before a time is printed.
// Exit code: 0, 1 when results differ or a call fails, 77 when there is no device or no vendor library.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "engine/backend_info.h"
#include "engine/buffer.h"
#include "engine/launch.h"
#include "engine/linear/block_product.h"
#include "engine/vendor.h"
#include "kernels/dense_cholesky.h"

DERMIS_NAMESPACE_BEGIN

struct ProductRow {
  const double* matrix;
  const int32_t* rowBegin;
  const int32_t* column;
  const double* x;
  double* y;
  DERMIS_HD void operator()(int, int row) const {
    const Vec3d sum = RowProduct(matrix, column, rowBegin[row], rowBegin[row + 1], x);
    for (int i = 0; i < 3; ++i) y[3 * row + i] = sum[i];
  }
};

DERMIS_NAMESPACE_END

namespace {

using namespace dermis;

struct Case {
  std::string name;
  double ours, vendor;  // seconds, median
};

void Check(const VendorTable& table, int status, const char* call) {
  if (status != 0) throw std::runtime_error(std::string(call) + " failed: " + table.errorText(status));
}

// Seconds of the body, by events on the default stream.
double Time(const std::function<void()>& body) {
  cudaEvent_t begin, end;
  DERMIS_CUDA_CHECK(cudaEventCreate(&begin));
  DERMIS_CUDA_CHECK(cudaEventCreate(&end));
  DERMIS_CUDA_CHECK(cudaEventRecord(begin));
  body();
  DERMIS_CUDA_CHECK(cudaEventRecord(end));
  DERMIS_CUDA_CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  DERMIS_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  (void)cudaEventDestroy(begin);
  (void)cudaEventDestroy(end);
  return milliseconds * 1e-3;
}

// Medians of both, alternating, after one warm-up each. `prepare` restores the input and is not timed.
Case Compare(const std::string& name, const std::function<void()>& prepare, const std::function<void()>& ours,
             const std::function<void()>& vendor) {
  constexpr int kRounds = 30;
  std::array<std::vector<double>, 2> seconds;
  for (int round = -1; round < kRounds; ++round)
    for (int side = 0; side < 2; ++side) {
      prepare();
      const double s = Time(side == 0 ? ours : vendor);
      if (round >= 0) seconds[side].push_back(s);
    }
  for (auto& list : seconds) std::nth_element(list.begin(), list.begin() + kRounds / 2, list.end());
  Case result{name, seconds[0][kRounds / 2], seconds[1][kRounds / 2]};
  std::printf("%-34s %12.1f %12.1f %8.2f\n", name.c_str(), result.ours * 1e6, result.vendor * 1e6,
              result.vendor / result.ours);
  return result;
}

void RequireClose(const std::vector<double>& a, const std::vector<double>& b, const std::string& name) {
  double difference = 0, size = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    difference += (a[k] - b[k]) * (a[k] - b[k]);
    size += b[k] * b[k];
  }
  // Also false for NaN. Sums of some 100 products of order one.
  if (!(std::sqrt(difference) <= 1e-12 * std::sqrt(size)) || size == 0)
    throw std::runtime_error(name + ": results differ");
}

// The pattern of a hexahedral grid: each node with its up to 26 neighbours, as a fine soft body has.
Case CompareProduct(const VendorTable& table, void* context, int side) {
  std::vector<int32_t> rowBegin = {0}, column;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        for (int dz = -1; dz <= 1; ++dz)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              const int cx = x + dx, cy = y + dy, cz = z + dz;
              if (std::min({cx, cy, cz}) >= 0 && std::max({cx, cy, cz}) < side)
                column.push_back((cz * side + cy) * side + cx);
            }
        rowBegin.push_back(int32_t(column.size()));
      }
  const int rows = side * side * side, blocks = int(column.size());
  std::vector<double> values(9 * size_t(blocks)), x(3 * size_t(rows));
  for (size_t k = 0; k < values.size(); ++k) values[k] = std::sin(double(k));
  for (size_t k = 0; k < x.size(); ++k) x[k] = std::cos(double(k));

  Buffer<int32_t> rowBuffer, columnBuffer;
  Buffer<double> valueBuffer, xBuffer, y(x.size()), yVendor(x.size());
  rowBuffer.Upload(rowBegin);
  columnBuffer.Upload(column);
  valueBuffer.Upload(values);
  xBuffer.Upload(x);
  auto ours = [&] {
    Launch(Exec{}, 1, rows,
           ProductRow{valueBuffer.data(), rowBuffer.data(), columnBuffer.data(), xBuffer.data(), y.data()});
  };
  auto vendor = [&] {
    Check(table,
          table.multiplyBlocks(context, nullptr, rows, rows, blocks, rowBuffer.data(), columnBuffer.data(),
                               valueBuffer.data(), xBuffer.data(), yVendor.data()),
          "cusparseDbsrmv");
  };
  ours();
  vendor();
  const std::string name = "product, " + std::to_string(rows) + " nodes";
  RequireClose(y.Download(), yVendor.Download(), name);
  return Compare(
      name, [] {}, ours, vendor);
}

// Factor and solve.
Case CompareCholesky(const VendorTable& table, void* context, int n, int batch) {
  std::vector<double> matrices(size_t(batch) * n * n), rhs(size_t(batch) * n);
  for (size_t k = 0; k < rhs.size(); ++k) rhs[k] = std::cos(double(k));
  for (int system = 0; system < batch; ++system)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        matrices[(size_t(system) * n + i) * n + j] =
            i == j ? n + 1 : std::sin(double(std::max(i, j) * n + std::min(i, j) + system));
  Buffer<double> original, rhsOriginal, a(matrices.size()), x(rhs.size());
  original.Upload(matrices);
  rhsOriginal.Upload(rhs);
  Buffer<int32_t> failed(batch);
  std::vector<double*> matrixPointers(batch), rhsPointers(batch);
  for (int system = 0; system < batch; ++system) {
    matrixPointers[system] = a.data() + size_t(system) * n * n;
    rhsPointers[system] = x.data() + size_t(system) * n;
  }
  Buffer<double*> matrixList, rhsList;
  matrixList.Upload(matrixPointers);
  rhsList.Upload(rhsPointers);

  auto prepare = [&] {
    DERMIS_CUDA_CHECK(cudaMemcpy(a.data(), original.data(), a.size() * sizeof(double), cudaMemcpyDeviceToDevice));
    DERMIS_CUDA_CHECK(cudaMemcpy(x.data(), rhsOriginal.data(), x.size() * sizeof(double), cudaMemcpyDeviceToDevice));
  };
  auto ours = [&] { LaunchTeams(Exec{}, 1, batch, DenseCholesky{a.data(), x.data(), failed.data(), batch, n}); };
  auto vendor = [&] {
    Check(table, table.choleskyFactor(context, nullptr, n, matrixList.data(), failed.data(), batch), "potrfBatched");
    Check(table, table.choleskySolve(context, nullptr, n, matrixList.data(), rhsList.data(), failed.data(), batch),
          "potrsBatched");
  };
  const std::string name = "Cholesky, " + std::to_string(batch) + " of n = " + std::to_string(n);
  prepare();
  ours();
  const std::vector<double> solution = x.Download();
  prepare();
  vendor();
  RequireClose(solution, x.Download(), name);
  return Compare(name, prepare, ours, vendor);
}

}  // namespace

int main(int argc, char** argv) try {
  std::string reason;
  const VendorTable* table = LoadVendor(reason);
  if (!table) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  std::printf("%s%-34s %12s %12s %8s\n", DescribeBackend().c_str(), "", "ours us", "vendor us", "ratio");
  void* context = nullptr;
  Check(*table, table->create(&context), "create");
  std::vector<Case> cases;
  for (int side : {14, 32, 46}) cases.push_back(CompareProduct(*table, context, side));
  for (auto [n, batch] :
       {std::array{24, 1}, std::array{24, 4096}, std::array{96, 1}, std::array{96, 1024}, std::array{192, 64}})
    cases.push_back(CompareCholesky(*table, context, n, batch));
  table->destroy(context);

  if (argc > 1) {
    std::FILE* file = std::fopen(argv[1], "w");
    if (!file) throw std::runtime_error(std::string("cannot write ") + argv[1]);
    std::fprintf(file, "[\n");
    for (size_t k = 0; k < cases.size(); ++k)
      std::fprintf(file, "  {\"case\": \"%s\", \"oursSeconds\": %.9f, \"vendorSeconds\": %.9f}%s\n",
                   cases[k].name.c_str(), cases[k].ours, cases[k].vendor, k + 1 < cases.size() ? "," : "");
    std::fprintf(file, "]\n");
    std::fclose(file);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "vendor_bench: %s\n", error.what());
  return 1;
}
