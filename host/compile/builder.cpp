#include "host/compile/builder.h"

#include <algorithm>
#include <cmath>

#include "host/compile/convert.h"
#include "host/compile/factor_pattern.h"
#include "host/compile/materials.h"
#include "kernels/joints/list.h"
#include "kernels/skeleton.h"

namespace dermis {

namespace {

int JointKindOf(ArticulatedJointType type) {
  const String& name = EnumName(type);
#define DERMIS_X(kind) \
  if (name == kind::kName) return int(JointKind::kind);
  DERMIS_JOINTS(DERMIS_X)
#undef DERMIS_X
  return int(JointKind::Hard);
}

// The second moment of a body in the rest frame: its own, about its origin, moved there.
SecondMoment RestSecondMoment(const MassProperties& mass, const Affine3d& restFromBody) {
  const Real3x3& j = mass.secondMoment;
  const SecondMoment centered{j[0].x, j[0].y, j[0].z, j[1].y, j[1].z, j[2].z, {0, 0, 0}, mass.mass};
  const Affine3d shift{Mat3d::Identity(), ToVec3(mass.centerOfMass)};
  return Transformed(restFromBody * shift, centered);
}

// The diagonal of the box around points [count, 3].
struct Box {
  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void Add(const double* p) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  }
  Real Diagonal() const { return low.x > high.x ? 0 : Norm(high - low); }
};

}  // namespace

// A frame as any actor gives it.
struct ModelBuilder::FrameSource {
  int parent = -1;
  int joint = 0;
  Affine3d parentFromJoint = Affine3d::Identity(), jointFromLink = Affine3d::Identity(),
           linkFromRest = Affine3d::Identity();
  Vec3d axis{0, 0, 0};
  const ValidatedBody* body = nullptr;
  const ValidatedJoint* params = nullptr;
  double user[kMaxJointDofs] = {};
};

void ModelBuilder::BeginActor(const String& name, ActorType type, const TransformRT& root) {
  m_.actorNames.push_back(name);
  m_.actorFrameBegin.push_back(int(m_.frameParent.size()));
  m_.actorDofBegin.push_back(int(m_.dofFrame.size()));
  m_.actorConfigBegin.push_back(int(m_.config.size()));
  m_.actorNodeBegin.push_back(int(m_.nodeSoft.size()));
  m_.actorPointBegin.push_back(int(m_.pointActor.size()));
  m_.actorLoopBegin.push_back(int(m_.loopFrameA.size()));
  m_.actorBlockBegin.push_back(int(m_.blockSoft.size()));
  m_.actorSoftBegin.push_back(int(m_.softActor.size()));
  Append(m_.actorRoot, ToAffine(root));
  ActorLayout layout;
  layout.name = name;
  layout.type = type;
  layout.actor = int(scene_.actors.size());
  layout.frameBegin = m_.actorFrameBegin.back();
  layout.dofBegin = m_.actorDofBegin.back();
  scene_.actors.push_back(layout);
}

void ModelBuilder::EndActor() {
  ActorLayout& layout = scene_.actors.back();
  layout.frameEnd = int(m_.frameParent.size());
  layout.dofEnd = int(m_.dofFrame.size());
  Box box;
  for (size_t p = size_t(m_.actorPointBegin.back()); p < m_.pointActor.size(); ++p) box.Add(&m_.pointRest[3 * p]);
  for (size_t n = size_t(m_.actorNodeBegin.back()); n < m_.nodeSoft.size(); ++n) box.Add(&m_.nodeRest[3 * n]);
  layout.size = box.Diagonal();
  // A point mass has no size: a metre stands in.
  m_.actorTolerance.push_back(options_.tolerance > 0 ? options_.tolerance
                                                     : 1e-5 * (layout.size > 0 ? layout.size : 1.0));
  m_.lastTimeStep.push_back(0);
  m_.history.push_back(0);

  // Sizes of the system's parts.
  const int dofs = layout.dofEnd - layout.dofBegin, triples = (dofs + 2) / 3;
  const int nodes = int(m_.nodeSoft.size()) - m_.actorNodeBegin.back();
  m_.actorRowBegin.push_back(m_.m.rows);
  m_.actorPanelBegin.push_back(m_.m.panels);
  m_.actorFieldBegin.push_back(m_.m.fields);
  m_.actorDenseBegin.push_back(m_.m.dense);
  m_.m.rows += triples + nodes;
  m_.m.panels += triples * nodes;
  m_.m.fields += dofs * nodes;
  m_.m.dense += 9 * triples * triples;
}

