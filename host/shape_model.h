// The content of a model file: a mesh with what is attached to its nodes.
#pragma once

#include "host/params/enums.h"
#include "host/params/field.h"

namespace dermis {

// Weights of `weightsPerNode` frames a node. A pair of weight 0 is padding.
struct SkinningData {
  int weightsPerNode = 0;
  DynamicArray<int> indices = {};   // [nodes, weightsPerNode] link indices
  DynamicArray<Real> weights = {};  // [nodes, weightsPerNode]
  bool operator==(const SkinningData&) const = default;
};
constexpr auto FieldsOf(const SkinningData*) {
  using S = SkinningData;
  return std::tuple{Field{&S::weightsPerNode, "weightsPerNode", "", AtLeast(0), "Number of pairs a node."},
                    Field{&S::indices, "indices", "", Unchecked(), "Frames of the nodes, in order."},
                    Field{&S::weights, "weights", "", Unchecked(), "Weights of the nodes, in order."}};
}

struct MeshData {
  int nodesPerElement = 0;
  DynamicArray<Real> coordinates = {};  // [nodes, 3] [m]
  DynamicArray<int> connectivity = {};  // [elements, nodesPerElement]
  Optional<SkinningData> skinning = {};
  Optional<SkinningData> embedding = {};
  bool operator==(const MeshData&) const = default;
};
constexpr auto FieldsOf(const MeshData*) {
  using S = MeshData;
  return std::tuple{Field{&S::nodesPerElement, "nodesPerElement", "", Closed(0, 4),
                          "2 for lines, 3 for triangles, 4 for tetrahedra."},
                    Field{&S::coordinates, "coordinates", "m", Unchecked(), "Rest positions, x y z of each node."},
                    Field{&S::connectivity, "connectivity", "", Unchecked(), "Node indices of the elements."},
                    Field{&S::skinning, "skinning", "", {}, "Weights of links."},
                    Field{&S::embedding, "embedding", "", {}, "Weights of the nodes of the simulated mesh."}};
}

// How a skin's vertices follow one nested soft actor: x = skin + weight (soft - skin).
struct BlendingData {
  String sourceShape = {};          // name of the nested soft actor
  DynamicArray<int> indices = {};   // [vertices] node of the soft mesh; ignored where the weight is 0
  DynamicArray<Real> weights = {};  // [vertices] in [0, 1]
  bool operator==(const BlendingData&) const = default;
};
constexpr auto FieldsOf(const BlendingData*) {
  using S = BlendingData;
  return std::tuple{Field{&S::sourceShape, "sourceShape", "", {}, "Name of the nested soft actor.", Use::Required},
                    Field{&S::indices, "indices", "", Unchecked(), "Source node of each vertex."},
                    Field{&S::weights, "weights", "", Unchecked(), "Blend weight of each vertex."}};
}

struct BoxData {
  Real3 center = {};
  Real3 halfExtents = {};
  Quaternion rotation = {};
  bool operator==(const BoxData&) const = default;
};
constexpr auto FieldsOf(const BoxData*) {
  using S = BoxData;
  return std::tuple{Field{&S::center, "center", "m", Finite(), "Centre."},
                    Field{&S::halfExtents, "halfExtents", "m", Positive(), "Half of each edge.", Use::Required},
                    Field{&S::rotation, "rotation", "", Finite(), "Unit quaternion x, y, z, w."}};
}

struct SphereData {
  Real3 center = {};
  Real radius = 0;
  bool operator==(const SphereData&) const = default;
};
constexpr auto FieldsOf(const SphereData*) {
  using S = SphereData;
  return std::tuple{Field{&S::center, "center", "m", Finite(), "Centre."},
                    Field{&S::radius, "radius", "m", Positive(), "Radius.", Use::Required}};
}

// The half space normal . x <= distance is solid.
struct PlaneData {
  Real3 normal = {};
  Real distance = 0;
  bool operator==(const PlaneData&) const = default;
};
constexpr auto FieldsOf(const PlaneData*) {
  using S = PlaneData;
  return std::tuple{
      Field{&S::normal, "normal", "", NonZero(), "Outward normal; normalised.", Use::Required},
      Field{&S::distance, "distance", "m", Finite(), "Distance of the plane from the origin along the normal."}};
}

// A distance grid; kept, not used.
struct SdfData {
  DynamicArray<int> dims = {};
  DynamicArray<Real> values = {};
  DynamicArray<Real> bounds = {};
  DynamicArray<Real> negativeValueBounds = {};
  Optional<Real3> scale = {};
  Optional<Quaternion> rotation = {};
  Optional<Real3> translation = {};
  bool operator==(const SdfData&) const = default;
};
constexpr auto FieldsOf(const SdfData*) {
  using S = SdfData;
  return std::tuple{Field{&S::dims, "dims", "", {}, "Number of grid points along each axis."},
                    Field{&S::values, "values", "m", {}, "Distances."},
                    Field{&S::bounds, "bounds", "m", {}, "Corners of the grid."},
                    Field{&S::negativeValueBounds, "negativeValueBounds", "m", {}, "Corners of the inside."},
                    Field{&S::scale, "scale", "", Finite(), "Scale of the grid."},
                    Field{&S::rotation, "rotation", "", Finite(), "Rotation of the grid."},
                    Field{&S::translation, "translation", "m", Finite(), "Translation of the grid."}};
}

// Materials that differ from element to element; used where `type` is the type of the actor's material.
struct PerElementSoftMaterialData {
  SoftMaterialType type = SoftMaterialType::NeoHookean;
  MaterialPsdStrategy psdStrategy = MaterialPsdStrategy::MaterialDefault;
  DynamicArray<Real> youngsModulus = {};  // each [elements], or empty
  DynamicArray<Real> poissonRatio = {};
  DynamicArray<Real> anisoAlpha = {};
  DynamicArray<Real> anisoLength = {};
  DynamicArray<Real> anisoTheta = {};  // fibre direction (cos phi cos theta, sin phi, cos phi sin theta)
  DynamicArray<Real> anisoPhi = {};
  DynamicArray<Real> arapStiffness = {};
  DynamicArray<Real> shapeTargetTensor = {};  // [elements, 6]
  bool operator==(const PerElementSoftMaterialData&) const = default;
};
constexpr auto FieldsOf(const PerElementSoftMaterialData*) {
  using S = PerElementSoftMaterialData;
  return std::tuple{
      Field{&S::type, "type", "", {}, "Material that the arrays are for.", Use::Required},
      Field{&S::psdStrategy, "psdStrategy", "", {}, "Must agree with the actor's, where both name one."},
      Field{&S::youngsModulus, "youngsModulus", "Pa", Positive(), "Young's modulus of each element."},
      Field{&S::poissonRatio, "poissonRatio", "", Open(-1, 0.5, "use 0.49 for nearly incompressible"),
            "Poisson's ratio of each element."},
      Field{&S::anisoAlpha, "anisoAlpha", "Pa", NonNegative(), "Fibre stiffness of each element."},
      Field{&S::anisoLength, "anisoLength", "", NonNegative(), "Fibre target stretch of each element."},
      Field{&S::anisoTheta, "anisoTheta", "rad", Finite(), "Angle of the fibre about y."},
      Field{&S::anisoPhi, "anisoPhi", "rad", Finite(), "Angle of the fibre above the xz plane."},
      Field{&S::arapStiffness, "arapStiffness", "Pa", Positive(), "ARAP stiffness of each element."},
      Field{&S::shapeTargetTensor, "shapeTargetTensor", "", Finite(), "Target strain of each element, 6 entries."}};
}

struct ModelData {
  Optional<MeshData> mesh = {};
  Optional<MeshData> visualMesh = {};
  Optional<MeshData> contactSkinMesh = {};
  DynamicArray<BlendingData> blending = {};
  DynamicArray<int> constrainedNodes = {};
  DynamicArray<Real> elementFrameAxes = {};
  Optional<BoxData> box = {};
  Optional<SphereData> sphere = {};
  Optional<PlaneData> plane = {};
  Optional<SdfData> sdf = {};
  Optional<PerElementSoftMaterialData> material = {};
  bool operator==(const ModelData&) const = default;
};
constexpr auto FieldsOf(const ModelData*) {
  using S = ModelData;
  return std::tuple{Field{&S::mesh, "mesh", "", {}, "The mesh."},
                    Field{&S::visualMesh, "visualMesh", "", {}, "A mesh to be drawn, embedded in the mesh."},
                    Field{&S::contactSkinMesh, "contactSkinMesh", "", {}, "A mesh for contact, embedded in the mesh."},
                    Field{&S::blending, "blending", "", {}, "How a skin follows nested soft actors."},
                    Field{&S::constrainedNodes, "constrainedNodes", "", {}, "Nodes that are pinned."},
                    Field{&S::elementFrameAxes, "elementFrameAxes", "", {}, "An axis of each element."},
                    Field{&S::box, "box", "", {}, "The shape is this box."},
                    Field{&S::sphere, "sphere", "", {}, "The shape is this sphere."},
                    Field{&S::plane, "plane", "", {}, "The shape is this half space."},
                    Field{&S::sdf, "sdf", "", {}, "A distance grid."},
                    Field{&S::material, "material", "", {}, "Materials of the elements."}};
}

}  // namespace dermis
