// Contact parameters of an actor, and the filters that switch contact between pairs on and off.
#pragma once

#include "host/params/enums.h"
#include "host/params/field.h"

namespace dermis {

// Friction and damping are obeyed. The penalty fields belong to engines with a penalty contact on a distance grid: they
// are kept for files, and the barrier here needs none of them.
struct ContactParams {
  Real penaltyCoefficient = 1e9;
  Real penaltySmoothingHalfDistance = 0.005;
  Real penaltyThresholdDefault = 0.001;
  Real penaltyThresholdExtraPadding = 0;
  bool frictionWithColliderNormal = true;
  Real maxAlignmentNormals = 0;
  Real viscousFrictionCoefficient = 0;
  Real coulombFrictionCoefficient = 0.5;
  Real frictionFalloffVel = 0.01;
  Real normalViscousDampingCoefficient = 0;
  Real distanceErrorBound = 0;
  Real objScale = 1;
  Real collidingPenaltyLengthScale = 1;
  bool operator==(const ContactParams&) const = default;
};
constexpr auto FieldsOf(const ContactParams*) {
  using S = ContactParams;
  return std::tuple{
      Field{&S::penaltyCoefficient, "penaltyCoefficient", "Pa/m", Positive(), "Stiffness of a penalty contact.",
            Use::Kept},
      Field{&S::penaltySmoothingHalfDistance, "penaltySmoothingHalfDistance", "m", NonNegative(),
            "Half width of the penalty's smooth start.", Use::Kept},
      Field{&S::penaltyThresholdDefault, "penaltyThresholdDefault", "m", Finite(), "Distance where the penalty starts.",
            Use::Kept},
      Field{&S::penaltyThresholdExtraPadding, "penaltyThresholdExtraPadding", "m", NonNegative(),
            "Added to the threshold when the actor has no collider.", Use::Kept},
      Field{&S::frictionWithColliderNormal,
            "frictionWithColliderNormal",
            "",
            {},
            "Whether friction acts in the collider's tangent plane.",
            Use::Kept},
      Field{&S::maxAlignmentNormals, "maxAlignmentNormals", "", Closed(-1, 1),
            "Samples whose normal agrees with the collider's by more than this are skipped.", Use::Kept},
      Field{&S::viscousFrictionCoefficient, "viscousFrictionCoefficient", "s/m", NonNegative(),
            "Friction in proportion to the tangential speed; pairs use the geometric mean."},
      Field{&S::coulombFrictionCoefficient, "coulombFrictionCoefficient", "", NonNegative(),
            "Coulomb's friction coefficient; pairs use the geometric mean."},
      Field{&S::frictionFalloffVel, "frictionFalloffVel", "m/s", Positive(),
            "Speed below which Coulomb's friction is smoothed."},
      Field{&S::normalViscousDampingCoefficient, "normalViscousDampingCoefficient", "s/m", NonNegative(),
            "Damping along the normal; pairs use the geometric mean."},
      Field{&S::distanceErrorBound, "distanceErrorBound", "m", Finite(), "Error of the distance grid.", Use::Kept},
      Field{&S::objScale, "objScale", "", Finite(), "Scale of the penalty.", Use::Kept},
      Field{&S::collidingPenaltyLengthScale, "collidingPenaltyLengthScale", "", Finite(), "Scale of the penalty.",
            Use::Kept}};
}

// Which share of a surface's contact samples is used.
struct BoundarySubsamplingParams {
  Real density = 1;
  BoundarySubsamplingStrategy strategy = BoundarySubsamplingStrategy::UniformProbability;
  bool operator==(const BoundarySubsamplingParams&) const = default;
};
constexpr auto FieldsOf(const BoundarySubsamplingParams*) {
  using S = BoundarySubsamplingParams;
  return std::tuple{Field{&S::density, "density", "", Closed(0, 1), "Share of the samples that is used.", Use::Kept},
                    Field{&S::strategy, "strategy", "", {}, "How the samples are chosen.", Use::Kept}};
}

// Resolution of a distance grid.
struct GridSdfParams {
  GridSdfResolutionMode mode = GridSdfResolutionMode::MeanEdge;
  Real3 delta{0.25, 0.25, 0.25};
  Real padding = 0.005;
  std::array<int, 3> minGrid{6, 6, 6};
  bool operator==(const GridSdfParams&) const = default;
};
constexpr auto FieldsOf(const GridSdfParams*) {
  using S = GridSdfParams;
  return std::tuple{
      Field{&S::mode, "mode", "", {}, "What `delta` is measured in.", Use::Kept},
      Field{&S::delta, "delta", "", Positive(), "Spacing of the grid.", Use::Kept},
      Field{&S::padding, "padding", "m", NonNegative(), "Space around the surface.", Use::Kept},
      Field{&S::minGrid, "minGrid", "", AtLeast(2), "Least number of grid points along each axis.", Use::Kept}};
}

struct LayerContactParams {
  std::array<String, 2> layers = {};
  bool enable = true;
  bool operator==(const LayerContactParams&) const = default;
};
constexpr auto FieldsOf(const LayerContactParams*) {
  using S = LayerContactParams;
  return std::tuple{
      Field{
          &S::layers, "layers", "", {}, "The two layers; where order counts, colliding then collider.", Use::Required},
      Field{&S::enable, "enable", "", {}, "Whether they touch."}};
}

struct ActorContactParams {
  std::array<String, 2> actors = {};
  bool enable = true;
  bool includeNestedActors = true;
  bool operator==(const ActorContactParams&) const = default;
};
constexpr auto FieldsOf(const ActorContactParams*) {
  using S = ActorContactParams;
  return std::tuple{
      Field{
          &S::actors, "actors", "", {}, "The two actors; where order counts, colliding then collider.", Use::Required},
      Field{&S::enable, "enable", "", {}, "Whether they touch."},
      Field{
          &S::includeNestedActors, "includeNestedActors", "", {}, "Whether links and nested softs are meant as well."}};
}

// Filters, applied in this order. Contact happens where both the layers and the actors allow it; all are allowed at
// first.
struct ContactFilterParams {
  DynamicArray<LayerContactParams> layerContactAsymmetric = {};
  DynamicArray<LayerContactParams> layerContactSymmetric = {};
  DynamicArray<ActorContactParams> actorContactAsymmetric = {};
  DynamicArray<ActorContactParams> actorContactSymmetric = {};
  bool operator==(const ContactFilterParams&) const = default;
};
constexpr auto FieldsOf(const ContactFilterParams*) {
  using S = ContactFilterParams;
  return std::tuple{Field{&S::layerContactAsymmetric, "layerContactAsymmetric", "", {}, "Layers, in the order given."},
                    Field{&S::layerContactSymmetric, "layerContactSymmetric", "", {}, "Layers, in both orders."},
                    Field{&S::actorContactAsymmetric, "actorContactAsymmetric", "", {}, "Actors, in the order given."},
                    Field{&S::actorContactSymmetric, "actorContactSymmetric", "", {}, "Actors, in both orders."}};
}

}  // namespace dermis
