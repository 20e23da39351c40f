#include "engine/terms/elements.h"

#include "kernels/materials/list.h"

DERMIS_NAMESPACE_BEGIN

namespace {

using S = LaneScalar;
// Newton iterations of a step that project the elements' Hessians.
constexpr int kProjectedIterations = 3;

// Items that share one block of 8 elements.
constexpr int kParts = kBlock / kLanes;

#if DERMIS_LANES > 1
DERMIS_HD S LoadLanes(const double* p) { return S::Load(p); }
DERMIS_HD void StoreLanes(double* p, const S& a) { a.Store(p); }
#else
DERMIS_HD S LoadLanes(const double* p) { return *p; }
DERMIS_HD void StoreLanes(double* p, const S& a) { *p = a; }
#endif

// The elements of one item: kLanes tetrahedra of one soft.
struct ElementLanes {
  const View& v;
  int block, lane;
  int soft, actor;
  bool posed;

  DERMIS_HD ElementLanes(const View& view, int item)
      : v(view), block(view.blockOrder[item / kParts]), lane(item % kParts * kLanes) {
    soft = v.blockSoft[block];
    actor = v.softActor[soft];
    posed = v.softStress[soft] == int(TermDomain::Posed);
  }
  DERMIS_HD bool HasStress() const { return v.softStress[soft] != int(TermDomain::Off); }
  DERMIS_HD void Gradients(Vec3<S> (&g)[3]) const {
    const double* p = v.elementGradient + 72 * int64_t(block) + lane;
    for (int a = 0; a < 3; ++a) g[a] = {LoadLanes(p + 24 * a), LoadLanes(p + 24 * a + 8), LoadLanes(p + 24 * a + 16)};
  }
  DERMIS_HD S Volume() const { return LoadLanes(v.elementVolume + 8 * int64_t(block) + lane); }
  // F from positions of a slot: of x when posed, else 1 + grad u.
  DERMIS_HD Mat3<S> Deformation(int world, int slot, const Vec3<S> (&g)[3]) const {
    const double* positions = (posed ? v.slotNode(world) : v.slotDisplacement(world)) + 3 * int64_t(slot) * v.m.nodes;
    const int32_t* nodes = v.elementNode + 32 * int64_t(block) + lane;
    Vec3<S> x[4];
    for (int a = 0; a < 4; ++a) {
      double lanes[3][kLanes];
      for (int l = 0; l < kLanes; ++l)
        for (int i = 0; i < 3; ++i) lanes[i][l] = positions[3 * nodes[8 * a + l] + i];
      x[a] = {LoadLanes(lanes[0]), LoadLanes(lanes[1]), LoadLanes(lanes[2])};
    }
    const Mat3<S> f = DeformationGradient(x, g);
    return posed ? f : f + Mat3<S>::Identity();
  }
  template <class Material> DERMIS_HD Material Law(int world) const {
    S parameters[Material::kParameters];
    const double* p = v.blockMaterialParameters(world) + 8 * int64_t(v.m.materialParameters) * block + lane;
    for (int k = 0; k < Material::kParameters; ++k) parameters[k] = LoadLanes(p + 8 * k);
    return Material(parameters);
  }
  template <class Material> DERMIS_HD StiffnessDamping<S> Damping(const Material& law, int world, double h) const {
    return {law.LameMu(), law.LameLambda(), S(v.softStiffnessDamping(world)[soft]), S(h)};
  }
};

template <template <class> class Law> struct LinearizeElement {
  ViewRef v;
  int first;  // first item of the material
  DERMIS_HD void operator()(int world, int item) const {
    const ElementLanes e(v, first + item);
    if (!e.HasStress() || !v.Active(world, e.actor)) return;
    const IslandState& island = v.Island(world, e.actor);
    Vec3<S> g[3];
    e.Gradients(g);
    const S volume = e.Volume();
    const Mat3<S> f = e.Deformation(world, island.slot, g);
    const Law<S> law = e.Law<Law<S>>(world);

    Mat3<S> stress;
    S hessian[kTetHessianSize];
    // Projection makes the first steps safe and the last ones slow: later the Hessian is exact, as long as it can be
    // factored.
    const bool isExact = island.geometric && island.newton >= kProjectedIterations;
    const PsdStrategy strategy = isExact ? PsdStrategy::None : PsdStrategy(v.softPsdStrategy(world)[e.soft]);
    law.Linearize(f, strategy, stress).ElementHessian(g, volume, hessian);
    if (v.softStiffnessDamping(world)[e.soft] > 0) {
      const StiffnessDamping<S> damping = e.Damping(law, world, island.h);
      stress += damping.Stress(e.Deformation(world, kBaseSlot, g), f);
      damping.AddElementHessian(f, g, volume, hessian);
    }
    double* hessians = v.elementHessian(world) + kTetHessianSize * kBlock * int64_t(e.block) + e.lane;
    for (int k = 0; k < kTetHessianSize; ++k) StoreLanes(hessians + kBlock * k, hessian[k]);
    Vec3<S> force[4];
    NodeGradient(stress, g, volume, force);
    double* forces = v.elementForce(world) + 12 * kBlock * int64_t(e.block) + e.lane;
    for (int a = 0; a < 4; ++a) {
      StoreLanes(forces + kBlock * (3 * a), force[a].x);
      StoreLanes(forces + kBlock * (3 * a + 1), force[a].y);
      StoreLanes(forces + kBlock * (3 * a + 2), force[a].z);
    }
  }
};

template <template <class> class Law> struct ElementDifference {
  ViewRef v;
  int first;
  DERMIS_HD void operator()(int world, int item) const {
    const ElementLanes e(v, first + item);
    const IslandState& island = v.Island(world, e.actor);
    if (!island.searching) return;
    double* difference = v.elementDifference(world) + kBlock * int64_t(e.block) + e.lane;
    if (!e.HasStress()) return;
    Vec3<S> g[3];
    e.Gradients(g);
    const Mat3<S> now = e.Deformation(world, island.slot, g), trial = e.Deformation(world, island.slot ^ 1, g);
    const Law<S> law = e.Law<Law<S>>(world);
    S energy = law.Difference(now, trial);
    if (v.softStiffnessDamping(world)[e.soft] > 0)
      energy += e.Damping(law, world, island.h).Difference(e.Deformation(world, kBaseSlot, g), now, trial);
    StoreLanes(difference, e.Volume() * energy);
  }
};

// Launches Kernel<Material> over the blocks of each kind of material that the scene has.
template <template <template <class> class> class Kernel>
void ForEachMaterial(const Exec& exec, int worlds, const View& v, const int32_t* begin, int cost) {
  int kind = 0;
#define DERMIS_X(name)                                                        \
  if (const int count = kParts * (begin[kind + 1] - begin[kind]); count > 0)  \
    Launch(exec, worlds, count, Kernel<name>{v, kParts * begin[kind]}, cost); \
  ++kind;
  DERMIS_MATERIALS(DERMIS_X)
#undef DERMIS_X
}

}  // namespace

void LinearizeElements(const Exec& exec, int worlds, const View& v, const int32_t* materialBlockBegin) {
  ForEachMaterial<LinearizeElement>(exec, worlds, v, materialBlockBegin, 16 * kLanes);
}
void ElementDifferences(const Exec& exec, int worlds, const View& v, const int32_t* materialBlockBegin) {
  ForEachMaterial<ElementDifference>(exec, worlds, v, materialBlockBegin, 8 * kLanes);
}

DERMIS_NAMESPACE_END
