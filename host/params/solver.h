// Solver parameters as scene files have them. Only the integration method is obeyed: the solver here has its own
// options.
#pragma once

#include "host/params/enums.h"
#include "host/params/field.h"

namespace dermis {

DERMIS_ENUM(NonLinearSolverType, Newton, BFGS, SR1);
DERMIS_ENUM(ConvergenceMode, PerActorWeighted, Global);
DERMIS_ENUM(PsdProjMode, Always, Never, IfFailRetry, IfFailAlways);
DERMIS_ENUM(LineSearchType, ResidualNorm, None, Simple, Armijo, WolfeWeak, WolfeStrong, ArmijoOrResidualNorm);
DERMIS_ENUM(LinearToleranceStrategy, EisenstatWalker2, Constant, EisenstatWalker1, EisenstatWalker3);
DERMIS_ENUM(LinearSolverType, Auto, CG, GMRES, MINRES, LDLT, LU, AugmentedCG, AsyncCG, ParallelCG, CudaCG, CudaGMRES,
            ExperimentalCudaSparseCholesky, ExperimentalCudaSparseLDLT, ExperimentalCudaSparseLU);
DERMIS_ENUM(Preconditioner, PerActor, None, Jacobi, BlockJacobi, SSOR, BlockSSOR, LU, AMG, SymInverse, LDLT, ILU0, IC0,
            ColoredSSOR);
DERMIS_ENUM(LinearNorm, PreconditionedResidualL2, ResidualL2, ResidualPreconditionerInduced);

struct NonLinearSolverParams {
  NonLinearSolverType solverType = NonLinearSolverType::Newton;
  int dResidualAssemblyPeriod = 1;
  int maxIter = 4;
  Real maxElapsedTimeSeconds = 0;
  ConvergenceMode convergenceMode = ConvergenceMode::PerActorWeighted;
  Real absTol = 1e-3;
  Real relTol = 1e-6;
  Real relStepTol = 10 * std::numeric_limits<Real>::epsilon();
  bool stopIfNoImprovement = false;
  PsdProjMode psdProjMode = PsdProjMode::Always;
  bool gradientDescentFallback = false;
  bool explosionControl = true;
  Real absDivTol = 1e9;
  Real relDivTol = 1e4;
  LineSearchType lineSearchType = LineSearchType::ResidualNorm;
  int lineSearchMaxIter = 4;
  Real lineSearchAlpha = 0.5;
  Real wolfe1 = 1e-4;
  Real wolfe2 = 0.9;
  Real lineSearchMaxRelIncrease = 0;
  LinearToleranceStrategy linearToleranceStrategy = LinearToleranceStrategy::EisenstatWalker2;
  VerbosityLevel verbosity = VerbosityLevel::Warning;
  bool operator==(const NonLinearSolverParams&) const = default;
};
constexpr auto FieldsOf(const NonLinearSolverParams*) {
  using S = NonLinearSolverParams;
  constexpr Use k = Use::Kept;
  return std::tuple{
      Field{&S::solverType, "solverType", "", {}, "Nonlinear method.", k},
      Field{&S::dResidualAssemblyPeriod, "dResidualAssemblyPeriod", "", AtLeast(1), "Iterations between assemblies.",
            k},
      Field{&S::maxIter, "maxIter", "", AtLeast(0), "Most iterations.", k},
      Field{&S::maxElapsedTimeSeconds, "maxElapsedTimeSeconds", "s", NonNegative(), "Most time of a step; 0 is off.",
            k},
      Field{&S::convergenceMode, "convergenceMode", "", {}, "How the residual is measured.", k},
      Field{&S::absTol, "absTol", "", NonNegative(), "Absolute tolerance.", k},
      Field{&S::relTol, "relTol", "", NonNegative(), "Relative tolerance.", k},
      Field{&S::relStepTol, "relStepTol", "", NonNegative(), "Relative tolerance of the step.", k},
      Field{&S::stopIfNoImprovement, "stopIfNoImprovement", "", {}, "Whether to stop without progress.", k},
      Field{&S::psdProjMode, "psdProjMode", "", {}, "When the Hessian is projected.", k},
      Field{&S::gradientDescentFallback, "gradientDescentFallback", "", {}, "Whether to fall back to the gradient.", k},
      Field{&S::explosionControl, "explosionControl", "", {}, "Whether divergence is watched for.", k},
      Field{&S::absDivTol, "absDivTol", "", NonNegative(), "Absolute tolerance of divergence.", k},
      Field{&S::relDivTol, "relDivTol", "", NonNegative(), "Relative tolerance of divergence.", k},
      Field{&S::lineSearchType, "lineSearchType", "", {}, "Line search.", k},
      Field{&S::lineSearchMaxIter, "lineSearchMaxIter", "", AtLeast(0), "Most steps of the line search.", k},
      Field{&S::lineSearchAlpha, "lineSearchAlpha", "", Open(0, 1), "Factor of the line search.", k},
      Field{&S::wolfe1, "wolfe1", "", NonNegative(), "First Wolfe constant.", k},
      Field{&S::wolfe2, "wolfe2", "", NonNegative(), "Second Wolfe constant.", k},
      Field{&S::lineSearchMaxRelIncrease, "lineSearchMaxRelIncrease", "", NonNegative(), "Increase that is accepted.",
            k},
      Field{&S::linearToleranceStrategy, "linearToleranceStrategy", "", {}, "Forcing of the linear solver.", k},
      Field{&S::verbosity, "verbosity", "", {}, "What is printed.", k}};
}

struct LinearSolverParams {
  LinearSolverType solverType = LinearSolverType::Auto;
  Preconditioner preconditioner = Preconditioner::PerActor;
  LinearNorm norm = LinearNorm::PreconditionedResidualL2;
  Real absTol = 1e-9;
  Real relTol = 1e-5;
  Real relDivTol = 1e10;
  int maxIter = -1;
  int restartSize = 1000;
  bool abortIfNotSpd = false;
  VerbosityLevel verbosity = VerbosityLevel::Warning;
  bool operator==(const LinearSolverParams&) const = default;
};
constexpr auto FieldsOf(const LinearSolverParams*) {
  using S = LinearSolverParams;
  constexpr Use k = Use::Kept;
  return std::tuple{Field{&S::solverType, "solverType", "", {}, "Linear method.", k},
                    Field{&S::preconditioner, "preconditioner", "", {}, "Preconditioner.", k},
                    Field{&S::norm, "norm", "", {}, "How the residual is measured.", k},
                    Field{&S::absTol, "absTol", "", NonNegative(), "Absolute tolerance.", k},
                    Field{&S::relTol, "relTol", "", NonNegative(), "Relative tolerance.", k},
                    Field{&S::relDivTol, "relDivTol", "", NonNegative(), "Relative tolerance of divergence.", k},
                    Field{&S::maxIter, "maxIter", "", AtLeast(-1), "Most iterations; -1 is automatic.", k},
                    Field{&S::restartSize, "restartSize", "", AtLeast(1), "Iterations between restarts.", k},
                    Field{&S::abortIfNotSpd, "abortIfNotSpd", "", {}, "Whether to stop on an indefinite matrix.", k},
                    Field{&S::verbosity, "verbosity", "", {}, "What is printed.", k}};
}

struct FittedSaturationHessianParams {
  bool contactFriction = false;
  bool jointFriction = false;
  bool constraintSaturation = false;
  bool operator==(const FittedSaturationHessianParams&) const = default;
};
constexpr auto FieldsOf(const FittedSaturationHessianParams*) {
  using S = FittedSaturationHessianParams;
  return std::tuple{
      Field{&S::contactFriction, "contactFriction", "", {}, "For contact friction.", Use::Kept},
      Field{&S::jointFriction, "jointFriction", "", {}, "For joint friction.", Use::Kept},
      Field{&S::constraintSaturation, "constraintSaturation", "", {}, "For saturated constraints.", Use::Kept}};
}

struct ExperimentalEvalParams {
  bool explicitNormals = false;
  bool fadeFriction = true;
  bool implicitNormalForceForDissipation = false;
  FittedSaturationHessianParams fittedSaturationHessian = {};
  CoulombFrictionModel frictionModel = CoulombFrictionModel::C1Regularized;
  bool consistencyResNorm = false;
  bool operator==(const ExperimentalEvalParams&) const = default;
};
constexpr auto FieldsOf(const ExperimentalEvalParams*) {
  using S = ExperimentalEvalParams;
  constexpr Use k = Use::Kept;
  return std::tuple{
      Field{&S::explicitNormals, "explicitNormals", "", {}, "Contact normals of the start of the step.", k},
      Field{&S::fadeFriction, "fadeFriction", "", {}, "Friction that fades with the normals' alignment.", k},
      Field{&S::implicitNormalForceForDissipation,
            "implicitNormalForceForDissipation",
            "",
            {},
            "Normal load of the end of the step.",
            k},
      Field{&S::fittedSaturationHessian, "fittedSaturationHessian", "", {}, "Fitted Hessians.", k},
      Field{&S::frictionModel, "frictionModel", "", {}, "Smoothing of Coulomb's friction.", k},
      Field{&S::consistencyResNorm, "consistencyResNorm", "", {}, "Another residual norm.", k}};
}

struct SolverParams {
  NonLinearSolverParams nonLinearSolver = {};
  LinearSolverParams linearSolver = {};
  IntegrationMethod integrationMethod = IntegrationMethod::BackwardEuler;
  ExperimentalEvalParams experimentalEval = {};
  bool operator==(const SolverParams&) const = default;
};
constexpr auto FieldsOf(const SolverParams*) {
  using S = SolverParams;
  return std::tuple{
      Field{&S::nonLinearSolver, "nonLinearSolver", "", {}, "Nonlinear solver of other programs.", Use::Kept},
      Field{&S::linearSolver, "linearSolver", "", {}, "Linear solver of other programs.", Use::Kept},
      Field{&S::integrationMethod, "integrationMethod", "", {}, "Time integration: BackwardEuler or BDF2."},
      Field{&S::experimentalEval, "experimentalEval", "", {}, "Options of other programs.", Use::Kept}};
}

}  // namespace dermis
