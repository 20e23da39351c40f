// The ladder of engine/ladder.h on every backend that this machine has.
#include <cstdlib>
#include <iostream>

#include "engine/registry.h"
#include "tests/catch.h"

extern "C" const dermis::BackendTable* dermis_backend_emu();

namespace {

void Climb(const dermis::BackendTable& backend) {
  REQUIRE(backend.ladderCount >= 9);
  for (int rung = 0; rung < backend.ladderCount; ++rung) {
    INFO(backend.name << ", rung " << rung + 1 << ": " << backend.ladderName(rung));
    REQUIRE(backend.ladderRun(rung) == "");  // the higher rungs stand on this one
  }
}

void ClimbIfUsable(const std::string& name) {
  std::string why;
  const dermis::BackendTable* backend = dermis::ChooseBackend(name, why);
  if (!backend) {
    std::cout << "skipped: " << why << "\n";
    return;
  }
  Climb(*backend);
}

}  // namespace

TEST_CASE("backend cpu_v3 climbs the ladder", "[ladder][cpu]") { ClimbIfUsable("cpu_v3"); }
TEST_CASE("backend cpu_v4 climbs the ladder", "[ladder][cpu]") { ClimbIfUsable("cpu_v4"); }
TEST_CASE("backend cuda climbs the ladder", "[ladder][cuda]") { ClimbIfUsable("cuda"); }

TEST_CASE("the emulated backend climbs the ladder with its threads in either order", "[ladder][emu]") {
  for (const char* reverse : {"0", "1"}) {
    INFO("DERMIS_EMU_REVERSE=" << reverse);
    setenv("DERMIS_EMU_REVERSE", reverse, 1);
    Climb(*dermis_backend_emu());
  }
  unsetenv("DERMIS_EMU_REVERSE");
}
