// How items run: Launch() runs a kernel over worlds x items, LaunchTeams() over worlds x teams.
//
// A kernel is a struct whose fields are its arguments; operator()(world, item) const is one item. On the CPU the
// items are a loop, spread over threads when there are enough; on a device each item is a thread. A team kernel,
// operator()(team, world, index) const, lets the threads of a block work on one thing (a sum, a factorisation):
// on the CPU a team is one thread, so the same body is a plain loop there.
#pragma once

#include "kernels/backend.h"

#if DERMIS_DEVICE_BACKEND
#include "engine/launch_device.h"
#else
#include "engine/launch_cpu.h"
#endif
