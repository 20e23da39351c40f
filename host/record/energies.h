// DIR/energies.csv: energies, momentum and the solver's work, one line a recorded step.
#pragma once

#include "host/record/recorder.h"

namespace dermis {

// Each line is in the file as soon as its step is done.
std::unique_ptr<Recorder> CreateEnergyRecorder(const String& folder, Error& error);

}  // namespace dermis
