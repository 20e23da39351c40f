// The last rung: steps of a scene small enough to be written down here. A rigid body and a stretched tetrahedron fall.
#include <cmath>

#include "engine/ladder.h"
#include "engine/simulation.h"
#include "kernels/materials/list.h"

DERMIS_NAMESPACE_BEGIN

std::unique_ptr<Simulation> CreateSimulation(const CompiledModel& model, const SimulationOptions& options);

namespace {

constexpr double kEdge = 0.1, kDensity = 1000, kGravity = -9.81, kStretch = 1.05;
constexpr double kIdentity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
// The corner tetrahedron of a cube.
constexpr double kCorner[12] = {0, 0, 0, kEdge, 0, 0, 0, kEdge, 0, 0, 0, kEdge};

// Actor 0: a rigid cross of point masses on a free joint, with four points to measure its motion by. Actor 1: one
// tetrahedron. All ranges [actors + 1] and sizes are as engine/model.h says.
CompiledModel FallingModel(LinearSolverKind solver) {
  CompiledModel c;
  const std::vector<double> frame(kIdentity, kIdentity + 12), corner(kCorner, kCorner + 12);
  c.m.actors = 2, c.m.frames = 1, c.m.dofs = 6, c.m.configs = 7, c.m.nodes = 4, c.m.points = 4, c.m.rows = 6;
  c.m.softs = 1, c.m.blocks = 1, c.m.entries = 16, c.m.dense = 36,
  c.m.materialParameters = NeoHookean<double>::kParameters;
  c.actorNames = {"Rigid", "Soft"};
  c.actorFrameBegin = {0, 1, 1}, c.actorDofBegin = {0, 6, 6}, c.actorConfigBegin = {0, 7, 7},
  c.actorNodeBegin = {0, 0, 4};
  c.actorPointBegin = {0, 4, 4}, c.actorLoopBegin = {0, 0, 0}, c.actorRowBegin = {0, 2, 6},
  c.actorBlockBegin = {0, 0, 1};
  c.actorSoftBegin = {0, 0, 1}, c.actorPanelBegin = {0, 0, 0}, c.actorFieldBegin = {0, 0, 0},
  c.actorDenseBegin = {0, 36, 36};
  c.actorSolver = {int(solver), int(solver)}, c.actorFactorBegin = {0, 0, 0}, c.factorColumnBegin = {0},
  c.factorUpdateBegin = {0};

  c.frameActor = {0}, c.frameParent = {-1}, c.frameJoint = {0}, c.frameDofBegin = {0}, c.frameConfigBegin = {0};
  c.frameParentFromJoint = c.frameJointFromLink = c.frameLinkFromRest = frame;
  c.frameAxis = {0, 0, 1}, c.frameSecondMoment = {0.01, 0, 0, 0.02, 0, 0.03, 0, 0, 0, 2}, c.frameCenter = {0, 0, 0};
  c.frameHasGravity = {1}, c.frameNodeBegin = {0, 0}, c.dofFrame.assign(6, 0);
  c.pointActor.assign(4, 0), c.pointRest = corner, c.pointInfluenceBegin = {0, 1, 2, 3, 4}, c.pointFrame.assign(4, 0);
  c.pointWeight.assign(4, 1.0), c.pointSourceBegin.assign(5, 0);

  c.softActor = {1}, c.softNodeBegin = {0, 4}, c.softBlockBegin = {0, 1}, c.softIsRigid = {0};
  c.softStress = c.softInertia = c.softGravity = {int(TermDomain::Rest)};
  c.nodeSoft.assign(4, 0), c.nodeConstrained.assign(4, 0), c.nodeRest = corner, c.nodeInfluenceBegin.assign(5, 0);
  const double volume = kEdge * kEdge * kEdge / 6, mass = kDensity * volume;
  c.nodeMass.assign(4, mass / 4), c.nodeRowBegin = {0, 4, 8, 12, 16}, c.nodeGatherBegin = {0, 1, 2, 3, 4},
                                  c.nodeGather = {0, 1, 2, 3};
  c.entryGatherBegin = {0};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      c.entryNode.push_back(j), c.entryMass.push_back(mass / 20 * (i == j ? 2 : 1));
      c.entryGather.push_back(4 * i + j), c.entryGatherBegin.push_back(4 * i + j + 1);
    }
  c.blockSoft = {0}, c.blockMaterial = {0}, c.materialBlockBegin = {0, 1, 1}, c.blockOrder = {0};
  c.elementNode.assign(32, 0), c.elementGradient.assign(72, 0.0), c.elementVolume.assign(8, 0.0);
  c.elementVolume[0] = volume;
  for (int a = 0; a < 4; ++a) c.elementNode[8 * a] = a;
  for (int a = 0; a < 3; ++a) c.elementGradient[32 * a] = 1 / kEdge;

