// Mass, centre of mass and second moment of bodies given by a closed surface.
#pragma once

#include "host/error.h"
#include "host/params/rigid.h"
#include "host/shape.h"

namespace dermis {

// Integrals over the inside of a closed triangle mesh, exact for the polyhedron.
struct VolumeMoments {
  Real volume = 0;         // [m^3]; positive for outward triangles
  Real3 centroid;          // [m]
  Real3x3 secondMoment{};  // of (x - centroid)(x - centroid)^T [m^5]
};
// Signed sums over the tetrahedra from a point near the mesh to each triangle.
VolumeMoments ComputeVolumeMoments(const DynamicArray<Real3>& nodes, const DynamicArray<std::array<int, 3>>& triangles);

// The inertia of one rigid body or link.
struct MassProperties {
  Real mass = 0;           // [kg]
  Real3 centerOfMass;      // in the body's or link's own frame [m]
  Real3x3 secondMoment{};  // sum of m r r^T about the centre of mass, axes of the body's frame [kg m^2]
  bool operator==(const MassProperties&) const = default;
};

// The inertia tensor about the centre of mass, tr(J) 1 - J [kg m^2].
Real3x3 InertiaTensor(const MassProperties& properties);
// The 4x4 second moment, sum of m [r; 1][r; 1]^T about the origin of the body's frame, by rows.
std::array<std::array<Real, 4>, 4> SecondMoment4(const MassProperties& properties);

// The mass properties that the parameters ask for: given values first, the rest from the mesh at the density.
// Refused: a mass or a density that is not positive, an open surface where its volume is needed, an inertia that no
// body can have (principal moments must be positive and satisfy the triangle inequality). Problems start with `path`.
// A body without a shape and without a mass has mass 0.
MassProperties ResolveMass(const ShapeHandle& shape, const Optional<Real>& density, const Optional<Real>& mass,
                           const Optional<Real3>& centerOfMass, const Optional<std::array<Real, 6>>& momentOfInertia,
                           const String& path, DynamicArray<String>& problems);

}  // namespace dermis
