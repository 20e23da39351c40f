// `dermis bench`: times the steps of a scene and prints one line of JSON.
#pragma once

#include "host/params/types.h"

namespace dermis::cli {

// As typed; what was left out is empty.
struct BenchArguments {
  String scene;  // pendulum, elastic_skin, beam, or a scene file
  Optional<String> size, steps, dt, threads, backend, tolerance;
};

int Bench(const BenchArguments& arguments);

}  // namespace dermis::cli
