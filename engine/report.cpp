#include "engine/simulation.h"

namespace dermis {

const char* Name(StepStage stage) {
  switch (stage) {
    case StepStage::None:
      return "none";
    case StepStage::Start:
      return "start";
    case StepStage::Gradient:
      return "gradient";
    case StepStage::Factorization:
      return "factorization";
    case StepStage::LinearSolve:
      return "linear solve";
    case StepStage::LineSearch:
      return "line search";
  }
  return "unknown";
}

}  // namespace dermis
