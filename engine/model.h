// The flat model: a compiled scene as arrays, without pointers and without kinds of actors.
//
// Three sets, each declared once in the lists below:
//   template    topology, rest shape, weights, patterns: shared by all worlds, constant
//   parameters  materials, gravity, friction ...: writable between steps, each shared or one copy a world
//   state       configuration, displacements, velocities, history: one copy a world
//
// Domains and how they follow each other (see docs/design.md):
//   actor   owns contiguous ranges of frames, dofs, nodes, extra points, loops (cycles) and matrix rows
//   frame   one link or rigid body: a joint and a transform; parents come first
//   dof     one joint coordinate; config: the numbers that store it (a rotation is a quaternion)
//   node    one node of a soft volume, constrained ones included; displacement u in the rest frame
//   point   a point with a world position and no unknowns of its own (skin vertices, corners of hulls)
//   block   kBlock = 8 tetrahedra of one soft, stored [block][component][8]; unused lanes have volume 0
//   row     a 3-vector of unknowns: an actor's dofs (padded to a multiple of 3), then its nodes
// The rest frame of a skeleton is the root link's local frame at rest; that of a free soft is the world.
//
// X(type, name, "sentence [shape] (unit)")
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#define DERMIS_TEMPLATE_FIELDS(X)                                                                                  \
  X(int32_t, actorFrameBegin, "frames of an actor [actors + 1]")                                                   \
  X(int32_t, actorDofBegin, "degrees of freedom of an actor [actors + 1]")                                         \
  X(int32_t, actorConfigBegin, "configuration numbers of an actor [actors + 1]")                                   \
  X(int32_t, actorNodeBegin, "nodes of an actor [actors + 1]")                                                     \
  X(int32_t, actorPointBegin, "extra points of an actor [actors + 1]")                                             \
  X(int32_t, actorLoopBegin, "loop closures of an actor [actors + 1]")                                             \
  X(int32_t, actorRowBegin, "matrix rows of an actor [actors + 1]")                                                \
  X(int32_t, actorBlockBegin, "element blocks of an actor [actors + 1]")                                           \
  X(int32_t, actorSoftBegin, "softs of an actor [actors + 1]")                                                     \
  X(int32_t, actorPanelBegin, "coupling panel of an actor, in 3x3 matrices [actors + 1]")                          \
  X(int32_t, actorFieldBegin, "fields dx/dq of an actor, in 3-vectors [actors + 1]")                               \
  X(int32_t, actorDenseBegin, "matrix of the coordinates of an actor, in numbers [actors + 1]")                    \
  X(int32_t, actorSolver, "linear solver, a LinearSolverKind [actors]")                                            \
  X(int32_t, actorSystemBegin, "dense system of an actor, in numbers; set by the backend [actors + 1]")            \
  X(int32_t, frameActor, "[frames]")                                                                               \
  X(int32_t, frameParent, "frame before the joint, -1 for the actor's root [frames]")                              \
  X(int32_t, frameJoint, "kind of the joint, a JointKind [frames]")                                                \
  X(int32_t, frameDofBegin, "first degree of freedom of the joint [frames]")                                       \
  X(int32_t, frameConfigBegin, "first configuration number of the joint [frames]")                                 \
  X(double, frameParentFromJoint, "transform of the joint in the parent [frames, 12], rows of the 3x4 matrix (m)") \
  X(double, frameJointFromLink, "transform of the link in the joint [frames, 12] (m)")                             \
  X(double, frameLinkFromRest, "rest frame to link at rest [frames, 12] (m)")                                      \
  X(double, frameAxis, "unit axis of the joint [frames, 3]")                                                       \
  X(double, frameSecondMoment,                                                                                     \
    "integral of rho [y;1][y;1]^T in the rest frame [frames, 10]: xx xy xz yy yz zz, x y z, 1 (kg m^2, kg m, kg)") \
  X(double, frameCenter, "centre of mass in the rest frame [frames, 3] (m)")                                       \
  X(double, frameHasGravity, "0 or 1 [frames]")                                                                    \
  X(int32_t, frameNodeBegin, "nodes that follow a frame [frames + 1]")                                             \
  X(int32_t, frameNode, "[influences]")                                                                            \
  X(double, frameNodeWeight, "[influences]")                                                                       \
  X(int32_t, dofFrame, "[dofs]")                                                                                   \
  X(int32_t, loopFrameA, "frame of the parent point of a loop closure [loops]")                                    \
  X(int32_t, loopFrameB, "frame of the child point [loops]")                                                       \
  X(double, loopPointA, "parent point in the rest frame [loops, 3] (m)")                                           \
  X(double, loopPointB, "child point in the rest frame [loops, 3] (m)")                                            \
  X(int32_t, softActor, "[softs]")                                                                                 \
  X(int32_t, softNodeBegin, "nodes of a soft [softs + 1]")                                                         \
  X(int32_t, softBlockBegin, "element blocks of a soft [softs + 1]")                                               \
  X(int32_t, softStress, "where elasticity is evaluated, an TermDomain [softs]")                                   \
  X(int32_t, softInertia, "where inertia and mass damping are evaluated, an TermDomain [softs]")                   \
  X(int32_t, softGravity, "where gravity is evaluated, an TermDomain [softs]")                                     \
  X(int32_t, softIsRigid, "1 when every node follows one frame with weight 1 [softs]")                             \
  X(int32_t, nodeSoft, "[nodes]")                                                                                  \
  X(int32_t, nodeConstrained, "1 when u = 0 for ever [nodes]")                                                     \
  X(double, nodeRest, "rest position [nodes, 3] (m)")                                                              \
  X(int32_t, nodeInfluenceBegin, "frames that a node follows; none: the fixed world [nodes + 1]")                  \
  X(int32_t, nodeFrame, "[influences]")                                                                            \
  X(double, nodeWeight, "[influences]")                                                                            \
  X(double, nodeMass, "row sum of the mass matrix [nodes] (kg)")                                                   \
  X(int32_t, nodeRowBegin, "matrix entries of a node's row [nodes + 1]")                                           \
  X(int32_t, entryNode, "column of an entry, a node [entries]")                                                    \
  X(double, entryMass, "consistent mass rho V/20 (1 + delta_ij) [entries] (kg)")                                   \
  X(int32_t, entryGatherBegin, "element contributions to an entry [entries + 1]")                                  \
  X(int32_t, entryGather, "element * 16 + 4 a + b [contributions]")                                                \
  X(int32_t, nodeGatherBegin, "element contributions to a node [nodes + 1]")                                       \
  X(int32_t, nodeGather, "element * 4 + a [contributions]")                                                        \
  X(int32_t, blockSoft, "[blocks]")                                                                                \
  X(int32_t, blockMaterial, "a MaterialKind [blocks]")                                                             \
  X(int32_t, materialBlockBegin, "blocks of a material kind are contiguous in blockOrder [kinds + 1]")             \
  X(int32_t, blockOrder, "blocks sorted by material [blocks]")                                                     \
  X(int32_t, elementNode, "[blocks, 4, 8]")                                                                        \
  X(double, elementGradient, "rest gradients of the shape functions of nodes 1, 2, 3 [blocks, 9, 8] (1/m)")        \
  X(double, elementVolume, "[blocks, 8] (m^3)")                                                                    \
  X(int32_t, pointActor, "[points]")                                                                               \
  X(double, pointRest, "[points, 3] (m)")                                                                          \
  X(int32_t, pointInfluenceBegin, "[points + 1]")                                                                  \
  X(int32_t, pointFrame, "[point influences]")                                                                     \
  X(double, pointWeight, "[point influences]")                                                                     \
  X(int32_t, pointSourceBegin, "nodes whose displacement a point carries [points + 1]")                            \
  X(int32_t, pointSource, "[sources]")                                                                             \
  X(double, pointSourceWeight, "embedding or blend weight [sources]")                                              \
  X(int32_t, factorColumnBegin, "entries of a column of the sparse factor, diagonal first [factor columns + 1]")   \
  X(int32_t, factorRow, "row of an entry of the factor, counted in its actor [factor entries]")                    \
  X(int32_t, factorSource, "where an entry comes from, see engine/linear/sparse_cholesky.h [factor entries]")      \
  X(int32_t, factorUpdateBegin, "updates of a column [factor columns + 1]")                                        \
  X(int32_t, factorUpdate, "target, a, b: L[target] -= L[a] L[b]^T [updates, 3]")                                  \
  X(int32_t, factorPermutation, "row of the actor that a factor column stands for [factor columns]")               \
  X(int32_t, actorFactorBegin, "factor columns of an actor [actors + 1]")