void ModelBuilder::AddFrame(const FrameSource& s) {
  const int frame = int(m_.frameParent.size());
  m_.frameActor.push_back(scene_.actors.back().actor);
  m_.frameParent.push_back(s.parent);
  m_.frameJoint.push_back(s.joint);
  m_.frameDofBegin.push_back(int(m_.dofFrame.size()));
  m_.frameConfigBegin.push_back(int(m_.config.size()));
  Append(m_.frameParentFromJoint, s.parentFromJoint);
  Append(m_.frameJointFromLink, s.jointFromLink);
  Append(m_.frameLinkFromRest, s.linkFromRest);
  Append(m_.frameAxis, s.axis);
  const Affine3d restFromLink = RigidInverse(s.linkFromRest);
  double moment[10];
  Store(moment, RestSecondMoment(s.body->mass, restFromLink));
  m_.frameSecondMoment.insert(m_.frameSecondMoment.end(), moment, moment + 10);
  Append(m_.frameCenter, restFromLink * ToVec3(s.body->mass.centerOfMass));
  m_.frameHasGravity.push_back(s.body->hasGravity ? 1 : 0);
  m_.frameSpin.insert(m_.frameSpin.end(), 9, 0.0);
  m_.frameVelocity.insert(m_.frameVelocity.end(), 3, 0.0);
  scene_.actors.back().frameNames.push_back(s.body->name);
  scene_.actors.back().frameShapes.push_back(s.body->shape);

  VisitJoint(s.joint, [&](auto kind) {
    using Joint = decltype(kind);
    double config[kMaxJointConfig] = {};
    Joint::FromUser(s.user, config);
    m_.config.insert(m_.config.end(), config, config + Joint::Size());
    for (int k = 0; k < Joint::kDofs; ++k) {
      const ValidatedJoint* p = s.params;
      m_.dofFrame.push_back(frame);
      m_.dofVelocity.push_back(0);
      m_.dofArmature.push_back(p ? p->armature : 0);
      m_.dofMinLimit.push_back(p && p->hasLimits ? p->minLimit[k] : -kInfinity);
      m_.dofMaxLimit.push_back(p && p->hasLimits ? p->maxLimit[k] : kInfinity);
      m_.dofLimitStiffness.push_back(p ? p->limitStiffness : 0);
      m_.dofLimitDamping.push_back(p ? p->limitDamping : 0);
      m_.dofViscous.push_back(p ? p->friction.viscous : 0);
      m_.dofCoulomb.push_back(p ? p->friction.coulomb : 0);
      m_.dofFalloffVelocity.push_back(p ? p->friction.falloffVel : 1);
    }
  });
  AddHull(frame, *s.body, restFromLink);
}

void ModelBuilder::AddPoint(const Vec3d& rest) {
  m_.pointActor.push_back(scene_.actors.back().actor);
  Append(m_.pointRest, rest);
  m_.pointInfluenceBegin.push_back(int(m_.pointFrame.size()));
  m_.pointSourceBegin.push_back(int(m_.pointSource.size()));
}

void ModelBuilder::AddHull(int frame, const ValidatedBody& body, const Affine3d& restFromBody) {
  const auto follow = [&](const Vec3d& inBody) {
    AddPoint(restFromBody * inBody);
    m_.pointFrame.push_back(frame);
    m_.pointWeight.push_back(1);
  };
  Box box;
  if (body.shape)
    for (const Real3& node : body.shape->GetNodes()) {
      const double p[3] = {node.x, node.y, node.z};
      box.Add(p);
    }
  if (box.Diagonal() > 0) {
    for (int corner = 0; corner < 8; ++corner)
      follow({corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
              corner & 4 ? box.high.z : box.low.z});
    return;
  }
  // Without a mesh: the centre of mass, and points at the radius of gyration.
  const Vec3d center = ToVec3(body.mass.centerOfMass);
  follow(center);
  if (body.mass.mass <= 0) return;
  const Real3x3& j = body.mass.secondMoment;
  const double radius = std::sqrt(std::max(0.0, j[0].x + j[1].y + j[2].z) / body.mass.mass);
  for (int i = 0; i < 3 && radius > 0; ++i) {
    Vec3d p = center;
    p[i] += radius;
    follow(p);
  }
}

