// What this library runs on, and whether this machine has it.
#pragma once

#include <string>

#include "kernels/backend.h"

DERMIS_NAMESPACE_BEGIN

// Whether a simulation can run here, and why not.
bool BackendAvailable(std::string& why);
// One line a fact. Call only when available.
std::string DescribeBackend();

DERMIS_NAMESPACE_END
