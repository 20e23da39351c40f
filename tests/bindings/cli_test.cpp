// The command line: exit codes, and messages that name option, value and remedy.
#include <thread>

#include "tests/bindings/program.h"
#include "tests/catch.h"

namespace dermis {

namespace {

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The arguments end with exit code 1, say each of `parts`, and nothing on stdout.
void CheckRefused(std::vector<std::string> arguments, const std::vector<std::string>& parts) {
  const Outcome outcome = RunProgram(std::move(arguments));
  CHECK(outcome.code == 1);
  CHECK(outcome.out.empty());
  INFO(outcome.err);
  for (const std::string& part : parts) CHECK(Contains(outcome.err, part));
}

}  // namespace

TEST_CASE("cli: version, help and info end with 0", "[cli]") {
  CHECK(Contains(RunProgram({"--version"}).out, "dermis 0."));
  for (const char* command : {"run", "bench", "info"}) CHECK(RunProgram({command, "--help"}).code == 0);
  const Outcome help = RunProgram({"--help"});
  CHECK(help.code == 0);
  CHECK(Contains(help.out, "Exit codes"));
  const Outcome info = RunProgram({"info"});
  CHECK(info.code == 0);
  CHECK(Contains(info.out, "cpu_v3"));
}

TEST_CASE("cli: misspelled commands and options are refused with a guess", "[cli]") {
  CheckRefused({}, {"a command is needed"});
  CheckRefused({"rnu"}, {"unknown command \"rnu\"; there are run, info and bench"});
  CheckRefused({"run"}, {"SCENE is required"});
  CheckRefused({"run", PendulumFile(), "--stpes", "3"}, {"--stpes", "did you mean \"--steps\""});
  CheckRefused({"run", PendulumFile(), "more"}, {"unknown argument \"more\""});
  CheckRefused({"run", PendulumFile(), "--steps"}, {"--steps: a value is missing"});
  CheckRefused({"bnch"}, {"did you mean \"bench\""});
}

TEST_CASE("cli: a bad value is refused with option, value and range", "[cli]") {
  const struct {
    const char *option, *value, *says;
  } cases[] = {
      {"--steps", "-1", "--steps: -1 is outside [0,"},
      {"--steps", "1e3", "--steps: \"1e3\" is not a whole number"},
      {"--steps", "99999999999", "--steps: 99999999999 is outside"},
      {"--dt", "0", "--dt: 0 is outside (0, 10] s"},
      {"--dt", "11", "--dt: 11 is outside (0, 10] s"},
      {"--dt", "nan", "--dt: nan is outside (0, 10] s"},
      {"--dt", "inf", "--dt: inf is outside (0, 10] s"},
      {"--dt", "1/0", "--dt: 1/0 is outside (0, 10] s"},
      {"--dt", "1/", "--dt: \"1/\" is not a number"},
      {"--dt", "0.01s", "--dt: \"0.01s\" is not a number"},
      {"--dt", "1e-11", "--dt: 1e-11 s makes too many steps"},
      {"--dt", "1e-300", "--dt: a time step of 1e-300 s is outside [1e-12, 10]"},
      {"--threads", "0", "--threads: 0 is outside [1,"},
      {"--threads", "100000", "--threads: 100000 is outside [1,"},
      {"--every", "0", "--every: 0 is outside [1,"},
      {"--tolerance", "-1", "--tolerance: -1 is outside (0, inf) m"},
      {"--backend", "cpv", "did you mean \"cpu\"?"},
      {"--integration", "BDF3", "--integration: \"BDF3\" is not one of BackwardEuler, BDF2; did you mean \"BDF2\"?"},
      {"--record", "trajektory", "did you mean \"trajectory\"?"},
      {"--record", "hash,", "--record: \"\" is not one of"},
      {"--record", "csv", "add --out DIR"},
      {"--root", "/no/such/folder", "--root: \"/no/such/folder\" is not a folder"},
      {"--out", "", "--out: "},
  };
  for (const auto& [option, value, says] : cases) {
    INFO(option << " " << value);
    CheckRefused({"run", PendulumFile(), option, value}, {says});
  }
  CheckRefused({"run", PendulumFile(), "--steps", "-1", "--dt", "0", "--every", "0"}, {"--steps", "--dt", "--every"});
  CheckRefused({"run", PendulumFile(), "--force"}, {"--force", "--out"});
  CheckRefused({"bench", "pendulm"}, {"did you mean \"pendulum\"?"});
  CheckRefused({"bench", "pendulum", "--size", "m"}, {"--size"});
}

TEST_CASE("cli: files that are missing or wrong are refused by name", "[cli]") {
  CheckRefused({"run", "no_such.mochi_scene"}, {"no_such.mochi_scene"});
  CheckRefused({"run", DERMIS_SOURCE_DIR}, {DERMIS_SOURCE_DIR});
  CheckRefused({"run", DERMIS_SOURCE_DIR "/README.md"}, {"README.md:1:1"});
}

TEST_CASE("cli: a step that does not converge is told once, and ends a strict run with 3", "[cli]") {
  // No step moves every point by less than 1e-30 m: round-off is larger.
  const std::vector<std::string> arguments{"run", PendulumFile(), "--steps", "4", "--tolerance", "1e-30"};
  const Outcome tolerant = RunProgram(arguments);
  CHECK(tolerant.code == 0);
  CHECK(Contains(tolerant.err, "step 1: Pendulum did not converge"));
  CHECK(Contains(tolerant.err, "the tolerance is 1e-30 m"));
  CHECK_FALSE(Contains(tolerant.err, "step 2: "));
  CHECK(Contains(tolerant.err, "4 of 4 steps did not converge"));
  std::vector<std::string> strict = arguments;
  strict.push_back("--strict");
  const Outcome outcome = RunProgram(strict);
  CHECK(outcome.code == 3);
  CHECK(Contains(outcome.err, "1 of 1 steps did not converge"));
}

TEST_CASE("cli: the note on contact appears where something could touch", "[cli]") {
  const std::string scene =
      DERMIS_SOURCE_DIR "/samples/soft_skinned_double_pendulum/soft_skinned_double_pendulum.mochi_scene";
  CHECK(Contains(RunProgram({"run", scene, "--steps", "1"}).err, "contact is not simulated yet"));
  CHECK_FALSE(Contains(RunProgram({"run", scene, "--steps", "1", "--no-contact"}).err, "contact"));
}

TEST_CASE("cli: the result does not depend on the number of threads", "[cli]") {
  if (std::thread::hardware_concurrency() < 2) return;
  std::string hashes[2];
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = RunProgram({"run", PendulumFile(), "--record", "hash", "--threads", std::to_string(i + 1)});
    CHECK(outcome.code == 0);
    CHECK(outcome.out.starts_with("hash 0x"));
    hashes[i] = outcome.out;
  }
  CHECK(hashes[0] == hashes[1]);
  // The hash does tell different results apart.
  CHECK(RunProgram({"run", PendulumFile(), "--record", "hash", "--steps", "59"}).out != hashes[0]);
}

TEST_CASE("cli: bench prints one line of JSON", "[cli]") {
  const Outcome outcome = RunProgram({"bench", "beam", "--steps", "2"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find('\n') == outcome.out.size() - 1);
  for (const char* key :
       {"\"scene\": \"beam\"", "\"ms_per_step\": ", "\"tip\": -", "\"line_search\": ", "\"not_converged\": 0"})
    CHECK(Contains(outcome.out, key));
}

}  // namespace dermis
