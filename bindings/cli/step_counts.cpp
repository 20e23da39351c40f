#include "bindings/cli/step_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dermis::cli {

namespace {

// "step 12: Pendulum did not converge: ..." with where and by how much.
String Describe(Scene& scene, const ActorLayout& actor, const IslandReport& report, int step, int maxNewtonIterations) {
  const String text = fmt::format("step {}: {} did not converge: ", step, actor.name);
  if (report.Has(StepFlag::Diverged))
    return text +
           fmt::format("a number that is not finite appeared in stage {} of Newton iteration {}; the step was undone",
                       Name(report.badStage), report.badIteration);
  const Real tolerance = scene.GetSimulation().GetParameter("actorTolerance", 0)[size_t(actor.actor)];
  const char* reason =
      report.newtonIterations >= maxNewtonIterations ? "iterations used up" : "no step lowers the energy (line search)";
  return text +
         fmt::format("{} after {} Newton iterations; the last one moved a point by {:.3g} m, the tolerance is {:.3g} m",
                     reason, report.newtonIterations, report.motion, tolerance);
}

}  // namespace

String StepCounts::Add(Scene& scene, int step) {
  String first;
  lastNewton_ = 0;
  lastConverged_ = true;
  for (const ActorLayout& actor : scene.GetActors()) {
    const IslandReport& report = scene.GetReport(actor);
    lastNewton_ = std::max(lastNewton_, int(report.newtonIterations));
    totalLinear_ += report.linearIterations;
    recorded_.newtonIterations += report.newtonIterations;
    recorded_.linearIterations += report.linearIterations;
    if (!report.Has(StepFlag::Stopped) && !report.Has(StepFlag::Diverged)) continue;
    if (notConverged_ == 0 && first.empty()) first = Describe(scene, actor, report, step, maxNewtonIterations_);
    ++recorded_.notConverged;
    lastConverged_ = false;
  }
  totalNewton_ += lastNewton_;
  if (!lastConverged_) ++notConverged_;
  return first;
}

RecordedStep StepCounts::TakeRecorded(int step, Real time) {
  RecordedStep recorded = std::exchange(recorded_, {});
  recorded.step = step;
  recorded.time = time;
  return recorded;
}

}  // namespace dermis::cli
