#include "engine/assembly.h"

#include "engine/twist.h"
#include "kernels/tet.h"

DERMIS_NAMESPACE_BEGIN

namespace {

// The block of nodes a, b >= 1 from the 45 numbers of one lane, see kernels/tet.h.
DERMIS_HD Mat3d InnerBlock(const double* h, int a, int b) {
  if (a == b) {
    const double* d = h + 8 * kTetBlock11 + 48 * (a - 1);
    return {{{d[0], d[8], d[16]}, {d[8], d[24], d[32]}, {d[16], d[32], d[40]}}};
  }
  const double* o = h + 8 * kTetBlock12 + 72 * (a + b - 3);
  const Mat3d m{{{o[0], o[8], o[16]}, {o[24], o[32], o[40]}, {o[48], o[56], o[64]}}};
  return a < b ? m : Transpose(m);
}

// The block of nodes a and b, 0..3: node 0 is minus the sum of the others.
DERMIS_HD Mat3d ElementBlock(const double* h, int a, int b) {
  if (a > 0 && b > 0) return InnerBlock(h, a, b);
  Mat3d sum = Mat3d::Zero();
  if (a == 0 && b == 0) {
    for (int i = 1; i <= 3; ++i)
      for (int j = 1; j <= 3; ++j) sum += InnerBlock(h, i, j);
    return sum;
  }
  for (int i = 1; i <= 3; ++i) sum -= a == 0 ? InnerBlock(h, i, b) : InnerBlock(h, a, i);
  return sum;
}

// J: the velocity of a node by each degree of freedom of its actor.
struct NodeFields {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    const int soft = v.nodeSoft[node], actor = v.softActor[soft], dofs = v.Dofs(actor);
    if (dofs == 0 || !v.Active(world, actor)) return;
    const int slot = v.Slot(world, actor, false), dof0 = v.actorDofBegin[actor];
    double* field = v.field(world) + v.Field(actor, node);
    for (int k = 0; k < 3 * dofs; ++k) field[k] = 0;
    const Vec3d origin = ActorOrigin(v, world, slot, actor);
    const Vec3d y =
        LoadVec3(v.nodeRest + 3 * node) + LoadVec3(v.slotDisplacement(world) + 3 * (int64_t(slot) * v.m.nodes + node));
    for (int i = v.nodeInfluenceBegin[node]; i < v.nodeInfluenceBegin[node + 1]; ++i) {
      const int frame = v.nodeFrame[i];
      const Vec3d x = LoadAffine(v.slotFrame(world) + 12 * (int64_t(slot) * v.m.frames + frame)) * y - origin;
      for (int f = frame; f >= 0; f = v.frameParent[f]) {
        const int end = f + 1 < v.actorFrameBegin[actor + 1] ? v.frameDofBegin[f + 1] : v.actorDofBegin[actor + 1];
        for (int d = v.frameDofBegin[f]; d < end; ++d) {
          const Vec3d velocity = v.nodeWeight[i] * (LoadTwist(v.dofTwist(world) + 6 * d) * x);
          StoreVec3(field + 3 * (d - dof0), LoadVec3(field + 3 * (d - dof0)) + velocity);
        }
      }
    }
  }
};

struct NodeRow {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    const int soft = v.nodeSoft[node], actor = v.softActor[soft];
    if (!v.Active(world, actor)) return;
    const IslandState& island = v.Island(world, actor);
    const int dofs = v.Dofs(actor);
    const int32_t* fixed = v.nodeFixed(world);
    const double scale = 1.0 / (island.h * island.h) + v.softMassDamping(world)[soft] / island.h;
    const double massRest = v.softInertia[soft] == int(TermDomain::Rest) ? scale : 0.0;
    const double massPosed = v.softInertia[soft] == int(TermDomain::Posed) ? scale : 0.0;
    const bool stressRest = v.softStress[soft] == int(TermDomain::Rest);
    const bool stressPosed = v.softStress[soft] == int(TermDomain::Posed);
    const bool hasPosed = stressPosed || massPosed > 0;
    const bool isRigid = v.softIsRigid[soft];
    const Mat3d map = LoadMat3(v.nodeMap(world) + 9 * node);

    double* forces = v.fieldForce(world) + v.Field(actor, node);
    for (int k = 0; k < 3 * dofs; ++k) forces[k] = 0;

