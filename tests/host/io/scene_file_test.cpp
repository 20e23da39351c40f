#include "host/io/scene_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/host/sample_scenes.h"

using namespace dermis;
namespace fs = std::filesystem;

namespace {

const fs::path kReference = fs::path(DERMIS_SOURCE_DIR) / "tests/reference";

String ReadText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Reads a text as a scene beside the cube and the soft of the pendulum.
Error& ReadInto(Error& error, const String& text) {
  LoadSceneFromJsonString(text, (kReference / "pendulum_seed").string(), error);
  return error;
}

}  // namespace

TEST_CASE("every reference scene loads, and is equal after it was written and read") {
  int count = 0;
  for (const auto& folder : fs::directory_iterator(kReference)) {
    const fs::path file = folder.path() / (folder.path().filename().string() + ".mochi_scene");
    if (!fs::exists(file)) continue;
    ++count;
    INFO(file);
    Error error;
    const SceneDescription scene = LoadSceneFromFile(file.string(), error);
    REQUIRE(Problems(error) == "");
    const String text = SaveSceneToJsonString(scene, error);
    const SceneDescription again = LoadSceneFromJsonString(text, folder.path().string(), error);
    REQUIRE(Problems(error) == "");
    CHECK(again == scene);
    // Constraints and controllers are kept, and said to have no effect.
    const bool isKept = !scene.constraints.IsNull() || !scene.controllers.IsNull();
    CHECK(scene.notes.size() == (isKept ? 1 : 0));
  }
  CHECK(count == 36);
}

TEST_CASE("the seed scene has the values of its file") {
  Error error;
  const SceneDescription scene = LoadSceneFromFile((kReference / "seed_scene/seed_scene.mochi_scene").string(), error);
  REQUIRE(Problems(error) == "");
  const SoftSkinnedActorParams& actor = scene.actors.softSkinned.at(0);
  CHECK(actor.skeletonParams.links.at(1).name == "LowerArm");
  CHECK(actor.skeletonParams.joints.at(1).parentLinkFromJoint.translation == Real3{0.25, 0.0125, 0.0125});
  CHECK(*actor.skeletonParams.jointVelocities == DynamicArray<Real>{4.2, 0});
  CHECK(actor.softParams.at(0).material.neoHookean.youngsModulus == 15000);
  CHECK(actor.softParams.at(0).shape->GetTets().size() == 15);
  CHECK(actor.softAttachLinks == DynamicArray<String>{"LowerArm"});
  // The bake is in the shape, the placement in the actor.
  CHECK(actor.skeletonParams.links.at(1).shape->GetNodes().at(7) == Real3{0.125, 0.025, 0.025});
  CHECK(scene.actors.rigid.at(0).worldFromLocal.translation == Real3{0.05, 0.05, 0});
  CHECK(scene.actors.rigid.at(1).shape->GetModel().plane->normal == Real3{0, 1, 0});
  CHECK(scene.contactFilter.layerContactSymmetric.size() == 4);
}

TEST_CASE("mistakes in a scene are all reported, with line, pointer and remedy") {
  Error error;
  ReadInto(error, R"({ "scene": { "gravty": [0, 0, 0], "gravity": [0, 1] },
  "actors": { "soft": [ {
    "shape": "./soft.mochi.json", "hasStress": 1,
    "material": { "type": "NeoHokean", "neoHookean": { "poissonRatio": 0.5, "youngsModulus": "soft" } } } ],
   "rigid": [ { "name": "Ball" }, { "shape": "./none.mochi.json" }, { "shape": "./cube.mochi.json", "rotation": [0, 0, 0, 2] } ] } })");
  CHECK(error.GetProblems().size() == 9);
  RequireProblem(error, "scene:1:14: /scene/gravty: unknown key \"gravty\"; did you mean \"gravity\"?");
  RequireProblem(error, "scene:1:46: /scene/gravity: expected an array of 3 numbers, found 2");
  RequireProblem(error, "scene:3:48: /actors/soft/0/hasStress: expected true or false, found a number");
  RequireProblem(error,
                 "/actors/soft/0/material/type: \"NeoHokean\" is not a SoftMaterialType; did you mean \"NeoHookean\"?");
  RequireProblem(
      error,
      "/actors/soft/0/material/neoHookean/poissonRatio: 0.5 is outside (-1, 0.5); use 0.49 for nearly incompressible");
  RequireProblem(error, "/actors/soft/0/material/neoHookean/youngsModulus: expected a number, found a text");
  RequireProblem(error, "/actors/rigid/0: \"shape\" is missing");
  RequireProblem(error, "none.mochi.json: no such file");
  RequireProblem(error, "/actors/rigid/2/rotation: the quaternion's length is 2; give a unit quaternion");
}

