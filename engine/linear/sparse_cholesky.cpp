// Numeric part of the sparse Cholesky, on the CPU: left-looking by columns of 3x3 blocks. The last columns are the
// actor's coordinates, so that the skeleton is eliminated after its nodes: the matrix is an arrow.
//
// A block of the factor is stored by columns, each padded to four numbers; an update is nine vector multiply-adds. The
// diagonal block holds the inverse of its Cholesky factor.
#include "engine/linear/sparse_cholesky.h"

#include "engine/linear/solve.h"

DERMIS_NAMESPACE_BEGIN

#if DERMIS_LANES > 1
namespace {

using V4 = PackVectors<4>::Vector;

struct ColumnBlock {
  V4 c[3];
};
DERMIS_HD ColumnBlock LoadRows(const double* rows) {  // nine numbers by rows
  return {{V4{rows[0], rows[3], rows[6], 0}, V4{rows[1], rows[4], rows[7], 0}, V4{rows[2], rows[5], rows[8], 0}}};
}
// target -= a b^T
DERMIS_HD void Subtract(ColumnBlock& target, const ColumnBlock& a, const ColumnBlock& b) {
  for (int j = 0; j < 3; ++j) target.c[j] -= a.c[0] * b.c[0][j] + a.c[1] * b.c[1][j] + a.c[2] * b.c[2][j];
}
// a b^T
DERMIS_HD ColumnBlock TimesTransposed(const ColumnBlock& a, const ColumnBlock& b) {
  ColumnBlock r;
  for (int j = 0; j < 3; ++j) r.c[j] = a.c[0] * b.c[0][j] + a.c[1] * b.c[1][j] + a.c[2] * b.c[2][j];
  return r;
}
// The inverse of the Cholesky factor of a symmetric block; false when it is not positive definite.
DERMIS_HD bool InvertFactor(ColumnBlock& a) {
  const double l00 = a.c[0][0];
  if (!(l00 > 0)) return false;
  const double i00 = 1.0 / sqrt(l00);
  const double l10 = a.c[0][1] * i00, l20 = a.c[0][2] * i00;
  const double d1 = a.c[1][1] - l10 * l10;
  if (!(d1 > 0)) return false;
  const double i11 = 1.0 / sqrt(d1);
  const double l21 = (a.c[1][2] - l20 * l10) * i11;
  const double d2 = a.c[2][2] - l20 * l20 - l21 * l21;
  if (!(d2 > 0)) return false;
  const double i22 = 1.0 / sqrt(d2);
  const double i10 = -l10 * i00 * i11, i21 = -l21 * i11 * i22;
  a.c[0] = V4{i00, i10, -(l20 * i00 + l21 * i10) * i22, 0};
  a.c[1] = V4{0, i11, i21, 0};
  a.c[2] = V4{0, 0, i22, 0};
  return true;
}

struct SparseSolve {
  ViewRef v;
  void operator()(int world, int actor) const {
    if (v.actorSolver[actor] != int(LinearSolverKind::Sparse) || !v.Active(world, actor)) return;
    const int first = v.actorFactorBegin[actor], last = v.actorFactorBegin[actor + 1];
    const int entryBegin = v.factorColumnBegin[first];
    auto* factor = reinterpret_cast<ColumnBlock*>(v.factorEntry(world));

    // Start from the matrix.
    const double* matrix = v.matrix(world);
    const double* panel = v.panel(world) + 9 * int64_t(v.actorPanelBegin[actor]);
    const double* dense = v.dense(world) + v.actorDenseBegin[actor];
    const int triples = v.Triples(actor), size = 3 * triples;
    for (int e = entryBegin; e < v.factorColumnBegin[last]; ++e) {
      const int code = v.factorSource[e], index = code >> 2;
      switch (code & 3) {
        case FactorSource::Entry:
          factor[e] = LoadRows(matrix + 9 * int64_t(index));
          break;
        case FactorSource::Panel:
          factor[e] = LoadRows(panel + 9 * int64_t(index));
          break;
        case FactorSource::Dense: {
          const double* d = dense + 3 * (index / triples) * size + 3 * (index % triples);
          const double rows[9] = {
              d[0], d[1], d[2], d[size], d[size + 1], d[size + 2], d[2 * size], d[2 * size + 1], d[2 * size + 2]};
          factor[e] = LoadRows(rows);
          break;
        }
        default:
          factor[e] = ColumnBlock{};
      }
    }
    for (int column = first; column < last; ++column) {
      const int32_t* update = v.factorUpdate + 3 * int64_t(v.factorUpdateBegin[column]);
      const int32_t* end = v.factorUpdate + 3 * int64_t(v.factorUpdateBegin[column + 1]);
      for (; update != end; update += 3) Subtract(factor[update[0]], factor[update[1]], factor[update[2]]);
      const int diagonal = v.factorColumnBegin[column];
      if (!InvertFactor(factor[diagonal])) {
        IslandState& island = v.Island(world, actor);
        island.failed = 1;
        island.badItem = v.factorPermutation[column];
        return;
      }
      for (int e = diagonal + 1; e < v.factorColumnBegin[column + 1]; ++e)
        factor[e] = TimesTransposed(factor[e], factor[diagonal]);
    }
    Substitute(world, actor, factor);
  }

