// The folder that a run writes to, and the rules that keep what others put there.
#pragma once

#include "host/error.h"

namespace dermis {

// Whether `folder` may be used: it does not exist yet, is an empty folder, or `force` allows others. Creates nothing.
void CheckOutputFolder(const String& folder, bool force, Error& error);
// Creates the folder, and removes the files that recorders wrote there before; other files stay.
void PrepareOutputFolder(const String& folder, Error& error);

}  // namespace dermis
