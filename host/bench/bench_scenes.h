// The scenes that benchmarks time and tests check, described in code so that they need no files.
#pragma once

#include "host/params/scene.h"

namespace dermis {

struct BenchScene {
  SceneDescription description;
  Real dt = 0;    // [s]
  int steps = 0;  // that a benchmark takes
  bool fixConstrainedNodes = false;
  int tipNode = -1;  // node of the first soft actor whose y displacement is reported; -1: none
};

// Number of cells of the cantilever along x, y and z.
enum class BeamSize { Small, Medium, Large };

// The double pendulum of two links with a soft tip on the lower one, unposed stress; it starts at 4.2 rad/s.
// samples/soft_skinned_double_pendulum has the same scene as files.
BenchScene MakePendulumScene(Error& error);
// The same skeleton in a soft skin over both links, everything posed; it falls from rest.
BenchScene MakeElasticSkinScene(Error& error);
// A block of 1 x 0.25 x 0.25 m, clamped at x = 0, that sags from rest. Six tetrahedra a cell, around its diagonal.
BenchScene MakeBeamScene(BeamSize size, Error& error);

}  // namespace dermis
