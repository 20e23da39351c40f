#include "host/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>

#include "engine/registry.h"
#include "host/compile/materials.h"
#include "host/validate.h"
#include "kernels/joints/list.h"
#include "kernels/materials/list.h"
#include "kernels/skeleton.h"

namespace dermis {

namespace {

constexpr Real kMinTimeStep = 1e-12;  // [s]; below, 1/dt^2 drowns every other term

// Affine maps as the engine stores them: rows of the 3x4 matrix.
Affine3d ReadAffine(const double* p) {
  return {{{{p[0], p[1], p[2]}, {p[4], p[5], p[6]}, {p[8], p[9], p[10]}}}, {p[3], p[7], p[11]}};
}
Vec3d ReadVec3(const double* p) { return {p[0], p[1], p[2]}; }
Real3 ToReal3(const Vec3d& v) { return {v.x, v.y, v.z}; }

// The unit quaternion of a rotation matrix, w >= 0: the largest of four candidates is the stable one.
Quaternion ToQuaternion(const Mat3d& r) {
  const double trace = Trace(r);
  const double candidates[4] = {1 + 2 * r(0, 0) - trace, 1 + 2 * r(1, 1) - trace, 1 + 2 * r(2, 2) - trace, 1 + trace};
  const int k = int(std::max_element(candidates, candidates + 4) - candidates);
  Quaternion q;
  if (k == 3) {
    q = {r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1), candidates[3]};
  } else {
    const int i = k, j = (k + 1) % 3, l = (k + 2) % 3;
    double v[3];
    v[i] = candidates[k];
    v[j] = r(i, j) + r(j, i);
    v[l] = r(i, l) + r(l, i);
    q = {v[0], v[1], v[2], r(l, j) - r(j, l)};
  }
  q = Normalized(q);
  return q.w < 0 ? Quaternion{-q.x, -q.y, -q.z, -q.w} : q;
}

DynamicArray<Real3> Slice(const std::vector<double>& positions, int begin, int end) {
  DynamicArray<Real3> result;
  result.reserve(size_t(end - begin));
  for (int i = begin; i < end; ++i)
    result.push_back({positions[3 * size_t(i)], positions[3 * size_t(i) + 1], positions[3 * size_t(i) + 2]});
  return result;
}

// Energy density of a material kind from its parameters, lane `lane` of a block.
double EnergyDensity(int kind, const double* parameters, int lane, const Mat3d& f) {
  int k = 0;
#define DERMIS_X(name)                                                                        \
  if (kind == k++) {                                                                          \
    double values[name<double>::kParameters];                                                 \
    for (int i = 0; i < name<double>::kParameters; ++i) values[i] = parameters[8 * i + lane]; \
    return name<double>(values).Energy(f);                                                    \
  }
  DERMIS_MATERIALS(DERMIS_X)
#undef DERMIS_X
  return 0;
}

std::unique_ptr<Simulation> CreateSimulation(const CompiledModel& model, const SceneOptions& options,
                                             const SceneSettings& settings, String& backendName, Error& error) {
  std::string why;
  const BackendTable* backend = ChooseBackend(options.backend, why);
  if (!backend) {
    error.Set("backend \"" + options.backend + "\": " + why);
    return nullptr;
  }
  SimulationOptions simulation;
  simulation.worlds = options.numWorlds;
  simulation.threads = options.numThreads;
  simulation.maxNewtonIterations = options.maxNewtonIterations;
  simulation.timePhases = options.timePhases;
  const IntegrationMethod method = options.integrationMethod.value_or(settings.solver.integrationMethod);
  if (method == IntegrationMethod::BDF2) {
    simulation.integration = TimeIntegration::BDF2;
  } else if (method != IntegrationMethod::BackwardEuler) {
    error.Set("scene.solver.integrationMethod: " + EnumName(method) + " is not supported; use BackwardEuler or BDF2");
    return nullptr;
  }
  try {
    backendName = backend->name;
    return backend->create(model, simulation);
  } catch (const std::exception& e) {
    error.Set("backend " + backendName + ": " + e.what());
    return nullptr;
  }
}

}  // namespace

Scene::~Scene() = default;

std::unique_ptr<Scene> Scene::Create(const SceneDescription& description, const SceneOptions& options, Error& error) {
  if (!error.IsOK()) return nullptr;
  if (options.numWorlds < 1) error.Set("numWorlds: " + std::to_string(options.numWorlds) + " is not a positive number");
  if (options.numThreads < 1)
    error.Set("numThreads: " + std::to_string(options.numThreads) + " is not a positive number");
  if (!(options.tolerance >= 0))
    error.Set("tolerance: " + std::to_string(options.tolerance) + " is not a length; 0 asks for the default");
  const ValidatedScene validated = Validate(description, error);
  if (!error.IsOK()) return nullptr;
  std::unique_ptr<Scene> scene(new Scene);
  scene->compiled_ = Compile(validated, {options.tolerance, options.fixConstrainedNodes});
  scene->notes_ = description.notes;
  scene->notes_.insert(scene->notes_.end(), validated.GetNotes().begin(), validated.GetNotes().end());
  scene->simulation_ =
      CreateSimulation(scene->compiled_.model, options, validated.GetSettings(), scene->backendName_, error);
  if (!scene->simulation_) return nullptr;
  for (int world = 0; world < options.numWorlds; ++world) scene->simulation_->VelocitiesFromJoints(world);

  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const std::vector<double>& positions :
       {scene->simulation_->NodePositions(0), scene->simulation_->PointPositions(0)})
    for (size_t k = 0; k < positions.size(); ++k) {
      low[int(k % 3)] = std::min(low[int(k % 3)], positions[k]);
      high[int(k % 3)] = std::max(high[int(k % 3)], positions[k]);
    }
  scene->size_ = low.x > high.x ? 0 : Norm(high - low);
  return scene;
}

