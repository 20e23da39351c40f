// Dense Cholesky of an actor's whole system, for few unknowns: one team an actor and world.
#include "engine/linear/solve.h"
#include "kernels/dense_cholesky.h"

DERMIS_NAMESPACE_BEGIN

namespace {

struct DenseSolve {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    if (v.actorSolver[actor] != int(LinearSolverKind::Dense) || !v.Active(world, actor)) return;
    const int triples = v.Triples(actor), coordinates = 3 * triples;
    const int nodeBegin = v.actorNodeBegin[actor], nodes = v.actorNodeBegin[actor + 1] - nodeBegin;
    const int n = coordinates + 3 * nodes;
    if (n == 0) return;
    double* a = v.system(world) + v.actorSystemBegin[actor];
    const double* dense = v.dense(world) + v.actorDenseBegin[actor];

    // Lower triangle: coordinates first, then nodes.
    for (int i = team.rank; i < coordinates; i += team.size)
      for (int j = 0; j <= i; ++j) a[int64_t(i) * n + j] = dense[i * coordinates + j];
    for (int i = team.rank; i < nodes; i += team.size) {
      const int node = nodeBegin + i;
      double* rows = a + int64_t(coordinates + 3 * i) * n;
      for (int r = 0; r < 3; ++r)
        for (int j = 0; j < coordinates + 3 * (i + 1); ++j) rows[int64_t(r) * n + j] = 0;
      for (int t = 0; t < triples; ++t) {
        const double* panel = v.panel(world) + v.Panel(actor, t, node);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) rows[int64_t(r) * n + 3 * t + c] = panel[3 * c + r];
      }
      for (int e = v.nodeRowBegin[node]; e < v.nodeRowBegin[node + 1]; ++e) {
        const int j = v.entryNode[e] - nodeBegin;
        if (j > i) continue;
        const double* block = v.matrix(world) + 9 * int64_t(e);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) rows[int64_t(r) * n + coordinates + 3 * j + c] = block[3 * r + c];
      }
    }
    team.Sync();

    const int pivot = FactorCholesky(team, a, n);
    IslandState& island = v.Island(world, actor);
    if (pivot >= 0) {
      if (team.rank == 0) {
        island.failed = 1;
        island.badItem = pivot / 3;
      }
      return;
    }
    const double* gradient = v.rowGradient(world) + 3 * int64_t(v.actorRowBegin[actor]);
    double* step = v.rowStep(world) + 3 * int64_t(v.actorRowBegin[actor]);
    for (int k = team.rank; k < n; k += team.size) step[k] = -gradient[k];
    team.Sync();
    SolveCholesky(team, a, n, step);
  }
};

}  // namespace

void SolveDense(const Exec& exec, int worlds, const View& v) {
  LaunchTeams(exec, worlds, v.m.actors, DenseSolve{v}, 4096);
}

DERMIS_NAMESPACE_END
