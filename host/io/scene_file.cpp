#include "host/io/scene_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>

#include "host/io/model_file.h"
#include "host/params/codec.h"

namespace dermis {

namespace {

namespace fs = std::filesystem;

// Loads the shapes of one scene: each file once, and each pair of file and bake once.
class ShapeLoader {
 public:
  ShapeLoader(fs::path folder, fs::path root) : folder_(std::move(folder)), root_(std::move(root)) {}

  fs::path Resolve(const String& path) const {
    const fs::path given(path);
    if (given.is_absolute()) return given;
    return (path.starts_with("./") ? folder_ : root_) / given;
  }

  ShapeHandle Load(ReadContext& context, const ShapeSource& source, const PathNode& path, size_t offset) {
    for (const ShapeHandle& shape : loaded_)
      if (shape->GetSource() == source) return shape;
    Error error;
    const String file = Resolve(source.path).lexically_normal().string();
    if (source.path.empty()) {
      context.Problem(path, offset, "the path of the shape is empty");
      return {};
    }
    // Links often share a file, each with its own bake.
    auto model = models_.find(file);
    if (model == models_.end()) {
      ModelData read = ReadModelFile(file, error);
      if (error.IsOK()) model = models_.emplace(file, std::move(read)).first;
    }
    const bool wasRead = error.IsOK();
    ShapeHandle shape = wasRead ? CreateModelShape(model->second, source, error) : ShapeHandle();
    for (const String& problem : error.GetProblems())
      context.Problem(path, offset, wasRead ? file + ": " + problem : problem);
    if (!shape) return {};
    loaded_.push_back(shape);
    return shape;
  }

