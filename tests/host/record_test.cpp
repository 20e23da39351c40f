// The recorders: files repeat the state exactly, and their encodings follow their standards.
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "host/bench/bench_scenes.h"
#include "host/io/json.h"
#include "host/record/number_text.h"
#include "host/record/recorder.h"
#include "host/record/replaced_file.h"
#include "host/record/vtk_mesh.h"
#include "host/shape.h"
#include "tests/catch.h"

namespace dermis {

namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "dermis_record_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  String path;
};

String Text(const String& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

DynamicArray<double> Numbers(const JsonValue& value) {
  DynamicArray<double> numbers;
  if (const auto* items = value.Items()) {
    for (const JsonValue& item : *items)
      for (const double number : Numbers(item)) numbers.push_back(number);
  } else {
    numbers.push_back(value.Number().value());
  }
  return numbers;
}

DynamicArray<double> Flat(const DynamicArray<Real3>& points) {
  DynamicArray<double> numbers;
  for (const Real3& p : points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  return numbers;
}

}  // namespace

TEST_CASE("record: numbers read back as the same doubles", "[record]") {
  for (const double value : {0.1, 1.0 / 3, -1e-308, 5e-324, 1.7976931348623157e308, 0.0, -0.0, 123456789.123456789}) {
    fmt::memory_buffer text;
    AppendReal(text, value);
    const double back = std::strtod(fmt::to_string(text).c_str(), nullptr);
    CHECK(back == value);
  }
  fmt::memory_buffer text;
  AppendReal(text, std::numeric_limits<double>::quiet_NaN());
  CHECK(fmt::to_string(text) == "null");
}

TEST_CASE("record: base64 follows the examples of RFC 4648", "[record]") {
  const char* examples[][2] = {{"", ""},
                               {"f", "Zg=="},
                               {"fo", "Zm8="},
                               {"foo", "Zm9v"},
                               {"foob", "Zm9vYg=="},
                               {"fooba", "Zm9vYmE="},
                               {"foobar", "Zm9vYmFy"}};
  for (const auto& [text, code] : examples) CHECK(Base64(text, std::strlen(text)) == code);
}

TEST_CASE("record: a replaced file appears complete or not at all", "[record]") {
  const Folder folder;
  const String path = folder.path + "/file";
  std::ofstream(path) << "old";
  Error error;
  {
    ReplacedFile file(path, error);
    file.Write("new");
    CHECK(Text(path) == "old");
  }
  CHECK(Text(path) == "old");  // given up
  ReplacedFile file(path, error);
  file.Write("new");
  file.Commit(error);
  CHECK(error.IsOK());
  CHECK(Text(path) == "new");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);

  ReplacedFile nowhere(folder.path + "/no/file", error);
  CHECK(error.GetDescription().find("/no/file: cannot be written") != String::npos);
}

TEST_CASE("record: a trajectory repeats the state bit for bit, with the facts of the run", "[record]") {
  const Folder folder;
  Error error;
  const auto scene = Scene::Create(MakePendulumScene(error).description, {}, error);
  REQUIRE(error.IsOK());
  RunFacts facts;
  facts.programVersion = "1.2.3";
  facts.sceneFile = "a \"b\".mochi_scene";
  facts.sceneHash = 0x12ab;
  facts.dt = 1.0 / 120;
  const auto recorder = CreateRecorder("trajectory", folder.path, facts, error);
  const ActorLayout& actor = scene->GetActors().front();
  const SoftLayout& soft = actor.softs.front();
  DynamicArray<double> q, x, energy;
  for (int step = 0; step < 3; ++step) {
    if (step > 0) scene->Step(facts.dt, error);
    recorder->Record(*scene, {.step = 2 * step, .time = scene->GetTotalSimulationTime()}, error);
    for (const double value : scene->GetArticulatedState(actor).q) q.push_back(value);
    for (const double value : Flat(scene->GetNodePositions(soft))) x.push_back(value);
    energy.push_back(scene->GetElasticEnergy(soft));
  }
  CHECK_FALSE(fs::exists(folder.path + "/trajectory.json"));
  recorder->Finish(*scene, error);
  const JsonDocument document = ReadJsonFile(folder.path + "/trajectory.json", error);
  INFO(error.GetDescription());
  REQUIRE(error.IsOK());
  const JsonValue& root = document.root;
  CHECK(Numbers(*root.Find("steps")) == DynamicArray<double>{0, 2, 4});
  CHECK(Numbers(*root.Find("articulated")->Find("Pendulum")->Find("q")) == q);
  CHECK(Numbers(*root.Find("soft")->Find("Pendulum/SoftArm")->Find("x")) == x);
  CHECK(Numbers(*root.Find("soft")->Find("Pendulum/SoftArm")->Find("energy")) == energy);
  CHECK(root.Find("rigid")->Members()->empty());
  CHECK(root.Find("dt")->Number() == facts.dt);
  CHECK(root.Find("size")->Number() == scene->GetSize());
  CHECK(*root.Find("integration")->Text() == "BACKWARD_EULER");
  CHECK(*root.Find("program")->Find("version")->Text() == "1.2.3");
  CHECK(*root.Find("scene")->Find("file")->Text() == facts.sceneFile);
  CHECK(*root.Find("scene")->Find("fnv1a")->Text() == "0x00000000000012ab");
  CHECK(root.Find("settings")->Find("tolerance")->IsNull());
}

