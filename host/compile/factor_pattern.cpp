#include "host/compile/factor_pattern.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/linear/sparse_cholesky.h"

namespace dermis {

namespace {

// Nanoseconds of one 3x3 update of the sparse factor, of one 3x3 block of a matrix product, and of the start of a
// dense factorisation's unit of work (a multiply-add); one core.
constexpr double kUpdateTime = 4, kProductTime = 2.5, kDenseTime = 0.15;
constexpr double kColumnTime = 60, kEntryTime = 12;  // per column and entry of the sparse factor
constexpr double kIterationsPerEdge = 10;            // conjugate gradients: iterations over the cube root of the nodes
constexpr int64_t kMaxUpdates = 4000000;             // a larger factor is never worth its memory

struct Pattern {
  std::vector<int> nodeColumn;         // column of a node, or -1
  std::vector<int> columnNode;         // node of a column; dof triples follow the nodes
  std::vector<std::vector<int>> rows;  // rows of each column below the diagonal, sorted
  int64_t updates = 0;
  int64_t entries = 0;
};

// Order of the free nodes by approximate minimum degree.
std::vector<int> OrderNodes(const CompiledModel& m, const std::vector<int>& freeNodes, const std::vector<int>& indexOf,
                            int nodeBegin) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (size_t i = 0; i < freeNodes.size(); ++i)
    for (int e = m.nodeRowBegin[freeNodes[i]]; e < m.nodeRowBegin[freeNodes[i] + 1]; ++e)
      if (const int j = indexOf[m.entryNode[e] - nodeBegin]; j >= 0) triplets.emplace_back(int(i), j, 1.0);
  Eigen::SparseMatrix<double> graph(Eigen::Index(freeNodes.size()), Eigen::Index(freeNodes.size()));
  graph.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::AMDOrdering<int> ordering;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  ordering(graph, permutation);
  std::vector<int> order(freeNodes.size());
  for (size_t i = 0; i < freeNodes.size(); ++i) order[i] = freeNodes[permutation.indices()[Eigen::Index(i)]];
  return order;
}

// Columns of the factor: the pattern of a column is that of the matrix and of the columns whose first row it is.
std::optional<Pattern> Eliminate(const CompiledModel& m, int actor) {
  const int nodeBegin = m.actorNodeBegin[actor], nodeEnd = m.actorNodeBegin[actor + 1];
  const int triples = (m.actorDofBegin[actor + 1] - m.actorDofBegin[actor] + 2) / 3;
  std::vector<int> freeNodes, indexOf(size_t(nodeEnd - nodeBegin), -1);
  for (int n = nodeBegin; n < nodeEnd; ++n)
    if (!m.nodeConstrained[n]) {
      indexOf[n - nodeBegin] = int(freeNodes.size());
      freeNodes.push_back(n);
    }
  Pattern p;
  p.columnNode = OrderNodes(m, freeNodes, indexOf, nodeBegin);
  p.nodeColumn.assign(size_t(nodeEnd - nodeBegin), -1);
  const int nodes = int(p.columnNode.size()), columns = nodes + triples;
  for (int c = 0; c < nodes; ++c) p.nodeColumn[p.columnNode[c] - nodeBegin] = c;
  p.rows.resize(columns);
  std::vector<std::vector<int>> children(columns);
  std::vector<int> mark(columns, -1);
  for (int c = 0; c < columns; ++c) {
    std::vector<int>& rows = p.rows[c];
    mark[c] = c;
    const auto add = [&](int r) {
      if (r > c && mark[r] != c) {
        mark[r] = c;
        rows.push_back(r);
      }
    };
    if (c < nodes)
      for (int e = m.nodeRowBegin[p.columnNode[c]]; e < m.nodeRowBegin[p.columnNode[c] + 1]; ++e)
        if (const int r = p.nodeColumn[m.entryNode[e] - nodeBegin]; r >= 0) add(r);
    for (int t = 0; t < triples; ++t) add(nodes + t);
    for (int child : children[c])
      for (int r : p.rows[child]) add(r);
    std::sort(rows.begin(), rows.end());
    if (!rows.empty()) children[rows.front()].push_back(c);
    const int64_t k = int64_t(rows.size());
    p.updates += k * (k + 1) / 2;
    p.entries += k + 1;
    if (p.updates > kMaxUpdates) return std::nullopt;
  }
  return p;
}

void AppendPattern(CompiledModel& m, int actor, const Pattern& p) {
  const int nodeBegin = m.actorNodeBegin[actor], nodes = m.actorNodeBegin[actor + 1] - nodeBegin;
  const int triples = (m.actorDofBegin[actor + 1] - m.actorDofBegin[actor] + 2) / 3;
  const int freeNodes = int(p.columnNode.size()), columns = int(p.rows.size());
  const auto rowOf = [&](int column) {
    return column < freeNodes ? triples + p.columnNode[column] - nodeBegin : column - freeNodes;
  };
  const auto sourceOf = [&](int row, int column) {
    if (row >= freeNodes && column >= freeNodes)
      return FactorSource::Encode(FactorSource::Dense, (row - freeNodes) * triples + column - freeNodes);
    if (row >= freeNodes)
      return FactorSource::Encode(FactorSource::Panel, (row - freeNodes) * nodes + p.columnNode[column] - nodeBegin);
    const int node = p.columnNode[row];
    const auto begin = m.entryNode.begin() + m.nodeRowBegin[node], end = m.entryNode.begin() + m.nodeRowBegin[node + 1];
    const auto found = std::lower_bound(begin, end, p.columnNode[column]);
    if (found == end || *found != p.columnNode[column]) return FactorSource::Encode(FactorSource::Zero, 0);
    return FactorSource::Encode(FactorSource::Entry, int32_t(found - m.entryNode.begin()));
  };
  const int entry0 = int(m.factorRow.size());
  std::vector<int> begin(columns + 1, entry0);
  for (int c = 0; c < columns; ++c) {
    begin[c + 1] = begin[c] + 1 + int(p.rows[c].size());
    m.factorPermutation.push_back(rowOf(c));
    m.factorRow.push_back(rowOf(c));
    m.factorSource.push_back(sourceOf(c, c));
    for (int r : p.rows[c]) {
      m.factorRow.push_back(rowOf(r));
      m.factorSource.push_back(sourceOf(r, c));
    }
    m.factorColumnBegin.push_back(begin[c + 1]);
  }
  // Left-looking: column c takes a b^T of every earlier column k with an entry in row c.
  std::vector<std::vector<std::pair<int, int>>> earlier(columns);  // (k, place of row c in column k)
  std::vector<int> place(columns);
  for (int c = 0; c < columns; ++c) {
    place[c] = begin[c];
    for (size_t i = 0; i < p.rows[c].size(); ++i) place[p.rows[c][i]] = begin[c] + 1 + int(i);
    for (const auto& [k, at] : earlier[c])
      for (size_t i = size_t(at); i < p.rows[k].size(); ++i) {
        const int32_t update[3] = {place[p.rows[k][i]], begin[k] + 1 + int(i), begin[k] + 1 + at};
        m.factorUpdate.insert(m.factorUpdate.end(), update, update + 3);
      }
    m.factorUpdateBegin.push_back(int32_t(m.factorUpdate.size() / 3));
    for (size_t i = 0; i < p.rows[c].size(); ++i) earlier[p.rows[c][i]].emplace_back(c, int(i));
  }
}

}  // namespace

