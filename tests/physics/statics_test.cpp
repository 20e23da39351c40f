// Static answers of soft bodies: patch test, uniaxial stress, self-weight.
#include <algorithm>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

bool IsOn(Real a, Real b) { return std::abs(a - b) < 1e-9; }

// A soft body alone in space, without inertia.
SceneDescription Static(SoftActorParams soft, Real gravity = 0) {
  soft.hasInertia = false;
  soft.hasGravity = gravity > 0;
  SceneDescription description = SceneWith(gravity);
  description.actors.soft = {soft};
  return description;
}

// A bar of 3 x 1 x 1 cubes between end faces that are stretched by s along x and by t across: the answer is the same
// stretch everywhere if t is what uniaxial stress asks for.
class UniaxialBar {
 public:
  explicit UniaxialBar(SoftMaterialType type)
      : scene_(Start(Static(Soft(TetShape(mesh_), type)), 1e-12)),
        ends_(NodesWhere(mesh_, [](const Real3& x) { return IsOn(x.x, 0) || IsOn(x.x, 0.3); })) {}

  // Elastic energy over the volume at rest; sets the largest distance from the uniform stretch [m].
  Real Energy(Real s, Real t) {
    Prescribe(*scene_, ends_, [&](int n) { return Stretched(n, s, t) - NodeOf(mesh_, n); });
    Advance(*scene_, 1.0, 1);
    largest = 0;
    const DynamicArray<Real3> nodes = scene_->GetNodePositions(First(*scene_).softs[0]);
    for (size_t n = 0; n < nodes.size(); ++n) largest = std::max(largest, Norm(nodes[n] - Stretched(int(n), s, t)));
    return scene_->GetElasticEnergy(First(*scene_).softs[0]) / (0.3 * 0.1 * 0.1);
  }
  // Nominal stress, the slope of the energy.
  Real Stress(Real s, Real t) { return (Energy(s + 1e-4, t) - Energy(s - 1e-4, t)) / 2e-4; }
  Real largest = 0;

 private:
  Real3 Stretched(int n, Real s, Real t) const {
    const Real3 x = NodeOf(mesh_, n);
    return {s * x.x, t * x.y, t * x.z};
  }
  MeshData mesh_ = BoxTets({3, 1, 1}, {0.3, 0.1, 0.1}, {0, -0.05, -0.05});
  std::unique_ptr<Scene> scene_;
  DynamicArray<int> ends_;
};

}  // namespace

TEST_CASE("patch test: nodes inside follow a linear boundary displacement", "[physics][statics]") {
  // Linear displacements are in the space of linear tetrahedra, and their stress is constant.
  const std::array<int, 3> cells{4, 3, 3};
  const Real3 size{0.4, 0.3, 0.3};
  const MeshData mesh = Irregular(BoxTets(cells, size), cells, size, 0.3);
  const DynamicArray<int> boundary = NodesWhere(mesh, [&](const Real3& x) {
    return IsOn(x.x, 0) || IsOn(x.x, size.x) || IsOn(x.y, 0) || IsOn(x.y, size.y) || IsOn(x.z, 0) || IsOn(x.z, size.z);
  });
  CHECK(boundary.size() + 12 == mesh.coordinates.size() / 3);
  const Real3x3 maps[] = {{Real3{1.1, 0.05, 0}, Real3{0.02, 0.95, -0.03}, Real3{0, 0.04, 1.02}},
                          {Real3{0.7, -0.3, 0.1}, Real3{0.3, 0.8, 0}, Real3{0, 0.2, 1.3}}};
  for (const SoftMaterialType type : {SoftMaterialType::NeoHookean, SoftMaterialType::Arap})
    for (const Real3x3& map : maps) {
      INFO(EnumName(type));
      const auto scene = Start(Static(Soft(TetShape(mesh), type)));
      Prescribe(*scene, boundary, [&](int n) { return map * NodeOf(mesh, n) - NodeOf(mesh, n); });
      Advance(*scene, 1.0, 1);
      const DynamicArray<Real3> nodes = scene->GetNodePositions(First(*scene).softs[0]);
      Real largest = 0;
      for (size_t n = 0; n < nodes.size(); ++n)
        largest = std::max(largest, Norm(nodes[n] - map * NodeOf(mesh, int(n))));
      CHECK(largest <= 1e-11);
    }
}