void ModelBuilder::AddRigid(const ValidatedRigid& rigid) {
  BeginActor(rigid.body.name, ActorType::Rigid, {});
  FrameSource source;
  source.joint = int(JointKind::Free);
  // The degrees of freedom are the world position of the centre of mass and the rotation about it.
  source.jointFromLink = {Mat3d::Identity(), -ToVec3(rigid.body.mass.centerOfMass)};
  source.body = &rigid.body;
  const Real3 center = rigid.worldFromLocal * rigid.body.mass.centerOfMass;
  const Quaternion q = Normalized(rigid.worldFromLocal.rotation);
  const Vec3d rotation = LogQuat({q.x, q.y, q.z, q.w});
  for (int i = 0; i < 3; ++i) {
    source.user[i] = center[i];
    source.user[3 + i] = rotation[i];
  }
  AddFrame(source);
  for (int i = 0; i < 3; ++i) {
    m_.dofVelocity[m_.dofVelocity.size() - 6 + i] = rigid.linearVelocity[i];
    m_.dofVelocity[m_.dofVelocity.size() - 3 + i] = rigid.angularVelocity[i];
  }
  EndActor();
}

void ModelBuilder::AddSoft(const ValidatedSoft& soft) {
  BeginActor(soft.name, ActorType::Soft, {});
  AddSoftVolume(soft, soft.worldFromLocal, 0, false);
  EndActor();
}

void ModelBuilder::AddArticulated(const ValidatedArticulated& articulated) {
  BeginActor(articulated.name, ActorType::Articulated, articulated.worldFromRoot);
  const int frameBegin = scene_.actors.back().frameBegin, dofBegin = scene_.actors.back().dofBegin;
  for (size_t i = 0; i < articulated.links.size(); ++i) {
    const ValidatedJoint& joint = articulated.joints[i];
    FrameSource source;
    source.parent = joint.parentLink < 0 ? -1 : frameBegin + joint.parentLink;
    source.joint = JointKindOf(joint.type);
    source.parentFromJoint = ToAffine(joint.parentLinkFromJoint);
    source.jointFromLink = {Mat3d::Identity(), ToVec3(joint.jointFromLink)};
    source.linkFromRest = ToAffine(articulated.links[i].linkFromRestFrame);
    source.axis = ToVec3(joint.axis);
    source.body = &articulated.links[i].body;
    source.params = &joint;
    AddFrame(source);
  }
  for (size_t k = 0; k < articulated.jointVelocities.size(); ++k)
    m_.dofVelocity[dofBegin + k] = articulated.jointVelocities[k];
  for (const ValidatedCycle& cycle : articulated.cycles) {
    const auto restFrom = [&](int link) { return RigidInverse(ToAffine(articulated.links[link].linkFromRestFrame)); };
    m_.loopFrameA.push_back(frameBegin + cycle.parentLink);
    m_.loopFrameB.push_back(frameBegin + cycle.childLink);
    Append(m_.loopPointA, restFrom(cycle.parentLink) * ToVec3(cycle.pointInParent));
    Append(m_.loopPointB, restFrom(cycle.childLink) * ToVec3(cycle.pointInChild));
    m_.loopStiffness.push_back(cycle.stiffness);
  }
  for (const ValidatedSoft& soft : articulated.softs) AddSoftVolume(soft, {}, frameBegin, true);
  if (articulated.skin) AddSkin(*articulated.skin);
  EndActor();
}

