// Preconditioned conjugate gradients. The preconditioner is exact on the block of an actor's coordinates and block
// Jacobi on its nodes. Scalars live with the islands; islands that are done take no further part.
#include "engine/linear/block_product.h"
#include "engine/linear/solve.h"
#include "kernels/dense_cholesky.h"
#include "kernels/team.h"

DERMIS_NAMESPACE_BEGIN

namespace {

// Relative accuracy below which a residual is round-off.
constexpr double kSmallestForcing = 1e-12;

DERMIS_HD bool UsesCg(const View& v, int actor) {
  return v.actorSolver[actor] == int(LinearSolverKind::ConjugateGradients);
}
DERMIS_HD bool Iterates(const View& v, int world, int actor) {
  return UsesCg(v, actor) && v.Island(world, actor).iterating;
}

// Vectors of an actor, indexed by node.
DERMIS_HD double* NodeRows(const View& v, double* rows, int actor) {
  return rows + 3 * (int64_t(v.actorRowBegin[actor]) + v.Triples(actor) - v.actorNodeBegin[actor]);
}

struct InvertDiagonal {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    const int actor = v.softActor[v.nodeSoft[node]];
    if (!UsesCg(v, actor) || !v.Active(world, actor)) return;
    for (int e = v.nodeRowBegin[node]; e < v.nodeRowBegin[node + 1]; ++e)
      if (v.entryNode[e] == node) {
        // Scaled by the largest entry, so that tiny and huge blocks invert alike; a singular one becomes its scale.
        const Mat3d block = LoadMat3(v.matrix(world) + 9 * int64_t(e));
        double scale = 0;
        for (int i = 0; i < 3; ++i) scale = Max(scale, Abs(block(i, i)));
        Mat3d inverse = Mat3d::Identity();
        if (scale > 0) {
          const Mat3d scaled = (1.0 / scale) * block;
          const double determinant = Determinant(scaled);
          inverse = determinant > 1e-14 ? (1.0 / (determinant * scale)) * Transpose(Cofactor(scaled))
                                        : (1.0 / scale) * Mat3d::Identity();
        }
        StoreMat3(v.nodeInverse(world) + 9 * node, inverse);
        return;
      }
  }
};

struct FactorCoordinates {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    if (!UsesCg(v, actor) || !v.Active(world, actor)) return;
    const int size = 3 * v.Triples(actor);
    double* factor = v.denseFactor(world) + v.actorDenseBegin[actor];
    const double* dense = v.dense(world) + v.actorDenseBegin[actor];
    for (int k = team.rank; k < size * size; k += team.size) factor[k] = dense[k];
    // The start: a gradient that is exactly zero takes no iteration at all.
    double* step = v.rowStep(world) + 3 * int64_t(v.actorRowBegin[actor]);
    const int rows = v.actorRowBegin[actor + 1] - v.actorRowBegin[actor];
    for (int k = team.rank; k < 3 * rows; k += team.size) step[k] = 0;
    team.Sync();
    const int pivot = size > 0 ? FactorCholesky(team, factor, size) : -1;
    if (team.rank == 0) {
      IslandState& island = v.Island(world, actor);
      island.failed = pivot >= 0;
      if (pivot >= 0) island.badItem = pivot / 3;
      island.iterating = pivot < 0;
    }
  }
};

struct StartNodes {
  ViewRef v;
  DERMIS_HD void operator()(int world, int row) const {
    const int64_t k = 3 * int64_t(row);
    StoreVec3(v.rowResidual(world) + k, -LoadVec3(v.rowGradient(world) + k));
  }
};

// z = P r of the nodes
struct PreconditionNodes {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    const int actor = v.softActor[v.nodeSoft[node]];
    if (!Iterates(v, world, actor)) return;
    const int64_t k = 3 * int64_t(v.Row(actor, node));
    StoreVec3(v.rowPreconditioned(world) + k,
              LoadMat3(v.nodeInverse(world) + 9 * node) * LoadVec3(v.rowResidual(world) + k));
  }
};

