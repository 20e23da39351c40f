#include "bindings/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace dermis::cli {

Progress::Progress(int steps)
    : steps_(steps), isTerminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), drawn_(start_) {}

void Progress::Update(int step, Real time, int newtonIterations) {
  if (!isTerminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const double perStep = std::chrono::duration<double>(now - start_).count() / step;
  const int left = int(perStep * (steps_ - step) + 0.5);
  fmt::print(stderr, "\r\033[Kstep {}/{}  {:.3f} s  {} Newton its  {:.3g} ms/step  {}:{:02} left", step, steps_, time,
             newtonIterations, 1e3 * perStep, left / 60, left % 60);
  std::fflush(stderr);
  isDrawn_ = true;
}

void Progress::Clear() {
  if (!isDrawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  isDrawn_ = false;
}

}  // namespace dermis::cli