// X(type, name, numbers a world, "sentence")
#define DERMIS_PARAMETER_FIELDS(X)                                                                                     \
  X(double, gravity, 3, "acceleration [3] (m/s^2)")                                                                    \
  X(double, actorRoot, 12 * m.actors, "world from the root of the articulation [actors, 12] (m)")                      \
  X(double, actorTolerance, m.actors, "largest motion of a point in a converged Newton step [actors] (m)")             \
  X(double, dofArmature, m.dofs, "joint inertia [dofs] (kg m^2, kg)")                                                  \
  X(double, dofMinLimit, m.dofs, "[dofs] (rad, m)")                                                                    \
  X(double, dofMaxLimit, m.dofs, "[dofs] (rad, m)")                                                                    \
  X(double, dofLimitStiffness, m.dofs, "[dofs] (N m/rad, N/m)")                                                        \
  X(double, dofLimitDamping, m.dofs, "[dofs] (N m s/rad, N s/m)")                                                      \
  X(double, dofViscous, m.dofs, "[dofs] (N m s/rad, N s/m)")                                                           \
  X(double, dofCoulomb, m.dofs, "[dofs] (N m, N)")                                                                     \
  X(double, dofFalloffVelocity, m.dofs, "[dofs] (rad/s, m/s)")                                                         \
  X(double, loopStiffness, m.loops, "[loops] (N/m)")                                                                   \
  X(double, softMassDamping, m.softs, "[softs] (1/s)")                                                                 \
  X(double, softStiffnessDamping, m.softs, "[softs] (s)")                                                              \
  X(int32_t, softPsdStrategy, m.softs, "a PsdStrategy [softs]")                                                        \
  X(double, blockMaterialParameters, 8 * m.materialParameters * m.blocks, "[blocks, parameters, 8], see the material") \
  X(int32_t, nodeFixed, m.nodes, "1 when the displacement is prescribed [nodes]")                                      \
  X(double, nodeTarget, 3 * m.nodes, "prescribed displacement [nodes, 3] (m)")

