// The backends of this build, and which one to use. Host code: compiled for any machine, sees no device type.
#pragma once

#include <string>
#include <vector>

#include "engine/backend_table.h"

namespace dermis {

// The backends that this build contains, the preferred CPU one first. Looks at nothing: not every one is usable.
std::vector<const BackendTable*> AllBackends();

// Whether the processor has the instruction set, and which feature is missing. Asks nothing of the backend itself.
bool ProcessorSupports(InstructionSet set, std::string& why);

// Whether a backend can run on this machine, and why not. Only for `cuda` does this start a driver.
bool BackendUsable(const BackendTable& backend, std::string& why);

// `wanted` is "cpu" (the best available instruction set), "cuda", or the name of a backend; "" is "cpu". nullptr when
// there is none, with the reason in `why`. A CPU choice never touches a device.
const BackendTable* ChooseBackend(const std::string& wanted, std::string& why);

// A few lines for people: every backend, its description or why it is not usable.
std::string DescribeBackends();

}  // namespace dermis
