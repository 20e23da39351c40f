// Numbers and names as the recorded files have them.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "host/params/types.h"

namespace dermis {

// 17 significant digits, which read back as the same double; "null" for a number that is not finite, which JSON lacks.
inline void AppendReal(fmt::memory_buffer& out, Real value) {
  if (std::isfinite(value))
    fmt::format_to(std::back_inserter(out), "{:.17g}", value);
  else
    fmt::format_to(std::back_inserter(out), "null");
}

}  // namespace dermis
