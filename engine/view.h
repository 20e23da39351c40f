// What kernels see of a simulation: pointers to template, parameters, state and work arrays, and the strides of worlds.
#pragma once

#include "engine/model.h"
#include "kernels/linalg.h"

// Work arrays of a step, one copy a world. Arrays with kSlots copies hold the current and the trial iterate (which is
// which differs from island to island, see IslandState::slot) and the base state of the time integration.
//
// X(type, name, numbers a world, "sentence")
#define DERMIS_WORK_FIELDS(X)                                                                                 \
  X(double, slotConfig, kSlots* m.configs, "[slots, configs]")                                                \
  X(double, slotDisplacement, kSlots * 3 * m.nodes, "u [slots, nodes, 3] (m)")                                \
  X(double, slotLink, kSlots * 12 * m.frames, "world from link [slots, frames, 12] (m)")                      \
  X(double, slotFrame, kSlots * 12 * m.frames, "A: world from rest frame [slots, frames, 12] (m)")            \
  X(double, slotNode, kSlots * 3 * m.nodes, "x of the nodes [slots, nodes, 3] (m)")                           \
  X(double, slotPoint, kSlots * 3 * m.points, "x of the extra points [slots, points, 3] (m)")                 \
  X(double, framePredicted, 12 * m.frames, "A~ [frames, 12] (m)")                                             \
  X(double, nodePredicted, 3 * m.nodes, "x~, or y~ of unposed inertia [nodes, 3] (m)")                        \
  X(double, dofPredicted, m.dofs, "motion from the base state by the joint velocity [dofs]")                  \
  X(double, dofTwist, 6 * m.dofs, "twist about the actor's origin, world axes [dofs, 6]")                     \
  X(double, nodeMap, 9 * m.nodes, "M = dx/du [nodes, 9]")                                                     \
  X(double, nodeForce, 3 * m.nodes, "gradient on the posed positions [nodes, 3] (N)")                         \
  X(double, elementForce, 96 * m.blocks, "gradient on the nodes of a tet [blocks, 12, 8] (N)")                \
  X(double, elementHessian, 360 * m.blocks, "see kernels/tet.h [blocks, 45, 8] (N/m)")                        \
  X(double, field, 3 * m.fields, "J = dx/dq at the nodes [nodes of an actor, its dofs, 3]")                   \
  X(double, fieldForce, 3 * m.fields, "K J [nodes of an actor, its dofs, 3]")                                 \
  X(double, matrix, 9 * m.entries, "Hessian among the nodes [entries, 9] (N/m)")                              \
  X(double, panel, 9 * m.panels, "Hessian of coordinates with nodes [dof triples, nodes, 9]")                 \
  X(double, dense, m.dense, "Hessian among the coordinates of an actor, padded to triples")                   \
  X(double, denseFactor, m.dense, "its Cholesky factor")                                                      \
  X(double, denseVectors, m.dense, "scratch for the eigenvectors of its geometric part")                      \
  X(double, rowGradient, 3 * m.rows, "[rows, 3]")                                                             \
  X(double, rowStep, 3 * m.rows, "Newton step [rows, 3]")                                                     \
  X(double, rowResidual, 3 * m.rows, "conjugate gradients: r [rows, 3]")                                      \
  X(double, rowDirection, 3 * m.rows, "conjugate gradients: p [rows, 3]")                                     \
  X(double, rowProduct, 3 * m.rows, "conjugate gradients: A p [rows, 3]")                                     \
  X(double, rowPreconditioned, 3 * m.rows, "conjugate gradients: z [rows, 3]")                                \
  X(double, nodeInverse, 9 * m.nodes, "inverse diagonal blocks [nodes, 9]")                                   \
  X(double, nodeDifference, m.nodes, "energy of the trial minus the current one, by node [nodes] (J)")        \
  X(double, elementDifference, 8 * m.blocks, "by element [blocks, 8] (J)")                                    \
  X(double, skeletonDifference, m.actors, "frames, joints, loops [actors] (J)")                               \
  X(double, nodeMagnitude, m.nodes, "|x| times the forces that add up to the gradient [nodes] (J)")           \
  X(double, skeletonMagnitude, m.actors, "[actors] (J)")                                                      \
  X(double, frameWrench, 12 * m.frames, "N = [x;1] g^T about the actor's origin [frames, 4, 3] (N m, N)")     \
  X(double, frameMoment, 10 * m.frames, "second moment about the actor's origin, world axes [frames, 10]")    \
  X(double, system, m.system, "dense systems, row by row, then their factors")                                \
  X(double, factorEntry, 12 * m.factorEntries, "sparse factor, see sparse_cholesky.cpp [factor entries, 12]") \
  X(dermis::IslandState, island, m.actors, "scalars of the solver [islands]")

