#include "host/validate.h"

#include <filesystem>

#include "host/io/scene_file.h"
#include "host/params/codec.h"
#include "host/scene.h"
#include "tests/host/sample_scenes.h"

using namespace dermis;
namespace fs = std::filesystem;

namespace {

// Passes when the changed pendulum is refused with this text.
template <class F> void RequireRefused(const String& text, F change) {
  SoftSkinnedActorParams params = Pendulum();
  change(params);
  const SoftSkinnedActorParams before = params;
  const bool isComparable = params == before;  // NaN equals nothing
  Error error;
  CHECK(!ValidateActor(params, error));
  RequireProblem(error, text);
  CHECK((params == before) == isComparable);
}

}  // namespace

TEST_CASE("every reference scene is valid, or has a material that is named as not supported yet") {
  for (const auto& folder : fs::directory_iterator(fs::path(DERMIS_SOURCE_DIR) / "tests/reference")) {
    const fs::path file = folder.path() / (folder.path().filename().string() + ".mochi_scene");
    if (!fs::exists(file)) continue;
    INFO(file);
    Error error;
    const SceneDescription scene = LoadSceneFromFile(file.string(), error);
    REQUIRE(Problems(error) == "");
    const ValidatedScene valid = Validate(scene, error);
    for (const String& problem : error.GetProblems())
      CHECK(problem.find("is not supported yet; use one of NeoHookean") != String::npos);
    if (error.IsOK()) CHECK(valid.GetArticulated().size() + valid.GetRigid().size() + valid.GetSoft().size() > 0);
  }
}

TEST_CASE("the pendulum is resolved: masses, rest pose, skinning, domains") {
  Error error;
  const String file = String(DERMIS_SOURCE_DIR) + "/tests/reference/seed_scene/seed_scene.mochi_scene";
  const ValidatedScene scene = Validate(LoadSceneFromFile(file, error), error);
  REQUIRE(Problems(error) == "");
  const ValidatedArticulated& actor = scene.GetArticulated().at(0);
  // Density 1000 in boxes of 0.25 and 0.125 by 0.025 by 0.025.
  CHECK(actor.links.at(0).body.mass.mass == Approx(0.15625));
  CHECK(actor.links.at(1).body.mass.mass == Approx(0.078125));
  CHECK(actor.links.at(1).body.name == "Pendulum/LowerArm");
  CHECK(actor.dofCount == 2);
  CHECK(actor.joints.at(1).dofOffset == 1);
  CHECK(actor.jointVelocities == DynamicArray<Real>{4.2, 0});
  // The lower arm begins where the upper ends, in the frame of the upper arm.
  CHECK(actor.links.at(1).rootFromLinkAtRest.translation.x == Approx(0.25));
  CHECK(actor.links.at(1).rootFromLinkAtRest.translation.y == Approx(0.4875));
  CHECK(actor.links.at(1).linkFromRestFrame.translation.x == Approx(-0.25));
  const ValidatedSoft& soft = actor.softs.at(0);
  CHECK(soft.attachLink == 1);
  CHECK(soft.skinning.frames == DynamicArray<int>(16, 1));
  CHECK(soft.gravity == EnergyDomain::Posed);
  CHECK(soft.inertia == EnergyDomain::Posed);
  CHECK(soft.stress == EnergyDomain::Rest);
  CHECK(std::count(soft.isConstrained.begin(), soft.isConstrained.end(), 1) == 4);
  CHECK(actor.nonCollidingLinks == DynamicArray<std::array<int, 2>>{{0, 1}});
  CHECK(scene.GetRigid().at(0).body.collider.sphere.radius == Approx(0.05).epsilon(1e-6));
  CHECK(scene.GetRigid().at(1).body.collider.type == ColliderType::Plane);
}