 private:
  fs::path folder_;
  fs::path root_;
  DynamicArray<ShapeHandle> loaded_;
  std::map<String, ModelData> models_;
};

String Join(const DynamicArray<String>& words) {
  String text;
  for (const String& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// The sections of constraints that the format has.
const DynamicArray<String> kConstraintKinds{
    "rigidSphericalJoint",         "rigidPrismaticJoint",        "jointRotationRange",
    "jointRotationTracking",       "rigidPivotPosition",         "rigidPivotToRigidTarget",
    "rigidPivotRotation",          "deformableNodePosition",     "deformableNodeToDeformableNode",
    "deformableNodeToRigid",       "articulatedSingleDofTarget", "articulatedSingleDofRange",
    "articulated3dRotationTarget", "articulated3dRotationRange"};

// Constraints and controllers are not simulated, but their outer form is checked.
void CheckForm(ReadContext& context, const SceneDescription& scene) {
  const PathNode root;
  const auto wrong = [&](const char* name, const JsonValue& value, const char* expected) {
    context.Problem(root / name, value.Offset(), fmt::format("expected {}, found {}", expected, value.KindName()));
  };
  const JsonValue &constraints = scene.constraints, &controllers = scene.controllers;
  if (!controllers.IsNull() && !controllers.Items()) wrong("controllers", controllers, "an array");
  if (!constraints.IsNull() && !constraints.Members()) return wrong("constraints", constraints, "an object");
  if (constraints.IsNull()) return;
  for (const JsonMember& member : *constraints.Members()) {
    const bool isKnown =
        std::find(kConstraintKinds.begin(), kConstraintKinds.end(), member.key) != kConstraintKinds.end();
    if (isKnown || member.key.starts_with("_comment")) continue;
    const PathNode at = root / "constraints";
    context.Problem(
        at / member.key.c_str(), member.keyOffset,
        fmt::format("unknown kind of constraint \"{}\"{}", member.key, DidYouMean(member.key, kConstraintKinds)));
  }
}

// Sections that are read but have no effect, and those that cannot be ignored.
void CheckKept(ReadContext& context, SceneDescription& scene) {
  for (const KeptValue& kept : context.kept) {
    const auto* items = kept.value.Items();
    if (kept.pointer == "/prefabs" && !(items && items->empty()))
      context.Problem({}, kept.value.Offset(),
                      "/prefabs: nested prefabs are not supported yet; put their actors into this file");
    if (kept.pointer.ends_with("/scale") && kept.value.Number() != 1.0)
      context.Problem(
          {}, kept.value.Offset(),
          kept.pointer + ": the scale of an articulated actor is not supported yet; scale its shapes and translations");
  }
  if (!context.unusedKeys.empty())
    scene.notes.push_back(fmt::format("kept for other programs, not obeyed here: {}", Join(context.unusedKeys)));
  for (const auto& [name, value] :
       {std::pair{"constraints", &scene.constraints}, std::pair{"controllers", &scene.controllers}}) {
    const bool isEmpty = value->IsNull() || (value->Items() && value->Items()->empty()) ||
                         (value->Members() && value->Members()->empty());
    if (!isEmpty) scene.notes.push_back(fmt::format("{} are read and kept, but not simulated yet", name));
  }
}

SceneDescription ReadScene(const JsonDocument& document, const fs::path& folder, const fs::path& root, Error& error) {
  SceneDescription scene;
  ReadContext context{document};
  ShapeLoader loader(folder, root);
  context.loadShape = [&](const ShapeSource& source, const PathNode& path, size_t offset) {
    return loader.Load(context, source, path, offset);
  };
  ReadValue(context, document.root, {}, {}, scene);
  CheckKept(context, scene);
  CheckForm(context, scene);
  if (!context.problems.empty()) return error.Set(std::move(context.problems)), SceneDescription();
  scene.kept = std::move(context.kept);
  return scene;
}

// Sets a value at a JSON pointer, where its parent exists.
bool SetAt(JsonValue& root, const String& pointer, const JsonValue& value) {
  JsonValue* at = &root;
  size_t start = 1;
  for (;;) {
    const size_t end = pointer.find('/', start);
    String key;
    for (size_t i = start; i < std::min(end, pointer.size()); ++i) {
      const bool escaped = pointer[i] == '~' && i + 1 < pointer.size();
      key += escaped ? (pointer[++i] == '1' ? '/' : '~') : pointer[i];
    }
    if (end == String::npos) return at->Members() ? (at->Set(key, value), true) : false;
    if (auto* items = at->Items()) {
      size_t index = 0;
      const auto parsed = std::from_chars(key.data(), key.data() + key.size(), index);
      if (parsed.ec != std::errc() || index >= items->size()) return false;
      at = &(*items)[index];
    } else {
      if (!at->Members()) return false;
      // A struct at its defaults was left out: it comes back for the kept key in it.
      if (!at->Find(key)) at->Set(key, JsonValue::MakeObject());
      at = const_cast<JsonValue*>(at->Find(key));
    }
    start = end + 1;
  }
}

void RequireSources(const SceneDescription& scene, DynamicArray<String>& problems) {
  const auto check = [&](const ShapeHandle& shape, const String& path) {
    if (shape && shape->GetSource().path.empty())
      problems.push_back(path + ": the shape was made in memory; load it from a file to save the scene");
  };
  const auto skeleton = [&](const ArticulatedActorParams& params, const String& path) {
    for (size_t i = 0; i < params.links.size(); ++i)
      check(params.links[i].shape, fmt::format("{}.links[{}].shape", path, i));
    if (params.skin) check(params.skin->shape, path + ".skin.shape");
  };
  const SceneActors& actors = scene.actors;
  for (size_t i = 0; i < actors.rigid.size(); ++i)
    check(actors.rigid[i].shape, fmt::format("actors.rigid[{}].shape", i));
  for (size_t i = 0; i < actors.soft.size(); ++i) check(actors.soft[i].shape, fmt::format("actors.soft[{}].shape", i));
  for (size_t i = 0; i < actors.articulated.size(); ++i)
    skeleton(actors.articulated[i], fmt::format("actors.articulated[{}]", i));
  for (size_t i = 0; i < actors.softSkinned.size(); ++i) {
    skeleton(actors.softSkinned[i].skeletonParams, fmt::format("actors.softSkinned[{}].skeletonParams", i));
    for (size_t j = 0; j < actors.softSkinned[i].softParams.size(); ++j)
      check(actors.softSkinned[i].softParams[j].shape,
            fmt::format("actors.softSkinned[{}].softParams[{}].shape", i, j));
  }
}

}  // namespace

SceneDescription LoadSceneFromFile(const String& path, const String& rootPath, Error& error) {
  const JsonDocument document = ReadJsonFile(path, error);
  if (!error.IsOK()) return {};
  try {
    const fs::path folder = fs::path(path).parent_path();
    return ReadScene(document, folder, rootPath.empty() ? folder : fs::path(rootPath), error);
  } catch (const std::exception& exception) {
    error.Set(path + ": " + exception.what());
    return {};
  }
}

SceneDescription LoadSceneFromFile(const String& path, Error& error) { return LoadSceneFromFile(path, "", error); }

SceneDescription LoadSceneFromJsonString(const String& text, const String& folder, Error& error) {
  const JsonDocument document = ParseJson(text, "scene", error);
  if (!error.IsOK()) return {};
  try {
    return ReadScene(document, folder, folder, error);
  } catch (const std::exception& exception) {
    error.Set(String("scene: ") + exception.what());
    return {};
  }
}

String SaveSceneToJsonString(const SceneDescription& scene, Error& error) {
  if (!error.IsOK()) return "";
  DynamicArray<String> problems;
  RequireSources(scene, problems);
  if (!problems.empty()) return error.Set(std::move(problems)), "";
  JsonValue json = Codec<SceneDescription>::Write(scene);
  for (const KeptValue& kept : scene.kept) SetAt(json, kept.pointer, kept.value);
  return WriteJson(json) + "\n";
}

void SaveSceneToFile(const SceneDescription& scene, const String& path, Error& error) {
  const String text = SaveSceneToJsonString(scene, error);
  if (!error.IsOK()) return;
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) error.Set(path + ": cannot be written");
}

}  // namespace dermis
