// The one visible symbol of this library: dermis_backend_<name>().
#include "engine/backend_table.h"

#include "engine/backend_info.h"
#include "engine/ladder.h"

#if defined(DERMIS_HAS_SIMULATION)
#include "engine/simulation.h"
DERMIS_NAMESPACE_BEGIN
std::unique_ptr<Simulation> CreateSimulation(const CompiledModel& model, const SimulationOptions& options);
DERMIS_NAMESPACE_END
#endif

#define DERMIS_STRING(name) DERMIS_STRING_OF(name)
#define DERMIS_STRING_OF(name) #name
#define DERMIS_JOIN(a, b) DERMIS_JOIN_OF(a, b)
#define DERMIS_JOIN_OF(a, b) a##b

namespace {

#if defined(__CUDACC__)
constexpr auto kNeeds = dermis::InstructionSet::X86_64;
#else
constexpr auto kNeeds = DERMIS_LANES == 8 ? dermis::InstructionSet::X86_64_V4 : dermis::InstructionSet::X86_64_V3;
#endif

// Constant, so that no code runs when the library is loaded.
constexpr dermis::BackendTable kTable = {
    .abi = dermis::kBackendAbi,
    .name = DERMIS_STRING(DERMIS_BACKEND),
    .needs = kNeeds,
    .available = dermis::BackendAvailable,
    .describe = dermis::DescribeBackend,
    .ladderCount = dermis::kLadderCount,
    .ladderName = dermis::LadderName,
    .ladderRun = dermis::RunLadder,
#if defined(DERMIS_HAS_SIMULATION)
    .create = dermis::CreateSimulation,
#else
    .create = nullptr,
#endif
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const dermis::BackendTable* DERMIS_JOIN(dermis_backend_,
                                                                                          DERMIS_BACKEND)() {
  return &kTable;
}
