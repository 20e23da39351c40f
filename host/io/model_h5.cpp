// The layout of .mochi.h5 files: which array is which part of a model.
#include <fmt/format.h>

#include <limits>

#include "host/io/h5_arrays.h"
#include "host/io/model_file.h"
#include "host/params/codec.h"

namespace dermis {

namespace {

// Takes parts of a model out of the arrays, collecting problems.
class ModelAssembler {
 public:
  ModelAssembler(const String& file, const H5Arrays& arrays) : file_(file), arrays_(arrays) {}

  ModelData Assemble() {
    ModelData model;
    model.mesh = Mesh("/mesh");
    model.visualMesh = Mesh("/visual_mesh");
    model.contactSkinMesh = Mesh("/contact_skin_mesh");
    // Under `mesh` in files of the first version, at the root in later ones.
    for (const char* root : {"", "/mesh"}) {
      Take(String(root) + "/constrained_nodes", model.constrainedNodes);
      Take(String(root) + "/element_frame_axes", model.elementFrameAxes);
      Blending(String(root) + "/blending/", model.blending);
    }
    Analytic(model);
    if (HasGroup("/material")) Material(model.material.emplace());
    if (Find("/sdf/grid")) Sdf(model.sdf.emplace());
    return model;
  }
  DynamicArray<String>& Problems() { return problems_; }

 private:
  void Problem(const String& path, const String& text) { problems_.push_back(file_ + ": " + path + ": " + text); }
  const H5Array* Find(const String& path) const {
    const auto it = arrays_.find(path);
    return it == arrays_.end() ? nullptr : &it->second;
  }
  bool HasGroup(const String& path) const {
    const auto it = arrays_.lower_bound(path);
    return it != arrays_.end() && it->first.starts_with(path) && it->first.size() > path.size() &&
           (it->first[path.size()] == '/' || it->first[path.size()] == '@');
  }

  // Each takes the array at `path` into `value` if there is one, and says whether there was.
  bool Take(const String& path, DynamicArray<Real>& value) {
    const H5Array* array = Find(path);
    if (!array) return false;
    if (array->kind == H5Array::Kind::Text) return Problem(path, "expected numbers, found a text"), false;
    value = array->reals;
    if (array->kind == H5Array::Kind::Integers) value.assign(array->integers.begin(), array->integers.end());
    return true;
  }
  bool Take(const String& path, DynamicArray<int>& value) {
    const H5Array* array = Find(path);
    if (!array) return false;
    if (array->kind != H5Array::Kind::Integers) return Problem(path, "expected integers"), false;
    value.clear();
    for (const int64_t number : array->integers) {
      if (number != static_cast<int>(number))
        return Problem(path, fmt::format("{} is not an integer of 32 bits", number)), false;
      value.push_back(static_cast<int>(number));
    }
    return true;
  }
  bool Take(const String& path, String& value) {
    const H5Array* array = Find(path);
    if (!array) return false;
    if (array->kind != H5Array::Kind::Text) return Problem(path, "expected a text"), false;
    value = array->text;
    return true;
  }
  bool Take(const String& path, Real& value) {
    DynamicArray<Real> numbers;
    if (!Take(path, numbers)) return false;
    if (numbers.size() != 1) return Problem(path, fmt::format("expected 1 number, found {}", numbers.size())), false;
    value = numbers[0];
    return true;
  }
  bool Take(const String& path, Real3& value) {
    DynamicArray<Real> numbers;
    if (!Take(path, numbers)) return false;
    if (numbers.size() != 3) return Problem(path, fmt::format("expected 3 numbers, found {}", numbers.size())), false;
    value = {numbers[0], numbers[1], numbers[2]};
    return true;
  }
  bool Take(const String& path, Quaternion& value) {
    DynamicArray<Real> numbers;
    if (!Take(path, numbers)) return false;
    if (numbers.size() != 4) return Problem(path, fmt::format("expected 4 numbers, found {}", numbers.size())), false;
    value = {numbers[0], numbers[1], numbers[2], numbers[3]};
    return true;
  }
  template <NamedEnum E> void TakeName(const String& path, E& value) {
    String name;
    if (!Take(path, name)) return;
    if (const auto found = EnumFromName<E>(CurrentSpelling(name)))
      value = *found;
    else
      Problem(path, fmt::format("\"{}\" is not a {}{}", name, EnumTypeName(E{}), DidYouMean(name, EnumNames<E>())));
  }

  Optional<MeshData> Mesh(const String& path) {
    MeshData mesh;
    if (!Take(path + "/coordinates", mesh.coordinates)) {
      if (Find(path + "/connectivity")) Problem(path, "has no coordinates");
      return {};
    }
    CheckColumns(path + "/coordinates", 3);
    if (const H5Array* connectivity = Find(path + "/connectivity")) {
      if (connectivity->dims.size() == 2 && connectivity->dims[1] >= 2 && connectivity->dims[1] <= 4) {
        mesh.nodesPerElement = static_cast<int>(connectivity->dims[1]);
        Take(path + "/connectivity", mesh.connectivity);
      } else {
        Problem(path + "/connectivity", "expected a matrix with 2, 3 or 4 columns");
      }
    }
    mesh.skinning = Skinning(path + "/skinning");
    mesh.embedding = Skinning(path + "/embedding");
    return mesh;
  }
  void CheckColumns(const String& path, uint64_t columns) {
    const H5Array* array = Find(path);
    if (array->dims.size() != 2 || array->dims[1] != columns)
      Problem(path, fmt::format("expected a matrix with {} columns", columns));
  }
  Optional<SkinningData> Skinning(const String& path) {
    SkinningData skinning;
    if (!Take(path + "/weights", skinning.weights)) return {};
    const H5Array* weights = Find(path + "/weights");
    constexpr uint64_t kMost = 1u << 20;
    skinning.weightsPerNode = weights->dims.size() == 2 ? static_cast<int>(std::min(weights->dims[1], kMost)) : 1;
    if (!Take(path + "/indices", skinning.indices)) Problem(path, "has weights, but no indices");
    return skinning;
  }

