// Appends actors to a flat model, domain by domain.
#pragma once

#include "host/compile/compile.h"
#include "kernels/linalg.h"

namespace dermis {

class ModelBuilder {
 public:
  explicit ModelBuilder(const CompileOptions& options) : options_(options) {}
  void AddRigid(const ValidatedRigid& rigid);
  void AddSoft(const ValidatedSoft& soft);
  void AddArticulated(const ValidatedArticulated& articulated);
  // Closes the ranges and makes what depends on all actors.
  CompiledScene Finish(const SceneSettings& settings);

 private:
  struct FrameSource;
  void BeginActor(const String& name, ActorType type, const TransformRT& root);
  void EndActor();
  void AddFrame(const FrameSource& source);
  // Points that follow one frame and bound a body: its motion is at most theirs.
  void AddHull(int frame, const ValidatedBody& body, const Affine3d& restFromBody);
  void AddPoint(const Vec3d& rest);
  void AddSoftVolume(const ValidatedSoft& soft, const TransformRT& place, int frameBegin, bool nested);
  void AddSkin(const ValidatedSkin& skin);
  void AddElements(const ValidatedSoft& soft, int softIndex, int nodeBegin);
  void AddPattern(const ValidatedSoft& soft, int nodeBegin);
  void TransposeInfluences();
  void SortBlocksByMaterial();

  CompileOptions options_;
  CompiledScene scene_;
  CompiledModel& m_ = scene_.model;
};

}  // namespace dermis
