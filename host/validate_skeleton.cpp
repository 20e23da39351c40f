// Skeletons: joints, links, loops and what moves with them.
#include "host/validate_steps.h"

namespace dermis {

namespace {

constexpr Real kRotationTolerance = 1e-9;

// Per kind of joint: its number of degrees of freedom, whether it has an axis, and whether it may have limits.
struct JointTraits {
  ArticulatedJointType type;
  int dofCount;
  bool hasAxis;
  bool hasLimits;
  bool hasFriction;
};
constexpr JointTraits kJoints[] = {
#define DERMIS_X(Kind) {ArticulatedJointType::Kind, Kind::kDofs, Kind::kHasAxis, Kind::kHasLimits, Kind::kHasFriction},
    DERMIS_JOINTS(DERMIS_X)
#undef DERMIS_X
};

String JointNames() {
  String list;
  for (const JointTraits& traits : kJoints) list += (list.empty() ? "" : ", ") + EnumName(traits.type);
  return list;
}

const JointTraits* FindJoint(ArticulatedJointType type) {
  for (const JointTraits& traits : kJoints)
    if (traits.type == type) return &traits;
  return nullptr;
}

// A limit along the unit axis. Infinite components count where the axis has any part.
Real Project(const Real3& limit, const Real3& axis) {
  Real sum = 0;
  for (int k = 0; k < 3; ++k)
    if (axis[k] != 0) sum += limit[k] * axis[k];
  return sum;
}

void ResolveLimits(const ArticulatedJointParams& params, const JointTraits& traits, const String& path,
                   ValidatedJoint& joint, ValidationReport& report) {
  if (!params.minLimit && !params.maxLimit) return;
  if (!traits.hasLimits) {
    const char* which = params.minLimit ? "minLimit" : "maxLimit";
    return report.Problem(Under(path, which),
                          fmt::format("a {} joint has no limits; remove it", EnumName(params.type)));
  }
  joint.hasLimits = true;
  joint.limitStiffness = params.limitStiffness;
  joint.limitDamping = params.limitDamping;
  const auto take = [&](const Optional<Real3>& limit, Real(&values)[3]) {
    if (!limit) return;
    for (int k = 0; k < joint.dofCount; ++k) values[k] = traits.hasAxis ? Project(*limit, joint.axis) : (*limit)[k];
  };
  take(params.minLimit, joint.minLimit);
  take(params.maxLimit, joint.maxLimit);
  for (int k = 0; k < joint.dofCount; ++k) {
    if (std::isnan(joint.minLimit[k]) || std::isnan(joint.maxLimit[k]))
      report.Problem(Under(path, "minLimit"),
                     "infinite components cancel along the axis; give the limit times the axis");
    else if (joint.minLimit[k] > joint.maxLimit[k])
      report.Problem(Under(path, "minLimit"),
                     fmt::format("{} is above maxLimit {}{}; exchange them", joint.minLimit[k], joint.maxLimit[k],
                                 traits.hasAxis ? " along the axis" : fmt::format(" in component {}", k)));
  }
}

ValidatedJoint ResolveJoint(const ArticulatedJointParams& params, const String& path, ValidationReport& report) {
  ValidatedJoint joint;
  joint.type = params.type;
  joint.parentLinkFromJoint = {Normalized(params.parentLinkFromJoint.rotation), params.parentLinkFromJoint.translation};
  const JointTraits* traits = FindJoint(params.type);
  if (!traits) {
    const bool isMissing = params.type == ArticulatedJointType::Invalid;
    report.Problem(Under(path, "type"),
                   fmt::format("{}; use one of {}",
                               isMissing ? String("is missing")
                                         : EnumName(params.type) + " is not a joint between a link and its parent",
                               JointNames()));
    return joint;
  }
  joint.dofCount = traits->dofCount;
  if (traits->hasFriction) joint.friction = params.friction;
  if (traits->hasAxis) {
    const Real length = Norm(params.axis);
    if (!(length > 0))
      report.Problem(Under(path, "axis"),
                     fmt::format("a {} joint needs an axis that is not zero", EnumName(params.type)));
    else
      joint.axis = (1 / length) * params.axis;
  }
  if (params.inertia && *params.inertia != 0) {
    if (!traits->hasAxis)
      report.Problem(Under(path, "inertia"), "is supported for Prismatic and Revolute joints only, so far; remove it");
    joint.armature = *params.inertia;
  }
  ResolveLimits(params, *traits, path, joint, report);
  return joint;
}

void ResolveLink(const ArticulatedLinkParams& params, int index, const String& path, ValidatedLink& link,
                 ValidationReport& report) {
  const auto invalidMass = [](const Optional<Real>& value) { return value && !(*value > 0); };
  if (params.parentLink >= index)
    report.Problem(
        Under(path, "parentLink"),
        fmt::format("{} is not below the link's own index {}; put parents before children", params.parentLink, index));
  link.parentLink = params.parentLink;
  const Quaternion& r = params.parentJointFromLink.rotation;
  if (!(std::abs(r.x) <= kRotationTolerance && std::abs(r.y) <= kRotationTolerance &&
        std::abs(r.z) <= kRotationTolerance))
    report.Problem(Under(path, "parentJointFromLink.rotation"),
                   "must be identity; rotate the joint by parentLinkFromJoint, or the shape by shapeRotation");
  link.body.layer = params.layer;
  link.body.hasGravity = params.hasGravity;
  link.body.shape = params.shape;
  link.body.contact = params.contact;
  link.body.collider = ResolveCollider(params.colliderType, params.shape, path, report);
  if (params.shape)
    for (const String& warning : params.shape->GetWarnings()) report.Note(Under(path, "shape"), warning);
  if (invalidMass(params.mass) || invalidMass(params.density)) return;  // the ranges have reported it
  const size_t before = report.problems.size();
  link.body.mass = ResolveMass(params.shape, params.density, params.mass, params.centerOfMass, params.momentOfInertia,
                               path, report.problems);
  for (size_t i = before; i < report.problems.size(); ++i)
    report.problems[i] += fmt::format(" (of \"{}\")", link.body.name);
  if (params.shape && link.body.mass.mass == 0 && report.problems.size() == before)
    report.Note(Under(path, "shape"), fmt::format("{} has no mass of its own; give a mass if \"{}\" has one",
                                                  params.shape->KindName(), link.body.name));
}

// Pairs of links that touch by construction. Links welded by hard joints are one group; groups are adjacent when a
// joint connects them, also across groups without any shape.
DynamicArray<std::array<int, 2>> AdjacentLinks(const ValidatedArticulated& actor) {
  const size_t count = actor.links.size();
  DynamicArray<size_t> group(count);
  DynamicArray<char> hasShape(count, 0);
  DynamicArray<DynamicArray<size_t>> joined(count);  // by group
  for (size_t i = 0; i < count; ++i) {
    const int parent = actor.links[i].parentLink;
    const bool isWelded = parent >= 0 && actor.joints[i].dofCount == 0;
    group[i] = isWelded ? group[static_cast<size_t>(parent)] : i;
    hasShape[group[i]] |= actor.links[i].body.shape.IsValid();
    if (parent < 0 || isWelded) continue;
    joined[group[i]].push_back(group[static_cast<size_t>(parent)]);
    joined[group[static_cast<size_t>(parent)]].push_back(group[i]);
  }

  DynamicArray<std::array<int, 2>> pairs;
  for (size_t a = 0; a < count; ++a) {
    DynamicArray<char> isNear(count, 0);
    DynamicArray<size_t> open{group[a]};
    isNear[group[a]] = 1;
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      for (const size_t next : joined[at]) {
        if (isNear[next]) continue;
        isNear[next] = 1;
        if (!hasShape[next]) open.push_back(next);
      }
    }
    for (size_t b = a + 1; b < count; ++b)
      if (isNear[group[b]]) pairs.push_back({static_cast<int>(a), static_cast<int>(b)});
  }
  return pairs;
}

}  // namespace

