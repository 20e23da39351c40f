// The reference of all parameters, made from their tables.
#pragma once

#include "host/params/types.h"

namespace dermis {

// The text of docs/parameters.md: a table a struct, and the names of all enumerations.
String ParameterDocs();

}  // namespace dermis