TEST_CASE("mistakes in a soft-skinned actor are refused, and nothing is changed") {
  Error error;
  CHECK(ValidateActor(Pendulum(), error));
  CHECK(Problems(error) == "");
  using P = SoftSkinnedActorParams;
  RequireRefused("softParams[0].hasGravity: must be false for a nested soft",
                 [](P& p) { p.softParams[0].hasGravity = true; });
  RequireRefused("softParams[0].hasInertia: is true here and on the soft-skinned actor",
                 [](P& p) { p.softParams[0].hasInertia = true; });
  RequireRefused("softParams[0].hasStress: is true here and on the soft-skinned actor",
                 [](P& p) { p.hasStress = true; });
  RequireRefused("no energy term is enabled",
                 [](P& p) { p.hasGravity = p.hasInertia = p.softParams[0].hasStress = false; });
  RequireRefused("has no constrained nodes", [](P& p) {
    ModelData model = TetModel();
    model.constrainedNodes.clear();
    p.softParams[0].shape = CreateModelShape(model, ErrorAssert{});
  });
  RequireRefused("softAttachLinks: has 2 entries for 1 softs", [](P& p) { p.softAttachLinks.push_back("UpperArm"); });
  RequireRefused("softAttachLinks[0]: is empty; name a link", [](P& p) { p.softAttachLinks = {""}; });
  RequireRefused("softAttachLinks[0]: there is no link \"LowerArn\"; did you mean \"LowerArm\"?",
                 [](P& p) { p.softAttachLinks = {"LowerArn"}; });
  RequireRefused("has no skinning data, and softAttachLinks is empty", [](P& p) { p.softAttachLinks.clear(); });
  RequireRefused("node 0 follows link 2, but there are 2 links",
                 [](P& p) { p.softAttachLinks.clear(), p.softParams[0].shape = TetShape(2); });
  RequireRefused("the weights of node 3 sum to 0.5, expected 1", [](P& p) {
    ModelData model = TetModel(1);
    model.mesh->skinning->weights[3] = 0.5;
    p.softAttachLinks.clear();
    p.softParams[0].shape = CreateModelShape(model, ErrorAssert{});
  });
  RequireRefused("softParams[0].shape: is missing", [](P& p) { p.softParams[0].shape = {}; });
  RequireRefused("a soft actor needs a tetrahedral mesh, found a surface",
                 [](P& p) { p.softParams[0].shape = BoxSurface(1, 1, 1); });
  RequireRefused("softParams: is empty", [](P& p) { p.softParams.clear(), p.softAttachLinks.clear(); });
  RequireRefused(
      "softParams[0].material.neoHookean.poissonRatio: 0.5 is outside (-1, 0.5); use 0.49 for nearly incompressible",
      [](P& p) { p.softParams[0].material.neoHookean.poissonRatio = 0.5; });
  RequireRefused("softParams[0].material.massDampingCoefficient: nan is not a finite number",
                 [](P& p) { p.softParams[0].material.massDampingCoefficient = NAN; });
  RequireRefused("material.neoHookean.psdStrategy: PerTermProjection is not available for NeoHookean", [](P& p) {
    p.softParams[0].material.neoHookean.psdStrategy = MaterialPsdStrategy::PerTermProjection;
  });
}

TEST_CASE("mistakes in a skeleton are refused") {
  using P = SoftSkinnedActorParams;
  const auto link = [](P& p) -> ArticulatedLinkParams& { return p.skeletonParams.links[1]; };
  const auto joint = [](P& p) -> ArticulatedJointParams& { return p.skeletonParams.joints[1]; };
  RequireRefused("skeletonParams.joints: has 1 entries for 2 links", [](P& p) { p.skeletonParams.joints.pop_back(); });
  RequireRefused("skeletonParams.links[1].parentLink: 1 is not below the link's own index 1",
                 [&](P& p) { link(p).parentLink = 1; });
  RequireRefused("skeletonParams.links[1].parentJointFromLink.rotation: must be identity", [&](P& p) {
    link(p).parentJointFromLink.rotation = {0, 0, 0.6, 0.8};
  });
  RequireRefused("skeletonParams.links[1].mass: 0 is outside (0, inf) (of \"LowerArm\")",
                 [&](P& p) { link(p).mass = 0.0; });
  RequireRefused("skeletonParams.links[1].momentOfInertia", [&](P& p) {
    link(p).momentOfInertia = {{1, 0, 0, 1, 0, 9}};
  });
  RequireRefused("joint \"joint_1\" moves no mass; give link \"Skel/LowerArm\" a closed shape, or a mass",
                 [&](P& p) { link(p).shape = {}, p.softAttachLinks = {"UpperArm"}; });
  RequireRefused("skeletonParams.joints[1].type: is missing",
                 [&](P& p) { joint(p).type = ArticulatedJointType::Invalid; });
  RequireRefused("skeletonParams.joints[1].type: Cycle is not a joint between a link and its parent",
                 [&](P& p) { joint(p).type = ArticulatedJointType::Cycle; });
  RequireRefused("skeletonParams.joints[1].axis: a Revolute joint needs an axis that is not zero",
                 [&](P& p) { joint(p).axis = {}; });
  // The limits are projected on the axis, which points to -z.
  RequireRefused("skeletonParams.joints[1].minLimit: 1 is above maxLimit -1 along the axis", [&](P& p) {
    joint(p).minLimit = Real3{0, 0, -1}, joint(p).maxLimit = Real3{0, 0, 1};
  });
  RequireRefused("minLimit[2]: nan is not a number", [&](P& p) { joint(p).minLimit = Real3{0, 0, NAN}; });
  RequireRefused("a Hard joint has no limits",
                 [&](P& p) { joint(p).type = ArticulatedJointType::Hard, joint(p).maxLimit = Real3{}; });
  RequireRefused("skeletonParams.jointVelocities: has 1 entries, expected 2",
                 [](P& p) { p.skeletonParams.jointVelocities = DynamicArray<Real>{1}; });
  RequireRefused("skeletonParams.cycles[0]: joins links 1 and 5, but there are 2 links", [](P& p) {
    p.skeletonParams.cycles = {{1, 5, {}, 1}};
  });
  RequireRefused("skeletonParams.links[1].name: \"UpperArm\" is the name of another",
                 [&](P& p) { link(p).name = "UpperArm"; });
  RequireRefused("\"a/b\" contains a slash", [&](P& p) { link(p).name = "a/b"; });
  RequireRefused("\"a\\b\" contains a slash, a backslash", [](P& p) { p.softParams[0].name = "a\\b"; });
  RequireRefused("\"a\" contains a slash, a backslash or a zero",
                 [](P& p) { p.softParams[0].name = String("a\0b", 3); });
  RequireRefused("softParams[0].name: \"UpperArm\" is the name of another",
                 [](P& p) { p.softParams[0].name = "UpperArm"; });
}

