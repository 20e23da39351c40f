// `dermis run`: advances a scene file and records it.
#pragma once

#include "host/params/types.h"

namespace dermis::cli {

// As typed; what was left out is empty. Values are checked by Run.
struct RunArguments {
  String scene;
  Optional<String> steps, dt, backend, threads, integration, tolerance, out, record, every, root;
  bool strict = false, fixConstrainedNodes = false, noContact = false, force = false;
};

int Run(const RunArguments& arguments);

}  // namespace dermis::cli