ValidatedArticulated ResolveSkeleton(const ArticulatedActorParams& params, const String& path,
                                     ValidationReport& report) {
  ValidatedArticulated actor;
  actor.name = params.name.empty() ? "unnamed_articulation" : params.name;
  actor.worldFromRoot = {Normalized(params.worldFromRoot.rotation), params.worldFromRoot.translation};
  if (params.links.empty()) report.Problem(Under(path, "links"), "is empty; an articulation has at least one link");
  if (params.joints.size() != params.links.size())
    return report.Problem(Under(path, "joints"),
                          fmt::format("has {} entries for {} links; joint i connects link i to its parent",
                                      params.joints.size(), params.links.size())),
           actor;

  DynamicArray<String> linkNames, jointNames, takenLinks, takenJoints;
  for (const auto& link : params.links) linkNames.push_back(link.name);
  for (const auto& joint : params.joints) jointNames.push_back(joint.name);
  linkNames = ResolveNames(linkNames, "link", Under(path, "links"), takenLinks, report);
  jointNames = ResolveNames(jointNames, "joint", Under(path, "joints"), takenJoints, report);

  const size_t before = report.problems.size();
  for (size_t i = 0; i < params.links.size(); ++i) {
    ValidatedJoint joint = ResolveJoint(params.joints[i], fmt::format("{}[{}]", Under(path, "joints"), i), report);
    ValidatedLink link;
    link.body.name = actor.name + "/" + linkNames[i];
    ResolveLink(params.links[i], static_cast<int>(i), fmt::format("{}[{}]", Under(path, "links"), i), link, report);
    joint.name = jointNames[i];
    joint.parentLink = link.parentLink;
    joint.jointFromLink = params.links[i].parentJointFromLink.translation;
    joint.dofOffset = actor.dofCount;
    actor.dofCount += joint.dofCount;
    actor.joints.push_back(joint);
    actor.links.push_back(std::move(link));
  }
  const bool isTree = report.problems.size() == before;

  actor.jointVelocities.assign(static_cast<size_t>(actor.dofCount), 0.0);
  if (params.jointVelocities) {
    if (params.jointVelocities->size() != actor.jointVelocities.size())
      report.Problem(Under(path, "jointVelocities"), fmt::format("has {} entries, expected {}, one a degree of freedom",
                                                                 params.jointVelocities->size(), actor.dofCount));
    else
      actor.jointVelocities = *params.jointVelocities;
  }
  if (!isTree) return actor;

  // The pose at rest, and with it the rest frame of softs and skins: the root link's own.
  for (size_t i = 0; i < actor.links.size(); ++i) {
    const ValidatedJoint& joint = actor.joints[i];
    const TransformRT parent =
        joint.parentLink < 0 ? TransformRT{} : actor.links[static_cast<size_t>(joint.parentLink)].rootFromLinkAtRest;
    actor.links[i].rootFromLinkAtRest = parent * joint.parentLinkFromJoint * TransformRT{{}, joint.jointFromLink};
    actor.links[i].linkFromRestFrame = Inverse(actor.links[i].rootFromLinkAtRest) * actor.links[0].rootFromLinkAtRest;
  }
  actor.nonCollidingLinks = AdjacentLinks(actor);

  for (size_t i = 0; i < params.cycles.size(); ++i) {
    const ArticulatedCycleJointParams& cycle = params.cycles[i];
    const String at = fmt::format("{}[{}]", Under(path, "cycles"), i);
    const auto isLink = [&](int link) { return link >= 0 && static_cast<size_t>(link) < actor.links.size(); };
    if (!isLink(cycle.parentLink) || !isLink(cycle.childLink)) {
      report.Problem(at, fmt::format("joins links {} and {}, but there are {} links", cycle.parentLink, cycle.childLink,
                                     actor.links.size()));
      continue;
    }
    if (cycle.parentLink == cycle.childLink)
      report.Problem(at, fmt::format("joins link {} to itself", cycle.childLink));
    const TransformRT jointFromChild{Normalized(cycle.jointFromChildLink.rotation),
                                     cycle.jointFromChildLink.translation};
    ValidatedCycle result{cycle.parentLink, cycle.childLink, {}, Inverse(jointFromChild) * Real3{}, cycle.stiffness};
    const TransformRT& child = actor.links[static_cast<size_t>(cycle.childLink)].rootFromLinkAtRest;
    const TransformRT& parent = actor.links[static_cast<size_t>(cycle.parentLink)].rootFromLinkAtRest;
    result.pointInParent = Inverse(parent) * (child * result.pointInChild);
    actor.cycles.push_back(result);
  }
  return actor;
}

