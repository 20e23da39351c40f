// All structs with a table, in the order of the docs. A new struct is one entry here; docs and tests loop over it.
#pragma once

#include "host/params/scene.h"
#include "host/shape.h"

namespace dermis {

#define DERMIS_PARAMS_OF(X, name) X(name##Params)
// clang-format cannot settle on a layout of these lists.
// clang-format off
#define DERMIS_PARAMETER_STRUCTS(X)                                                                                   \
  X(SceneDescription) X(SceneSettings) X(SceneActors) X(RigidActorParams) X(SoftActorParams)                          \
  X(SoftMaterialParams) DERMIS_FOR_MATERIALS(DERMIS_PARAMS_OF, X) X(StVenantKirchhoffParams)                          \
  X(LinearElasticParams) X(ActiveNeoHookeanParams) X(ActiveAnisotropicParams) X(ActiveShapeTargetingArapParams)       \
  X(ArticulatedActorParams) X(ArticulatedJointParams) X(JointFrictionParams) X(ArticulatedLinkParams)                 \
  X(ArticulatedCycleJointParams) X(ArticulatedSkinParams) X(SoftSkinnedActorParams) X(ContactFilterParams)            \
  X(LayerContactParams) X(ActorContactParams) X(ContactParams) X(BoundarySubsamplingParams) X(GridSdfParams)          \
  X(SolverParams) X(NonLinearSolverParams) X(LinearSolverParams) X(ExperimentalEvalParams)                            \
  X(FittedSaturationHessianParams) X(TransformRT) X(ShapeSource) X(ModelData) X(MeshData) X(SkinningData)             \
  X(BlendingData) X(BoxData) X(SphereData) X(PlaneData) X(SdfData) X(PerElementSoftMaterialData)

#define DERMIS_PARAMETER_ENUMS(X)                                                                                     \
  X(SoftMaterialType) X(MaterialPsdStrategy) X(ArticulatedJointType) X(ColliderType) X(ActorBoundaryElementType)      \
  X(BoundarySubsamplingStrategy) X(GridSdfResolutionMode) X(IntegrationMethod) X(CoulombFrictionModel)                \
  X(NonLinearSolverType) X(ConvergenceMode) X(PsdProjMode) X(LineSearchType) X(LinearToleranceStrategy)               \
  X(LinearSolverType) X(Preconditioner) X(LinearNorm) X(VerbosityLevel)
// clang-format on

}  // namespace dermis
