// From a validated scene to the flat model that a backend uploads.
#pragma once

#include "engine/model.h"
#include "host/validated.h"

namespace dermis {

// Where an actor's parts lie in the flat model, for queries and recorders.
struct SoftLayout {
  String name;   // full, "Actor/Soft"
  int soft = 0;  // index in the flat model
  int nodeBegin = 0, nodeEnd = 0;
  bool isNested = false;
  DynamicArray<int> constrainedNodes;     // local indices
  DynamicArray<std::array<int, 4>> tets;  // local node indices
  DynamicArray<std::array<int, 3>> triangles;
  DynamicArray<int> blockBegin;  // [1]: first element block; element e of the soft is lane e % 8 of block e / 8
};

struct ActorLayout {
  String name;
  ActorType type = ActorType::None;
  int actor = 0;  // index in the flat model
  int frameBegin = 0, frameEnd = 0;
  int dofBegin = 0, dofEnd = 0;
  DynamicArray<String> frameNames;
  DynamicArray<ShapeHandle> frameShapes;  // in the link's own frame; empty for a link without shape
  DynamicArray<SoftLayout> softs;
  int skinBegin = 0, skinEnd = 0;  // extra points of the skin
  DynamicArray<std::array<int, 3>> skinTriangles;
  Real size = 0;  // diagonal of the bounding box at rest [m]
};

struct CompiledScene {
  CompiledModel model;
  DynamicArray<ActorLayout> actors;
};

struct CompileOptions {
  // Newton steps are converged when no point moves by more: [m], or 0 for 1e-5 of the size of each actor.
  Real tolerance = 0;
  // Fixes the constrained nodes of standalone soft actors at rest.
  bool fixConstrainedNodes = false;
};

// Only a validated scene can be compiled. Cost: linear in the mesh, and that of a symbolic factorisation for each soft.
CompiledScene Compile(const ValidatedScene& scene, const CompileOptions& options = {});

}  // namespace dermis