void CheckMovingMass(const ValidatedArticulated& actor, const String& path, ValidationReport& report) {
  const size_t count = actor.links.size();
  DynamicArray<char> hasMass(count, 0);
  for (size_t i = 0; i < count; ++i) hasMass[i] = actor.links[i].body.mass.mass > 0 || actor.joints[i].armature > 0;
  for (const ValidatedSoft& soft : actor.softs)
    if (soft.inertia == EnergyDomain::Posed)
      for (const int link : soft.skinning.frames) hasMass[static_cast<size_t>(link)] = 1;
  for (size_t i = count; i-- > 0;) {
    const int parent = actor.links[i].parentLink;
    if (hasMass[i] && parent >= 0 && static_cast<size_t>(parent) < count) hasMass[static_cast<size_t>(parent)] = 1;
    if (!hasMass[i] && actor.joints[i].dofCount > 0)
      report.Problem(fmt::format("{}[{}].mass", Under(path, "links"), i),
                     fmt::format("joint \"{}\" moves no mass; give link \"{}\" a closed shape, or a mass",
                                 actor.joints[i].name, actor.links[i].body.name));
  }
}

ValidatedArticulated ResolveArticulated(const ArticulatedActorParams& params, const String& path,
                                        ValidationReport& report) {
  CheckRanges(params, path, report, [&](const PathNode& at) {
    for (const PathNode* node = &at; node->parent; node = node->parent)
      if (node->parent->key && String(node->parent->key) == "links")
        return params.links[static_cast<size_t>(node->index)].name;
    return String();
  });
  const size_t before = report.problems.size();
  ValidatedArticulated actor = ResolveSkeleton(params, path, report);
  if (params.skin) ResolveSkin(*params.skin, Under(path, "skin"), actor, report);
  if (report.problems.size() == before) CheckMovingMass(actor, path, report);
  return actor;
}

}  // namespace dermis
