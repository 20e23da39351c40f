#include "host/shape_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "host/shape_mass.h"

namespace dermis {

namespace {

// Below this fraction of the cube (square) of its longest edge an element has no volume (area): 1e4 round-off units.
constexpr Real kDegenerate = 1e-12;

// Products of coordinates stay far from overflow.
constexpr Real kLargestCoordinate = 1e9;  // [m]

// Collects the elements with one kind of defect, and words them as one problem.
struct Offenders {
  size_t first = 0;
  size_t count = 0;
  void Add(size_t i) {
    if (count++ == 0) first = i;
  }
  String Others() const { return count < 2 ? "" : fmt::format(" (and {} more)", count - 1); }
};

using Edge = std::array<int, 2>;

// For each undirected edge, the triangles that pass it: 3 * triangle + side, by ascending edge.
std::map<Edge, DynamicArray<int>> EdgeTriangles(const DynamicArray<Triangle>& triangles) {
  std::map<Edge, DynamicArray<int>> edges;
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int side = 0; side < 3; ++side) {
      const int a = triangles[t][side], b = triangles[t][(side + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(3 * t) + side);
    }
  return edges;
}

}  // namespace

void CheckCoordinates(const DynamicArray<Real3>& nodes, DynamicArray<String>& problems) {
  Offenders bad;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (!std::isfinite(nodes[i].x) || !std::isfinite(nodes[i].y) || !std::isfinite(nodes[i].z)) bad.Add(i);
  if (bad.count)
    problems.push_back(fmt::format("mesh.coordinates: node {} at ({}, {}, {}) is not finite{}; repair the mesh",
                                   bad.first, nodes[bad.first].x, nodes[bad.first].y, nodes[bad.first].z,
                                   bad.Others()));
  Offenders far;
  Real largest = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Real size = std::max({std::abs(nodes[i].x), std::abs(nodes[i].y), std::abs(nodes[i].z)});
    if (!std::isfinite(size) || size <= kLargestCoordinate) continue;
    far.Add(i);
    largest = std::max(largest, size);
  }
  if (far.count)
    problems.push_back(
        fmt::format("mesh.coordinates: node {}{} has coordinates of {:.3g} m, outside [-{:g}, {:g}]; "
                    "check the scale",
                    far.first, far.Others(), largest, kLargestCoordinate, kLargestCoordinate));
}

void CheckConnectivity(const DynamicArray<int>& connectivity, int size, size_t nodeCount,
                       DynamicArray<String>& problems) {
  Offenders outside, twice;
  for (size_t i = 0; i < connectivity.size(); ++i)
    if (connectivity[i] < 0 || static_cast<size_t>(connectivity[i]) >= nodeCount) outside.Add(i);
  for (size_t e = 0; e < connectivity.size() / static_cast<size_t>(size); ++e) {
    const int* node = &connectivity[e * static_cast<size_t>(size)];
    bool repeated = false;
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < i; ++j) repeated |= node[i] == node[j];
    if (repeated) twice.Add(e);
  }
  if (outside.count)
    problems.push_back(fmt::format(
        "mesh.connectivity: element {} refers to node {}, but there are {} nodes{}; indices count from 0",
        outside.first / static_cast<size_t>(size), connectivity[outside.first], nodeCount, outside.Others()));
  if (twice.count)
    problems.push_back(
        fmt::format("mesh.connectivity: element {} has the same node twice{}; remove it", twice.first, twice.Others()));
}

