#include "host/validate.h"

#include <map>
#include <set>

#include "host/validate_steps.h"

namespace dermis {

namespace {

// Refuses a name that two actors of the scene have, and names those without one: kind_index, or the first free kind_N.
void NameActors(SceneActors& actors, ValidationReport& report) {
  std::map<String, String> pathOf;  // by name
  const auto forEach = [&](auto&& visit) {
    for (size_t i = 0; i < actors.rigid.size(); ++i) visit(actors.rigid[i].name, "rigid", i, "");
    for (size_t i = 0; i < actors.soft.size(); ++i) visit(actors.soft[i].name, "soft", i, "");
    for (size_t i = 0; i < actors.articulated.size(); ++i) visit(actors.articulated[i].name, "articulated", i, "");
    for (size_t i = 0; i < actors.softSkinned.size(); ++i)
      visit(actors.softSkinned[i].skeletonParams.name, "softSkinned", i, "skeletonParams.");
  };
  forEach([&](const String& name, const char* kind, size_t i, const char* inner) {
    if (name.empty()) return;
    const String path = fmt::format("actors.{}[{}].{}name", kind, i, inner);
    if (const auto [other, isNew] = pathOf.emplace(name, path); !isNew)
      report.Problem(path, fmt::format("\"{}\" is also {}; give each actor its own name", name, other->second));
  });
  // Automatic names come after all given ones, and never take one of them.
  forEach([&](String& name, const String& kind, size_t i, const char*) {
    if (!name.empty()) return;
    const bool isBody = kind == "rigid" || kind == "soft";
    name = isBody ? fmt::format("{}_{}", kind, i) : "unnamed_articulation";
    for (size_t n = isBody ? 0 : 1; !pathOf.emplace(name, "").second; ++n)
      name = fmt::format("{}_{}", isBody ? kind : "unnamed_articulation", n);
  });
}

// The names that filters may refer to: actors, and nested ones as Actor/Nested.
DynamicArray<String> ActorNames(const SceneActors& actors, const DynamicArray<ValidatedArticulated>& articulated) {
  DynamicArray<String> names;
  for (const auto& actor : actors.rigid) names.push_back(actor.name);
  for (const auto& actor : actors.soft) names.push_back(actor.name);
  for (const ValidatedArticulated& actor : articulated) {
    names.push_back(actor.name);
    for (const ValidatedLink& link : actor.links) names.push_back(link.body.name);
    for (const ValidatedSoft& soft : actor.softs) names.push_back(soft.name);
  }
  return names;
}

DynamicArray<String> LayerNames(const SceneDescription& scene) {
  std::set<String> layers;
  const auto skeleton = [&](const ArticulatedActorParams& actor) {
    for (const auto& link : actor.links) layers.insert(link.layer);
    if (actor.skin) layers.insert(actor.skin->layer);
  };
  for (const auto& actor : scene.actors.rigid) layers.insert(actor.layer);
  for (const auto& actor : scene.actors.soft) layers.insert(actor.layer);
  for (const auto& actor : scene.actors.articulated) skeleton(actor);
  for (const auto& actor : scene.actors.softSkinned) {
    skeleton(actor.skeletonParams);
    for (const auto& soft : actor.softParams) layers.insert(soft.layer);
  }
  return {layers.begin(), layers.end()};
}

void CheckFilter(const SceneDescription& scene, const SceneActors& named,
                 const DynamicArray<ValidatedArticulated>& articulated, ValidationReport& report) {
  const DynamicArray<String> actors = ActorNames(named, articulated), layers = LayerNames(scene);
  const auto checkLayers = [&](const char* name, const DynamicArray<LayerContactParams>& filters) {
    for (size_t i = 0; i < filters.size(); ++i)
      for (size_t k = 0; k < 2; ++k) {
        const String at = fmt::format("contactFilter.{}[{}].layers[{}]", name, i, k);
        const String& layer = filters[i].layers[k];
        if (layer.empty())
          report.Problem(at, "is empty; name a layer");
        else if (std::find(layers.begin(), layers.end(), layer) == layers.end())
          report.Note(at, fmt::format("no actor is on layer \"{}\"{}", layer, DidYouMean(layer, layers)));
      }
  };
  const auto checkActors = [&](const char* name, const DynamicArray<ActorContactParams>& filters) {
    for (size_t i = 0; i < filters.size(); ++i)
      for (size_t k = 0; k < 2; ++k) {
        const String at = fmt::format("contactFilter.{}[{}].actors[{}]", name, i, k);
        const String& actor = filters[i].actors[k];
        const auto count = std::count(actors.begin(), actors.end(), actor);
        if (count == 0 || actor.empty())
          report.Problem(at, fmt::format("there is no actor \"{}\"{}", actor, DidYouMean(actor, actors)));
        if (count > 1 && !actor.empty())
          report.Problem(at, fmt::format("{} actors are called \"{}\"; give them different names", count, actor));
      }
  };
  const ContactFilterParams& filter = scene.contactFilter;
  checkLayers("layerContactAsymmetric", filter.layerContactAsymmetric);
  checkLayers("layerContactSymmetric", filter.layerContactSymmetric);
  checkActors("actorContactAsymmetric", filter.actorContactAsymmetric);
  checkActors("actorContactSymmetric", filter.actorContactSymmetric);
}

// Identical notes, as of a shape that several actors share, are said once.
DynamicArray<String> Unique(const DynamicArray<String>& list) {
  DynamicArray<String> result;
  std::set<String> seen;
  for (const String& text : list)
    if (seen.insert(text).second) result.push_back(text);
  return result;
}

}  // namespace

ValidatedScene Validate(const SceneDescription& scene, Error& error) {
  ValidatedScene result;
  if (!error.IsOK()) return result;
  ValidationReport report;
  result.settings_ = scene.scene;
  result.contactFilter_ = scene.contactFilter;
  CheckRanges(scene.scene, "scene", report);
  const IntegrationMethod method = scene.scene.solver.integrationMethod;
  if (method != IntegrationMethod::BackwardEuler && method != IntegrationMethod::BDF2)
    report.Problem("scene.solver.integrationMethod",
                   fmt::format("{} is not supported yet; use BackwardEuler or BDF2", EnumName(method)));

  SceneActors actors = scene.actors;
  NameActors(actors, report);
  const auto resolve = [&](const auto& list, const char* kind, auto& target, auto resolver) {
    for (size_t i = 0; i < list.size(); ++i)
      target.push_back(resolver(list[i], fmt::format("actors.{}[{}]", kind, i), report));
  };
  resolve(actors.rigid, "rigid", result.rigid_, ResolveRigid);
  resolve(actors.soft, "soft", result.soft_, ResolveSoft);
  resolve(actors.articulated, "articulated", result.articulated_, ResolveArticulated);
  resolve(actors.softSkinned, "softSkinned", result.articulated_, ResolveSoftSkinned);
  CheckFilter(scene, actors, result.articulated_, report);

  if (!report.problems.empty()) return error.Set(Unique(report.problems)), ValidatedScene();
  result.notes_ = Unique(report.notes);
  return result;
}

namespace {

template <class Params, class Resolver> bool ValidateOne(const Params& params, Resolver resolver, Error& error) {
  if (!error.IsOK()) return false;
  ValidationReport report;
  resolver(params, "", report);
  error.Set(Unique(report.problems));
  return error.IsOK();
}

}  // namespace

bool ValidateActor(const RigidActorParams& params, Error& error) { return ValidateOne(params, ResolveRigid, error); }
bool ValidateActor(const SoftActorParams& params, Error& error) { return ValidateOne(params, ResolveSoft, error); }
bool ValidateActor(const ArticulatedActorParams& params, Error& error) {
  return ValidateOne(params, ResolveArticulated, error);
}
bool ValidateActor(const SoftSkinnedActorParams& params, Error& error) {
  return ValidateOne(params, ResolveSoftSkinned, error);
}

}  // namespace dermis