TEST_CASE("record: energies have a line for each recorded step", "[record]") {
  const Folder folder;
  Error error;
  const auto scene = Scene::Create(MakePendulumScene(error).description, {}, error);
  const auto recorder = CreateRecorder("csv", folder.path, {}, error);
  REQUIRE(error.IsOK());
  scene->Step(1.0 / 120, error);
  recorder->Record(
      *scene, {.step = 1, .time = 1.0 / 120, .newtonIterations = 5, .linearIterations = 7, .notConverged = 1}, error);
  // In the file before the recorder ends.
  std::istringstream lines(Text(folder.path + "/energies.csv"));
  String header, line;
  REQUIRE(std::getline(lines, header));
  REQUIRE(std::getline(lines, line));
  CHECK(std::count(header.begin(), header.end(), ',') == std::count(line.begin(), line.end(), ','));
  CHECK(line.starts_with(fmt::format("1,{:.17g},{:.17g},", 1.0 / 120, scene->GetEnergies().kinetic)));
  CHECK(line.ends_with(",5,7,1"));
}

TEST_CASE("record: the cantilever of the benchmarks fills its block", "[record]") {
  Error error;
  const BenchScene bench = MakeBeamScene(BeamSize::Small, error);
  REQUIRE(error.IsOK());
  const ShapeHandle& shape = bench.description.actors.soft.front().shape;
  CHECK(shape->GetNodes().size() == 425);
  CHECK(shape->GetTets().size() == 1536);
  CHECK(shape->GetWarnings().empty());  // nothing had to be turned around
  Real volume = 0;
  for (const auto& [a, b, c, d] : shape->GetTets()) {
    const auto& x = shape->GetNodes();
    volume += Dot(x[size_t(b)] - x[size_t(a)], Cross(x[size_t(c)] - x[size_t(a)], x[size_t(d)] - x[size_t(a)])) / 6;
  }
  CHECK(volume == Approx(1 * 0.25 * 0.25));
  CHECK(shape->GetNodes()[size_t(bench.tipNode)] == Real3{1, 0.125, 0.125});
}

TEST_CASE("record: the pendulum of the benchmarks is the sample's", "[record]") {
  Error error;
  const BenchScene bench = MakePendulumScene(error);
  const ShapeHandle sample =
      LoadShapeFromFile(DERMIS_SOURCE_DIR "/samples/soft_skinned_double_pendulum/soft.mochi.json", error);
  REQUIRE(error.IsOK());
  const ShapeHandle& shape = bench.description.actors.softSkinned.front().softParams.front().shape;
  CHECK(shape->GetNodes() == sample->GetNodes());
  CHECK(shape->GetTets() == sample->GetTets());
  CHECK(
      MakeElasticSkinScene(error).description.actors.softSkinned.front().softParams.front().shape->GetNodes().size() ==
      80);
}

}  // namespace dermis