TEST_CASE("uniaxial stress: Neo-Hookean with the logarithmic term", "[physics][statics]") {
  // E 1e5 Pa, nu 0.45: nominal stress and lateral stretch, from the stationary points of the energy density
  // mu'/2 (Ic - 3) + la'/2 (J - a)^2 - mu'/2 ln(Ic + 1), mu' = 4/3 mu, la' = la + 5/6 mu, a = 1 + 3 mu' / (4 la').
  const Real values[][3] = {{0.5, -110935.10, 1.331937}, {1.5, 37542.79, 0.828994}, {2.0, 66717.12, 0.722881}};
  for (const auto& [stretch, stress, lateral] : values) {
    INFO("stretch " << stretch);
    UniaxialBar bar(SoftMaterialType::NeoHookean);
    for (int k = 1; k <= 5; ++k) bar.Energy(1 + (stretch - 1) * k / 5, 1 + (lateral - 1) * k / 5);
    CHECK(bar.largest <= 2e-7);  // the digits of the lateral stretch
    CHECK(bar.Stress(stretch, lateral) == Approx(stress).epsilon(1e-6));
  }
}

TEST_CASE("uniaxial stress: as rigid as possible has no lateral stretch", "[physics][statics]") {
  // mu/2 |F - R|^2: P = mu (s - 1), lateral stretch 1.
  UniaxialBar bar(SoftMaterialType::Arap);
  for (const Real stretch : {1.2, 1.5, 0.8, 0.6}) {
    INFO("stretch " << stretch);
    const Real energy = bar.Energy(stretch, 1);
    CHECK(bar.largest <= 1e-11);
    CHECK(energy == Approx(0.5e5 * (stretch - 1) * (stretch - 1)).epsilon(1e-11));
    CHECK(bar.Stress(stretch, 1) == Approx(1e5 * (stretch - 1)).epsilon(1e-7));
  }
}

TEST_CASE("self-weight: a hanging column", "[physics][statics]") {
  // Without Poisson's ratio and at small strain the end sinks by rho g L^2 / (2 E), and the elastic energy is
  // rho^2 g^2 L^3 A / (6 E). n linear elements in a row lack the share 1 / (4 n^2) of it, and tetrahedra, whose
  // displacements include theirs, lack less. E = 1.25e9 Pa: 3.92 um.
  const Real youngs = 1.25e9, exact = 1000 * kGravity / (2 * youngs);
  CHECK(exact == Approx(3.924e-6));
  Real before = 0;
  for (const int n : {4, 8, 16}) {
    const MeshData mesh = BoxTets({1, 1, n}, {0.1, 0.1, 1});
    const auto scene = Start(Static(Soft(TetShape(mesh), SoftMaterialType::NeoHookean, youngs, 0), kGravity), 1e-14);
    Prescribe(*scene, NodesWhere(mesh, [](const Real3& x) { return IsOn(x.z, 1); }), [](int) { return Real3{}; });
    Advance(*scene, 1.0, 1);
    const DynamicArray<Real3> nodes = scene->GetNodePositions(First(*scene).softs[0]);
    const DynamicArray<int> end = NodesWhere(mesh, [](const Real3& x) { return IsOn(x.z, 0); });
    Real sinks = 0;
    for (const int node : end) sinks -= nodes[size_t(node)].z / Real(end.size());
    INFO(n << " cells, the end sinks by " << sinks);
    CHECK(sinks == Approx(exact).epsilon(0.25 / (n * n)));
    const Real energy = 1e6 * kGravity * kGravity * 0.01 / (6 * youngs);
    const Real lack = 1 - scene->GetElasticEnergy(First(*scene).softs[0]) / energy;
    CHECK(lack > 0);
    CHECK(lack < 0.25 / (n * n));
    if (before > 0) CHECK(before / lack > 3.9);
    before = lack;
  }
}

}  // namespace dermis
