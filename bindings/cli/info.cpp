#include "bindings/cli/info.h"

#include <fmt/format.h>

#include "bindings/cli/exit_code.h"
#include "bindings/cli/values.h"
#include "engine/registry.h"

namespace dermis::cli {

String VersionText() { return "dermis " DERMIS_VERSION; }

int Info() {
  const String cuda = DERMIS_CUDA_COMPILER;
  fmt::print("{}\nbuild: {}, {}, {}\nthreads: {}\n{}", VersionText(), DERMIS_BUILD_TYPE, DERMIS_COMPILER,
             cuda.empty() ? "without CUDA" : "CUDA by " + cuda, AvailableThreads(), DescribeBackends());
  return kOk;
}

}  // namespace dermis::cli
