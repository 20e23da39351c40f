// The enumerations of the public interface.
#pragma once

#include "host/params/enum.h"
#include "kernels/joints/list.h"
#include "kernels/materials/list.h"

namespace dermis {

DERMIS_ENUM(ActorType, None, Rigid, Soft, Articulated);
// The kinds that the engine has, from the lists in kernels, and those that files may name but that are not simulated
// yet.
#define DERMIS_ENUM_VALUE(name) name,
DERMIS_ENUM(SoftMaterialType, DERMIS_MATERIALS(DERMIS_ENUM_VALUE) StVenantKirchhoff, LinearElastic, ActiveNeoHookean,
            ActiveShapeTargetingArap);
DERMIS_ENUM(ArticulatedJointType, DERMIS_JOINTS(DERMIS_ENUM_VALUE) Cycle, Invalid);
#undef DERMIS_ENUM_VALUE
constexpr bool IsOffered(ArticulatedJointType type) { return type < ArticulatedJointType::Cycle; }
DERMIS_ENUM(MaterialPsdStrategy, MaterialDefault, None, Projection, Fast, AbsEigenProjection, PerTermProjection);
DERMIS_ENUM(ColliderType, None, Auto, Sphere, Box, Mesh, Plane, Sdf, PointCloud);
DERMIS_ENUM(ActorBoundaryElementType, P1Q1, P1Q3, P1Q6, ExperimentalP1Q7, ExperimentalP1Q12, ExperimentalP1Q16);
DERMIS_ENUM(BoundarySubsamplingStrategy, UniformProbability, AreaProportional);
// Ordered from best to worst, so that the worst of several is their maximum.
DERMIS_ENUM(ConvergenceStatus, None, Converged, Stopped, Diverged);
DERMIS_ENUM(VerbosityLevel, Silent, Error, Warning, Verbose);
DERMIS_ENUM(QueryType, NodePositions, ElementsDeformationGradient, SurfaceNodePositions, SurfaceNodeNormals,
            VisualNodePositions, VisualNodeNormals, ContactSkinNodePositions, ContactSkinNodeNormals, ContactPoints,
            ElasticEnergy, NodeContactForces, ConstraintForce, ArticulatedControllerForce, SdfDistances,
            TotalContactForce);
DERMIS_ENUM(PoseConstraintType, Joint, LinkTranslation, LinkRotation);
DERMIS_ENUM(IncludeNestedActors, No, Yes);
DERMIS_ENUM(GridSdfResolutionMode, LargestAxis, SmallestAxis, MeanAxis, LargestEdge, SmallestEdge, MeanEdge, Explicit);
DERMIS_ENUM(CoulombFrictionModel, C1Regularized, CinfRegularized);
DERMIS_ENUM(IntegrationMethod, BackwardEuler, BDF2, BDF3, DIRK22, DIRK23, DIRK33, SymplecticDIRK12, SymplecticDIRK22);

// What a nested soft actor's energy term is evaluated on: nothing, rest frame positions X + u, or world positions T(X +
// u).
DERMIS_ENUM(EnergyDomain, Off, Rest, Posed);

}  // namespace dermis
