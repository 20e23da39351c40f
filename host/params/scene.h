// A scene as its author described it: the content of a scene file, with its shapes loaded.
#pragma once

#include "host/io/json.h"
#include "host/params/soft_skinned.h"
#include "host/params/solver.h"

namespace dermis {

struct SceneSettings {
  String description = {};
  Real3 gravity{0, -9.8, 0};
  SolverParams solver = {};
  bool operator==(const SceneSettings&) const = default;
};
constexpr auto FieldsOf(const SceneSettings*) {
  using S = SceneSettings;
  return std::tuple{Field{&S::description, "description", "", {}, "Free text."},
                    Field{&S::gravity, "gravity", "m/s^2", Finite(), "Acceleration of gravity, world frame."},
                    Field{&S::solver, "solver", "", {}, "Solver parameters."}};
}

// Actors by kind, each kind in the order of creation.
struct SceneActors {
  DynamicArray<RigidActorParams> rigid = {};
  DynamicArray<SoftActorParams> soft = {};
  DynamicArray<ArticulatedActorParams> articulated = {};
  DynamicArray<SoftSkinnedActorParams> softSkinned = {};
  bool operator==(const SceneActors&) const = default;
};
constexpr auto FieldsOf(const SceneActors*) {
  using S = SceneActors;
  return std::tuple{Field{&S::rigid, "rigid", "", {}, "Rigid actors."}, Field{&S::soft, "soft", "", {}, "Soft actors."},
                    Field{&S::articulated, "articulated", "", {}, "Articulated actors."},
                    Field{&S::softSkinned, "softSkinned", "", {}, "Soft-skinned actors."}};
}

// A key of a file that means nothing here; it is written back where it was.
struct KeptValue {
  String pointer = {};  // JSON pointer of the key, as in /actors/soft/0/useRecentering
  JsonValue value = {};
  bool operator==(const KeptValue&) const = default;
};

struct SceneDescription {
  SceneSettings scene = {};
  SceneActors actors = {};
  ContactFilterParams contactFilter = {};
  JsonValue constraints = {};  // kept as read; null when the file has none
  JsonValue controllers = {};
  DynamicArray<KeptValue> kept = {};  // not in the table: filled by the reader
  DynamicArray<String> notes = {};    // what the reader wants the user to know, a sentence each; not part of the scene
  bool operator==(const SceneDescription& other) const {
    return scene == other.scene && actors == other.actors && contactFilter == other.contactFilter &&
           constraints == other.constraints && controllers == other.controllers && kept == other.kept;
  }
};
constexpr auto FieldsOf(const SceneDescription*) {
  using S = SceneDescription;
  return std::tuple{
      Field{&S::scene, "scene", "", {}, "Settings of the scene."}, Field{&S::actors, "actors", "", {}, "The actors."},
      Field{&S::constraints, "constraints", "", {}, "Compliant constraints between actors; not simulated yet."},
      Field{&S::controllers, "controllers", "", {}, "Pose controllers; not simulated yet."},
      Field{&S::contactFilter, "contactFilter", "", {}, "Pairs that never touch."}};
}

}  // namespace dermis