void Scene::Step(Real dt, Error& error) {
  if (!error.IsOK()) return;
  if (!(dt >= kMinTimeStep) || !std::isfinite(dt)) {
    error.Set(
        fmt::format("dt: {} is outside [{:g}, inf); a time step is a positive number of seconds", dt, kMinTimeStep));
    return;
  }
  simulation_->Step(dt);
  time_ += dt;
}

int Scene::GetNumWorlds() const { return simulation_->Worlds(); }
const PhaseTimes& Scene::GetStepTimes() const { return simulation_->Times(); }
const IslandReport& Scene::GetReport(const ActorLayout& actor, int world) const {
  return simulation_->Report(world, actor.actor);
}

ConvergenceStatus Scene::GetConvergenceStatus() const {
  auto worst = ConvergenceStatus::None;
  for (int world = 0; world < simulation_->Worlds(); ++world)
    for (const ActorLayout& actor : compiled_.actors) {
      const IslandReport& report = GetReport(actor, world);
      const auto status = report.Has(StepFlag::Diverged)    ? ConvergenceStatus::Diverged
                          : report.Has(StepFlag::Converged) ? ConvergenceStatus::Converged
                          : report.Has(StepFlag::Stopped)   ? ConvergenceStatus::Stopped
                                                            : ConvergenceStatus::None;
      worst = std::max(worst, status);
    }
  return worst;
}

ArticulatedState Scene::GetArticulatedState(const ActorLayout& actor, int world) const {
  const std::vector<double> config = simulation_->GetState("config", world),
                            velocity = simulation_->GetState("dofVelocity", world);
  ArticulatedState state;
  for (int f = actor.frameBegin; f < actor.frameEnd; ++f)
    VisitJoint(compiled_.model.frameJoint[f], [&](auto kind) {
      using Joint = decltype(kind);
      double q[Joint::kDofs + 1];
      Joint::ToUser(config.data() + compiled_.model.frameConfigBegin[f], q);
      state.q.insert(state.q.end(), q, q + Joint::kDofs);
    });
  state.qd.assign(velocity.begin() + actor.dofBegin, velocity.begin() + actor.dofEnd);
  return state;
}

RigidState Scene::GetRigidState(const ActorLayout& actor, int world) const {
  const int frame = actor.frameBegin;
  const Affine3d a = ReadAffine(simulation_->FrameTransforms(world).data() + 12 * frame);
  const std::vector<double> velocity = simulation_->GetState("dofVelocity", world);
  const std::vector<double> linear = simulation_->GetState("frameVelocity", world);
  RigidState state;
  state.centerOfMass = ToReal3(a * ReadVec3(compiled_.model.frameCenter.data() + 3 * frame));
  state.rotation = ToQuaternion(a.linear);
  state.linearVelocity = ToReal3(ReadVec3(linear.data() + 3 * frame));
  state.angularVelocity = ToReal3(ReadVec3(velocity.data() + actor.dofBegin + 3));
  return state;
}

DynamicArray<Real3> Scene::GetNodePositions(const SoftLayout& soft, int world) const {
  return Slice(simulation_->NodePositions(world), soft.nodeBegin, soft.nodeEnd);
}
DynamicArray<Real3> Scene::GetSkinPositions(const ActorLayout& actor, int world) const {
  return Slice(simulation_->PointPositions(world), actor.skinBegin, actor.skinEnd);
}

DynamicArray<TransformRT> Scene::GetLinkTransforms(const ActorLayout& actor, int world) const {
  const std::vector<double> frames = simulation_->FrameTransforms(world);
  DynamicArray<TransformRT> result;
  for (int f = actor.frameBegin; f < actor.frameEnd; ++f) {
    const Affine3d link = ReadAffine(frames.data() + 12 * f) *
                          RigidInverse(ReadAffine(compiled_.model.frameLinkFromRest.data() + 12 * f));
    result.push_back({ToQuaternion(link.linear), ToReal3(link.translation)});
  }
  return result;
}

