#include "engine/registry.h"

extern "C" const dermis::BackendTable* dermis_backend_cpu_v3();
extern "C" const dermis::BackendTable* dermis_backend_cpu_v4();
#if defined(DERMIS_HAS_CUDA)
extern "C" const dermis::BackendTable* dermis_backend_cuda();
#endif

namespace dermis {

std::vector<const BackendTable*> AllBackends() {
  return {
    dermis_backend_cpu_v4(), dermis_backend_cpu_v3(),
#if defined(DERMIS_HAS_CUDA)
        dermis_backend_cuda(),
#endif
  };
}

bool ProcessorSupports(InstructionSet set, std::string& why) {
  const char* missing = nullptr;
  // The builtin takes only literals. It also asks whether the operating system saves the registers.
#define DERMIS_REQUIRE(feature) \
  if (!missing && !__builtin_cpu_supports(feature)) missing = feature;
  if (set >= InstructionSet::X86_64_V3) {
    DERMIS_REQUIRE("avx2")
    DERMIS_REQUIRE("fma")
    DERMIS_REQUIRE("bmi")
    DERMIS_REQUIRE("bmi2")
  }
  if (set >= InstructionSet::X86_64_V4) {
    DERMIS_REQUIRE("avx512f")
    DERMIS_REQUIRE("avx512bw")
    DERMIS_REQUIRE("avx512cd")
    DERMIS_REQUIRE("avx512dq")
    DERMIS_REQUIRE("avx512vl")
  }
#undef DERMIS_REQUIRE
  if (missing) why = std::string("the processor has no ") + missing;
  return missing == nullptr;
}

bool BackendUsable(const BackendTable& backend, std::string& why) {
  if (backend.abi != kBackendAbi) {
    why = "its library is of another version (" + std::to_string(backend.abi) + " instead of " +
          std::to_string(kBackendAbi) + "); reinstall";
    return false;
  }
  return ProcessorSupports(backend.needs, why) && backend.available(why);
}

const BackendTable* ChooseBackend(const std::string& wanted, std::string& why) {
  const bool anyCpu = wanted.empty() || wanted == "cpu";
  std::string names = "cpu", reasons;
  for (const BackendTable* backend : AllBackends()) {
    const std::string name = backend->name;
    names += ", " + name;
    if (anyCpu ? name.compare(0, 3, "cpu") != 0 : name != wanted) continue;
    std::string reason;
    if (BackendUsable(*backend, reason)) return backend;
    reasons += (reasons.empty() ? "" : "; ") + name + ": " + reason;
  }
  if (!reasons.empty())
    why = reasons;
  else if (wanted == "cuda")
    why = "cuda: this build has no CUDA backend; build it with the CUDA toolkit installed";
  else
    why = "there is no backend \"" + wanted + "\"; there are: " + names;
  return nullptr;
}

std::string DescribeBackends() {
  std::string text;
  for (const BackendTable* backend : AllBackends()) {
    std::string why;
    text += backend->name;
    if (!BackendUsable(*backend, why)) {
      text += ": not usable: " + why + "\n";
      continue;
    }
    text += ": usable\n";
    const std::string facts = backend->describe();
    for (size_t begin = 0; begin < facts.size();) {
      const size_t end = facts.find('\n', begin);
      text += "  " + facts.substr(begin, end - begin) + "\n";
      if (end == std::string::npos) break;
      begin = end + 1;
    }
  }
  return text;
}

}  // namespace dermis
