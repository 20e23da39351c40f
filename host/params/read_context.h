// What reading a file collects, and the keys that a file may have beside the fields of a table.
#pragma once

#include <fmt/format.h>

#include <functional>

#include "host/io/json.h"
#include "host/params/path.h"
#include "host/params/scene.h"
#include "host/shape.h"

namespace dermis {

// What reading one file collects.
struct ReadContext {
  const JsonDocument& document;
  DynamicArray<String> problems = {};
  DynamicArray<KeptValue> kept = {};     // keys that mean nothing here
  DynamicArray<String> unusedKeys = {};  // names of fields that are kept, not obeyed, each once
  std::function<ShapeHandle(const ShapeSource&, const PathNode&, size_t offset)> loadShape = {};

  void Problem(const PathNode& path, size_t offset, const String& text) {
    const String pointer = path.Pointer();
    problems.push_back(document.Where(offset) + ": " + (pointer.empty() ? "" : pointer + ": ") + text);
  }
  void WrongType(const PathNode& path, const JsonValue& value, const String& expected) {
    Problem(path, value.Offset(), fmt::format("expected {}, found {}", expected, value.KindName()));
  }
};

// Keys that may stand in the file beside the fields of S and mean nothing here; a final * matches any ending.
template <class S> constexpr auto KeptKeysOf(const S*) { return std::array<const char*, 0>{}; }
constexpr auto KeptKeysOf(const RigidActorParams*) { return std::array{"renderModel*"}; }
constexpr auto KeptKeysOf(const SoftActorParams*) {
  return std::array{"renderModel*", "colliderType", "sdf", "flow", "rom", "useRecentering"};
}
constexpr auto KeptKeysOf(const ArticulatedLinkParams*) { return std::array{"renderModel*"}; }
constexpr auto KeptKeysOf(const ArticulatedSkinParams*) { return std::array{"renderModel*"}; }
constexpr auto KeptKeysOf(const ArticulatedActorParams*) { return std::array{"scale", "renderModel*"}; }
constexpr auto KeptKeysOf(const SceneDescription*) { return std::array{"prefabs", "contactPairParamsOverrides"}; }
constexpr auto KeptKeysOf(const ModelData*) { return std::array{"rom", "sampleMeshes", "bsh"}; }

// Old spellings of keys and enumeration values in files.
inline constexpr const char* kLegacySpellings[][2] = {{"stableNeoHookean", "neoHookean"},
                                                      {"activeStableNeoHookean", "activeNeoHookean"},
                                                      {"StableNeoHookean", "NeoHookean"},
                                                      {"ActiveStableNeoHookean", "ActiveNeoHookean"}};
inline String CurrentSpelling(const String& word) {
  for (const auto& [old, current] : kLegacySpellings)
    if (word == old) return current;
  return word;
}

}  // namespace dermis