// z = P r of the coordinates; r.z; then the start or the next direction's factor.
struct PreconditionCoordinates {
  ViewRef v;
  bool start;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    if (!Iterates(v, world, actor)) return;
    const int size = 3 * v.Triples(actor);
    const int64_t row0 = 3 * int64_t(v.actorRowBegin[actor]);
    const int count = 3 * (v.actorRowBegin[actor + 1] - v.actorRowBegin[actor]);
    const double* r = v.rowResidual(world) + row0;
    double* z = v.rowPreconditioned(world) + row0;
    if (size > 0) {
      for (int k = team.rank; k < size; k += team.size) z[k] = r[k];
      team.Sync();
      SolveCholesky(team, v.denseFactor(world) + v.actorDenseBegin[actor], size, z);
    }
    const double rz = SumOver(team, 0, count, ProductItem{r, z});
    if (team.rank != 0) return;
    IslandState& island = v.Island(world, actor);
    if (start) {
      island.rzStart = island.rz = rz;
      island.rzBefore = 0;
      if (!(rz > 0)) island.iterating = 0;
    } else {
      island.rzBefore = island.rz;
      island.rz = rz;
      const double goal = Max(island.forcing, kSmallestForcing);
      // |r| in the norm of the preconditioner; also ends on a number that is not finite.
      if (!(rz > goal * goal * island.rzStart)) island.iterating = 0;
    }
  }
};

struct NextDirection {
  ViewRef v;
  bool start;
  DERMIS_HD void operator()(int world, int actor, int64_t k) const {
    const IslandState& island = v.Island(world, actor);
    const double beta = start ? 0.0 : island.rz / island.rzBefore;
    const Vec3d z = LoadVec3(v.rowPreconditioned(world) + k);
    double* p = v.rowDirection(world) + k;
    if (start) {
      StoreVec3(p, z);
    } else {
      StoreVec3(p, z + beta * LoadVec3(p));
    }
  }
};

// Runs a body of rows for all rows of iterating islands: nodes and dof triples.
template <class Body> struct NodeRowsOf {
  Body body;
  DERMIS_HD void operator()(int world, int node) const {
    const int actor = body.v.softActor[body.v.nodeSoft[node]];
    if (Iterates(body.v, world, actor)) body(world, actor, 3 * int64_t(body.v.Row(actor, node)));
  }
};
template <class Body> struct TripleRowsOf {
  Body body;
  DERMIS_HD void operator()(int world, int actor) const {
    if (!Iterates(body.v, world, actor)) return;
    for (int t = 0; t < body.v.Triples(actor); ++t) body(world, actor, 3 * int64_t(body.v.actorRowBegin[actor] + t));
  }
};
template <class Body> void ForRows(const Exec& exec, int worlds, const View& v, const Body& body) {
  Launch(exec, worlds, v.m.nodes, NodeRowsOf<Body>{body}, 2);
  if (v.m.dofs > 0) Launch(exec, worlds, v.m.actors, TripleRowsOf<Body>{body}, 2);
}

struct ProductNodes {
  ViewRef v;
  bool all;
  DERMIS_HD void operator()(int world, int node) const {
    const int actor = v.softActor[v.nodeSoft[node]];
    if (!all && !Iterates(v, world, actor)) return;
    const double* p = NodeRows(v, v.rowDirection(world), actor);
    Vec3d sum = RowProduct(v.matrix(world), v.entryNode, v.nodeRowBegin[node], v.nodeRowBegin[node + 1], p);
    const double* coordinates = v.rowDirection(world) + 3 * int64_t(v.actorRowBegin[actor]);
    for (int t = 0; t < v.Triples(actor); ++t)
      sum += TransposeTimes(LoadMat3(v.panel(world) + v.Panel(actor, t, node)), LoadVec3(coordinates + 3 * t));
    StoreVec3(v.rowProduct(world) + 3 * int64_t(v.Row(actor, node)), sum);
  }
};

// One component of the panel times the nodes' part.
struct PanelItem {
  const double* panel;  // row of the first node
  const double* p;
  DERMIS_HD double operator()(int i) const {
    const double* a = panel + 9 * int64_t(i);
    return a[0] * p[3 * i] + a[1] * p[3 * i + 1] + a[2] * p[3 * i + 2];
  }
};

