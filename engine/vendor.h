// cuSOLVER and cuSPARSE, where this machine has them. Everything works without: they are a faster or an independent
// way.
#pragma once

#include <string>

#include "engine/vendor/vendor_table.h"
#include "kernels/backend.h"

DERMIS_NAMESPACE_BEGIN

// The table of the vendor module, or nullptr with the reason why there is none: not the CUDA backend, no device, no
// module beside this library, or no cuSOLVER or cuSPARSE on this machine. The module is loaded once and stays.
const VendorTable* LoadVendor(std::string& reason);

DERMIS_NAMESPACE_END