TEST_CASE("a quaternion whose length overflows, and a joint type that no file can use, are refused") {
  // Finite components with an infinite norm; the offered joint types are those of the engine.
  for (const char* rotation : {"[1e200, 0, 0, 1]", "[0, 1e300, 1e300, 0]", "[0, 0, 0, 0]"}) {
    Error error;
    ReadInto(error,
             String(R"({ "actors": { "rigid": [ { "shape": "./cube.mochi.json", "rotation": )") + rotation + "} ] } }");
    RequireProblem(error, "/actors/rigid/0/rotation: the quaternion's length is");
  }
  Error error;
  ReadInto(error, R"({ "actors": { "articulated": [ { "joints": [ { "type": "Qqqq" } ], "links": [ {} ] } ] } })");
  RequireProblem(error, "it is one of Free, Prismatic, Revolute, Spherical, Hard");
  CHECK(error.GetDescription().find("Cycle") == String::npos);
}

TEST_CASE("keys without meaning here are kept or noted, and unsupported sections refused") {
  Error error;
  const String folder = (kReference / "beam_arap").string();
  const SceneDescription scene = LoadSceneFromJsonString(R"({ "_comment": "free",
    "scene": { "solver": { "integrationMethod": "BDF2", "nonLinearSolver": { "maxIter": 50, "absTol": 1e-9 } } },
    "actors": { "soft": [ { "shape": "./beam.mochi.h5", "useRecentering": false, "contact": { "penaltyCoefficient": 1e8 },
      "material": { "type": "StableNeoHookean", "stableNeoHookean": { "youngsModulus": 7 } } } ] } })",
                                                         folder, error);
  REQUIRE(Problems(error) == "");
  CHECK(scene.scene.solver.integrationMethod == IntegrationMethod::BDF2);
  CHECK(scene.scene.solver.nonLinearSolver.maxIter == 50);
  CHECK(scene.actors.soft.at(0).material.neoHookean.youngsModulus == 7);  // the old spelling
  REQUIRE(scene.notes.size() == 1);
  CHECK(scene.notes[0].find("penaltyCoefficient") != String::npos);
  CHECK(scene.notes[0].find("integrationMethod") == String::npos);
  REQUIRE(scene.kept.size() == 2);
  CHECK(scene.kept[1].pointer == "/_comment");
  const String text = SaveSceneToJsonString(scene, error);
  CHECK(text.find("\"useRecentering\": false") != String::npos);
  CHECK(LoadSceneFromJsonString(text, folder, error) == scene);

  Error prefabs, scale;
  RequireProblem(ReadInto(prefabs, R"({ "prefabs": [ { "path": "./a.mochi_prefab" } ] })"),
                 "nested prefabs are not supported yet");
  RequireProblem(ReadInto(scale, R"({ "actors": { "articulated": [ { "scale": 2 } ] } })"),
                 "/actors/articulated/0/scale: the scale of an articulated actor");
}

TEST_CASE("paths of shapes are absolute, relative to the file, or relative to the root") {
  const fs::path folder = fs::temp_directory_path() / "dermis_p\xC3\xA4th test";
  fs::create_directories(folder / "models");
  fs::copy_file(kReference / "pendulum_seed/cube.mochi.json", folder / "models/cube.mochi.json",
                fs::copy_options::overwrite_existing);
  const auto load = [&](const String& path, const String& root) {
    std::ofstream(folder / "s.mochi_scene") << "{\"actors\": {\"rigid\": [{\"shape\": \"" << path << "\"}]}}";
    Error error;
    LoadSceneFromFile((folder / "s.mochi_scene").string(), root, error);
    return Problems(error);
  };
  CHECK(load((folder / "models/cube.mochi.json").string(), "") == "");
  CHECK(load("./models/cube.mochi.json", "/nowhere") == "");
  CHECK(load("cube.mochi.json", (folder / "models").string()) == "");
  CHECK(load("models/cube.mochi.json", "") == "");
  CHECK(load("cube.mochi.json", "").find("no such file") != String::npos);
  CHECK(load("models/../models/./cube.mochi.json", "") == "");
  CHECK(load("models/cube.obj", "").find("use .mochi.json or .mochi.h5") != String::npos);
  CHECK(load("models", "").find("is not a model file") != String::npos);
  fs::remove_all(folder);
}

TEST_CASE("a truncated scene or model is an error, wherever it ends") {
  const String scene = ReadText(kReference / "seed_scene/seed_scene.mochi_scene");
  for (size_t size = 0; size + 3 < scene.size(); size += 97) {
    Error error;
    LoadSceneFromJsonString(scene.substr(0, size), (kReference / "seed_scene").string(), error);
    CHECK(!error.IsOK());
  }
  const fs::path file = fs::temp_directory_path() / "dermis_truncated.mochi.json";
  const String model = ReadText(kReference / "elastic_skin/skin.mochi.json");
  for (size_t size = 0; size + 3 < model.size(); size += 97) {
    std::ofstream(file, std::ios::binary) << model.substr(0, size);
    Error error;
    LoadShapeFromFile(file.string(), error);
    CHECK(!error.IsOK());
  }
  fs::remove(file);
}

TEST_CASE("a scene with a shape made in memory cannot be saved, and says which") {
  Error error;
  SaveSceneToJsonString(SceneOf(Pendulum()), error);
  RequireProblem(error, "actors.softSkinned[0].skeletonParams.links[0].shape: the shape was made in memory");
}