namespace {

// Tetrahedra with the same four nodes: the mass and the stiffness there would count twice.
void CheckRepeatedTets(const DynamicArray<Tet>& tets, DynamicArray<String>& problems) {
  DynamicArray<std::pair<Tet, size_t>> sorted;
  for (size_t e = 0; e < tets.size(); ++e) {
    sorted.emplace_back(tets[e], e);
    std::sort(sorted.back().first.begin(), sorted.back().first.end());
  }
  std::sort(sorted.begin(), sorted.end());
  size_t count = 0;
  String first;
  for (size_t i = 1; i < sorted.size(); ++i) {
    const auto& [nodes, e] = sorted[i];
    if (nodes == sorted[i - 1].first && count++ == 0)
      first = fmt::format("tetrahedron {} repeats tetrahedron {} (nodes {}, {}, {}, {})", e, sorted[i - 1].second,
                          nodes[0], nodes[1], nodes[2], nodes[3]);
  }
  if (count)
    problems.push_back(fmt::format("mesh.connectivity: {}{}; remove one", first,
                                   count > 1 ? fmt::format(" (and {} more)", count - 1) : ""));
}

}  // namespace

void OrientTets(const DynamicArray<Real3>& nodes, DynamicArray<Tet>& tets, DynamicArray<String>& problems,
                DynamicArray<String>& warnings) {
  Offenders flat, orphan, inverted;
  DynamicArray<char> isUsed(nodes.size(), 0);
  for (size_t e = 0; e < tets.size(); ++e) {
    Tet& tet = tets[e];
    Real longest = 0;
    for (int i = 0; i < 4; ++i) {
      isUsed[static_cast<size_t>(tet[i])] = 1;
      for (int j = 0; j < i; ++j) longest = std::max(longest, Norm(nodes[tet[i]] - nodes[tet[j]]));
    }
    const Real volume = TetVolume(nodes[tet[0]], nodes[tet[1]], nodes[tet[2]], nodes[tet[3]]);
    if (std::abs(volume) <= kDegenerate * longest * longest * longest)
      flat.Add(e);
    else if (volume < 0) {
      inverted.Add(e);
      std::swap(tet[2], tet[3]);
    }
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (!isUsed[i]) orphan.Add(i);
  if (flat.count)
    problems.push_back(
        fmt::format("mesh.connectivity: tetrahedron {} has no volume{}; remove it, or mesh the body again", flat.first,
                    flat.Others()));
  CheckRepeatedTets(tets, problems);
  if (orphan.count)
    problems.push_back(
        fmt::format("mesh.coordinates: node {} belongs to no tetrahedron{}; remove it", orphan.first, orphan.Others()));
  if (inverted.count)
    warnings.push_back(fmt::format("{} of {} tetrahedra had negative volume and were reoriented, the first is {}",
                                   inverted.count, tets.size(), inverted.first));
}

void OrientTriangles(const DynamicArray<Real3>& nodes, DynamicArray<Triangle>& triangles,
                     DynamicArray<String>& problems, DynamicArray<String>& warnings) {
  Offenders flat;
  for (size_t t = 0; t < triangles.size(); ++t) {
    const Real3 a = nodes[triangles[t][1]] - nodes[triangles[t][0]],
                b = nodes[triangles[t][2]] - nodes[triangles[t][0]];
    const Real longest = std::max({Dot(a, a), Dot(b, b), Dot(b - a, b - a)});
    if (Norm(Cross(a, b)) <= kDegenerate * longest) flat.Add(t);
  }
  if (flat.count) {
    problems.push_back(
        fmt::format("mesh.connectivity: triangle {} has no area{}; remove it", flat.first, flat.Others()));
    return;
  }

  // Neighbours across manifold edges must pass the edge in opposite directions: walk each connected part.
  const auto edges = EdgeTriangles(triangles);
  DynamicArray<DynamicArray<std::array<int, 2>>> neighbours(
      triangles.size());  // triangle, and 1 when it must be turned
  for (const auto& [edge, sides] : edges) {
    if (sides.size() != 2) continue;
    const int a = sides[0] / 3, b = sides[1] / 3;
    const bool same = triangles[a][sides[0] % 3] == triangles[b][sides[1] % 3];
    neighbours[a].push_back({b, same});
    neighbours[b].push_back({a, same});
  }
  DynamicArray<int> turn(triangles.size(), -1);
  size_t turned = 0;
  for (size_t start = 0; start < triangles.size(); ++start) {
    if (turn[start] >= 0) continue;
    DynamicArray<int> part{static_cast<int>(start)};
    turn[start] = 0;
    for (size_t i = 0; i < part.size(); ++i)
      for (const auto& [other, same] : neighbours[part[i]])
        if (turn[other] < 0) {
          turn[other] = turn[part[i]] ^ same;
          part.push_back(other);
        }
    // The few follow the many.
    const auto count = std::count_if(part.begin(), part.end(), [&](int t) { return turn[t] == 1; });
    const bool flip = 2 * static_cast<size_t>(count) > part.size();
    for (const int t : part)
      if ((turn[t] == 1) != flip) {
        std::swap(triangles[t][1], triangles[t][2]);
        ++turned;
      }
  }
  if (turned)
    warnings.push_back(
        fmt::format("{} of {} triangles were turned to agree with their neighbours", turned, triangles.size()));

  if (IsClosedSurface(triangles) && ComputeVolumeMoments(nodes, triangles).volume < 0) {
    for (Triangle& triangle : triangles) std::swap(triangle[1], triangle[2]);
    warnings.push_back("the triangles pointed inward and were all turned");
  }
  WarnNonManifold(triangles, warnings);
}

DynamicArray<Triangle> ExtractSurface(const DynamicArray<Tet>& tets) {
  // Faces of a tetrahedron of positive volume, outward.
  constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  DynamicArray<std::array<int, 4>> faces;  // sorted nodes, then tet * 4 + face
  faces.reserve(4 * tets.size());
  for (size_t e = 0; e < tets.size(); ++e)
    for (int f = 0; f < 4; ++f) {
      Triangle nodes{tets[e][kFaces[f][0]], tets[e][kFaces[f][1]], tets[e][kFaces[f][2]]};
      std::sort(nodes.begin(), nodes.end());
      faces.push_back({nodes[0], nodes[1], nodes[2], static_cast<int>(4 * e) + f});
    }
  std::sort(faces.begin(), faces.end());
  const auto same = [](const std::array<int, 4>& a, const std::array<int, 4>& b) {
    return std::equal(a.begin(), a.begin() + 3, b.begin());
  };
  DynamicArray<int> outer;
  for (size_t i = 0; i < faces.size();) {
    size_t end = i + 1;
    while (end < faces.size() && same(faces[i], faces[end])) ++end;
    if (end == i + 1) outer.push_back(faces[i][3]);
    i = end;
  }
  std::sort(outer.begin(), outer.end());
  DynamicArray<Triangle> surface;
  for (const int id : outer) {
    const Tet& tet = tets[id / 4];
    surface.push_back({tet[kFaces[id % 4][0]], tet[kFaces[id % 4][1]], tet[kFaces[id % 4][2]]});
  }
  return surface;
}

bool IsClosedSurface(const DynamicArray<Triangle>& triangles) {
  if (triangles.empty()) return false;
  for (const auto& [edge, sides] : EdgeTriangles(triangles)) {
    int balance = 0;
    for (const int side : sides) balance += triangles[side / 3][side % 3] == edge[0] ? 1 : -1;
    if (balance != 0) return false;
  }
  return true;
}

void WarnNonManifold(const DynamicArray<Triangle>& triangles, DynamicArray<String>& warnings) {
  size_t count = 0;
  String list;
  for (const auto& [edge, sides] : EdgeTriangles(triangles))
    if (sides.size() > 2 && ++count <= 5) list += fmt::format(" ({}, {})", edge[0], edge[1]);
  if (count)
    warnings.push_back(fmt::format("the surface is not manifold: {} edges border more than two triangles:{}{}", count,
                                   list, count > 5 ? " ..." : ""));
}

}  // namespace dermis
