#include "engine/registry.h"

#include "tests/catch.h"

namespace dermis {

TEST_CASE("the default backend is the best CPU backend of this machine", "[registry]") {
  std::string why;
  const BackendTable* chosen = ChooseBackend("", why);
  if (!chosen) {  // a processor without AVX2: the reason names what is missing
    REQUIRE(why.find("the processor has no") != std::string::npos);
    return;
  }
  REQUIRE(why.empty());
  REQUIRE(chosen == ChooseBackend("cpu", why));
  const std::string best = ProcessorSupports(InstructionSet::X86_64_V4, why) ? "cpu_v4" : "cpu_v3";
  REQUIRE(chosen->name == best);
}

TEST_CASE("a backend that is not there is refused with a reason", "[registry]") {
  std::string why;
  REQUIRE(ChooseBackend("vulkan", why) == nullptr);
  REQUIRE(why.find("\"vulkan\"") != std::string::npos);
  REQUIRE(why.find("cpu_v3") != std::string::npos);

  // The emulated backend is for tests only: no name reaches it.
  REQUIRE(ChooseBackend("emu", why) == nullptr);

  why.clear();
  if (!ChooseBackend("cuda", why)) REQUIRE(why.compare(0, 6, "cuda: ") == 0);
}

TEST_CASE("every backend is described, usable or not", "[registry]") {
  const std::string text = DescribeBackends();
  for (const BackendTable* backend : AllBackends()) {
    REQUIRE(backend->abi == kBackendAbi);
    REQUIRE(text.find(std::string(backend->name) + ": ") != std::string::npos);
  }
}

}  // namespace dermis
