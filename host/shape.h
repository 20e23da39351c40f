// Shapes: immutable geometry, checked and put in order once, shared between actors and scenes.
#pragma once

#include "host/error.h"
#include "host/shape_handle.h"
#include "host/shape_model.h"

namespace dermis {

// Where a shape comes from: a model file, and what is done to it. The scale is applied first, then the rotation, then
// the translation. A negative scale mirrors the shape.
struct ShapeSource {
  String path;  // as the scene file has it; "" for a shape made in memory
  Real3 scale{1, 1, 1};
  Quaternion rotation;
  Real3 translation;
  bool operator==(const ShapeSource&) const = default;
};
constexpr auto FieldsOf(const ShapeSource*) {
  using S = ShapeSource;
  return std::tuple{Field{&S::path, "shape", "", {}, "Path of a model file.", Use::Required},
                    Field{&S::scale, "scale", "", Finite(), "Scale baked into the shape, along its own axes."},
                    Field{&S::rotation, "rotation", "", Finite(), "Rotation baked into the shape, after the scale."},
                    Field{&S::translation, "translation", "m", Finite(), "Translation baked into the shape, last."}};
}

// A shape. Only the functions below make one, so that every shape is sound: indices in range, finite coordinates, no
// degenerate element, tetrahedra of positive volume, triangles of one orientation (outward where the surface is
// closed).
class Shape {
 public:
  // The data it was made from, baked and reoriented.
  const ModelData& GetModel() const { return model_; }
  const ShapeSource& GetSource() const { return source_; }

  // [nodes] rest positions of the mesh [m]; empty without a mesh.
  const DynamicArray<Real3>& GetNodes() const { return nodes_; }
  // [tets] node indices; empty unless the mesh is tetrahedral. The order is that of the file.
  const DynamicArray<std::array<int, 4>>& GetTets() const { return tets_; }
  // [triangles] node indices of the outer surface: the boundary of a tetrahedral mesh, or the triangles themselves.
  const DynamicArray<std::array<int, 3>>& GetTriangles() const { return triangles_; }
  bool IsTetMesh() const { return !tets_.empty(); }
  bool IsTriMesh() const { return tets_.empty() && !triangles_.empty(); }
  // True when each edge of the surface borders two triangles, or more of a non-manifold one in pairs.
  bool IsClosed() const { return isClosed_; }
  // Name of the kind of geometry, for messages: "a tetrahedral mesh", "a surface", "a plane", ...
  const char* KindName() const;
  // What was put in order or looks wrong, a sentence each.
  const DynamicArray<String>& GetWarnings() const { return warnings_; }

 private:
  friend ShapeHandle CreateModelShape(ModelData model, const ShapeSource& bake, Error& error);
  ModelData model_;
  ShapeSource source_;
  DynamicArray<Real3> nodes_;
  DynamicArray<std::array<int, 4>> tets_;
  DynamicArray<std::array<int, 3>> triangles_;
  DynamicArray<String> warnings_;
  bool isClosed_ = false;
};

// Makes a shape of any model. Refused, with the index of the node or element and a remedy: coordinates that are not
// finite, indices out of range, a node twice in an element, elements without volume or area, tetrahedra that leave
// nodes without element, arrays of the wrong length. Elements of opposite winding are reoriented, with one warning.
ShapeHandle CreateModelShape(ModelData model, const ShapeSource& bake, Error& error);
ShapeHandle CreateModelShape(ModelData model, Error& error);
// coords [nodes, 3] [m], connectivity [tets, 4].
ShapeHandle CreateTetMeshShape(DynamicArray<Real> coords, DynamicArray<int> connectivity, Error& error);
// coords [nodes, 3] [m], connectivity [triangles, 3].
ShapeHandle CreateTriMeshShape(DynamicArray<Real> coords, DynamicArray<int> connectivity, Error& error);
ShapeHandle CreateMeshShape(MeshData mesh, Error& error);
ShapeHandle CreateSphereShape(const Real3& center, Real radius, Error& error);
// The half space normal . x <= distance.
ShapeHandle CreatePlaneShape(const Real3& normal, Real distance, Error& error);
ShapeHandle CreateBoxShape(const Real3& center, const Real3& halfExtents, Error& error);

// Reads a .mochi.json or .mochi.h5 model; `scale` and `transform` are baked into it, in this order.
ShapeHandle LoadShapeFromFile(const String& path, Error& error);
ShapeHandle LoadShapeFromFile(const String& path, const Real3& scale, Error& error);
ShapeHandle LoadShapeFromFile(const String& path, const Real3& scale, const TransformRT& transform, Error& error);

}  // namespace dermis
