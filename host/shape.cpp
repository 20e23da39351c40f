#include "host/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/params/codec.h"
#include "host/shape_mesh.h"

namespace dermis {

bool ShapeHandle::operator==(const ShapeHandle& other) const {
  if (shape_ == other.shape_) return true;
  return shape_ && other.shape_ && !shape_->GetSource().path.empty() &&
         shape_->GetSource() == other.shape_->GetSource();
}

const char* Shape::KindName() const {
  if (IsTetMesh()) return "a tetrahedral mesh";
  if (IsTriMesh()) return "a surface";
  if (model_.plane) return "a plane";
  if (model_.sphere) return "a sphere";
  if (model_.box) return "a box";
  return nodes_.empty() ? "an empty shape" : "a set of lines";
}

namespace {

bool IsUniform(const Real3& s) { return std::abs(s.x) == std::abs(s.y) && std::abs(s.y) == std::abs(s.z); }

// x -> R (s * x) + t.
struct Bake {
  Real3 scale;
  TransformRT transform;
  bool isIdentity;
  Real3 Point(const Real3& x) const {
    if (isIdentity) return x;
    return transform * Real3{scale.x * x.x, scale.y * x.y, scale.z * x.z};
  }
};

DynamicArray<Real3> BakePoints(DynamicArray<Real>& coordinates, const Bake& bake) {
  DynamicArray<Real3> nodes(coordinates.size() / 3);
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = bake.Point({coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]});
    for (int k = 0; k < 3; ++k) coordinates[3 * i + static_cast<size_t>(k)] = nodes[i][k];
  }
  return nodes;
}

void BakeAnalytic(ModelData& model, const Bake& bake, DynamicArray<String>& problems, DynamicArray<String>& warnings) {
  const Real3& s = bake.scale;
  const TransformRT& t = bake.transform;
  if (model.plane) {
    // Normals transform with the inverse of the scale.
    PlaneData& plane = *model.plane;
    const Real3 inverse{plane.normal.x / s.x, plane.normal.y / s.y, plane.normal.z / s.z};
    const Real length = Norm(inverse);
    const Real distance = plane.distance * Norm(plane.normal) / length;
    plane.normal = Rotate(t.rotation, (1 / length) * inverse);
    plane.distance = distance + Dot(plane.normal, t.translation);
  }
  if (model.sphere) {
    if (!IsUniform(s))
      problems.push_back("sphere: a scale that differs along the axes makes it no sphere; use one scale");
    model.sphere->center = bake.Point(model.sphere->center);
    model.sphere->radius *= std::abs(s.x);
  }
  if (model.box) {
    BoxData& box = *model.box;
    if (!IsUniform(s) && !(box.rotation == Quaternion{}))
      problems.push_back("box: a rotated box cannot be scaled differently along the axes; use one scale");
    box.center = bake.Point(box.center);
    box.halfExtents = {std::abs(s.x) * box.halfExtents.x, std::abs(s.y) * box.halfExtents.y,
                       std::abs(s.z) * box.halfExtents.z};
    box.rotation = Normalized(t.rotation * Normalized(box.rotation));
  }
  if (model.sdf && !bake.isIdentity) {
    if (!IsUniform(s) || model.sdf->scale || model.sdf->rotation || model.sdf->translation) {
      model.sdf.reset();
      warnings.push_back("the distance grid was dropped: it cannot follow the baked transform");
    } else {
      model.sdf->scale = s;
      model.sdf->rotation = t.rotation;
      model.sdf->translation = t.translation;
    }
  }
}

void CheckLength(const char* name, size_t length, size_t expected, const char* per, DynamicArray<String>& problems) {
  if (length != expected)
    problems.push_back(fmt::format("{}: has {} entries, expected {} ({})", name, length, expected, per));
}

void CheckSkinning(SkinningData& skinning, size_t nodeCount, const String& name, DynamicArray<String>& problems) {
  const size_t perNode = nodeCount == 0 ? 0 : skinning.indices.size() / nodeCount;
  if (skinning.weightsPerNode == 0) skinning.weightsPerNode = static_cast<int>(perNode);
  const size_t expected = nodeCount * static_cast<size_t>(std::max(skinning.weightsPerNode, 0));
  CheckLength((name + ".indices").c_str(), skinning.indices.size(), expected, "nodes x weightsPerNode", problems);
  CheckLength((name + ".weights").c_str(), skinning.weights.size(), expected, "nodes x weightsPerNode", problems);
  for (size_t i = 0; i < skinning.weights.size(); ++i)
    if (!std::isfinite(skinning.weights[i])) {
      problems.push_back(
          fmt::format("{}.weights[{}]: {} is not finite; repair the weights", name, i, skinning.weights[i]));
      return;
    }
}

