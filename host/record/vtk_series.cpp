#include "host/record/vtk_series.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "host/record/replaced_file.h"
#include "host/record/vtk_mesh.h"
#include "host/shape.h"

namespace dermis {

namespace {

namespace fs = std::filesystem;

constexpr char kCollectionStart[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr char kCollectionEnd[] = "</Collection>\n</VTKFile>\n";
constexpr char kFileKey[] = " file=\"";

// A .pvd file and the meshes that it lists.
class Collection {
 public:
  Collection(String folder, String name) : folder_(std::move(folder)), name_(std::move(name)) {}
  ~Collection() {
    if (list_) std::fclose(list_);
  }
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  void Add(const VtkMesh& mesh, const RecordedStep& step, Error& error) {
    if (mesh.cells.empty() || !error.IsOK()) return;
    const String file = fmt::format("{}_{:06}.vtu", name_, step.step);
    ReplacedFile out(folder_ + "/" + file, error);
    out.Write(VtuText(mesh));
    out.Commit(error);
    if (error.IsOK()) List(fmt::format("<DataSet timestep=\"{:.17g}\"{}{}\"/>\n", step.time, kFileKey, file), error);
  }

 private:
  // Writes the entry over the end of the list, and the end again, at once: the list is whole between two calls.
  void List(const String& entry, Error& error) {
    const String path = folder_ + "/" + name_ + ".pvd";
    errno = 0;
    if (!list_) {
      list_ = std::fopen(path.c_str(), "wb");
      if (list_) std::fputs(kCollectionStart, list_);
    } else {
      std::fseek(list_, -long(std::strlen(kCollectionEnd)), SEEK_END);
    }
    const String text = entry + kCollectionEnd;
    if (!list_ || std::fwrite(text.data(), 1, text.size(), list_) != text.size() || std::fflush(list_) != 0)
      error.Set(path + ": cannot be written: " + std::strerror(errno));
  }

  String folder_, name_;
  std::FILE* list_ = nullptr;
};

void AppendCells(VtkMesh& mesh, const auto& elements, int firstPoint, std::initializer_list<int> labels) {
  for (const auto& element : elements)
    for (const int node : element) mesh.cells.push_back(firstPoint + node);
  auto label = labels.begin();
  for (auto& [name, values] : mesh.cellData) values.insert(values.end(), elements.size(), *label++);
}

class VtkRecorder : public Recorder {
 public:
  explicit VtkRecorder(const String& folder)
      : soft_(folder, "soft"), skin_(folder, "skin"), bodies_(folder, "bodies") {}

  void Record(Scene& scene, const RecordedStep& step, Error& error) override {
    VtkMesh soft(4), skin(3), bodies(3);
    soft.pointData = {{"displacement", {}}};
    soft.cellData = {{"actor", {}}, {"soft", {}}};
    skin.cellData = {{"actor", {}}};
    bodies.cellData = {{"actor", {}}, {"frame", {}}};
    const std::vector<double> displacement = scene.GetSimulation().GetState("displacement", 0);
    for (const ActorLayout& actor : scene.GetActors()) {
      for (const SoftLayout& layout : actor.softs) AddSoft(scene, actor, layout, displacement, soft);
      if (actor.skinEnd > actor.skinBegin) {
        const DynamicArray<Real3> points = scene.GetSkinPositions(actor);
        AppendCells(skin, actor.skinTriangles, int(skin.points.size()), {actor.actor});
        skin.points.insert(skin.points.end(), points.begin(), points.end());
      }
      AddBodies(scene, actor, bodies);
    }
    soft_.Add(soft, step, error);
    skin_.Add(skin, step, error);
    bodies_.Add(bodies, step, error);
  }

  void Finish(Scene&, Error&) override {}

 private:
  static void AddSoft(Scene& scene, const ActorLayout& actor, const SoftLayout& layout,
                      const std::vector<double>& displacement, VtkMesh& mesh) {
    AppendCells(mesh, layout.tets, int(mesh.points.size()), {actor.actor, layout.soft});
    const DynamicArray<Real3> points = scene.GetNodePositions(layout);
    mesh.points.insert(mesh.points.end(), points.begin(), points.end());
    for (size_t n = size_t(layout.nodeBegin); n < size_t(layout.nodeEnd); ++n)
      mesh.pointData[0].second.push_back({displacement[3 * n], displacement[3 * n + 1], displacement[3 * n + 2]});
  }

  static void AddBodies(Scene& scene, const ActorLayout& actor, VtkMesh& mesh) {
    if (actor.frameShapes.empty()) return;
    const DynamicArray<TransformRT> links = scene.GetLinkTransforms(actor);
    for (size_t i = 0; i < links.size(); ++i) {
      const ShapeHandle& shape = actor.frameShapes[i];
      if (!shape) continue;
      AppendCells(mesh, shape->GetTriangles(), int(mesh.points.size()), {actor.actor, actor.frameBegin + int(i)});
      for (const Real3& node : shape->GetNodes()) mesh.points.push_back(links[i] * node);
    }
  }

  Collection soft_, skin_, bodies_;
};

}  // namespace

std::unique_ptr<Recorder> CreateVtkRecorder(const String& folder, Error& error) {
  const String path = folder + "/vtk";
  std::error_code code;
  fs::create_directories(path, code);
  if (code) {
    error.Set(path + ": cannot be created: " + code.message());
    return nullptr;
  }
  return std::make_unique<VtkRecorder>(path);
}

void RemoveVtkSeries(const String& folder) {
  std::error_code code;
  for (const char* name : {"soft", "skin", "bodies"}) {
    const fs::path list = fs::path(folder) / (String(name) + ".pvd");
    std::ifstream stream(list);
    for (String line; std::getline(stream, line);) {
      const size_t begin = line.find(kFileKey);
      if (begin == String::npos) continue;
      const size_t start = begin + std::strlen(kFileKey), end = line.find('"', start);
      // Only files beside the list: a list is no licence to remove anything else.
      const String file = line.substr(start, end == String::npos ? end : end - start);
      if (file.starts_with(String(name) + "_") && file.find('/') == String::npos)
        fs::remove(fs::path(folder) / file, code);
    }
    fs::remove(list, code);
  }
}

}  // namespace dermis
