// Checks and repairs of the meshes that shapes are made of.
#pragma once

#include <array>

#include "host/params/types.h"

namespace dermis {

using Triangle = std::array<int, 3>;
using Tet = std::array<int, 4>;

// Six times the signed volume is Dot(b - a, Cross(c - a, d - a)).
inline Real TetVolume(const Real3& a, const Real3& b, const Real3& c, const Real3& d) {
  return Dot(b - a, Cross(c - a, d - a)) / 6;
}

// Problems are appended, each naming the first element or node and the number of others.
void CheckCoordinates(const DynamicArray<Real3>& nodes, DynamicArray<String>& problems);
// Indices in range and no node twice in one element; `size` is 2, 3 or 4 and divides the length.
void CheckConnectivity(const DynamicArray<int>& connectivity, int size, size_t nodeCount,
                       DynamicArray<String>& problems);

// Refuses tetrahedra without volume and nodes without tetrahedron; turns those of negative volume around, with a
// warning.
void OrientTets(const DynamicArray<Real3>& nodes, DynamicArray<Tet>& tets, DynamicArray<String>& problems,
                DynamicArray<String>& warnings);
// Refuses triangles without area; gives all triangles of a connected part one orientation, with a warning, and turns a
// closed surface outward. Non-manifold edges are warned about.
void OrientTriangles(const DynamicArray<Real3>& nodes, DynamicArray<Triangle>& triangles,
                     DynamicArray<String>& problems, DynamicArray<String>& warnings);
// The faces that belong to one tetrahedron only, outward, in the order of the tetrahedra.
DynamicArray<Triangle> ExtractSurface(const DynamicArray<Tet>& tets);
// Whether each edge is passed as often in one direction as in the other.
bool IsClosedSurface(const DynamicArray<Triangle>& triangles);
// Warns about edges that border more than two triangles.
void WarnNonManifold(const DynamicArray<Triangle>& triangles, DynamicArray<String>& warnings);

}  // namespace dermis
