// Dense Cholesky of small symmetric positive definite systems, in place, one team a system: A = L L^T, then A x = b.
//
// Row-major; only the lower triangle is read and written. Left-looking, so that the work is dot products of rows: those
// are contiguous, which the CPU's vectors want, and each thread of a team takes other rows. Meant for n <= 256.
#pragma once

#include "kernels/scalar.h"
#include "kernels/team.h"

DERMIS_NAMESPACE_BEGIN

// A dot product by one thread, in fixed order.
DERMIS_HD double RowDot(const double* a, const double* b, int count) {
  double sum[8] = {};
  int k = 0;
  for (; k + 8 <= count; k += 8)
    for (int j = 0; j < 8; ++j) sum[j] += a[k + j] * b[k + j];
  for (; k < count; ++k) sum[0] += a[k] * b[k];
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

// Replaces the lower triangle of A by L. Returns -1, or the index of the first pivot that is not positive (a NaN is
// not); rows from there on are then neither A nor L. Every thread gets the answer.
template <class Team> DERMIS_HD int FactorCholesky(const Team& team, double* a, int n) {
  for (int j = 0; j < n; ++j) {
    const double* rowJ = a + int64_t(j) * n;
    // Column j without its earlier columns' part. Row j itself changes only on its diagonal.
    for (int i = j + team.rank; i < n; i += team.size) {
      double* row = a + int64_t(i) * n;
      row[j] -= RowDot(row, rowJ, j);
    }
    team.Sync();
    const double pivot = rowJ[j];
    if (!(pivot > 0)) return j;
    team.Sync();  // all have read the pivot before it is overwritten
    const double root = Sqrt(pivot), inverse = 1 / root;
    for (int i = j + team.rank; i < n; i += team.size) {
      double& entry = a[int64_t(i) * n + j];
      entry = i == j ? root : entry * inverse;
    }
    team.Sync();
  }
  return -1;
}

// Replaces b by the solution of L L^T x = b.
template <class Team> DERMIS_HD void SolveCholesky(const Team& team, const double* l, int n, double* x) {
  // Forward: x[j] is written by the only thread that reads it in the sums of later rows.
  for (int j = 0; j < n; ++j) {
    const double* row = l + int64_t(j) * n;
    const double sum = SumOver(team, 0, j, ProductItem{row, x});
    if (j % team.size == team.rank) x[j] = (x[j] - sum) / row[j];
  }
  // Backward: once x[j] is known, row j takes its part out of all before it.
  for (int j = n - 1; j >= 0; --j) {
    const double* row = l + int64_t(j) * n;
    if (j % team.size == team.rank) x[j] /= row[j];
    team.Sync();
    const double xj = x[j];
    for (int i = team.rank; i < j; i += team.size) x[i] -= row[i] * xj;
  }
  team.Sync();
}

// One system an index: factors and solves. failed[system] = -1, or the first pivot that is not positive; the right-hand
// side is then left as it was.
struct DenseCholesky {
  double* matrices;  // [worlds, count, n, n]
  double* rhs;       // [worlds, count, n], replaced by the solution
  int32_t* failed;   // [worlds, count]
  int count;
  int n;

  template <class Team> DERMIS_HD void operator()(const Team& team, int world, int index) const {
    const int64_t system = int64_t(world) * count + index;
    double* a = matrices + system * n * n;
    const int pivot = FactorCholesky(team, a, n);
    if (team.rank == 0) failed[system] = pivot;
    if (pivot < 0) SolveCholesky(team, a, n, rhs + system * n);
  }
};

DERMIS_NAMESPACE_END