void ModelBuilder::AddSkin(const ValidatedSkin& skin) {
  ActorLayout& layout = scene_.actors.back();
  layout.skinBegin = int(m_.pointActor.size());
  size_t blend = 0;  // sorted by vertex
  DynamicArray<SkinBlend> blends = skin.blend;
  std::stable_sort(blends.begin(), blends.end(),
                   [](const SkinBlend& a, const SkinBlend& b) { return a.vertex < b.vertex; });
  for (size_t vertex = 0; vertex < skin.nodes.size(); ++vertex) {
    AddPoint(ToVec3(skin.nodes[vertex]));
    for (int k = skin.skinning.offsets[vertex]; k < skin.skinning.offsets[vertex + 1]; ++k) {
      m_.pointFrame.push_back(layout.frameBegin + skin.skinning.frames[k]);
      m_.pointWeight.push_back(skin.skinning.weights[k]);
    }
    for (; blend < blends.size() && blends[blend].vertex == int(vertex); ++blend) {
      m_.pointSource.push_back(layout.softs[blends[blend].soft].nodeBegin + blends[blend].node);
      m_.pointSourceWeight.push_back(blends[blend].weight);
    }
  }
  layout.skinEnd = int(m_.pointActor.size());
  layout.skinTriangles = skin.triangles;
}

CompiledScene ModelBuilder::Finish(const SceneSettings& settings) {
  const auto close = [](std::vector<int32_t>& begin, size_t end) { begin.push_back(int32_t(end)); };
  close(m_.actorFrameBegin, m_.frameParent.size());
  close(m_.actorDofBegin, m_.dofFrame.size());
  close(m_.actorConfigBegin, m_.config.size());
  close(m_.actorNodeBegin, m_.nodeSoft.size());
  close(m_.actorPointBegin, m_.pointActor.size());
  close(m_.actorLoopBegin, m_.loopFrameA.size());
  close(m_.actorBlockBegin, m_.blockSoft.size());
  close(m_.actorSoftBegin, m_.softActor.size());
  close(m_.actorRowBegin, size_t(m_.m.rows));
  close(m_.actorPanelBegin, size_t(m_.m.panels));
  close(m_.actorFieldBegin, size_t(m_.m.fields));
  close(m_.actorDenseBegin, size_t(m_.m.dense));
  close(m_.softNodeBegin, m_.nodeSoft.size());
  close(m_.softBlockBegin, m_.blockSoft.size());
  close(m_.nodeInfluenceBegin, m_.nodeFrame.size());
  close(m_.nodeRowBegin, m_.entryNode.size());
  close(m_.nodeGatherBegin, m_.nodeGather.size());
  close(m_.entryGatherBegin, m_.entryGather.size());
  close(m_.pointInfluenceBegin, m_.pointFrame.size());
  close(m_.pointSourceBegin, m_.pointSource.size());
  TransposeInfluences();
  SortBlocksByMaterial();
  m_.gravity = {settings.gravity.x, settings.gravity.y, settings.gravity.z};
  m_.configPrevious = m_.config;
  m_.dofVelocityPrevious.assign(m_.dofVelocity.size(), 0);
  m_.frameSpinPrevious.assign(m_.frameSpin.size(), 0);
  m_.frameVelocityPrevious.assign(m_.frameVelocity.size(), 0);
  m_.displacementPrevious = m_.displacement;
  m_.nodeVelocityPrevious.assign(m_.nodeVelocity.size(), 0);

  ModelCounts& n = m_.m;
  n.actors = int(scene_.actors.size());
  n.frames = int(m_.frameParent.size());
  n.dofs = int(m_.dofFrame.size());
  n.configs = int(m_.config.size());
  n.nodes = int(m_.nodeSoft.size());
  n.points = int(m_.pointActor.size());
  n.loops = int(m_.loopFrameA.size());
  n.softs = int(m_.softActor.size());
  n.blocks = int(m_.blockSoft.size());
  n.entries = int(m_.entryNode.size());
  n.materialParameters = MaxMaterialParameters();

  m_.factorColumnBegin.assign(1, 0);
  m_.factorUpdateBegin.assign(1, 0);
  m_.actorFactorBegin.assign(1, 0);
  for (int a = 0; a < n.actors; ++a) ChooseSolver(m_, a);
  n.factorColumns = int(m_.factorPermutation.size());
  n.factorEntries = int(m_.factorRow.size());

  return std::move(scene_);
}

}  // namespace dermis
