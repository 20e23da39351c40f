// What must not matter: other worlds, other actors, where stress is evaluated; and actors without unknowns.
#include <algorithm>

#include "tests/catch.h"
#include "tests/physics/scenes.h"

namespace dermis {

namespace {

constexpr Real kDt = 0.01;
using Type = ArticulatedJointType;

// All numbers of a world that lead to the next step.
DynamicArray<Real> StateOf(const Scene& scene, int world) {
  DynamicArray<Real> state;
  for (const char* name : {"config", "dofVelocity", "frameSpin", "frameVelocity", "displacement", "nodeVelocity"}) {
    const DynamicArray<Real> values = const_cast<Scene&>(scene).GetSimulation().GetState(name, world);
    state.insert(state.end(), values.begin(), values.end());
  }
  return state;
}
SceneDescription MixedScene() {
  SceneDescription description = SceneWith();
  description.actors.softSkinned = {SkinnedBar(Type::Spherical)};
  description.actors.softSkinned[0].skeletonParams.jointVelocities = DynamicArray<Real>{0.5, 1, -1, 2};
  description.actors.rigid = {RigidBox({0.1, 0.2, 0.3})};
  description.actors.rigid[0].angularVelocity = Real3{1, 2, 3};
  description.actors.soft = {Soft(TetShape(BoxTets({2, 1, 1}, {0.2, 0.1, 0.1})), SoftMaterialType::Arap)};
  return description;
}

}  // namespace

TEST_CASE("worlds: copies of a scene equal one scene, bit for bit", "[physics][worlds]") {
  const auto one = Start(MixedScene());
  const auto three = Start(MixedScene(), kTight, IntegrationMethod::BackwardEuler, 3);
  Advance(*one, kDt, 10);
  Advance(*three, kDt, 10);
  for (int world = 0; world < 3; ++world) CHECK(StateOf(*three, world) == StateOf(*one, 0));
  // Gravity of one world, then a number that is not finite in it: the others do not notice.
  three->GetSimulation().SetParameter("gravity", 1, {1, 2, 3});
  Advance(*one, kDt, 5);
  Advance(*three, kDt, 5);
  CHECK(StateOf(*three, 1) != StateOf(*one, 0));
  DynamicArray<Real> displacement = three->GetSimulation().GetState("displacement", 1);
  displacement[4] = std::numeric_limits<Real>::quiet_NaN();
  three->GetSimulation().SetState("displacement", 1, displacement);
  Error error;
  for (int step = 0; step < 5; ++step) {
    one->Step(kDt, error);
    three->Step(kDt, error);
  }
  REQUIRE(error.IsOK());
  CHECK(three->GetConvergenceStatus() == ConvergenceStatus::Diverged);
  for (const int world : {0, 2}) CHECK(StateOf(*three, world) == StateOf(*one, 0));
}

TEST_CASE("islands: actors that do not touch move as if they were alone, bit for bit", "[physics][islands]") {
  const auto together = Start(MixedScene());
  Advance(*together, kDt, 20);
  SceneDescription softOnly = MixedScene(), skinnedOnly = MixedScene(), rigidOnly = MixedScene();
  softOnly.actors.rigid = {};
  softOnly.actors.softSkinned = {};
  skinnedOnly.actors.rigid = {};
  skinnedOnly.actors.soft = {};
  rigidOnly.actors.soft = {};
  rigidOnly.actors.softSkinned = {};
  const auto soft = Start(softOnly), skinned = Start(skinnedOnly), rigid = Start(rigidOnly);
  Advance(*soft, kDt, 20);
  Advance(*skinned, kDt, 20);
  Advance(*rigid, kDt, 20);
  const auto& actors = together->GetActors();
  CHECK(together->GetRigidState(actors[0]).centerOfMass == rigid->GetRigidState(First(*rigid)).centerOfMass);
  CHECK(together->GetRigidState(actors[0]).rotation == rigid->GetRigidState(First(*rigid)).rotation);
  CHECK(together->GetNodePositions(actors[1].softs[0]) == soft->GetNodePositions(First(*soft).softs[0]));
  CHECK(together->GetNodePositions(actors[2].softs[0]) == skinned->GetNodePositions(First(*skinned).softs[0]));
  CHECK(together->GetArticulatedState(actors[2]).q == skinned->GetArticulatedState(First(*skinned)).q);
}

TEST_CASE("order and threads: neither changes a bit", "[physics][islands]") {
  SceneDescription forward = SceneWith(), backward = SceneWith();
  const SoftActorParams a = Soft(TetShape(BoxTets({8, 2, 2}, {0.4, 0.1, 0.1}))), b = MixedScene().actors.soft[0];
  forward.actors.soft = {a, b};
  backward.actors.soft = {b, a};
  const auto run = [](const SceneDescription& description, int threads) {
    SceneOptions options;
    options.tolerance = kTight;
    options.numThreads = threads;
    auto scene = Scene::Create(description, options, ErrorAssert{});
    for (const ActorLayout& actor : scene->GetActors()) {
      const int node = actor.softs[0].nodeBegin;
      DynamicArray<Real> displacement = scene->GetSimulation().GetState("displacement", 0);
      displacement[size_t(3 * node)] += 0.01;
      scene->GetSimulation().SetState("displacement", 0, displacement);
    }
    Advance(*scene, kDt, 10);
    return scene;
  };
  const auto reference = run(forward, 1), swapped = run(backward, 1), threaded = run(forward, 3);
  for (const size_t actor : {0, 1})
    CHECK(reference->GetNodePositions(reference->GetActors()[actor].softs[0]) ==
          swapped->GetNodePositions(swapped->GetActors()[1 - actor].softs[0]));
  CHECK(reference->GetStateHash() == threaded->GetStateHash());
  CHECK(reference->GetEnergies().elastic > 1e-6);
}

TEST_CASE("posed stress equals unposed stress on one rigid attach link", "[physics][skinned]") {
  // A rigid motion does not change F^T F. Both dampings are on: the stiffness damping follows the stress.
  const auto build = [](bool isPosed, SoftMaterialType type) {
    SoftSkinnedActorParams actor;
    actor.skeletonParams.joints = {Joint(Type::Revolute, {0, 1, 0}), Joint(Type::Spherical, {}, {0.3, 0, 0})};
    actor.skeletonParams.links = {BoxLink(-1, {0.3, 0.05, 0.05}, {0.15, 0, 0}),
                                  BoxLink(0, {0.2, 0.05, 0.05}, {0.1, 0, 0})};
    actor.skeletonParams.links[1].name = "Arm";
    const MeshData mesh = BoxTets({3, 1, 1}, {0.3, 0.1, 0.1}, {0.3, -0.05, -0.05});
    SoftActorParams soft =
        Soft(TetShape(mesh, NodesWhere(mesh, [](const Real3& x) { return x.x < 0.3 + 1e-9; })), type, 3e4);
    soft.hasGravity = soft.hasInertia = false;
    soft.hasStress = !isPosed;
    soft.material.massDampingCoefficient = 0.2;
    soft.material.stiffnessDampingCoefficient = 0.01;
    actor.softParams = {soft};
    actor.softAttachLinks = {"Arm"};
    actor.hasGravity = actor.hasInertia = true;
    actor.hasStress = isPosed;
    SceneDescription description = SceneWith();
    description.actors.softSkinned = {actor};
    return description;
  };
  for (const SoftMaterialType type : {SoftMaterialType::NeoHookean, SoftMaterialType::Arap}) {
    INFO(EnumName(type));
    const auto posed = Start(build(true, type)), unposed = Start(build(false, type));
    Advance(*posed, kDt, 40);
    Advance(*unposed, kDt, 40);
    CHECK(LargestDifference(posed->GetSimulation().NodePositions(0), unposed->GetSimulation().NodePositions(0)) <=
          1e-9);
    const Real energy = unposed->GetEnergies().elastic;
    CHECK(energy > 1e-3);
    CHECK(posed->GetEnergies().elastic == Approx(energy).epsilon(1e-7));
  }
}

TEST_CASE("nothing to solve: scenes without actors and actors without unknowns step", "[physics][structure]") {
  const auto empty = Start(SceneWith());
  Advance(*empty, kDt, 3);
  CHECK(empty->GetTotalSimulationTime() == Approx(3 * kDt));
  CHECK(empty->GetActors().empty());

  SceneDescription description = SceneWith();
  ArticulatedActorParams welded;
  welded.joints = {Joint(Type::Hard, {}, {1, 2, 3}), Joint(Type::Hard, {}, {0.1, 0, 0})};
  welded.links = {BoxLink(-1, {0.1, 0.1, 0.1}), BoxLink(0, {0.1, 0.1, 0.1})};
  description.actors.articulated = {welded};
  const auto scene = Start(description);
  Advance(*scene, kDt, 10);
  CHECK(scene->GetLinkTransforms(First(*scene))[1].translation == Real3{1.1, 2, 3});
  CHECK(scene->GetEnergies().kinetic == 0);

  // With a soft on it, only the soft moves.
  SoftSkinnedActorParams skinned;
  skinned.skeletonParams = welded;
  const MeshData mesh = BoxTets({2, 1, 1}, {0.2, 0.1, 0.1});
  SoftActorParams soft = Soft(TetShape(mesh, NodesWhere(mesh, [](const Real3& x) { return x.x < 1e-9; })));
  soft.hasGravity = soft.hasInertia = false;
  skinned.softParams = {soft};
  skinned.softAttachLinks = {"link_1"};
  skinned.hasGravity = skinned.hasInertia = true;
  description.actors = {};
  description.actors.softSkinned = {skinned};
  const auto hanging = Start(description);
  const DynamicArray<Real3> before = hanging->GetNodePositions(First(*hanging).softs[0]);
  Advance(*hanging, kDt, 10);
  const DynamicArray<Real3> after = hanging->GetNodePositions(First(*hanging).softs[0]);
  CHECK(after.front() == before.front());
  CHECK(after.back().z < before.back().z - 1e-3);
}

TEST_CASE("refused: a step of no length, and a node without tetrahedron", "[physics][structure]") {
  const auto scene = Start(SceneWith());
  for (const Real dt : {0.0, -0.01, std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN()}) {
    Error error;
    scene->Step(dt, error);
    CHECK(error.GetDescription().find("dt: ") == 0);
  }
  CHECK(scene->GetTotalSimulationTime() == 0);
  Error error;
  CHECK(!CreateTetMeshShape({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5}, {0, 1, 2, 3}, error));
  CHECK(error.GetDescription().find("4") != String::npos);
}

}  // namespace dermis