  void Blending(const String& path, DynamicArray<BlendingData>& blending) {
    const String ending = "/weights";
    for (auto it = arrays_.lower_bound(path); it != arrays_.end() && it->first.starts_with(path); ++it) {
      if (!it->first.ends_with(ending)) continue;
      const String group = it->first.substr(0, it->first.size() - ending.size());
      BlendingData blend;
      blend.sourceShape = group.substr(path.size());
      Take(group + ending, blend.weights);
      if (!Take(group + "/indices", blend.indices)) Problem(group, "has weights, but no indices");
      if (it->second.dims.size() == 2 && it->second.dims[1] == 2) SecondColumn(group, blend);
      blending.push_back(std::move(blend));
    }
  }
  // An old layout: skin and soft side by side, whose weights sum to 1.
  void SecondColumn(const String& group, BlendingData& blend) {
    const size_t count = blend.weights.size() / 2;
    if (blend.indices.size() != 2 * count) return Problem(group, "indices and weights differ in size");
    for (size_t v = 0; v < count; ++v) {
      constexpr Real kTolerance = 1e-6;
      if (std::abs(blend.weights[2 * v] + blend.weights[2 * v + 1] - 1) > kTolerance)
        return Problem(group, fmt::format("the two weights of vertex {} do not sum to 1", v));
      blend.weights[v] = blend.weights[2 * v + 1];
      blend.indices[v] = blend.indices[2 * v + 1];
    }
    blend.weights.resize(count);
    blend.indices.resize(count);
  }

  void Analytic(ModelData& model) {
    if (HasGroup("/box")) {
      BoxData& box = model.box.emplace();
      Take("/box@center", box.center);
      Take("/box@half_extents", box.halfExtents);
      Take("/box@rotation", box.rotation);
    }
    if (HasGroup("/sphere")) {
      SphereData& sphere = model.sphere.emplace();
      Take("/sphere@center", sphere.center);
      Take("/sphere@radius", sphere.radius);
    }
    if (HasGroup("/plane")) {
      PlaneData& plane = model.plane.emplace();
      Take("/plane@normal", plane.normal);
      Take("/plane@distance", plane.distance);
    }
  }

  void Material(PerElementSoftMaterialData& material) {
    const char* type = Find("/material@type") ? "/material@type" : "/material@material_type";
    if (const H5Array* array = Find(type);
        array && array->kind == H5Array::Kind::Integers && array->integers.size() == 1) {
      const int64_t number = array->integers[0];
      if (number >= 0 && static_cast<size_t>(number) < EnumNames<SoftMaterialType>().size())
        material.type = static_cast<SoftMaterialType>(number);
      else
        Problem(type, fmt::format("{} is not the number of a material", number));
    } else if (array) {
      TakeName(type, material.type);
    } else {
      Problem("/material", "has no type");
    }
    TakeName("/material@psd_strategy", material.psdStrategy);
    const auto take = [&](const char* name, const char* legacy, DynamicArray<Real>& value) {
      if (!Take(String("/material/") + name, value) && legacy) Take(String("/material/") + legacy, value);
    };
    take("youngs_modulus", nullptr, material.youngsModulus);
    take("poisson_ratio", nullptr, material.poissonRatio);
    take("aniso_alpha", nullptr, material.anisoAlpha);
    take("aniso_length", nullptr, material.anisoLength);
    take("aniso_theta", nullptr, material.anisoTheta);
    take("aniso_phi", nullptr, material.anisoPhi);
    take("arap_stiffness", "mu", material.arapStiffness);
    take("shape_target_tensor", "shape_targets", material.shapeTargetTensor);
  }

  void Sdf(SdfData& sdf) {
    const H5Array* grid = Find("/sdf/grid");
    for (const uint64_t dim : grid->dims)
      sdf.dims.push_back(static_cast<int>(std::min<uint64_t>(dim, std::numeric_limits<int>::max())));
    Take("/sdf/grid", sdf.values);
    const auto corners = [&](const char* low, const char* high, DynamicArray<Real>& bounds) {
      DynamicArray<Real> end;
      Take(low, bounds);
      Take(high, end);
      bounds.insert(bounds.end(), end.begin(), end.end());
    };
    corners("/sdf@grid_min", "/sdf@grid_max", sdf.bounds);
    corners("/sdf@collider_min", "/sdf@collider_max", sdf.negativeValueBounds);
  }

  const String& file_;
  const H5Arrays& arrays_;
  DynamicArray<String> problems_;
};

}  // namespace

ModelData ReadModelH5(const String& path, Error& error) {
  const H5Arrays arrays = ReadH5Arrays(path, error);
  if (!error.IsOK()) return {};
  ModelAssembler assembler(path, arrays);
  ModelData model = assembler.Assemble();
  error.Set(std::move(assembler.Problems()));
  return model;
}

}  // namespace dermis