TEST_CASE("limits along an axis may be infinite on one side") {
  SoftSkinnedActorParams params = Pendulum();
  params.skeletonParams.joints[0].axis = {0, 0, 2};
  params.skeletonParams.joints[0].maxLimit = Real3{kInfinity, kInfinity, kInfinity};
  params.skeletonParams.joints[0].minLimit = Real3{0, 0, -0.5};
  Error error;
  const ValidatedScene scene = Validate(SceneOf(params), error);
  REQUIRE(Problems(error) == "");
  const ValidatedJoint& joint = scene.GetArticulated()[0].joints[0];
  CHECK(joint.hasLimits);
  CHECK(joint.minLimit[0] == -0.5);
  CHECK(joint.maxLimit[0] == kInfinity);
  CHECK(joint.axis == Real3{0, 0, 1});
}

TEST_CASE("automatic names avoid the names that the user gave") {
  // The published test case: softs "named", "", "", "soft_2" and a link "soft_0".
  SoftSkinnedActorParams params = Pendulum();
  params.skeletonParams.links[0].name = "soft_0";
  params.skeletonParams.links[1].name = "";
  params.softParams.resize(4, params.softParams[0]);
  params.softAttachLinks = {"link_1", "link_1", "soft_0", "soft_0"};
  params.softParams[0].name = "named";
  params.softParams[1].name = params.softParams[2].name = "";
  params.softParams[3].name = "soft_2";
  Error error;
  const ValidatedScene scene = Validate(SceneOf(params), error);
  REQUIRE(Problems(error) == "");
  DynamicArray<String> names;
  for (const ValidatedSoft& soft : scene.GetArticulated()[0].softs) names.push_back(soft.name);
  CHECK(names == DynamicArray<String>{"Skel/named", "Skel/soft_1", "Skel/soft_3", "Skel/soft_2"});
  params.skeletonParams.name = "";
  CHECK(Validate(SceneOf(params), error).GetArticulated()[0].links[1].body.name == "unnamed_articulation/link_1");
}

TEST_CASE("all problems of a scene are collected, with the path of their actor") {
  SceneDescription scene = SceneOf(Pendulum());
  scene.actors.softSkinned[0].softParams[0].hasGravity = true;
  scene.actors.softSkinned[0].skeletonParams.joints[0].axis = {};
  RigidActorParams rigid;
  rigid.name = "Floor";
  rigid.shape = CreatePlaneShape({0, 1, 0}, 0, ErrorAssert{});
  scene.actors.rigid = {rigid, {}};
  SoftActorParams soft;
  soft.shape = TetShape();
  soft.hasGravity = soft.hasInertia = soft.hasStress = false;
  scene.actors.soft = {soft};
  scene.scene.solver.integrationMethod = IntegrationMethod::DIRK33;
  scene.contactFilter.actorContactSymmetric = {{{"Skel", "Flor"}, false, true}};
  Error error;
  Validate(scene, error);
  CHECK(error.GetProblems().size() == 7);
  RequireProblem(error, "actors.softSkinned[0].softParams[0].hasGravity: must be false");
  RequireProblem(error, "actors.softSkinned[0].skeletonParams.joints[0].axis");
  RequireProblem(error, "actors.rigid[0].shape: a plane cannot move; give a surface mesh, or set isStatic");
  RequireProblem(error, "actors.rigid[1].shape: is missing");
  RequireProblem(error, "actors.soft[0].hasInertia: no energy term is enabled");
  RequireProblem(error, "scene.solver.integrationMethod: DIRK33 is not supported yet; use BackwardEuler or BDF2");
  RequireProblem(
      error, "contactFilter.actorContactSymmetric[0].actors[1]: there is no actor \"Flor\"; did you mean \"Floor\"?");
}

