// A scene that runs: actors compiled to the flat model, on a backend, advanced step by step.
#pragma once

#include <memory>

#include "engine/simulation.h"
#include "host/compile/compile.h"
#include "host/error.h"
#include "host/params/scene.h"

namespace dermis {

struct SceneOptions {
  String backend;                                 // "cpu", "cuda" or the name of one build, as in cpu_v3; "" is cpu
  int numThreads = 1;                             // CPU only
  int numWorlds = 1;                              // copies of the scene, stepped together
  Optional<IntegrationMethod> integrationMethod;  // default: the scene's
  Real tolerance = 0;                             // [m]; 0: 1e-5 of the size of each actor
  int maxNewtonIterations = 50;
  bool fixConstrainedNodes = false;  // fix the constrained nodes of standalone soft actors at rest
  bool timePhases = false;           // measure StepTimes
};

// Energies [J], momentum [kg m/s] and mass [kg] of one world.
struct SceneEnergies {
  Real kinetic = 0;
  Real elastic = 0;        // relative to rest
  Real gravitational = 0;  // relative to the world's origin
  Real Total() const { return kinetic + elastic + gravitational; }
  Real3 linearMomentum;
  Real3 angularMomentum;  // about the world's origin [kg m^2/s]
};

// Pose and velocity of one articulated actor: [dofs], in the order of its joints; rotations as rotation vectors.
struct ArticulatedState {
  DynamicArray<Real> q;
  DynamicArray<Real> qd;
};

// A rigid body: world position of the centre of mass [m], world-from-local rotation.
struct RigidState {
  Real3 centerOfMass;
  Quaternion rotation;
  Real3 linearVelocity;   // [m/s]
  Real3 angularVelocity;  // world frame [rad/s]
};

class Scene {
 public:
  // Validates, compiles and uploads. nullptr when `error` is set: all problems of the description are in it.
  static std::unique_ptr<Scene> Create(const SceneDescription& description, const SceneOptions& options, Error& error);
  ~Scene();

  // Advances all worlds by dt > 0 [s]. Never fails because of what the state contains; see GetReport.
  void Step(Real dt, Error& error);
  Real GetTotalSimulationTime() const { return time_; }
  int GetNumWorlds() const;

  // The actors in the order rigid (dynamic only), soft, articulated, soft-skinned.
  const DynamicArray<ActorLayout>& GetActors() const { return compiled_.actors; }
  // What was put in order, ignored or looks wrong, a sentence each.
  const DynamicArray<String>& GetNotes() const { return notes_; }
  const String& GetBackendName() const { return backendName_; }
  // Diagonal of the bounding box of all points at the start [m].
  Real GetSize() const { return size_; }

  // How the last step of an actor ended.
  const IslandReport& GetReport(const ActorLayout& actor, int world = 0) const;
  // The worst of all actors and worlds.
  ConvergenceStatus GetConvergenceStatus() const;
  const PhaseTimes& GetStepTimes() const;

  ArticulatedState GetArticulatedState(const ActorLayout& actor, int world = 0) const;
  RigidState GetRigidState(const ActorLayout& actor, int world = 0) const;
  // World positions [nodes] of a soft, [vertices] of the skin of an articulated actor [m].
  DynamicArray<Real3> GetNodePositions(const SoftLayout& soft, int world = 0) const;
  DynamicArray<Real3> GetSkinPositions(const ActorLayout& actor, int world = 0) const;
  // World transform of each link, [links]: from the link's own frame.
  DynamicArray<TransformRT> GetLinkTransforms(const ActorLayout& actor, int world = 0) const;
  // Elastic energy of a soft, relative to rest [J].
  Real GetElasticEnergy(const SoftLayout& soft, int world = 0) const;
  SceneEnergies GetEnergies(int world = 0) const;
  // 64-bit FNV-1a of the state of all worlds, bit for bit: equal runs have equal hashes.
  uint64_t GetStateHash() const;

  // Boundary conditions of a standalone soft actor: nodes whose world positions are prescribed from the next step on,
  // until cleared; what was added last wins. positions [nodes] [m]. Refused for nested softs, whose constrained nodes
  // follow the skeleton, and for node indices out of range; nothing is changed then. world < 0: all worlds.
  void AddBoundaryConditionNodesWorld(const SoftLayout& soft, const DynamicArray<int>& nodes,
                                      const DynamicArray<Real3>& positions, Error& error, int world = -1);
  // The constrained nodes of the actor's shape, at their rest positions.
  void AddBoundaryConditionConstrainedNodesAtRest(const SoftLayout& soft, Error& error, int world = -1);
  void ClearBoundaryConditions(const SoftLayout& soft, Error& error, int world = -1);

  Simulation& GetSimulation() { return *simulation_; }
  const CompiledModel& GetModel() const { return compiled_.model; }

 private:
  Scene() = default;
  bool CheckBoundaryConditions(const SoftLayout& soft, int world, Error& error) const;
  CompiledScene compiled_;
  std::unique_ptr<Simulation> simulation_;
  DynamicArray<String> notes_;
  String backendName_;
  Real time_ = 0;
  Real size_ = 0;
};

}  // namespace dermis
