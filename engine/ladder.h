// The ladder: numbered tests that bring a new backend up, each rung standing on those below it. One body, compiled into
// every backend; tests/engine/ladder_test.cpp climbs it on all that the machine has.
#pragma once

#include <string>

#include "kernels/backend.h"

DERMIS_NAMESPACE_BEGIN

#if defined(DERMIS_HAS_LADDER_STEP)
inline constexpr int kLadderCount = 10;
// The last rung, one step of a simulation: "" or what failed. In engine/ladder_step.cpp.
std::string LadderStep();
#else
inline constexpr int kLadderCount = 9;
#endif

const char* LadderName(int rung);
// "" or what failed. An exception of the backend is a failure.
std::string RunLadder(int rung);

DERMIS_NAMESPACE_END
