// Skins, and how a blended skin follows nested softs.
#include "host/validate_steps.h"

namespace dermis {

namespace {

using Tuple = DynamicArray<std::pair<int, Real>>;

// The ordered pairs of frame and weight of one point.
Tuple TupleOf(const FrameWeights& weights, size_t point) {
  Tuple tuple;
  for (int i = weights.offsets[point]; i < weights.offsets[point + 1]; ++i)
    tuple.emplace_back(weights.frames[static_cast<size_t>(i)], weights.weights[static_cast<size_t>(i)]);
  return tuple;
}

String Text(const Tuple& tuple) {
  String text;
  for (const auto& [frame, weight] : tuple) text += fmt::format("{}({}, {})", text.empty() ? "" : " ", frame, weight);
  return text;
}

// One region. The first vertex that breaks a rule is reported, with the number of others.
void ResolveBlend(const BlendingData& data, const String& path, int softIndex, ValidatedArticulated& actor,
                  ValidatedSkin& skin, ValidationReport& report) {
  const ValidatedSoft& soft = actor.softs[static_cast<size_t>(softIndex)];
  if (soft.nodes.empty() || soft.skinning.offsets.empty()) return;  // already reported
  String first;
  size_t count = 0;
  const auto refuse = [&](const String& text) {
    if (count++ == 0) first = text;
  };
  for (size_t v = 0; v < data.weights.size(); ++v) {
    const Real weight = data.weights[v];
    if (weight == 0) continue;
    const int node = data.indices[v];
    if (node < 0 || static_cast<size_t>(node) >= soft.nodes.size()) {
      refuse(fmt::format("vertex {} follows node {}, but the soft has {} nodes", v, node, soft.nodes.size()));
      continue;
    }
    const auto n = static_cast<size_t>(node);
    const Real3 &a = skin.nodes[v], &b = soft.nodes[n];
    if (!(a == b))
      refuse(
          fmt::format("vertex {} at ({}, {}, {}) and node {} at ({}, {}, {}) differ at rest; copy the skin's position "
                      "into the soft mesh exactly",
                      v, a.x, a.y, a.z, node, b.x, b.y, b.z));
    else if (const Tuple s = TupleOf(skin.skinning, v), t = TupleOf(soft.skinning, n); s != t)
      refuse(
          fmt::format("vertex {} has skinning {} and node {} has {}; copy the skin's indices and weights into the soft "
                      "mesh, in order",
                      v, Text(s), node, Text(t)));
    else
      skin.blend.push_back({static_cast<int>(v), softIndex, node, weight});
  }
  if (count) report.Problem(path, first + (count > 1 ? fmt::format(" (and {} more vertices)", count - 1) : ""));
}

}  // namespace

void ResolveSkin(const ArticulatedSkinParams& params, const String& path, ValidatedArticulated& actor,
                 ValidationReport& report) {
  const String at = Under(path, "shape");
  if (!params.shape) return report.Problem(at, "is missing; give a triangle mesh with skinning data");
  const Shape& shape = *params.shape;
  if (!shape.IsTriMesh())
    return report.Problem(at, fmt::format("a skin needs a triangle mesh, found {}", shape.KindName()));
  const auto& skinning = shape.GetModel().mesh->skinning;
  if (!skinning) return report.Problem(at, "has no skinning data; add weights of the links to the mesh");
  if (actor.links.empty()) return;  // already reported
  for (const String& warning : shape.GetWarnings()) report.Note(at, warning);

  ValidatedSkin skin;
  skin.layer = params.layer;
  skin.contact = params.contact;
  skin.shape = params.shape;
  skin.nodes = shape.GetNodes();
  skin.triangles = shape.GetTriangles();
  skin.skinning = ResolveSkinning(*skinning, skin.nodes.size(), actor.links.size(), at, report);
  if (skin.skinning.offsets.empty()) return;

  DynamicArray<String> softNames;
  for (const ValidatedSoft& soft : actor.softs) softNames.push_back(soft.name.substr(soft.name.rfind('/') + 1));
  DynamicArray<String> seen;
  for (const BlendingData& data : shape.GetModel().blending) {
    const String region = fmt::format("{}: blending of \"{}\"", at, data.sourceShape);
    if (std::find(seen.begin(), seen.end(), data.sourceShape) != seen.end()) {
      report.Problem(region, "appears twice");
      continue;
    }
    seen.push_back(data.sourceShape);
    const bool isUsed = std::any_of(data.weights.begin(), data.weights.end(), [](Real w) { return w != 0; });
    if (!isUsed) continue;  // weights of 0 follow the skeleton, whatever they name
    const auto found = std::find(softNames.begin(), softNames.end(), data.sourceShape);
    if (found == softNames.end())
      report.Problem(
          region, fmt::format("there is no nested soft actor of this name{}", DidYouMean(data.sourceShape, softNames)));
    else
      ResolveBlend(data, region, static_cast<int>(found - softNames.begin()), actor, skin, report);
  }
  std::stable_sort(skin.blend.begin(), skin.blend.end(),
                   [](const SkinBlend& a, const SkinBlend& b) { return a.vertex < b.vertex; });

  // The skin is what touches: neither the softs under it, nor the links unless asked for.
  if (!shape.GetModel().blending.empty())
    for (ValidatedSoft& soft : actor.softs) soft.isColliding = false;
  actor.skin = std::move(skin);
}

}  // namespace dermis
