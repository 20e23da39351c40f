// The scenes of tests/reference and the trajectories that a peer computed for them, see its README.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/io/json.h"
#include "host/io/scene_file.h"

namespace dermis {

// Scenes without constraints, contact or materials that are not here yet. seed_scene has contact.
inline const std::vector<std::string>& ReferenceNames() {
  static const std::vector<std::string> names = {"pendulum_rest",
                                                 "pendulum_seed",
                                                 "pendulum_posed_stress",
                                                 "pendulum_unposed_inertia",
                                                 "pendulum_bdf2",
                                                 "pendulum_damped",
                                                 "elastic_skin",
                                                 "elastic_skin_unposed",
                                                 "blended_skin",
                                                 "chain_free",
                                                 "chain_spherical",
                                                 "chain_revolute",
                                                 "chain_free_velocity",
                                                 "joint_terms",
                                                 "cycle",
                                                 "rigid_tumble",
                                                 "beam_arap",
                                                 "beam_neo_hookean"};
  return names;
}

inline std::string ReferenceFolder(const std::string& name) {
  return std::string(DERMIS_SOURCE_DIR) + "/tests/reference/" + name;
}

inline SceneDescription LoadReferenceScene(const std::string& name) {
  return LoadSceneFromFile(ReferenceFolder(name) + "/" + name + ".mochi_scene", ErrorAssert{});
}

// Numbers in nested arrays, depth first.
inline void Flatten(const JsonValue& value, std::vector<double>& numbers) {
  if (const auto number = value.Number()) numbers.push_back(*number);
  if (const JsonValue::Array* items = value.Items())
    for (const JsonValue& item : *items) Flatten(item, numbers);
}

// Flat numbers by record of one quantity: [records][numbers].
using Records = std::vector<std::vector<double>>;

struct Trajectory {
  double dt = 0;
  bool isBdf2 = false;
  int compareUntil = 0;    // the last step to compare
  std::vector<int> steps;  // of the records
  std::vector<int> nodes;  // the recorded nodes of softs; empty: all
  // "group/name/quantity", as in "soft/Pendulum/SoftArm/x"; "skin/x" of the only actor
  std::map<std::string, Records> quantities;

  const std::vector<double>* Find(const std::string& quantity, size_t record) const {
    const auto found = quantities.find(quantity);
    return found == quantities.end() ? nullptr : &found->second[record];
  }
};

inline Trajectory LoadTrajectory(const std::string& name) {
  const JsonDocument document = ReadJsonFile(ReferenceFolder(name) + "/trajectory.json", ErrorAssert{});
  Trajectory t;
  const auto integers = [&](const char* key) {
    std::vector<double> numbers;
    if (const JsonValue* value = document.root.Find(key)) Flatten(*value, numbers);
    return std::vector<int>(numbers.begin(), numbers.end());
  };
  t.dt = *document.root.Find("dt")->Number();
  t.isBdf2 = *document.root.Find("integration")->Text() == "BDF2";
  t.steps = integers("steps");
  t.nodes = integers("nodes");
  const std::vector<int> until = integers("compare_until");
  t.compareUntil = until.empty() ? t.steps.back() : until[0];
  const auto addRecords = [&](const std::string& key, const JsonValue& value) {
    for (const JsonValue& record : *value.Items()) Flatten(record, t.quantities[key].emplace_back());
  };
  for (const char* group : {"articulated", "soft", "rigid"}) {
    const JsonValue* actors = document.root.Find(group);
    if (!actors || !actors->Members()) continue;
    for (const JsonMember& actor : *actors->Members())
      for (const JsonMember& quantity : *actor.value.Members())
        addRecords(std::string(group) + "/" + actor.key + "/" + quantity.key, quantity.value);
  }
  if (const JsonValue* skin = document.root.Find("skin")) addRecords("skin/x", *skin->Find("x"));
  return t;
}

}  // namespace dermis
