// The steps of validation. Each appends to the report and fills its part of the result, which counts only when the
// report ends without problems.
#pragma once

#include <algorithm>

#include "host/params/codec.h"
#include "host/validated.h"

namespace dermis {

struct ValidationReport {
  DynamicArray<String> problems;
  DynamicArray<String> notes;
  // Where the value checked now stands: "" or "actors.rigid[0].".
  void Problem(const String& path, const String& text) { problems.push_back(path + ": " + text); }
  void Note(const String& path, const String& text) { notes.push_back(path + ": " + text); }
};

// "a.b" under a prefix that may be empty.
inline String Under(const String& path, const String& field) { return path.empty() ? field : path + "." + field; }

// Checks all values against the ranges of the tables. `label` gives the name to mention for a path, or "".
template <class S>
void CheckRanges(const S& params, const String& path, ValidationReport& report,
                 const std::function<String(const PathNode&)>& label = {}) {
  Codec<S>::Check(params, {}, {}, [&](const PathNode& at, const String& text) {
    const String name = label ? label(at) : "";
    report.Problem(Under(path, at.Dotted()), text + (name.empty() ? "" : fmt::format(" (of \"{}\")", name)));
  });
}

// Fills empty names with prefix_i, or the first free prefix_N from 0 where that is taken; refuses names that appear
// twice or have forbidden characters. `taken` holds the names of other nested actors and receives these.
DynamicArray<String> ResolveNames(const DynamicArray<String>& given, const String& prefix, const String& path,
                                  DynamicArray<String>& taken, ValidationReport& report);

// Skinning data of a mesh as weights of frames: indices below `frameCount`, weights that sum to 1, zeros left out.
FrameWeights ResolveSkinning(const SkinningData& skinning, size_t pointCount, size_t frameCount, const String& path,
                             ValidationReport& report);

// What a body collides as.
ValidatedCollider ResolveCollider(ColliderType type, const ShapeHandle& shape, const String& path,
                                  ValidationReport& report);

// The material: supported type, allowed PSD strategy, arrays of the model that are for it.
void ResolveMaterial(const SoftActorParams& params, const String& path, ValidatedSoft& soft, ValidationReport& report);

// Everything of a soft that does not depend on whether it is nested.
ValidatedSoft ResolveSoftBody(const SoftActorParams& params, const String& path, ValidationReport& report);
ValidatedSoft ResolveSoft(const SoftActorParams& params, const String& path, ValidationReport& report);
ValidatedRigid ResolveRigid(const RigidActorParams& params, const String& path, ValidationReport& report);
// The skeleton without softs and skin. `path` is that of the ArticulatedActorParams.
ValidatedArticulated ResolveSkeleton(const ArticulatedActorParams& params, const String& path,
                                     ValidationReport& report);
// Refuses joints that move no mass. Softs count where their inertia is posed.
void CheckMovingMass(const ValidatedArticulated& actor, const String& path, ValidationReport& report);
// The skin, and how it blends with the softs of the actor.
void ResolveSkin(const ArticulatedSkinParams& params, const String& path, ValidatedArticulated& actor,
                 ValidationReport& report);
ValidatedArticulated ResolveArticulated(const ArticulatedActorParams& params, const String& path,
                                        ValidationReport& report);
ValidatedArticulated ResolveSoftSkinned(const SoftSkinnedActorParams& params, const String& path,
                                        ValidationReport& report);

}  // namespace dermis
