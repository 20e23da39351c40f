#include "host/shape.h"

#include "tests/host/sample_scenes.h"

using namespace dermis;

namespace {

String ProblemOf(DynamicArray<Real> coords, DynamicArray<int> tets) {
  Error error;
  CreateTetMeshShape(std::move(coords), std::move(tets), error);
  return Problems(error);
}

const DynamicArray<Real> kCorner = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

}  // namespace

TEST_CASE("meshes that cannot be bodies are refused, with the element and a remedy") {
  CHECK(ProblemOf({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, {0, 1, 2, 3}).find("tetrahedron 0 has no volume") !=
        String::npos);
  CHECK(ProblemOf(kCorner, {0, 1, 2, 2}).find("element 0 has the same node twice") != String::npos);
  CHECK(ProblemOf(kCorner, {0, 1, 2, 4}).find("element 0 refers to node 4, but there are 4 nodes") != String::npos);
  CHECK(ProblemOf(kCorner, {0, 1, 2, -1}).find("refers to node -1") != String::npos);
  CHECK(ProblemOf(kCorner, {0, 1, 2}).find("3 indices are not a multiple of 4") != String::npos);
  CHECK(ProblemOf({0, 0, 0, 1}, {}).find("4 numbers are not triples") != String::npos);
  CHECK(ProblemOf(kCorner, {}).find("there is no tetrahedron") != String::npos);
  DynamicArray<Real> coords = kCorner;
  coords.insert(coords.end(), {5, 5, 5});
  CHECK(ProblemOf(coords, {0, 1, 2, 3}).find("node 4 belongs to no tetrahedron; remove it") != String::npos);
  coords = kCorner;
  coords[4] = std::nan("");
  CHECK(ProblemOf(coords, {0, 1, 2, 3}).find("node 1 at (1, nan, 0) is not finite") != String::npos);
  // A body of a micrometre is a body: what counts is the shape, not the size.
  for (Real& c : coords = kCorner) c *= 1e-6;
  CHECK(ProblemOf(coords, {0, 1, 2, 3}) == "");
  Error error;
  CreateTriMeshShape({0, 0, 0, 1, 0, 0, 2, 0, 0}, {0, 1, 2}, error);
  RequireProblem(error, "triangle 0 has no area");
}

TEST_CASE("data attached to a mesh must fit it") {
  const auto problemOf = [](auto change) {
    ModelData model = TetModel(0);
    change(model);
    Error error;
    CreateModelShape(model, error);
    return Problems(error);
  };
  CHECK(problemOf([](ModelData& m) { m.constrainedNodes = {4}; }).find("4 is not a node; the mesh has 4 nodes") !=
        String::npos);
  CHECK(problemOf([](ModelData& m) {
          m.mesh->skinning->indices.pop_back();
        }).find("mesh.skinning.indices: has 3 entries, expected 4") != String::npos);
  CHECK(problemOf([](ModelData& m) {
          m.mesh->skinning->weights[2] = NAN;
        }).find("mesh.skinning.weights[2]: nan is not finite") != String::npos);
  CHECK(problemOf([](ModelData& m) {
          m.blending = {{"S", {0, 0, 0, 0}, {0, 0, 2, 0}}};
        }).find("weights[2]: 2 is outside [0, 1]") != String::npos);
  CHECK(problemOf([](ModelData& m) {
          m.blending = {{"S", {0}, {0}}};
        }).find("has 1 entries, expected 4 (one a vertex)") != String::npos);
  CHECK(problemOf([](ModelData& m) {
          m.material.emplace().poissonRatio = {0.5};
        }).find("material.poissonRatio[0]: 0.5 is outside (-1, 0.5)") != String::npos);
  CHECK(problemOf([](ModelData& m) {
          m.material.emplace().youngsModulus = {1, 2};
        }).find("material.youngsModulus: has 2 entries, expected 1") != String::npos);
  CHECK(problemOf([](ModelData& m) { m = {}; }).find("no mesh, plane, sphere or box") != String::npos);
}

TEST_CASE("tetrahedra of opposite or mixed winding are reoriented, with one warning") {
  const DynamicArray<Real> coords = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  const ShapeHandle shape = CreateTetMeshShape(coords, {0, 2, 1, 3, 1, 2, 3, 4}, ErrorAssert{});
  REQUIRE(shape->GetWarnings().size() == 1);
  CHECK(shape->GetWarnings()[0] == "1 of 2 tetrahedra had negative volume and were reoriented, the first is 0");
  const VolumeMoments moments = ComputeVolumeMoments(shape->GetNodes(), shape->GetTriangles());
  CHECK(moments.volume == Approx(0.5));  // 1/6 and 1/3
}

TEST_CASE("the surface of a tetrahedral mesh is its boundary, closed and outward") {
  const DynamicArray<Real> coords = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  const ShapeHandle shape = CreateTetMeshShape(coords, {0, 1, 2, 3, 1, 2, 3, 4}, ErrorAssert{});
  CHECK(shape->GetTriangles().size() == 6);  // of 8 faces, two are shared
  CHECK(shape->IsClosed());
  CHECK(shape->IsTetMesh());
  CHECK(!shape->IsTriMesh());
}

TEST_CASE("triangles agree with their neighbours and point outward") {
  ModelData model = BoxSurface(1, 2, 3)->GetModel();
  std::swap(model.mesh->connectivity[4], model.mesh->connectivity[5]);  // one triangle turned
  const ShapeHandle one = CreateModelShape(model, ErrorAssert{});
  CHECK(one->GetWarnings() == DynamicArray<String>{"1 of 12 triangles were turned to agree with their neighbours"});
  CHECK(ComputeVolumeMoments(one->GetNodes(), one->GetTriangles()).volume == Approx(6));
  model = BoxSurface(1, 2, 3)->GetModel();
  for (size_t t = 0; t < 12; ++t) std::swap(model.mesh->connectivity[3 * t], model.mesh->connectivity[3 * t + 1]);
  const ShapeHandle all = CreateModelShape(model, ErrorAssert{});
  CHECK(all->GetWarnings() == DynamicArray<String>{"the triangles pointed inward and were all turned"});
  CHECK(ComputeVolumeMoments(all->GetNodes(), all->GetTriangles()).volume == Approx(6));
  // Three triangles on one edge: a warning, no refusal.
  const ShapeHandle fan =
      CreateTriMeshShape({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0}, {0, 1, 2, 0, 1, 3, 0, 1, 4}, ErrorAssert{});
  CHECK(fan->GetWarnings().back() == "the surface is not manifold: 1 edges border more than two triangles: (0, 1)");
  CHECK(!fan->IsClosed());
}

TEST_CASE("a bake scales, then rotates, then translates, and a mirror keeps volumes positive") {
  const Real half = std::sqrt(0.5);
  const ShapeSource bake{"", {-2, 1, 1}, {0, 0, half, half}, {10, 0, 0}};  // a quarter turn about z
  const ShapeHandle shape = CreateModelShape(TetModel(), bake, ErrorAssert{});
  const Real3 x = shape->GetNodes()[1];  // (1, 0, 0) -> (-2, 0, 0) -> (0, -2, 0) -> (10, -2, 0)
  CHECK(x.x == Approx(10));
  CHECK(x.y == Approx(-2));
  CHECK(x.z == Approx(0));
  CHECK(shape->GetWarnings().empty());
  CHECK(ComputeVolumeMoments(shape->GetNodes(), shape->GetTriangles()).volume == Approx(2.0 / 6));
  Error error;
  CreateModelShape(TetModel(), {"", {1, 0, 1}, {}, {}}, error);
  RequireProblem(error, "scale: 0 flattens the shape");
  // The plane 2 y = 2 under a scale of 3 along y is y = 3; moved up by 1, y = 4.
  ModelData plane;
  plane.plane = PlaneData{{0, 2, 0}, 1};
  const ShapeHandle moved = CreateModelShape(plane, {"", {1, 3, 1}, {}, {0, 1, 0}}, ErrorAssert{});
  CHECK(moved->GetModel().plane->normal == Real3{0, 1, 0});
  CHECK(moved->GetModel().plane->distance == Approx(4));
}

TEST_CASE("analytic shapes check their values") {
  Error radius, normal, extents;
  CreateSphereShape({0, 0, 0}, 0, radius);
  RequireProblem(radius, "sphere.radius: 0 is outside (0, inf)");
  CreatePlaneShape({0, 0, 0}, 0, normal);
  RequireProblem(normal, "plane.normal: must not be zero");
  CreateBoxShape({0, 0, 0}, {1, -1, 1}, extents);
  RequireProblem(extents, "box.halfExtents[1]: -1 is outside (0, inf)");
}
