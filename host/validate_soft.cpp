// Soft actors, alone and nested, and the soft-skinned actor that nests them.
#include "host/validate_steps.h"

namespace dermis {

ValidatedSoft ResolveSoftBody(const SoftActorParams& params, const String& path, ValidationReport& report) {
  ValidatedSoft soft;
  soft.name = params.name;
  soft.layer = params.layer;
  soft.contact = params.contact;
  soft.shape = params.shape;
  const String at = Under(path, "shape");
  if (!params.shape) return report.Problem(at, "is missing; give a tetrahedral mesh"), soft;
  const Shape& shape = *params.shape;
  if (!shape.IsTetMesh())
    return report.Problem(at,
                          fmt::format("a soft actor needs a tetrahedral mesh, found {}; fill the body with tetrahedra",
                                      shape.KindName())),
           soft;
  for (const String& warning : shape.GetWarnings()) report.Note(at, warning);
  soft.nodes = shape.GetNodes();
  soft.tets = shape.GetTets();
  soft.triangles = shape.GetTriangles();
  soft.isConstrained.assign(soft.nodes.size(), 0);
  for (const int node : shape.GetModel().constrainedNodes) soft.isConstrained[static_cast<size_t>(node)] = 1;
  ResolveMaterial(params, path, soft, report);
  return soft;
}

ValidatedSoft ResolveSoft(const SoftActorParams& params, const String& path, ValidationReport& report) {
  CheckRanges(params, path, report);
  ValidatedSoft soft = ResolveSoftBody(params, path, report);
  soft.worldFromLocal = {Normalized(params.worldFromLocal.rotation), params.worldFromLocal.translation};
  if (!params.hasGravity && !params.hasInertia && !params.hasStress)
    report.Problem(Under(path, "hasInertia"), "no energy term is enabled; set hasGravity, hasInertia or hasStress");
  else if (!params.hasInertia && !params.hasStress)
    report.Problem(
        Under(path, "hasInertia"),
        "a soft actor needs inertia or stress, gravity alone has no equilibrium; set hasInertia or hasStress");
  const bool isFree = std::count(soft.isConstrained.begin(), soft.isConstrained.end(), 1) == 0;
  if (params.hasStress && !params.hasInertia && !soft.nodes.empty() && isFree)
    report.Note(Under(path, "hasInertia"), "is false and no node is constrained: nothing holds the body in place");
  const auto domain = [](bool enabled) { return enabled ? EnergyDomain::Rest : EnergyDomain::Off; };
  soft.gravity = domain(params.hasGravity);
  soft.inertia = domain(params.hasInertia);
  soft.stress = domain(params.hasStress);
  return soft;
}

FrameWeights ResolveSkinning(const SkinningData& skinning, size_t pointCount, size_t frameCount, const String& path,
                             ValidationReport& report) {
  // Files of single precision sum to 1 within a few 1e-7.
  constexpr Real kTolerance = 1e-6;
  FrameWeights result;
  result.offsets.push_back(0);
  const auto perNode = static_cast<size_t>(skinning.weightsPerNode);
  for (size_t p = 0; p < pointCount; ++p) {
    Real sum = 0;
    for (size_t i = p * perNode; i < (p + 1) * perNode; ++i) {
      if (skinning.weights[i] == 0) continue;
      const int frame = skinning.indices[i];
      if (frame < 0 || static_cast<size_t>(frame) >= frameCount)
        return report.Problem(path,
                              fmt::format("node {} follows link {}, but there are {} links", p, frame, frameCount)),
               FrameWeights();
      result.frames.push_back(frame);
      result.weights.push_back(skinning.weights[i]);
      sum += skinning.weights[i];
    }
    if (!(std::abs(sum - 1) <= kTolerance))
      return report.Problem(path, fmt::format("the weights of node {} sum to {}, expected 1; normalise them", p, sum)),
             FrameWeights();
    result.offsets.push_back(static_cast<int>(result.frames.size()));
  }
  return result;
}

namespace {

// The three terms: on posed positions by the parent's flag, on unposed ones by the child's.
void ResolveTerms(const SoftSkinnedActorParams& parent, const SoftActorParams& child, const String& path,
                  ValidatedSoft& soft, ValidationReport& report) {
  const auto resolve = [&](const char* flag, bool posed, bool rest) {
    if (posed && rest)
      report.Problem(
          Under(path, flag),
          fmt::format("is true here and on the soft-skinned actor, and would count twice; set one of them to false"));
    return posed ? EnergyDomain::Posed : rest ? EnergyDomain::Rest : EnergyDomain::Off;
  };
  soft.inertia = resolve("hasInertia", parent.hasInertia, child.hasInertia);
  soft.stress = resolve("hasStress", parent.hasStress, child.hasStress);
  soft.gravity = parent.hasGravity ? EnergyDomain::Posed : EnergyDomain::Off;
  if (child.hasGravity)
    report.Problem(Under(path, "hasGravity"),
                   "must be false for a nested soft; gravity is set by hasGravity of the soft-skinned actor");
  if (soft.gravity == EnergyDomain::Off && soft.inertia == EnergyDomain::Off && soft.stress == EnergyDomain::Off)
    report.Problem(Under(path, "hasStress"), "no energy term is enabled; set one here or on the soft-skinned actor");
  else if (soft.inertia == EnergyDomain::Off && soft.stress == EnergyDomain::Off)
    report.Problem(Under(path, "hasStress"),
                   "a nested soft needs inertia or stress, gravity alone has no equilibrium; set one here or on the "
                   "soft-skinned actor");
}

// How a nested soft follows the skeleton: one link, or the skinning data of its shape.
void ResolveAttachment(const String* attachLink, const String& attachPath, const DynamicArray<String>& linkNames,
                       const String& path, ValidatedSoft& soft, ValidationReport& report) {
  if (!attachLink) {
    const auto& mesh = soft.shape->GetModel().mesh;
    if (!mesh->skinning)
      return report.Problem(Under(path, "shape"),
                            "has no skinning data, and softAttachLinks is empty; name a link for each soft, or add "
                            "skinning data to the mesh");
    soft.skinning = ResolveSkinning(*mesh->skinning, soft.nodes.size(), linkNames.size(), Under(path, "shape"), report);
    return;
  }
  const auto found = std::find(linkNames.begin(), linkNames.end(), *attachLink);
  if (attachLink->empty()) return report.Problem(attachPath, "is empty; name a link");
  if (found == linkNames.end())
    return report.Problem(attachPath,
                          fmt::format("there is no link \"{}\"{}", *attachLink, DidYouMean(*attachLink, linkNames)));
  if (soft.shape->GetModel().mesh->skinning)
    report.Note(Under(path, "shape"), "skinning data is ignored because softAttachLinks names a link");
  soft.attachLink = static_cast<int>(found - linkNames.begin());
  const size_t count = soft.nodes.size();
  soft.skinning.offsets.resize(count + 1);
  for (size_t i = 0; i <= count; ++i) soft.skinning.offsets[i] = static_cast<int>(i);
  soft.skinning.frames.assign(count, soft.attachLink);
  soft.skinning.weights.assign(count, 1.0);
}

}  // namespace

ValidatedArticulated ResolveSoftSkinned(const SoftSkinnedActorParams& params, const String& path,
                                        ValidationReport& report) {
  const ArticulatedActorParams& skeleton = params.skeletonParams;
  const String skeletonPath = Under(path, "skeletonParams");
  const size_t before = report.problems.size();
  CheckRanges(params, path, report, [&](const PathNode& at) {
    for (const PathNode* node = &at; node->parent; node = node->parent)
      if (node->parent->key && String(node->parent->key) == "links")
        return skeleton.links[static_cast<size_t>(node->index)].name;
    return String();
  });
  ValidatedArticulated actor = ResolveSkeleton(skeleton, skeletonPath, report);
  actor.isSoftSkinned = true;
  actor.enableCollidingLinks = params.enableCollidingLinks;
  for (ValidatedLink& link : actor.links) {
    link.isColliding = params.enableCollidingLinks;
    link.body.hasGravity &= params.hasGravity;  // the flag is for the whole actor
  }

  // Names of links without the actor's, as softAttachLinks has them.
  DynamicArray<String> linkNames, softNames;
  for (const ValidatedLink& link : actor.links)
    linkNames.push_back(link.body.name.substr(link.body.name.rfind('/') + 1));
  for (const SoftActorParams& soft : params.softParams) softNames.push_back(soft.name);
  DynamicArray<String> taken = linkNames;
  softNames = ResolveNames(softNames, "soft", Under(path, "softParams"), taken, report);

  if (params.softParams.empty())
    report.Problem(Under(path, "softParams"), "is empty; a soft-skinned actor has at least one soft volume");
  const bool areAttached = !params.softAttachLinks.empty();
  const bool isOneToOne = params.softAttachLinks.size() == params.softParams.size();
  if (areAttached && !isOneToOne)
    report.Problem(Under(path, "softAttachLinks"),
                   fmt::format("has {} entries for {} softs; give one a soft, or none", params.softAttachLinks.size(),
                               params.softParams.size()));

  for (size_t i = 0; i < params.softParams.size(); ++i) {
    const SoftActorParams& child = params.softParams[i];
    const String at = fmt::format("{}[{}]", Under(path, "softParams"), i);
    ValidatedSoft soft = ResolveSoftBody(child, at, report);
    soft.name = actor.name + "/" + softNames[i];
    if (!(child.worldFromLocal == TransformRT{}))
      report.Note(Under(at, "worldFromLocal"), "is ignored: a nested soft is placed by its skeleton");
    ResolveTerms(params, child, at, soft, report);
    if (!soft.nodes.empty()) {
      if (std::count(soft.isConstrained.begin(), soft.isConstrained.end(), 1) == 0)
        report.Problem(Under(at, "shape"),
                       "has no constrained nodes; list the nodes that are pinned to the skeleton in constrainedNodes");
      const String* attachLink = areAttached && isOneToOne ? &params.softAttachLinks[i] : nullptr;
      if (!actor.links.empty() && (!areAttached || isOneToOne))
        ResolveAttachment(attachLink, fmt::format("{}[{}]", Under(path, "softAttachLinks"), i), linkNames, at, soft,
                          report);
    }
    actor.softs.push_back(std::move(soft));
  }
  if (skeleton.skin) ResolveSkin(*skeleton.skin, Under(skeletonPath, "skin"), actor, report);
  if (report.problems.size() == before) CheckMovingMass(actor, skeletonPath, report);
  return actor;
}

}  // namespace dermis