#define DERMIS_STATE_FIELDS(X)                                                                           \
  X(double, config, m.configs, "joint configuration [configs]")                                          \
  X(double, configPrevious, m.configs, "the step before [configs]")                                      \
  X(double, dofVelocity, m.dofs, "[dofs] (rad/s, m/s)")                                                  \
  X(double, dofVelocityPrevious, m.dofs, "[dofs]")                                                       \
  X(double, frameSpin, 9 * m.frames, "W = R' R^T, skew and symmetric part [frames, 9] (1/s)")            \
  X(double, frameSpinPrevious, 9 * m.frames, "[frames, 9]")                                              \
  X(double, frameVelocity, 3 * m.frames, "velocity of the centre of mass [frames, 3] (m/s)")             \
  X(double, frameVelocityPrevious, 3 * m.frames, "[frames, 3]")                                          \
  X(double, displacement, 3 * m.nodes, "u in the rest frame [nodes, 3] (m)")                             \
  X(double, displacementPrevious, 3 * m.nodes, "[nodes, 3]")                                             \
  X(double, nodeVelocity, 3 * m.nodes, "velocity of the points that carry the inertia [nodes, 3] (m/s)") \
  X(double, nodeVelocityPrevious, 3 * m.nodes, "[nodes, 3]")                                             \
  X(double, lastTimeStep, m.actors, "0 before the first step [actors] (s)")                              \
  X(int32_t, history, m.actors, "steps since the state was set, at most 2 [actors]")

namespace dermis {

// Where an energy of a soft is evaluated: not at all, at X + u, or at the posed positions.
enum class TermDomain : int { Off = 0, Rest = 1, Posed = 2 };

// How the Newton system of an actor is solved.
enum class LinearSolverKind : int { Dense = 0, Sparse = 1, ConjugateGradients = 2 };

// Counts of the domains.
struct ModelCounts {
  int32_t actors = 0, frames = 0, dofs = 0, configs = 0, nodes = 0, points = 0, loops = 0, rows = 0;
  int32_t softs = 0, blocks = 0, entries = 0, panels = 0, fields = 0, dense = 0, factorEntries = 0, factorColumns = 0;
  int32_t system = 0;              // numbers of all dense systems, set by the backend
  int32_t materialParameters = 0;  // numbers a lane that every block reserves
};

// A compiled scene: what `compile` makes and a backend uploads. State is that of one world at the start.
struct CompiledModel {
  ModelCounts m;
  std::vector<std::string> actorNames;  // for reports
#define DERMIS_X(type, name, sentence) std::vector<type> name;
  DERMIS_TEMPLATE_FIELDS(DERMIS_X)
#undef DERMIS_X
#define DERMIS_X(type, name, count, sentence) std::vector<type> name;
  DERMIS_PARAMETER_FIELDS(DERMIS_X)
  DERMIS_STATE_FIELDS(DERMIS_X)
#undef DERMIS_X
};

}  // namespace dermis
