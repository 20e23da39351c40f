#include "tests/host/sample_scenes.h"

using namespace dermis;

namespace {

// A triangle skin on nodes 1, 2, 3 of the tetrahedron of the pendulum; all on link 1.
ModelData SkinModel() {
  ModelData model;
  MeshData& mesh = model.mesh.emplace();
  mesh.nodesPerElement = 3;
  mesh.coordinates = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mesh.connectivity = {0, 1, 2};
  mesh.skinning = SkinningData{2, {1, 0, 1, 0, 1, 0}, {1, 0, 1, 0, 1, 0}};
  model.blending = {{"SoftArm", {1, 2, 3}, {1, 0.5, 0}}};
  return model;
}

SoftSkinnedActorParams Blended(const ModelData& skin) {
  SoftSkinnedActorParams params = Pendulum();
  params.skeletonParams.skin.emplace().shape = CreateModelShape(skin, ErrorAssert{});
  return params;
}

void RequireRefused(const String& text, const SoftSkinnedActorParams& params) {
  Error error;
  CHECK(!ValidateActor(params, error));
  RequireProblem(error, text);
}

}  // namespace

TEST_CASE("a blended skin follows the nodes of positive weight, and is what collides") {
  Error error;
  const ValidatedScene scene = Validate(SceneOf(Blended(SkinModel())), error);
  REQUIRE(Problems(error) == "");
  const ValidatedArticulated& actor = scene.GetArticulated()[0];
  REQUIRE(actor.skin);
  REQUIRE(actor.skin->blend.size() == 2);
  CHECK(actor.skin->blend[1].vertex == 1);
  CHECK(actor.skin->blend[1].node == 2);
  CHECK(actor.skin->blend[1].weight == 0.5);
  CHECK(!actor.softs[0].isColliding);
  // Padding of weight 0 is left out.
  CHECK(actor.skin->skinning.frames == DynamicArray<int>{1, 1, 1});
}

TEST_CASE("where the weight is positive, rest positions and skinning must be exactly equal") {
  ModelData skin = SkinModel();
  skin.mesh->coordinates[0] = std::nextafter(1.0, 2.0);  // one unit in the last place
  RequireRefused(
      "vertex 0 at (1.0000000000000002, 0, 0) and node 1 at (1, 0, 0) differ at rest; copy the skin's position",
      Blended(skin));
  skin = SkinModel();
  skin.mesh->skinning->weights[2] = 0.5;
  skin.mesh->skinning->weights[3] = 0.5;
  RequireRefused("vertex 1 has skinning (1, 0.5) (0, 0.5) and node 2 has (1, 1); copy the skin's indices and weights",
                 Blended(skin));
  // The order counts: the soft has (0, 0.5) (1, 0.5), the skin (1, 0.5) (0, 0.5).
  ModelData soft = TetModel();
  soft.mesh->skinning = SkinningData{2, {1, 0, 1, 0, 0, 1, 1, 0}, {1, 0, 1, 0, 0.5, 0.5, 1, 0}};
  SoftSkinnedActorParams params = Blended(skin);
  params.softAttachLinks.clear();
  params.softParams[0].shape = CreateModelShape(soft, ErrorAssert{});
  RequireRefused("vertex 1 has skinning (1, 0.5) (0, 0.5) and node 2 has (0, 0.5) (1, 0.5)", params);
  skin = SkinModel();
  skin.blending[0].indices[1] = 9;
  RequireRefused("blending of \"SoftArm\": vertex 1 follows node 9, but the soft has 4 nodes", Blended(skin));
}

TEST_CASE("where the weight is 0, nothing is asked") {
  ModelData skin = SkinModel();
  skin.blending[0].indices[2] = -7;
  skin.mesh->coordinates[8] = 1.5;
  skin.blending.push_back({"Nobody", {0, 0, 0}, {0, 0, 0}});
  Error error;
  CHECK(ValidateActor(Blended(skin), error));
  CHECK(Problems(error) == "");
}

TEST_CASE("a skin that names an unknown soft, or lacks what it needs, is refused") {
  ModelData skin = SkinModel();
  skin.blending[0].sourceShape = "SoftArn";
  RequireRefused(
      "skeletonParams.skin.shape: blending of \"SoftArn\": there is no nested soft actor of this name; did you mean "
      "\"SoftArm\"?",
      Blended(skin));
  skin = SkinModel();
  skin.blending.push_back(skin.blending[0]);
  RequireRefused("blending of \"SoftArm\": appears twice", Blended(skin));
  skin = SkinModel();
  skin.mesh->skinning.reset();
  RequireRefused("has no skinning data; add weights of the links", Blended(skin));
  skin = SkinModel();
  skin.mesh->skinning->indices[0] = 2;
  RequireRefused("node 0 follows link 2, but there are 2 links", Blended(skin));
  SoftSkinnedActorParams params = Blended(SkinModel());
  params.skeletonParams.skin->shape = TetShape(0);
  RequireRefused("a skin needs a triangle mesh, found a tetrahedral mesh", params);
  params.skeletonParams.skin->shape = {};
  RequireRefused("skeletonParams.skin.shape: is missing", params);
}
