// What the steps of a run took, and which of them did not converge.
#pragma once

#include "host/record/recorder.h"

namespace dermis::cli {

class StepCounts {
 public:
  explicit StepCounts(int maxNewtonIterations) : maxNewtonIterations_(maxNewtonIterations) {}
  // After each step. The text describes the first step of an actor that did not converge; "" otherwise.
  String Add(Scene& scene, int step);

  // The sums since the last call, for a recorder.
  RecordedStep TakeRecorded(int step, Real time);

  int LastNewton() const { return lastNewton_; }           // largest of the actors in the last step
  bool LastConverged() const { return lastConverged_; }    // all actors in the last step
  int NotConvergedSteps() const { return notConverged_; }  // steps in which an actor did not
  int64_t TotalNewton() const { return totalNewton_; }     // sum over the steps of LastNewton
  int64_t TotalLinear() const { return totalLinear_; }     // sum over steps and actors

 private:
  int maxNewtonIterations_;
  RecordedStep recorded_;
  int lastNewton_ = 0, notConverged_ = 0;
  bool lastConverged_ = true;
  int64_t totalNewton_ = 0, totalLinear_ = 0;
};

}  // namespace dermis::cli
