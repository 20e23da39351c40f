// An array in the memory of the backend.
#pragma once

#include "kernels/backend.h"

#if DERMIS_DEVICE_BACKEND
#include "engine/buffer_device.h"
#else
#include "engine/buffer_cpu.h"
#endif
