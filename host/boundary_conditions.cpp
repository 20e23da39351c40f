// Boundary conditions of soft actors: masks and prescribed displacements, per world.
#include <algorithm>
#include <cmath>

#include "host/scene.h"

namespace dermis {

namespace {

// Calls body(world to read, world to write) for each world that a call addresses; -1 writes all of them.
template <class Body> void ForWorlds(int world, int worlds, const Body& body) {
  if (world >= 0 || worlds == 1) return body(std::max(world, 0), world >= 0 ? world : -1);
  for (int w = 0; w < worlds; ++w) body(w, w);
}

}  // namespace

bool Scene::CheckBoundaryConditions(const SoftLayout& soft, int world, Error& error) const {
  if (!error.IsOK()) return false;
  if (soft.isNested)
    error.Set(soft.name +
              ": a nested soft actor takes no boundary conditions; its constrained nodes follow the skeleton");
  else if (world >= GetNumWorlds())
    error.Set("world: " + std::to_string(world) + " is outside [0, " + std::to_string(GetNumWorlds()) + ")");
  return error.IsOK();
}

void Scene::AddBoundaryConditionNodesWorld(const SoftLayout& soft, const DynamicArray<int>& nodes,
                                           const DynamicArray<Real3>& positions, Error& error, int world) {
  if (!CheckBoundaryConditions(soft, world, error)) return;
  DynamicArray<String> problems;
  const int count = soft.nodeEnd - soft.nodeBegin;
  if (nodes.size() != positions.size())
    problems.push_back(soft.name + ": " + std::to_string(nodes.size()) + " nodes and " +
                       std::to_string(positions.size()) + " positions; give one position a node");
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] < 0 || nodes[i] >= count)
      problems.push_back(soft.name + ": node " + std::to_string(nodes[i]) + " is outside [0, " + std::to_string(count) +
                         ")");
  for (size_t i = 0; i < positions.size(); ++i)
    if (!std::isfinite(positions[i].x) || !std::isfinite(positions[i].y) || !std::isfinite(positions[i].z))
      problems.push_back(soft.name + ": positions[" + std::to_string(i) + "] is not finite");
  if (!problems.empty()) return error.Set(std::move(problems));

  const std::vector<double>& rest = compiled_.model.nodeRest;
  ForWorlds(world, GetNumWorlds(), [&](int from, int to) {
    std::vector<double> fixed = simulation_->GetParameter("nodeFixed", from),
                        target = simulation_->GetParameter("nodeTarget", from);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const size_t node = size_t(soft.nodeBegin + nodes[i]);
      fixed[node] = 1;
      for (int k = 0; k < 3; ++k) target[3 * node + k] = positions[i][k] - rest[3 * node + k];
    }
    simulation_->SetParameter("nodeFixed", to, fixed);
    simulation_->SetParameter("nodeTarget", to, target);
  });
}

void Scene::AddBoundaryConditionConstrainedNodesAtRest(const SoftLayout& soft, Error& error, int world) {
  DynamicArray<Real3> positions;
  for (int i : soft.constrainedNodes) {
    const double* x = &compiled_.model.nodeRest[3 * size_t(soft.nodeBegin + i)];
    positions.push_back({x[0], x[1], x[2]});
  }
  AddBoundaryConditionNodesWorld(soft, soft.constrainedNodes, positions, error, world);
}

void Scene::ClearBoundaryConditions(const SoftLayout& soft, Error& error, int world) {
  if (!CheckBoundaryConditions(soft, world, error)) return;
  ForWorlds(world, GetNumWorlds(), [&](int from, int to) {
    std::vector<double> fixed = simulation_->GetParameter("nodeFixed", from);
    std::fill(fixed.begin() + soft.nodeBegin, fixed.begin() + soft.nodeEnd, 0.0);
    simulation_->SetParameter("nodeFixed", to, fixed);
  });
}

}  // namespace dermis
