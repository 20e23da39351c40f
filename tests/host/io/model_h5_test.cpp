#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "host/io/model_file.h"
#include "tests/host/sample_scenes.h"

using namespace dermis;
namespace fs = std::filesystem;

namespace {

const fs::path kReference = fs::path(DERMIS_SOURCE_DIR) / "tests/reference";

String ReadText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Loads bytes as an HDF5 model; says whether it worked.
bool Loads(const String& bytes, Error& error) {
  const fs::path file = fs::temp_directory_path() / "dermis_model_test.mochi.h5";
  std::ofstream(file, std::ios::binary) << bytes;
  const bool ok = LoadShapeFromFile(file.string(), error).IsValid();
  fs::remove(file);
  return ok;
}

}  // namespace

TEST_CASE("HDF5 models have mesh, skinning, blending and constrained nodes") {
  const ModelData skin = ReadModelH5((kReference / "blended_skin/skin.mochi.h5").string(), ErrorAssert{});
  REQUIRE(skin.mesh);
  CHECK(skin.mesh->nodesPerElement == 3);
  REQUIRE(skin.mesh->skinning);
  CHECK(skin.mesh->skinning->weights.size() ==
        skin.mesh->coordinates.size() / 3 * static_cast<size_t>(skin.mesh->skinning->weightsPerNode));
  REQUIRE(skin.blending.size() == 1);
  CHECK(skin.blending[0].sourceShape == "Tip");
  CHECK(skin.blending[0].weights.size() == skin.mesh->coordinates.size() / 3);
  const ModelData tip = ReadModelH5((kReference / "blended_skin/tip.mochi.h5").string(), ErrorAssert{});
  CHECK(tip.mesh->nodesPerElement == 4);
  CHECK(!tip.constrainedNodes.empty());
}

TEST_CASE("an HDF5 file that is missing, a folder, empty or something else is named") {
  const auto problemOf = [](const String& path) {
    Error error;
    ReadModelH5(path, error);
    return Problems(error);
  };
  CHECK(problemOf("none.h5") == "none.h5: no such file");
  CHECK(problemOf(kReference.string()).find("is a folder") != String::npos);
  CHECK(problemOf((kReference / "README.md").string()).find("is not a readable HDF5 file") != String::npos);
  Error error;
  CHECK(!Loads("", error));
  RequireProblem(error, "the file is empty");
}

TEST_CASE("a truncated HDF5 file is an error, wherever it ends") {
  const String bytes = ReadText(kReference / "chain_free/a.mochi.h5");
  for (size_t size = 0; size + 3 < bytes.size(); size += 97) {
    Error error;
    CHECK(!Loads(bytes.substr(0, size), error));
    CHECK(!error.IsOK());
  }
}

TEST_CASE("a mutated HDF5 file loads or is an error, and never ends the program") {
  const String bytes = ReadText(kReference / "c_node_position/bar.mochi.h5");
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    String mutated = bytes;
    for (int k = 0; k < 1 + i % 8; ++k) mutated[random() % mutated.size()] = static_cast<char>(random());
    Error error;
    const bool loaded = Loads(mutated, error);
    CHECK(loaded == error.IsOK());
  }
}