  c.gravity = {0, kGravity, 0}, c.actorTolerance = {1e-10, 1e-10}, c.actorRoot = frame;
  c.actorRoot.insert(c.actorRoot.end(), kIdentity, kIdentity + 12);
  c.dofArmature = c.dofLimitStiffness = c.dofLimitDamping = c.dofViscous = c.dofCoulomb = std::vector<double>(6, 0.0);
  c.dofMinLimit.assign(6, -1e9), c.dofMaxLimit.assign(6, 1e9), c.dofFalloffVelocity.assign(6, 1.0);
  c.softMassDamping = c.softStiffnessDamping = {0}, c.softPsdStrategy = {0};
  c.blockMaterialParameters.assign(16, 0.3);
  for (int lane = 0; lane < 8; ++lane) c.blockMaterialParameters[lane] = 1e5;  // Young's modulus [Pa]
  c.nodeFixed.assign(4, 0), c.nodeTarget.assign(12, 0.0);

  c.config = c.configPrevious = {0, 0, 0, 0, 0, 0, 1};
  c.dofVelocity = c.dofVelocityPrevious = std::vector<double>(6, 0.0);
  c.frameSpin = c.frameSpinPrevious = std::vector<double>(9, 0.0);
  c.frameVelocity = c.frameVelocityPrevious = std::vector<double>(3, 0.0);
  c.displacement = corner;
  for (double& u : c.displacement) u *= kStretch - 1;
  c.displacementPrevious = c.displacement;
  c.nodeVelocity = c.nodeVelocityPrevious = std::vector<double>(12, 0.0);
  c.lastTimeStep = {0, 0}, c.history = {0, 0};
  return c;
}

// Whether two numbers agree to the round-off of some steps of this scene.
bool Near(double a, double b) { return std::abs(a - b) <= 1e-12; }

}  // namespace

std::string LadderStep() {
  constexpr double dt = 0.01;
  for (const auto solver : {LinearSolverKind::Dense, LinearSolverKind::ConjugateGradients}) {
    SimulationOptions options;
    options.worlds = 2;
    const std::string with = solver == LinearSolverKind::Dense ? " with the dense solver" : " with conjugate gradients";
    const auto simulation = CreateSimulation(FallingModel(solver), options);
    // Implicit Euler from rest: after n steps everything has fallen by g dt^2 n (n + 1)/2, whatever goes on inside.
    for (int n = 1; n <= 3; ++n) {
      simulation->Step(dt);
      const double fall = kGravity * dt * dt * n * (n + 1) / 2;
      for (int world = 0; world < options.worlds; ++world) {
        for (int actor = 0; actor < 2; ++actor)
          if (!simulation->Report(world, actor).Has(StepFlag::Converged)) return "a step does not converge" + with;
        const std::vector<double> points = simulation->PointPositions(world), nodes = simulation->NodePositions(world);
        for (int i = 0; i < 12; ++i)
          if (!Near(points[i], kCorner[i] + (i % 3 == 1 ? fall : 0)))
            return "the rigid body does not fall as it should" + with;
        for (int k = 0; k < 3; ++k) {
          const double center = (nodes[k] + nodes[3 + k] + nodes[6 + k] + nodes[9 + k]) / 4;
          if (!Near(center, kStretch * kEdge / 4 + (k == 1 ? fall : 0)))
            return "the tetrahedron's centre does not fall as it should" + with;
        }
        // It was stretched alike in all directions, and pulls itself together.
        const double edge = nodes[3] - nodes[0];
        if (!(edge < kStretch * kEdge) || !Near(edge, nodes[7] - nodes[1]) || !Near(edge, nodes[11] - nodes[2]))
          return "the tetrahedron does not contract as it should" + with;
      }
    }
  }
  return "";
}

DERMIS_NAMESPACE_END
