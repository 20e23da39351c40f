// What `dermis run` writes, where, and that it is complete whenever the run ends.
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "host/io/json.h"
#include "tests/bindings/program.h"
#include "tests/catch.h"

namespace dermis {

namespace {

namespace fs = std::filesystem;

size_t Lines(const std::string& path) {
  const std::string text = ReadText(path);
  return size_t(std::count(text.begin(), text.end(), '\n'));
}

// The recorded step numbers of a trajectory, which must be a valid file with as many positions.
std::vector<int64_t> Steps(const std::string& path) {
  Error error;
  const JsonDocument document = ReadJsonFile(path, error);
  INFO(error.GetDescription());
  REQUIRE(error.IsOK());
  std::vector<int64_t> steps;
  for (const JsonValue& step : *document.root.Find("steps")->Items()) steps.push_back(*step.Integer());
  const JsonValue* soft = document.root.Find("soft")->Find("Pendulum/SoftArm");
  REQUIRE(soft);
  CHECK(soft->Find("x")->Items()->size() == steps.size());
  CHECK(soft->Find("energy")->Items()->size() == steps.size());
  return steps;
}

std::vector<std::string> Arguments(const std::string& out, std::initializer_list<const char*> more) {
  std::vector<std::string> arguments{"run", PendulumFile(), "--dt", "1/120", "--out", out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_CASE("output: each kind of record writes its files and no others", "[cli]") {
  const TemporaryFolder folder;
  const std::string a = folder / "a/b", b = folder / "b", c = folder / "c", d = folder / "d";
  REQUIRE(RunProgram(Arguments(a, {"--steps", "3"})).code == 0);
  CHECK(fs::exists(a + "/trajectory.json"));
  CHECK(fs::exists(a + "/energies.csv"));
  CHECK_FALSE(fs::exists(a + "/vtk"));
  REQUIRE(RunProgram(Arguments(b, {"--steps", "3", "--record", "csv"})).code == 0);
  CHECK_FALSE(fs::exists(b + "/trajectory.json"));
  REQUIRE(RunProgram(Arguments(c, {"--steps", "3", "--record", "vtk"})).code == 0);
  CHECK_FALSE(fs::exists(c + "/energies.csv"));
  CHECK(fs::exists(c + "/vtk/soft.pvd"));
  CHECK(fs::exists(c + "/vtk/soft_000003.vtu"));
  CHECK(fs::exists(c + "/vtk/bodies_000000.vtu"));
  const Outcome hash = RunProgram(Arguments(d, {"--steps", "3", "--record", "hash"}));
  CHECK(hash.out.size() == sizeof "hash 0x0123456789abcdef");
  CHECK(fs::is_empty(d));
}

TEST_CASE("output: --every records the start and every k-th step", "[cli]") {
  const TemporaryFolder folder;
  REQUIRE(
      RunProgram(Arguments(folder / "a", {"--steps", "10", "--every", "4", "--record", "trajectory,csv,vtk"})).code ==
      0);
  CHECK(Steps(folder / "a/trajectory.json") == std::vector<int64_t>{0, 4, 8});
  CHECK(Lines(folder / "a/energies.csv") == 1 + 3);
  CHECK_FALSE(fs::exists(folder / "a/vtk/soft_000001.vtu"));
  CHECK(fs::exists(folder / "a/vtk/soft_000008.vtu"));
  // No steps at all: the start.
  REQUIRE(RunProgram(Arguments(folder / "b", {"--steps", "0"})).code == 0);
  CHECK(Steps(folder / "b/trajectory.json") == std::vector<int64_t>{0});
}

TEST_CASE("output: a folder that is not empty needs --force, which keeps the files of others", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder / "a";
  REQUIRE(RunProgram(Arguments(out, {"--steps", "5", "--record", "trajectory,vtk"})).code == 0);
  std::ofstream(out + "/mine.txt") << "mine";
  std::ofstream(out + "/vtk/soft_mine.vtu") << "mine";
  const std::string before = ReadText(out + "/trajectory.json");

  const Outcome refused = RunProgram(Arguments(out, {"--steps", "2"}));
  CHECK(refused.code == 1);
  CHECK(refused.err.find("--force") != std::string::npos);
  CHECK(ReadText(out + "/trajectory.json") == before);

  // What the earlier run wrote goes, so that the folder never holds two runs.
  REQUIRE(RunProgram(Arguments(out, {"--steps", "2", "--record", "csv", "--force"})).code == 0);
  CHECK(Lines(out + "/energies.csv") == 1 + 3);
  CHECK_FALSE(fs::exists(out + "/trajectory.json"));
  CHECK_FALSE(fs::exists(out + "/vtk/soft.pvd"));
  CHECK_FALSE(fs::exists(out + "/vtk/soft_000005.vtu"));
  CHECK(ReadText(out + "/mine.txt") == "mine");
  CHECK(ReadText(out + "/vtk/soft_mine.vtu") == "mine");
}

TEST_CASE("output: a folder that cannot be is refused, and a wrong scene creates none", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  CHECK(RunProgram(Arguments(folder / "file", {})).code == 1);
  CHECK(RunProgram(Arguments(folder / "file/below", {})).code == 1);
  CHECK(RunProgram({"run", folder / "file", "--out", folder / "new"}).code == 1);
  CHECK_FALSE(fs::exists(folder / "new"));
}

TEST_CASE("output: an interrupted run ends after its step with complete files", "[cli]") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const std::string csv = folder / "a/energies.csv";
    Program program(
        Arguments(folder / "a", {"--steps", "100000000", "--record", "trajectory,csv,vtk", "--every", "2"}));
    while (program.IsRunning() && Lines(csv) < 5) std::this_thread::yield();
    program.Signal(signal);
    const Outcome outcome = program.Wait();
    CHECK(outcome.code == 128 + signal);
    CHECK(outcome.err.find("interrupted after step") != std::string::npos);
    const std::vector<int64_t> steps = Steps(folder / "a/trajectory.json");
    CHECK(steps.size() >= 4);
    CHECK(Lines(csv) == 1 + steps.size());
    const std::string list = ReadText(folder / "a/vtk/soft.pvd");
    CHECK(list.ends_with("</VTKFile>\n"));
    CHECK(size_t(std::count(list.begin(), list.end(), '\n')) == 3 + 2 + steps.size());
    for (const auto& entry : fs::directory_iterator(folder / "a/vtk")) CHECK(entry.path().extension() != ".partial");
  }
}

}  // namespace dermis
