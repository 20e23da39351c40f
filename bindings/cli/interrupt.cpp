#include "bindings/cli/interrupt.h"

#include <csignal>

namespace dermis::cli {

namespace {

volatile std::sig_atomic_t received = 0;

void Remember(int signal) { received = signal; }

}  // namespace

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = Remember;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int InterruptSignal() { return received; }

}  // namespace dermis::cli
