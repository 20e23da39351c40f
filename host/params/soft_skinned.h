// Parameters of a soft-skinned actor: a skeleton and the soft volumes on it.
#pragma once

#include "host/params/articulated.h"
#include "host/params/soft.h"

namespace dermis {

// A term's flag is set here to evaluate it on posed positions, or on the nested soft to evaluate it on unposed ones.
struct SoftSkinnedActorParams {
  ArticulatedActorParams skeletonParams = {};
  DynamicArray<SoftActorParams> softParams = {};
  DynamicArray<String> softAttachLinks = {};
  bool enableCollidingLinks = false;
  bool hasGravity = false;
  bool hasInertia = false;
  bool hasStress = false;
  bool operator==(const SoftSkinnedActorParams&) const = default;
};
constexpr auto FieldsOf(const SoftSkinnedActorParams*) {
  using S = SoftSkinnedActorParams;
  return std::tuple{
      Field{&S::skeletonParams, "skeletonParams", "", {}, "The articulated skeleton.", Use::Required},
      Field{&S::softParams, "softParams", "", {}, "One entry per nested soft actor.", Use::Required},
      Field{&S::softAttachLinks,
            "softAttachLinks",
            "",
            {},
            "Link of each nested soft; empty when the soft shapes have skinning data."},
      Field{&S::enableCollidingLinks, "enableCollidingLinks", "", {}, "Whether links are colliding surfaces as well."},
      Field{&S::hasGravity, "hasGravity", "", {}, "Gravity on posed positions."},
      Field{&S::hasInertia, "hasInertia", "", {}, "Inertia on posed positions."},
      Field{&S::hasStress, "hasStress", "", {}, "Elasticity on posed positions."}};
}

}  // namespace dermis