 private:
  // rowStep = -(L L^T)^-1 g. Rows that the factor leaves out (constrained nodes) get zero.
  void Substitute(int world, int actor, const ColumnBlock* factor) const {
    const int first = v.actorFactorBegin[actor], last = v.actorFactorBegin[actor + 1];
    const int64_t row0 = v.actorRowBegin[actor];
    const double* gradient = v.rowGradient(world) + 3 * row0;
    double* step = v.rowStep(world) + 3 * row0;
    double* work = v.rowResidual(world) + 3 * row0;
    for (int k = 0; k < 3 * (v.actorRowBegin[actor + 1] - row0); ++k) step[k] = 0, work[k] = -gradient[k];
    for (int column = first; column < last; ++column) {
      const int begin = v.factorColumnBegin[column], end = v.factorColumnBegin[column + 1];
      double* b = work + 3 * v.factorPermutation[column];
      const V4 y = factor[begin].c[0] * b[0] + factor[begin].c[1] * b[1] + factor[begin].c[2] * b[2];
      for (int i = 0; i < 3; ++i) b[i] = y[i];
      for (int e = begin + 1; e < end; ++e) {
        double* target = work + 3 * v.factorRow[e];
        const V4 t = factor[e].c[0] * y[0] + factor[e].c[1] * y[1] + factor[e].c[2] * y[2];
        for (int i = 0; i < 3; ++i) target[i] -= t[i];
      }
    }
    for (int column = last - 1; column >= first; --column) {
      const int begin = v.factorColumnBegin[column], end = v.factorColumnBegin[column + 1];
      const double* b = work + 3 * v.factorPermutation[column];
      double x[3] = {b[0], b[1], b[2]};
      for (int e = begin + 1; e < end; ++e) {
        const double* s = step + 3 * v.factorRow[e];
        for (int j = 0; j < 3; ++j)
          x[j] -= factor[e].c[j][0] * s[0] + factor[e].c[j][1] * s[1] + factor[e].c[j][2] * s[2];
      }
      double* target = step + 3 * v.factorPermutation[column];
      for (int j = 0; j < 3; ++j)
        target[j] = factor[begin].c[j][0] * x[0] + factor[begin].c[j][1] * x[1] + factor[begin].c[j][2] * x[2];
    }
  }
};

}  // namespace

void SolveSparse(const Exec& exec, int worlds, const View& v) {
  Launch(exec, worlds, v.m.actors, SparseSolve{v}, 4096);
}
#endif

DERMIS_NAMESPACE_END
