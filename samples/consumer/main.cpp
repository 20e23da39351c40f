// Loads a scene, steps it for a second and prints what moved: ./consumer SCENE.mochi_scene
#include <cstdio>

#include "host/io/scene_file.h"
#include "host/scene.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: consumer SCENE.mochi_scene\n");
    return 1;
  }

  // The first error sticks: each call after it does nothing, so one check is enough.
  dermis::Error error;
  const dermis::SceneDescription description = dermis::LoadSceneFromFile(argv[1], error);
  const auto scene = dermis::Scene::Create(description, {}, error);
  const int steps = 60;
  for (int step = 0; step < steps && error.IsOK(); ++step) scene->Step(1.0 / 60, error);
  if (!error.IsOK()) {
    std::fprintf(stderr, "%s\n", error.GetDescription().c_str());
    return 1;
  }

  std::printf("%.3f s on %s\n", scene->GetTotalSimulationTime(), scene->GetBackendName().c_str());
  for (const dermis::ActorLayout& actor : scene->GetActors()) {
    std::printf("%s\n", actor.name.c_str());
    for (const dermis::SoftLayout& soft : actor.softs) {
      const dermis::Real3 last = scene->GetNodePositions(soft).back();
      std::printf("  %s: last node at (%.4f, %.4f, %.4f) m, %.3g J of elastic energy\n", soft.name.c_str(), last.x,
                  last.y, last.z, scene->GetElasticEnergy(soft));
    }
  }
  const dermis::SceneEnergies energies = scene->GetEnergies();
  std::printf("kinetic %.6g J, elastic %.6g J, gravitational %.6g J\n", energies.kinetic, energies.elastic,
              energies.gravitational);
  return 0;
}
