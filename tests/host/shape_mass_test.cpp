#include "host/shape_mass.h"

#include "tests/host/sample_scenes.h"

using namespace dermis;

namespace {

MassProperties Resolve(const ShapeHandle& shape, Optional<Real> density, Optional<Real> mass, Optional<Real3> center,
                       Optional<std::array<Real, 6>> inertia, DynamicArray<String>& problems) {
  return ResolveMass(shape, density, mass, center, inertia, "body", problems);
}

}  // namespace

TEST_CASE("moments of a box are m/12 of its squared edges, wherever it lies") {
  // Far from the origin the cancellation costs digits: 1e3 away, 1e-16 (1e3)^2 of 1.
  for (const Real offset : {0.0, 1e3}) {
    const ShapeHandle box =
        CreateModelShape(BoxSurface(2, 3, 4)->GetModel(), {"", {1, 1, 1}, {}, {offset, 0, 0}}, ErrorAssert{});
    const VolumeMoments m = ComputeVolumeMoments(box->GetNodes(), box->GetTriangles());
    CHECK(m.volume == Approx(24).epsilon(1e-12));
    CHECK(m.centroid.x == Approx(offset + 1).epsilon(1e-12));
    CHECK(m.centroid.z == Approx(2).epsilon(1e-12));
    CHECK(m.secondMoment[0].x == Approx(24.0 / 12 * 4).epsilon(1e-9));
    CHECK(m.secondMoment[1].y == Approx(24.0 / 12 * 9).epsilon(1e-9));
    CHECK(m.secondMoment[2].z == Approx(24.0 / 12 * 16).epsilon(1e-9));
    CHECK(std::abs(m.secondMoment[0].y) < 1e-9);
  }
}

TEST_CASE("moments of a tetrahedron are V/20 (sum p p^T + sum p sum p^T) about a vertex") {
  const ShapeHandle tet = TetShape();
  const VolumeMoments m = ComputeVolumeMoments(tet->GetNodes(), tet->GetTriangles());
  CHECK(m.volume == Approx(1.0 / 6));
  CHECK(m.centroid.x == Approx(0.25));
  // About the corner: diagonal V/10, off-diagonal V/20; minus V/16 to the centroid.
  CHECK(m.secondMoment[0].x == Approx(1.0 / 6 * (1.0 / 10 - 1.0 / 16)));
  CHECK(m.secondMoment[0].y == Approx(1.0 / 6 * (1.0 / 20 - 1.0 / 16)));
}

TEST_CASE("given mass properties take precedence over the mesh") {
  DynamicArray<String> problems;
  const ShapeHandle box = BoxSurface(2, 3, 4);
  const MassProperties water = Resolve(box, {}, {}, {}, {}, problems);
  CHECK(water.mass == Approx(24000));
  CHECK(InertiaTensor(water)[0].x == Approx(24000.0 / 12 * (9 + 16)));
  CHECK(Resolve(box, 500.0, {}, {}, {}, problems).mass == Approx(12000));
  const MassProperties given = Resolve(box, 500.0, 6.0, {}, {}, problems);
  CHECK(given.mass == 6);
  CHECK(InertiaTensor(given)[2].z == Approx(6.0 / 12 * (4 + 9)));
  // Products of inertia are negative: xy = -0.5 means sum of m x y = 0.5.
  const MassProperties all = Resolve({}, {}, 2.0, Real3{1, 2, 3}, std::array<Real, 6>{2, -0.5, 0, 3, 0, 4}, problems);
  CHECK(all.secondMoment[0].y == Approx(0.5));
  CHECK(all.secondMoment[0].x == Approx((2.0 + 3 + 4) / 2 - 2));
  CHECK(InertiaTensor(all)[0].y == Approx(-0.5));
  const auto j = SecondMoment4(all);
  CHECK(j[3][3] == 2);
  CHECK(j[0][3] == Approx(2));
  CHECK(j[0][1] == Approx(0.5 + 2 * 1 * 2));
  CHECK(problems == DynamicArray<String>{});
  CHECK(Resolve({}, {}, {}, {}, {}, problems).mass == 0);
}

TEST_CASE("mass properties that no body has are refused") {
  const auto problemOf = [](const ShapeHandle& shape, Optional<Real> density, Optional<Real> mass,
                            Optional<std::array<Real, 6>> inertia) {
    DynamicArray<String> problems;
    Resolve(shape, density, mass, {}, inertia, problems);
    return problems.empty() ? String() : problems[0];
  };
  const ShapeHandle box = BoxSurface(1, 1, 1);
  using Six = std::array<Real, 6>;
  CHECK(problemOf(box, {}, -1.0, {}) == "body.mass: -1 is outside (0, inf)");
  CHECK(problemOf(box, 0.0, {}, {}) == "body.density: 0 is outside (0, inf)");
  CHECK(problemOf(box, {}, 1.0, Six{1, 0, 0, 1, 0, 3}).find("greater than the sum of the other two") != String::npos);
  CHECK(problemOf(box, {}, 1.0, Six{1, 0, 0, -1, 0, 1}).find("not positive") != String::npos);
  CHECK(problemOf(box, {}, 1.0, Six{0, 0, 0, 0, 0, 0}).find("not positive") != String::npos);
  CHECK(problemOf(box, {}, 1.0, Six{NAN, 0, 0, 1, 0, 1}).find("not finite") != String::npos);
  // A flat plate satisfies the inequality with equality, and is a body.
  CHECK(problemOf(box, {}, 1.0, Six{1, 0, 0, 1, 0, 2}) == "");
  const ShapeHandle open = CreateTriMeshShape({0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}, ErrorAssert{});
  CHECK(problemOf(open, {}, {}, {}).find("the surface is not closed, so it has no volume") != String::npos);
}