void CheckPerElement(const PerElementSoftMaterialData& m, size_t elementCount, DynamicArray<String>& problems) {
  ForEachField<PerElementSoftMaterialData>([&](const auto& field) {
    const auto& value = m.*field.member;
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, DynamicArray<Real>>) {
      const bool isTensor = field.member == &PerElementSoftMaterialData::shapeTargetTensor;
      if (!value.empty())
        CheckLength((String("material.") + field.name).c_str(), value.size(), (isTensor ? 6 : 1) * elementCount,
                    isTensor ? "6 an element" : "one an element", problems);
    }
  });
}

// Data that refer to the nodes and elements of the mesh.
void CheckAttached(ModelData& model, size_t nodeCount, size_t elementCount, DynamicArray<String>& problems) {
  if (model.mesh && model.mesh->skinning) CheckSkinning(*model.mesh->skinning, nodeCount, "mesh.skinning", problems);
  for (const int node : model.constrainedNodes)
    if (node < 0 || static_cast<size_t>(node) >= nodeCount) {
      problems.push_back(fmt::format("constrainedNodes: {} is not a node; the mesh has {} nodes", node, nodeCount));
      break;
    }
  for (size_t i = 0; i < model.blending.size(); ++i) {
    const BlendingData& blend = model.blending[i];
    const String name = fmt::format("blending[{}] \"{}\"", i, blend.sourceShape);
    CheckLength((name + ".indices").c_str(), blend.indices.size(), nodeCount, "one a vertex", problems);
    CheckLength((name + ".weights").c_str(), blend.weights.size(), nodeCount, "one a vertex", problems);
    for (size_t v = 0; v < blend.weights.size(); ++v)
      if (!(blend.weights[v] >= 0 && blend.weights[v] <= 1)) {
        problems.push_back(fmt::format("{}.weights[{}]: {} is outside [0, 1]", name, v, blend.weights[v]));
        break;
      }
  }
  if (model.material) CheckPerElement(*model.material, elementCount, problems);
}

}  // namespace