void ChooseSolver(CompiledModel& m, int actor) {
  const int nodes = m.actorNodeBegin[actor + 1] - m.actorNodeBegin[actor];
  const int rows = m.actorRowBegin[actor + 1] - m.actorRowBegin[actor];
  LinearSolverKind kind = LinearSolverKind::Dense;
  if (nodes > 0) {
    const int64_t blocks = m.nodeRowBegin[m.actorNodeBegin[actor + 1]] - m.nodeRowBegin[m.actorNodeBegin[actor]];
    const double n = 3.0 * rows;
    const double dense = kDenseTime * n * n * n / 3;
    const double iterations = kIterationsPerEdge * std::cbrt(double(nodes));
    const double conjugateGradients = kProductTime * iterations * double(blocks + 4 * nodes);
    const std::optional<Pattern> pattern = Eliminate(m, actor);
    const double sparse = pattern ? kUpdateTime * double(pattern->updates) + kEntryTime * double(pattern->entries) +
                                        kColumnTime * double(pattern->rows.size())
                                  : INFINITY;
    if (sparse <= std::min(dense, conjugateGradients)) {
      kind = LinearSolverKind::Sparse;
      AppendPattern(m, actor, *pattern);
    } else if (conjugateGradients < dense) {
      kind = LinearSolverKind::ConjugateGradients;
    }
  }
  m.actorSolver.push_back(int32_t(kind));
  m.actorFactorBegin.push_back(int32_t(m.factorPermutation.size()));
}

}  // namespace dermis