struct ProductCoordinates {
  ViewRef v;
  bool all;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    if (!all && !Iterates(v, world, actor)) return;
    const int triples = v.Triples(actor), size = 3 * triples;
    const int64_t row0 = 3 * int64_t(v.actorRowBegin[actor]);
    const double* p = v.rowDirection(world) + row0;
    double* product = v.rowProduct(world) + row0;
    const double* dense = v.dense(world) + v.actorDenseBegin[actor];
    const int begin = v.actorNodeBegin[actor], nodes = v.actorNodeBegin[actor + 1] - begin;
    for (int i = 0; i < size; ++i) {
      const double sum =
          SumOver(team, 0, size, ProductItem{dense + i * size, p}) +
          SumOver(team, 0, nodes, PanelItem{v.panel(world) + v.Panel(actor, i / 3, begin) + 3 * (i % 3), p + size});
      if (team.rank == 0) product[i] = sum;
    }
  }
};

struct Curvature {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    if (!Iterates(v, world, actor)) return;
    const int64_t row0 = 3 * int64_t(v.actorRowBegin[actor]);
    const int count = 3 * (v.actorRowBegin[actor + 1] - v.actorRowBegin[actor]);
    const double curvature =
        SumOver(team, 0, count, ProductItem{v.rowDirection(world) + row0, v.rowProduct(world) + row0});
    if (team.rank != 0) return;
    IslandState& island = v.Island(world, actor);
    ++island.linear;
    island.curvature = curvature;
    // A direction of negative curvature: what was found so far descends, unless it was the first.
    if (!(curvature > 0)) {
      island.iterating = 0;
      if (island.rzBefore == 0) island.failed = 1;
    }
  }
};

struct Advance {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor, int64_t k) const {
    const IslandState& island = v.Island(world, actor);
    const double alpha = island.rz / island.curvature;
    double* step = v.rowStep(world) + k;
    double* r = v.rowResidual(world) + k;
    StoreVec3(step, LoadVec3(step) + alpha * LoadVec3(v.rowDirection(world) + k));
    StoreVec3(r, LoadVec3(r) - alpha * LoadVec3(v.rowProduct(world) + k));
  }
};

// How often a device is asked whether all are done; it costs a round trip.
constexpr int kCheckPeriod = DERMIS_DEVICE_BACKEND ? 8 : 1;

}  // namespace

void MatrixProduct(const Exec& exec, int worlds, const View& v) {
  Launch(exec, worlds, v.m.nodes, ProductNodes{v, true}, 16);
  if (v.m.dofs > 0) LaunchTeams(exec, worlds, v.m.actors, ProductCoordinates{v, true}, 64);
}

void SolveConjugateGradients(const Exec& exec, int worlds, const View& v, bool (*anyIterating)(void*), void* context) {
  LaunchTeams(exec, worlds, v.m.actors, FactorCoordinates{v}, 64);
  Launch(exec, worlds, v.m.nodes, InvertDiagonal{v}, 8);
  Launch(exec, worlds, v.m.rows, StartNodes{v});
  Launch(exec, worlds, v.m.nodes, PreconditionNodes{v}, 2);
  LaunchTeams(exec, worlds, v.m.actors, PreconditionCoordinates{v, true}, 64);
  ForRows(exec, worlds, v, NextDirection{v, true});
  const int64_t limit = 100 + 3 * int64_t(v.m.rows);
  for (int64_t iteration = 0; iteration < limit; ++iteration) {
    if (iteration % kCheckPeriod == 0 && !anyIterating(context)) return;
    Launch(exec, worlds, v.m.nodes, ProductNodes{v, false}, 16);
    if (v.m.dofs > 0) LaunchTeams(exec, worlds, v.m.actors, ProductCoordinates{v, false}, 64);
    LaunchTeams(exec, worlds, v.m.actors, Curvature{v}, 64);
    ForRows(exec, worlds, v, Advance{v});
    Launch(exec, worlds, v.m.nodes, PreconditionNodes{v}, 2);
    LaunchTeams(exec, worlds, v.m.actors, PreconditionCoordinates{v, false}, 64);
    ForRows(exec, worlds, v, NextDirection{v, false});
  }
}

DERMIS_NAMESPACE_END