ShapeHandle CreateModelShape(ModelData model, const ShapeSource& source, Error& error) {
  if (!error.IsOK()) return {};
  DynamicArray<String> problems;
  auto shape = std::make_shared<Shape>();
  const ProblemSink sink = [&](const PathNode& path, const String& text) {
    problems.push_back(path.Dotted() + ": " + text);
  };
  Codec<ShapeSource>::Check(source, {}, {}, sink);
  if (source.scale.x == 0 || source.scale.y == 0 || source.scale.z == 0)
    problems.push_back("scale: 0 flattens the shape; use a scale that is not 0");
  Codec<ModelData>::Check(model, {}, {}, sink);

  // Sizes and indices first: everything after relies on them.
  const auto checkMesh = [&](const char* name, const MeshData& mesh) {
    if (mesh.coordinates.size() % 3 != 0)
      problems.push_back(fmt::format("{}.coordinates: {} numbers are not triples", name, mesh.coordinates.size()));
    const int size = mesh.nodesPerElement;
    if (size == 1 || (size == 0 && !mesh.connectivity.empty()))
      problems.push_back(fmt::format("{}.nodesPerElement: {} is not 2, 3 or 4", name, size));
    else if (size > 1 && mesh.connectivity.size() % static_cast<size_t>(size) != 0)
      problems.push_back(
          fmt::format("{}.connectivity: {} indices are not a multiple of {}", name, mesh.connectivity.size(), size));
  };
  if (model.mesh) checkMesh("mesh", *model.mesh);
  if (model.visualMesh) checkMesh("visualMesh", *model.visualMesh);
  if (model.contactSkinMesh) checkMesh("contactSkinMesh", *model.contactSkinMesh);
  if (!problems.empty()) return error.Set(std::move(problems)), ShapeHandle();

  const bool isIdentity =
      source.scale == Real3{1, 1, 1} && source.rotation == Quaternion{} && source.translation == Real3{};
  const Bake bake{source.scale, {Normalized(source.rotation), source.translation}, isIdentity};
  BakeAnalytic(model, bake, problems, shape->warnings_);
  if (model.visualMesh) BakePoints(model.visualMesh->coordinates, bake);
  if (model.contactSkinMesh) BakePoints(model.contactSkinMesh->coordinates, bake);

  size_t elementCount = 0;
  if (model.mesh) {
    MeshData& mesh = *model.mesh;
    shape->nodes_ = BakePoints(mesh.coordinates, bake);
    const size_t before = problems.size();
    CheckCoordinates(shape->nodes_, problems);
    if (mesh.nodesPerElement > 1) {
      elementCount = mesh.connectivity.size() / static_cast<size_t>(mesh.nodesPerElement);
      CheckConnectivity(mesh.connectivity, mesh.nodesPerElement, shape->nodes_.size(), problems);
    }
    const bool mirrors = source.scale.x * source.scale.y * source.scale.z < 0;
    if (problems.size() == before && mesh.nodesPerElement == 4) {
      shape->tets_.resize(elementCount);
      for (size_t e = 0; e < elementCount; ++e)
        for (size_t i = 0; i < 4; ++i) shape->tets_[e][i] = mesh.connectivity[4 * e + i];
      // A mirror turns every tetrahedron: that is not the mesh's fault, and gets no warning.
      if (mirrors)
        for (Tet& tet : shape->tets_) std::swap(tet[2], tet[3]);
      if (elementCount == 0) problems.push_back("mesh.connectivity: there is no tetrahedron");
      OrientTets(shape->nodes_, shape->tets_, problems, shape->warnings_);
      shape->triangles_ = ExtractSurface(shape->tets_);
      WarnNonManifold(shape->triangles_, shape->warnings_);
      for (size_t e = 0; e < elementCount; ++e)
        for (size_t i = 0; i < 4; ++i) mesh.connectivity[4 * e + i] = shape->tets_[e][i];
    } else if (problems.size() == before && mesh.nodesPerElement == 3) {
      shape->triangles_.resize(elementCount);
      for (size_t e = 0; e < elementCount; ++e)
        for (size_t i = 0; i < 3; ++i) shape->triangles_[e][i] = mesh.connectivity[3 * e + i];
      if (mirrors)
        for (Triangle& triangle : shape->triangles_) std::swap(triangle[1], triangle[2]);
      if (elementCount == 0) problems.push_back("mesh.connectivity: there is no triangle");
      OrientTriangles(shape->nodes_, shape->triangles_, problems, shape->warnings_);
      for (size_t e = 0; e < elementCount; ++e)
        for (size_t i = 0; i < 3; ++i) mesh.connectivity[3 * e + i] = shape->triangles_[e][i];
    }
    shape->isClosed_ = IsClosedSurface(shape->triangles_);
  }
  CheckAttached(model, shape->nodes_.size(), elementCount, problems);
  if (!model.mesh && !model.plane && !model.sphere && !model.box)
    problems.push_back("the model has no mesh, plane, sphere or box");
  if (!problems.empty()) return error.Set(std::move(problems)), ShapeHandle();
  shape->model_ = std::move(model);
  shape->source_ = source;
  return ShapeHandle(std::move(shape));
}

ShapeHandle CreateModelShape(ModelData model, Error& error) {
  return CreateModelShape(std::move(model), ShapeSource{}, error);
}

ShapeHandle CreateMeshShape(MeshData mesh, Error& error) {
  ModelData model;
  model.mesh = std::move(mesh);
  return CreateModelShape(std::move(model), error);
}

ShapeHandle CreateTetMeshShape(DynamicArray<Real> coords, DynamicArray<int> connectivity, Error& error) {
  MeshData mesh;
  mesh.nodesPerElement = 4;
  mesh.coordinates = std::move(coords);
  mesh.connectivity = std::move(connectivity);
  return CreateMeshShape(std::move(mesh), error);
}

ShapeHandle CreateTriMeshShape(DynamicArray<Real> coords, DynamicArray<int> connectivity, Error& error) {
  MeshData mesh;
  mesh.nodesPerElement = 3;
  mesh.coordinates = std::move(coords);
  mesh.connectivity = std::move(connectivity);
  return CreateMeshShape(std::move(mesh), error);
}

ShapeHandle CreateSphereShape(const Real3& center, Real radius, Error& error) {
  ModelData model;
  model.sphere = SphereData{center, radius};
  return CreateModelShape(std::move(model), error);
}

ShapeHandle CreatePlaneShape(const Real3& normal, Real distance, Error& error) {
  ModelData model;
  model.plane = PlaneData{normal, distance};
  return CreateModelShape(std::move(model), error);
}

ShapeHandle CreateBoxShape(const Real3& center, const Real3& halfExtents, Error& error) {
  ModelData model;
  model.box = BoxData{center, halfExtents, {}};
  return CreateModelShape(std::move(model), error);
}

}  // namespace dermis