Real Scene::GetElasticEnergy(const SoftLayout& soft, int world) const {
  const CompiledModel& m = compiled_.model;
  if (m.softStress[soft.soft] == int(TermDomain::Off)) return 0;
  const bool posed = m.softStress[soft.soft] == int(TermDomain::Posed);
  const std::vector<double> positions =
      posed ? simulation_->NodePositions(world) : simulation_->GetState("displacement", world);
  const std::vector<double> parameters = simulation_->GetParameter("blockMaterialParameters", world);
  Real energy = 0;
  for (int block = m.softBlockBegin[soft.soft], first = block; block < first + int((soft.tets.size() + 7) / 8); ++block)
    for (int lane = 0; lane < 8; ++lane) {
      const double* g = &m.elementGradient[72 * size_t(block) + lane];
      Vec3d x[4], gradient[3];
      for (int a = 0; a < 4; ++a)
        x[a] = ReadVec3(&positions[3 * size_t(m.elementNode[32 * size_t(block) + 8 * a + lane])]);
      for (int a = 0; a < 3; ++a) gradient[a] = {g[24 * a], g[24 * a + 8], g[24 * a + 16]};
      Mat3d f = DeformationGradient(x, gradient);
      if (!posed) f += Mat3d::Identity();
      energy += m.elementVolume[8 * size_t(block) + lane] *
                EnergyDensity(m.blockMaterial[block], &parameters[8 * size_t(m.m.materialParameters) * block], lane, f);
    }
  return energy;
}

SceneEnergies Scene::GetEnergies(int world) const {
  const CompiledModel& m = compiled_.model;
  const std::vector<double> nodes = simulation_->NodePositions(world), frames = simulation_->FrameTransforms(world);
  const std::vector<double> nodeVelocity = simulation_->GetState("nodeVelocity", world);
  const std::vector<double> frameVelocity = simulation_->GetState("frameVelocity", world),
                            spin = simulation_->GetState("frameSpin", world);
  const std::vector<double> gravityParameter = simulation_->GetParameter("gravity", world);
  const Vec3d gravity = ReadVec3(gravityParameter.data());
  SceneEnergies sum;
  Vec3d linear{0, 0, 0}, angular{0, 0, 0};

  // Frames: v(x) = W (x - c) + v_c, with the second moment about the centre of mass.
  for (int f = 0; f < m.m.frames; ++f) {
    const SecondMoment j = LoadSecondMoment(&m.frameSecondMoment[10 * size_t(f)]);
    if (j.mass <= 0) continue;
    const Affine3d a = ReadAffine(&frames[12 * size_t(f)]);
    const Vec3d center = a * ReadVec3(&m.frameCenter[3 * size_t(f)]),
                velocity = ReadVec3(&frameVelocity[3 * size_t(f)]);
    const Mat3d w{
        {ReadVec3(&spin[9 * size_t(f)]), ReadVec3(&spin[9 * size_t(f) + 3]), ReadVec3(&spin[9 * size_t(f) + 6])}};
    SecondMoment moment = Transformed(Affine3d{a.linear, a.translation - center}, j);
    sum.kinetic += 0.5 * (Inner(w * moment.Matrix(), w) + j.mass * NormSquared(velocity));
    sum.gravitational -= m.frameHasGravity[f] * j.mass * Dot(gravity, center);
    linear += j.mass * velocity;
    // sum m r x W r = the axial part of W J, twice, with the sign of Axial
    angular += j.mass * Cross(center, velocity) + 2.0 * Axial(w * moment.Matrix());
  }
  // Nodes: v^T M v, on the points that carry the inertia.
  for (int n = 0; n < m.m.nodes; ++n) {
    const int soft = m.nodeSoft[n];
    if (m.softInertia[soft] != int(TermDomain::Off)) {
      Vec3d momentum{0, 0, 0};
      for (int e = m.nodeRowBegin[n]; e < m.nodeRowBegin[n + 1]; ++e)
        momentum += m.entryMass[e] * ReadVec3(&nodeVelocity[3 * size_t(m.entryNode[e])]);
      sum.kinetic += 0.5 * Dot(ReadVec3(&nodeVelocity[3 * size_t(n)]), momentum);
      linear += momentum;
      angular += Cross(ReadVec3(&nodes[3 * size_t(n)]), momentum);
    }
    if (m.softGravity[soft] != int(TermDomain::Off))
      sum.gravitational -= m.nodeMass[n] * Dot(gravity, ReadVec3(&nodes[3 * size_t(n)]));
  }
  for (const ActorLayout& actor : compiled_.actors)
    for (const SoftLayout& soft : actor.softs) sum.elastic += GetElasticEnergy(soft, world);
  sum.linearMomentum = ToReal3(linear);
  sum.angularMomentum = ToReal3(angular);
  return sum;
}

uint64_t Scene::GetStateHash() const {
  uint64_t hash = 0xcbf29ce484222325ull;
  const auto add = [&hash](const std::vector<double>& values) {
    for (double value : values) {
      unsigned char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
    }
  };
  for (int world = 0; world < simulation_->Worlds(); ++world) {
#define DERMIS_X(type, name, count, sentence) add(simulation_->GetState(#name, world));
    DERMIS_STATE_FIELDS(DERMIS_X)
#undef DERMIS_X
  }
  return hash;
}

}  // namespace dermis