TEST_CASE("links welded or joined across shapeless links do not collide") {
  // 0 -revolute- 1 -hard- 2 -revolute- 3(no shape) -revolute- 4 -revolute- 5
  ArticulatedActorParams params;
  const auto revolute = ArticulatedJointType::Revolute, hard = ArticulatedJointType::Hard;
  const ArticulatedJointType types[] = {revolute, revolute, hard, revolute, revolute, revolute};
  for (int i = 0; i < 6; ++i) {
    params.joints.push_back({.type = types[i], .axis = {1, 0, 0}});
    ArticulatedLinkParams link;
    link.parentLink = i - 1;
    if (i != 3) link.shape = BoxSurface(1, 1, 1);
    params.links.push_back(link);
  }
  SceneDescription scene;
  scene.actors.articulated = {params};
  Error error;
  const ValidatedScene valid = Validate(scene, error);
  REQUIRE(Problems(error) == "");
  // 3 has no shape, so pairs with it do not matter; among the others:
  DynamicArray<std::array<int, 2>> pairs;
  for (const auto& pair : valid.GetArticulated()[0].nonCollidingLinks)
    if (pair[0] != 3 && pair[1] != 3) pairs.push_back(pair);
  CHECK(pairs == DynamicArray<std::array<int, 2>>{{0, 1}, {0, 2}, {1, 2}, {1, 4}, {2, 4}, {4, 5}});
}

TEST_CASE("per-element materials are used for their own type, and filled from the actor") {
  ModelData model = TetModel();
  model.material.emplace().youngsModulus = {7};
  SoftActorParams soft;
  soft.shape = CreateModelShape(model, ErrorAssert{});
  soft.material.neoHookean.poissonRatio = 0.3;
  SceneDescription scene;
  scene.actors.soft = {soft};
  Error error;
  const ValidatedScene valid = Validate(scene, error);
  REQUIRE(Problems(error) == "");
  REQUIRE(valid.GetSoft()[0].perElement);
  CHECK(valid.GetSoft()[0].perElement->youngsModulus == DynamicArray<Real>{7});
  CHECK(valid.GetSoft()[0].perElement->poissonRatio == DynamicArray<Real>{0.3});
  scene.actors.soft[0].material.type = SoftMaterialType::Arap;
  const ValidatedScene other = Validate(scene, error);
  CHECK(!other.GetSoft()[0].perElement);
  CHECK(other.GetNotes().size() == 1);
  model.material->psdStrategy = MaterialPsdStrategy::Projection;
  scene.actors.soft[0].shape = CreateModelShape(model, ErrorAssert{});
  scene.actors.soft[0].material.type = SoftMaterialType::NeoHookean;
  scene.actors.soft[0].material.neoHookean.psdStrategy = MaterialPsdStrategy::Fast;
  Validate(scene, error);
  RequireProblem(error, "Fast differs from Projection in the model");
}

TEST_CASE("names of actors are unique in a scene, and automatic names avoid the given ones") {
  RigidActorParams floor;
  floor.isStatic = true;
  floor.shape = CreatePlaneShape({0, 1, 0}, 0, ErrorAssert{});
  SoftActorParams soft;
  soft.shape = TetShape();
  SceneDescription scene = SceneOf(Pendulum());
  scene.actors.rigid = {floor, floor, floor};
  scene.actors.soft = {soft};
  scene.actors.rigid[2].name = "rigid_0";
  scene.actors.softSkinned.resize(3, scene.actors.softSkinned[0]);
  scene.actors.softSkinned[1].skeletonParams.name = scene.actors.softSkinned[2].skeletonParams.name = "";
  Error error;
  const ValidatedScene valid = Validate(scene, error);
  REQUIRE(Problems(error) == "");
  CHECK(valid.GetRigid()[0].body.name == "rigid_1");
  CHECK(valid.GetRigid()[1].body.name == "rigid_2");
  CHECK(valid.GetSoft()[0].name == "soft_0");
  CHECK(valid.GetArticulated()[1].name == "unnamed_articulation");
  CHECK(valid.GetArticulated()[2].name == "unnamed_articulation_1");
  CHECK(valid.GetArticulated()[2].links[0].body.name == "unnamed_articulation_1/UpperArm");
  scene.actors.soft[0].name = scene.actors.rigid[1].name = "Skel";
  Validate(scene, error);
  RequireProblem(error, "actors.soft[0].name: \"Skel\" is also actors.rigid[1].name; give each actor its own name");
  RequireProblem(error, "actors.softSkinned[0].skeletonParams.name: \"Skel\" is also actors.rigid[1].name");
}

