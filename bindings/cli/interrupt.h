// Ctrl-C ends a run after the step in progress, so that its files are finished.
#pragma once

namespace dermis::cli {

// From now on SIGINT and SIGTERM only set a flag, the first time; the second one ends the program at once.
void CatchInterrupts();
// The signal that came, or 0.
int InterruptSignal();

}  // namespace dermis::cli