    for (int e = v.nodeRowBegin[node]; e < v.nodeRowBegin[node + 1]; ++e) {
      const int other = v.entryNode[e];
      Mat3d elastic = Mat3d::Zero();
      if (stressRest || stressPosed)
        for (int c = v.entryGatherBegin[e]; c < v.entryGatherBegin[e + 1]; ++c) {
          const int code = v.entryGather[c], element = code / 16;
          const double* h = v.elementHessian(world) + kTetHessianSize * kBlock * int64_t(element / 8) + element % 8;
          elastic += ElementBlock(h, code / 4 % 4, code % 4);
        }
      const double mass = v.entryMass[e];
      const double posedMass = massPosed * mass, restMass = massRest * mass;

      // J^T K, column by column: every node counts, constrained ones too.
      if (hasPosed) {
        const double* field = v.field(world) + v.Field(actor, other);
        for (int k = 0; k < dofs; ++k) {
          const Vec3d j = LoadVec3(field + 3 * k);
          Vec3d force = posedMass * j;
          if (stressPosed) force += elastic * j;
          StoreVec3(forces + 3 * k, LoadVec3(forces + 3 * k) + force);
        }
      }

      Mat3d block = Mat3d::Zero();
      if (fixed[node] || fixed[other]) {
        if (node == other) block = Mat3d::Identity();
      } else {
        if (stressRest) block = elastic;
        double diagonal = restMass;
        if (isRigid) diagonal += posedMass;  // M^T M = 1
        if (diagonal != 0) block += Mat3d::Diagonal(diagonal, diagonal, diagonal);
        if (stressPosed || (hasPosed && !isRigid)) {
          Mat3d posed = stressPosed ? elastic : Mat3d::Zero();
          if (!isRigid) posed += Mat3d::Diagonal(posedMass, posedMass, posedMass);
          block += TransposeTimes(map, posed) * LoadMat3(v.nodeMap(world) + 9 * other);
        }
      }
      StoreMat3(v.matrix(world) + 9 * int64_t(e), block);
    }

    // Panel of this node: M^T K J, and the geometric term.
    const int dof0 = v.actorDofBegin[actor];
    for (int t = 0; t < v.Triples(actor); ++t) {
      Mat3d block = Mat3d::Zero();
      if (!fixed[node])
        for (int r = 0; r < 3 && 3 * t + r < dofs; ++r) {
          block.r[r] = TransposeTimes(map, LoadVec3(forces + 3 * (3 * t + r)));
          if (island.geometric) block.r[r] += Geometric(world, node, island.slot, dof0 + 3 * t + r);
        }
      StoreMat3(v.panel(world) + v.Panel(actor, t, node), block);
    }
  }

 private:
  // sum_f w_f A_f^T (g x angular_k) over the frames behind dof k.
  DERMIS_HD Vec3d Geometric(int world, int node, int slot, int dof) const {
    const Vec3d angular = LoadVec3(v.dofTwist(world) + 6 * dof);
    const Vec3d lever = Cross(LoadVec3(v.nodeForce(world) + 3 * node), angular);
    Vec3d sum{0, 0, 0};
    for (int i = v.nodeInfluenceBegin[node]; i < v.nodeInfluenceBegin[node + 1]; ++i) {
      const int frame = v.nodeFrame[i];
      for (int f = frame; f >= 0; f = v.frameParent[f])
        if (f == v.dofFrame[dof]) {
          const Mat3d a = LoadAffine(v.slotFrame(world) + 12 * (int64_t(slot) * v.m.frames + frame)).linear;
          sum += v.nodeWeight[i] * TransposeTimes(a, lever);
          break;
        }
    }
    return sum;
  }
};

// dense += sum over nodes of J_k . (K J)_l
struct DenseFromFields {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int actor) const {
    const int dofs = v.Dofs(actor), size = 3 * v.Triples(actor);
    const int begin = v.actorNodeBegin[actor], end = v.actorNodeBegin[actor + 1];
    if (dofs == 0 || begin == end || !v.Active(world, actor)) return;
    const double* field = v.field(world) + v.Field(actor, begin);
    const double* force = v.fieldForce(world) + v.Field(actor, begin);
    double* dense = v.dense(world) + v.actorDenseBegin[actor];
    for (int k = 0; k < dofs; ++k)
      for (int l = k; l < dofs; ++l) {
        double sum = 0;
        for (int i = team.rank; i < end - begin; i += team.size) {
          const double* j = field + 3 * (int64_t(i) * dofs + k);
          const double* f = force + 3 * (int64_t(i) * dofs + l);
          sum += j[0] * f[0] + j[1] * f[1] + j[2] * f[2];
        }
        sum = team.Sum(sum);
        if (team.rank == 0) {
          dense[k * size + l] += sum;
          if (k != l) dense[l * size + k] += sum;
        }
      }
  }
};

}  // namespace

void AssembleMatrix(const Exec& exec, int worlds, const View& v) {
  if (v.m.nodes == 0) return;
  if (v.m.fields > 0) Launch(exec, worlds, v.m.nodes, NodeFields{v}, 8);
  Launch(exec, worlds, v.m.nodes, NodeRow{v}, 64);
  if (v.m.fields > 0) LaunchTeams(exec, worlds, v.m.actors, DenseFromFields{v}, 256);
}

DERMIS_NAMESPACE_END
