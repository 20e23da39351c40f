// `dermis info`: this build, and what it can run on here.
#pragma once

#include "host/params/types.h"

namespace dermis::cli {

// "dermis 0.1.0"
String VersionText();
int Info();

}  // namespace dermis::cli
