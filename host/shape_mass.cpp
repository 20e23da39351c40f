#include "host/shape_mass.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

namespace dermis {

namespace {

constexpr Real kDefaultDensity = 1000;  // [kg/m^3]
// Relative round-off that an inertia typed with six digits may have.
constexpr Real kInertiaTolerance = 1e-6;

Real3x3 Outer(const Real3& a, const Real3& b) { return {a.x * b, a.y * b, a.z * b}; }
void AddScaled(Real3x3& m, Real s, const Real3x3& a) {
  for (int i = 0; i < 3; ++i) m[static_cast<size_t>(i)] = m[static_cast<size_t>(i)] + s * a[static_cast<size_t>(i)];
}

Eigen::Vector3d Eigenvalues(const Real3x3& m) {
  Eigen::Matrix3d a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a(i, j) = m[static_cast<size_t>(i)][j];
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

// J = tr(I)/2 1 - I, the inverse of I = tr(J) 1 - J.
Real3x3 SecondMomentOf(const std::array<Real, 6>& inertia) {
  const auto& [xx, xy, xz, yy, yz, zz] = inertia;
  const Real half = (xx + yy + zz) / 2;
  return {Real3{half - xx, -xy, -xz}, Real3{-xy, half - yy, -yz}, Real3{-xz, -yz, half - zz}};
}

}  // namespace

VolumeMoments ComputeVolumeMoments(const DynamicArray<Real3>& nodes,
                                   const DynamicArray<std::array<int, 3>>& triangles) {
  VolumeMoments moments;
  if (triangles.empty()) return moments;
  // A reference point on the mesh keeps the cancellation small when it lies far from the origin.
  const Real3 origin = nodes[triangles[0][0]];
  Real3 first;
  Real3x3 second{};
  for (const auto& triangle : triangles) {
    const Real3 p[3] = {nodes[triangle[0]] - origin, nodes[triangle[1]] - origin, nodes[triangle[2]] - origin};
    const Real volume = Dot(p[0], Cross(p[1], p[2])) / 6;
    const Real3 sum = p[0] + p[1] + p[2];
    moments.volume += volume;
    first = first + (volume / 4) * sum;
    // Over a tetrahedron with vertices p_i: V/20 (sum_i p_i p_i^T + (sum p)(sum p)^T); the fourth vertex is the origin.
    AddScaled(second, volume / 20, Outer(sum, sum));
    for (const Real3& vertex : p) AddScaled(second, volume / 20, Outer(vertex, vertex));
  }
  if (moments.volume == 0) return moments;
  const Real3 offset = (1 / moments.volume) * first;
  AddScaled(second, -moments.volume, Outer(offset, offset));
  moments.centroid = origin + offset;
  moments.secondMoment = second;
  return moments;
}

Real3x3 InertiaTensor(const MassProperties& properties) {
  const Real3x3& j = properties.secondMoment;
  const Real trace = j[0].x + j[1].y + j[2].z;
  Real3x3 inertia{};
  for (int i = 0; i < 3; ++i) {
    inertia[static_cast<size_t>(i)] = -j[static_cast<size_t>(i)];
    inertia[static_cast<size_t>(i)][i] += trace;
  }
  return inertia;
}

std::array<std::array<Real, 4>, 4> SecondMoment4(const MassProperties& properties) {
  const Real m = properties.mass;
  const Real3& c = properties.centerOfMass;
  std::array<std::array<Real, 4>, 4> result{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j)
      result[i][j] =
          properties.secondMoment[i][static_cast<int>(j)] + m * c[static_cast<int>(i)] * c[static_cast<int>(j)];
    result[i][3] = result[3][i] = m * c[static_cast<int>(i)];
  }
  result[3][3] = m;
  return result;
}

MassProperties ResolveMass(const ShapeHandle& shape, const Optional<Real>& density, const Optional<Real>& mass,
                           const Optional<Real3>& centerOfMass, const Optional<std::array<Real, 6>>& momentOfInertia,
                           const String& path, DynamicArray<String>& problems) {
  MassProperties result;
  const size_t before = problems.size();
  const auto problem = [&](const String& field, const String& text) {
    problems.push_back((path.empty() ? "" : path + ".") + field + ": " + text);
  };
  if ((mass && !(*mass > 0)) || (density && !(*density > 0))) {
    const bool isMass = mass && !(*mass > 0);
    return problem(isMass ? "mass" : "density", fmt::format("{} is outside (0, inf)", isMass ? *mass : *density)),
           result;
  }

  // From the mesh, unless everything is given.
  const bool needsMesh = !mass || !centerOfMass || !momentOfInertia;
  VolumeMoments moments;
  const bool hasSurface = shape && !shape->GetTriangles().empty();
  if (hasSurface && needsMesh) {
    if (!shape->IsClosed())
      problem(
          "shape",
          "the surface is not closed, so it has no volume; close it, or give mass, centerOfMass and momentOfInertia");
    else
      moments = ComputeVolumeMoments(shape->GetNodes(), shape->GetTriangles());
  }
  if (problems.size() > before) return result;
  result.mass = mass ? *mass : density.value_or(kDefaultDensity) * moments.volume;
  result.centerOfMass = centerOfMass.value_or(moments.centroid);

  // The second moment about the centre of mass. A centre given without an inertia moves the mesh's inertia along.
  if (momentOfInertia) {
    result.secondMoment = SecondMomentOf(*momentOfInertia);
    const Eigen::Vector3d j = Eigenvalues(result.secondMoment);
    const Real largest = j.cwiseAbs().maxCoeff();
    const auto& i = *momentOfInertia;
    const String given = fmt::format("({}, {}, {}, {}, {}, {})", i[0], i[1], i[2], i[3], i[4], i[5]);
    if (!std::isfinite(largest)) problem("momentOfInertia", given + " is not finite");
    // Principal moments of inertia are sums of two eigenvalues of J: two zeros of J leave an axis without inertia.
    else if (j[0] + j[1] <= kInertiaTolerance * largest || largest == 0)
      problem("momentOfInertia", given + " has a principal moment that is not positive; no body has one");
    else if (j[0] < -kInertiaTolerance * largest)
      problem("momentOfInertia",
              given + " has a principal moment greater than the sum of the other two; no body has one");
    if (!mass && result.mass == 0) problem("momentOfInertia", "is given without a mass; give mass as well");
  } else if (moments.volume > 0) {
    AddScaled(result.secondMoment, result.mass / moments.volume, moments.secondMoment);
  }
  if (problems.size() > before) return result;
  Real sum = result.mass + result.centerOfMass.x + result.centerOfMass.y + result.centerOfMass.z;
  for (const Real3& row : result.secondMoment) sum += std::abs(row.x) + std::abs(row.y) + std::abs(row.z);
  if (!std::isfinite(sum))
    problem(mass ? "mass" : "density",
            fmt::format("the mass is {} kg, and it, its centre or its moments are too large for a number; check "
                        "density, mass and the scale of the shape",
                        result.mass));
  return result;
}

}  // namespace dermis
