// One line on a terminal that follows a run; nothing where stderr goes elsewhere.
#pragma once

#include <chrono>

#include "host/params/types.h"

namespace dermis::cli {

class Progress {
 public:
  explicit Progress(int steps);
  ~Progress() { Clear(); }
  // After each step; draws at most ten times a second.
  void Update(int step, Real time, int newtonIterations);
  // Makes room for other output.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  int steps_;
  bool isTerminal_;
  bool isDrawn_ = false;
  Clock::time_point start_, drawn_;
};

}  // namespace dermis::cli