namespace dermis {

// Current and trial iterate (0 and 1, exchanged when a trial is accepted) and the base state.
inline constexpr int kSlots = 3;
inline constexpr int kBaseSlot = 2;

// The scalars of one island: a set of actors that are solved together. Without contact that is one actor.
struct IslandState {
  int32_t active = 0;     // takes part in this Newton iteration
  int32_t searching = 0;  // its line search goes on
  int32_t slot = 0;       // which slot holds the current iterate
  int32_t flags = 0;      // StepFlag
  int32_t geometric = 1;  // all second derivatives of the map are in the Hessian, not only their positive part
  int32_t failed = 0;     // the factorisation met a pivot that is not positive
  int32_t newton = 0, linear = 0, halvings = 0, halvingsBefore = 0;
  int32_t badStage = 0, badIteration = -1, badItem = -1;
  int32_t iterating = 0;                    // conjugate gradients go on
  int32_t checkGradient = 0;                // the last step was below round-off: the gradient decides
  double h = 0;                             // effective time step (s)
  double alpha = 1;                         // step length
  double slope = 0;                         // g . dc (J)
  double difference = 0;                    // energy of the trial minus the current one (J)
  double magnitude = 0;                     // the energy is known to round-off times this (J)
  double residual = 0, residualBefore = 0;  // |g| (N)
  double motion = 0;                        // largest motion of a point by the step (m)
  double rz = 0, rzStart = 0, rzBefore = 0, curvature = 0, forcing = 0;
};

}  // namespace dermis

DERMIS_NAMESPACE_BEGIN

// A parameter or state array of all worlds.
template <class T> struct WorldArray {
  T* data = nullptr;
  int64_t stride = 0;  // 0: shared by all worlds
  DERMIS_HD T* operator()(int world) const { return data + world * stride; }
};

struct View {
  ModelCounts m;
  int integration = 0;
#define DERMIS_X(type, name, sentence) const type* name = nullptr;
  DERMIS_TEMPLATE_FIELDS(DERMIS_X)
#undef DERMIS_X
#define DERMIS_X(type, name, count, sentence) WorldArray<type> name;
  DERMIS_PARAMETER_FIELDS(DERMIS_X)
  DERMIS_STATE_FIELDS(DERMIS_X)
  DERMIS_WORK_FIELDS(DERMIS_X)
#undef DERMIS_X

  DERMIS_HD IslandState& Island(int world, int actor) const { return island(world)[actor]; }
  DERMIS_HD bool Active(int world, int actor) const { return Island(world, actor).active != 0; }
  // The island's current or trial slot.
  DERMIS_HD int Slot(int world, int actor, bool trial) const { return Island(world, actor).slot ^ int(trial); }
  DERMIS_HD int Dofs(int actor) const { return actorDofBegin[actor + 1] - actorDofBegin[actor]; }
  // Number of rows that hold the dofs.
  DERMIS_HD int Triples(int actor) const { return (Dofs(actor) + 2) / 3; }
  DERMIS_HD int Row(int actor, int node) const {
    return actorRowBegin[actor] + Triples(actor) + node - actorNodeBegin[actor];
  }
  // J of a node for the first dof of its actor; the others follow at +3.
  DERMIS_HD int64_t Field(int actor, int node) const {
    return 3 * (int64_t(actorFieldBegin[actor]) + int64_t(node - actorNodeBegin[actor]) * Dofs(actor));
  }
  // The 3x3 matrix of dof triple `triple` and a node.
  DERMIS_HD int64_t Panel(int actor, int triple, int node) const {
    const int nodes = actorNodeBegin[actor + 1] - actorNodeBegin[actor];
    return 9 * (int64_t(actorPanelBegin[actor]) + int64_t(triple) * nodes + node - actorNodeBegin[actor]);
  }
};

// Kernels hold the view by value on a device and by reference on the CPU.
#if DERMIS_DEVICE_BACKEND
using ViewRef = View;
#else
using ViewRef = const View&;
#endif

DERMIS_HD Vec3d LoadVec3(const double* p) { return {p[0], p[1], p[2]}; }
DERMIS_HD void StoreVec3(double* p, const Vec3d& v) {
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
}
DERMIS_HD Mat3d LoadMat3(const double* p) { return {{LoadVec3(p), LoadVec3(p + 3), LoadVec3(p + 6)}}; }
DERMIS_HD void StoreMat3(double* p, const Mat3d& a) {
  StoreVec3(p, a.r[0]);
  StoreVec3(p + 3, a.r[1]);
  StoreVec3(p + 6, a.r[2]);
}
// A 3x4 matrix by rows.
DERMIS_HD Affine3d LoadAffine(const double* p) {
  return {{{{p[0], p[1], p[2]}, {p[4], p[5], p[6]}, {p[8], p[9], p[10]}}}, {p[3], p[7], p[11]}};
}
DERMIS_HD void StoreAffine(double* p, const Affine3d& a) {
  for (int i = 0; i < 3; ++i) {
    StoreVec3(p + 4 * i, a.linear.r[i]);
    p[4 * i + 3] = a.translation[i];
  }
}

DERMIS_NAMESPACE_END
