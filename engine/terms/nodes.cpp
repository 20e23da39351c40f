#include "engine/terms/nodes.h"

DERMIS_NAMESPACE_BEGIN

namespace {

DERMIS_HD bool Is(int32_t domain, TermDomain wanted) { return domain == int32_t(wanted); }

// M = sum_f w_f A_f, the derivative of the posed position by u.
DERMIS_HD Mat3d NodeMap(const View& v, int world, int slot, int node) {
  const int begin = v.nodeInfluenceBegin[node], end = v.nodeInfluenceBegin[node + 1];
  if (begin == end) return Mat3d::Identity();
  Mat3d m = Mat3d::Zero();
  for (int k = begin; k < end; ++k)
    m += v.nodeWeight[k] * LoadAffine(v.slotFrame(world) + 12 * (int64_t(slot) * v.m.frames + v.nodeFrame[k])).linear;
  return m;
}

struct NodeGradient {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    const int soft = v.nodeSoft[node], actor = v.softActor[soft];
    if (!v.Active(world, actor)) return;
    const IslandState& island = v.Island(world, actor);
    const int64_t slots = 3 * int64_t(v.m.nodes);
    Vec3d rest{0, 0, 0}, posed{0, 0, 0};
    double size = 0;  // of the summands

    // Inertia M (p - p~)/h^2 and mass damping alpha M (p - p0)/h.
    if (!Is(v.softInertia[soft], TermDomain::Off)) {
      const bool isPosed = Is(v.softInertia[soft], TermDomain::Posed);
      const double* arrays = isPosed ? v.slotNode(world) : v.slotDisplacement(world);
      const double* now = arrays + island.slot * slots;
      const double* base = arrays + kBaseSlot * slots;
      const double* predicted = v.nodePredicted(world);
      const double inertia = 1.0 / (island.h * island.h), damping = v.softMassDamping(world)[soft] / island.h;
      Vec3d sum{0, 0, 0};
      for (int e = v.nodeRowBegin[node]; e < v.nodeRowBegin[node + 1]; ++e) {
        const int j = 3 * v.entryNode[e];
        const Vec3d p = LoadVec3(now + j);
        sum += v.entryMass[e] * (inertia * (p - LoadVec3(predicted + j)) + damping * (p - LoadVec3(base + j)));
      }
      (isPosed ? posed : rest) += sum;
      size += Norm(sum);
    }
    if (!Is(v.softGravity[soft], TermDomain::Off)) {
      const Vec3d weight = v.nodeMass[node] * LoadVec3(v.gravity(world));
      (Is(v.softGravity[soft], TermDomain::Posed) ? posed : rest) -= weight;
      size += Norm(weight);
    }
    if (!Is(v.softStress[soft], TermDomain::Off)) {
      Vec3d sum{0, 0, 0};
      for (int k = v.nodeGatherBegin[node]; k < v.nodeGatherBegin[node + 1]; ++k) {
        const int element = v.nodeGather[k] / 4, corner = v.nodeGather[k] % 4;
        const double* force = v.elementForce(world) + 96 * int64_t(element / 8) + 24 * corner + element % 8;
        sum += Vec3d{force[0], force[8], force[16]};
        size += Abs(force[0]) + Abs(force[8]) + Abs(force[16]);
      }
      (Is(v.softStress[soft], TermDomain::Posed) ? posed : rest) += sum;
    }

    // A position is known to its last digit: that times the forces is what the energy is known to.
    v.nodeMagnitude(world)[node] = size * Norm(LoadVec3(v.slotNode(world) + island.slot * slots + 3 * node));
    const Mat3d map = NodeMap(v, world, island.slot, node);
    StoreMat3(v.nodeMap(world) + 9 * node, map);
    StoreVec3(v.nodeForce(world) + 3 * node, posed);
    const Vec3d gradient = v.nodeFixed(world)[node] ? Vec3d{0, 0, 0} : rest + TransposeTimes(map, posed);
    StoreVec3(v.rowGradient(world) + 3 * int64_t(v.Row(actor, node)), gradient);
  }
};

struct NodeDifference {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    const int soft = v.nodeSoft[node], actor = v.softActor[soft];
    const IslandState& island = v.Island(world, actor);
    if (!island.searching) return;
    const int64_t slots = 3 * int64_t(v.m.nodes);
    double difference = 0;

    // 1/2 |p1 - p~|^2 - 1/2 |p0 - p~|^2 = (p1 - p0) . ((p1 + p0)/2 - p~), in the mass matrix.
    if (!Is(v.softInertia[soft], TermDomain::Off)) {
      const double* arrays = Is(v.softInertia[soft], TermDomain::Posed) ? v.slotNode(world) : v.slotDisplacement(world);
      const double* now = arrays + island.slot * slots;
      const double* trial = arrays + (island.slot ^ 1) * slots;
      const double* base = arrays + kBaseSlot * slots;
      const double* predicted = v.nodePredicted(world);
      const double inertia = 1.0 / (island.h * island.h), damping = v.softMassDamping(world)[soft] / island.h;
      Vec3d sum{0, 0, 0};
      for (int e = v.nodeRowBegin[node]; e < v.nodeRowBegin[node + 1]; ++e) {
        const int j = 3 * v.entryNode[e];
        const Vec3d middle = 0.5 * (LoadVec3(now + j) + LoadVec3(trial + j));
        sum +=
            v.entryMass[e] * (inertia * (middle - LoadVec3(predicted + j)) + damping * (middle - LoadVec3(base + j)));
      }
      difference += Dot(LoadVec3(trial + 3 * node) - LoadVec3(now + 3 * node), sum);
    }
    if (!Is(v.softGravity[soft], TermDomain::Off)) {
      const double* arrays = Is(v.softGravity[soft], TermDomain::Posed) ? v.slotNode(world) : v.slotDisplacement(world);
      const Vec3d motion =
          LoadVec3(arrays + (island.slot ^ 1) * slots + 3 * node) - LoadVec3(arrays + island.slot * slots + 3 * node);
      difference -= v.nodeMass[node] * Dot(LoadVec3(v.gravity(world)), motion);
    }
    v.nodeDifference(world)[node] = difference;
  }
};

}  // namespace

void NodeGradients(const Exec& exec, int worlds, const View& v) { Launch(exec, worlds, v.m.nodes, NodeGradient{v}, 8); }
void NodeDifferences(const Exec& exec, int worlds, const View& v) {
  Launch(exec, worlds, v.m.nodes, NodeDifference{v}, 4);
}

DERMIS_NAMESPACE_END