TEST_CASE("sizes and masses that overflow are refused") {
  Error error;
  RigidActorParams rigid;
  rigid.shape = BoxSurface(1e8, 1e8, 1e8);
  rigid.density = 1e300;
  CHECK(!ValidateActor(rigid, error));
  RequireProblem(error, "density: the mass is inf kg");
  Error shape;
  ShapeSource source;
  source.scale = {1e80, 1e80, 1e80};
  CreateModelShape(TetModel(), source, shape);
  RequireProblem(shape, "has coordinates of 1e+80 m");
  CHECK(Problems(shape).find("check the scale") != String::npos);
}

TEST_CASE("repeated tetrahedra are refused") {
  ModelData model = TetModel();
  model.mesh->connectivity = {0, 1, 2, 3, 3, 2, 1, 0};
  Error error;
  CreateModelShape(model, error);
  RequireProblem(error, "tetrahedron 1 repeats tetrahedron 0 (nodes 0, 1, 2, 3); remove one");
}

TEST_CASE("a soft needs inertia or stress; what is ignored or unheld is noted") {
  RequireRefused("a nested soft needs inertia or stress",
                 [](SoftSkinnedActorParams& p) { p.hasInertia = p.softParams[0].hasStress = false; });
  SoftActorParams soft;
  ModelData model = TetModel();
  model.constrainedNodes.clear();
  soft.shape = CreateModelShape(model, ErrorAssert{});
  soft.hasInertia = soft.hasStress = false;
  Error error;
  CHECK(!ValidateActor(soft, error));
  RequireProblem(error, "hasInertia: a soft actor needs inertia or stress");
  soft.hasStress = true;
  SoftSkinnedActorParams params = Pendulum();
  params.softParams[0].shape = TetShape(1);
  SceneDescription scene = SceneOf(params);
  scene.actors.soft = {soft};
  Error none;
  const DynamicArray<String> notes = Validate(scene, none).GetNotes();
  CHECK(Problems(none) == "");
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].find("nothing holds the body in place") != String::npos);
  CHECK(notes[1].find("skinning data is ignored because softAttachLinks names a link") != String::npos);
}

TEST_CASE("the form of a file's constraints and controllers is checked, and NUL bytes are refused") {
  const auto refused = [](const String& text, const String& problem) {
    Error error;
    LoadSceneFromJsonString(text, ".", error);
    RequireProblem(error, problem);
  };
  refused("{\"constraints\": []}", "expected an object, found an array");
  refused("{\"controllers\": {}}", "expected an array, found an object");
  refused("{\"constraints\": {\"rigidSphericalJont\": []}}", "did you mean \"rigidSphericalJoint\"?");
  refused(String("{}\n \0", 5), "scene:2:2: a NUL byte");
  refused(String("{\"a\0\": 1}", 9), "scene:1:4: a NUL byte");
}

TEST_CASE("a time step that is not a usable number of seconds is refused, and nothing moves") {
  const auto scene = Scene::Create(SceneOf(Pendulum()), {}, ErrorAssert{});
  for (const Real dt : {0.0, -1.0, 1e-300, 9e-13, kInfinity, Real(NAN)}) {
    Error error;
    scene->Step(dt, error);
    RequireProblem(error, "is outside [1e-12, inf); a time step is a positive number of seconds");
  }
  CHECK(scene->GetTotalSimulationTime() == 0);
}

TEST_CASE("a link whose shape has no mass gets a note") {
  ArticulatedActorParams params;
  params.joints.resize(1);
  params.joints[0].type = ArticulatedJointType::Hard;
  params.links.resize(1);
  params.links[0].colliderType = ColliderType::None;
  ModelData model;
  model.mesh.emplace();
  params.links[0].shape = CreateModelShape(model, ErrorAssert{});
  SceneDescription scene;
  scene.actors.articulated = {params};
  Error error;
  const DynamicArray<String> notes = Validate(scene, error).GetNotes();
  REQUIRE(Problems(error) == "");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("actors.articulated[0].links[0].shape: an empty shape has no mass of its own") == 0);
}
