// Rigid bodies: shapes, masses and colliders.
#include "host/shape_mass.h"
#include "host/validate_steps.h"

namespace dermis {

namespace {

// The bounds of a mesh.
std::array<Real3, 2> Bounds(const DynamicArray<Real3>& nodes) {
  std::array<Real3, 2> bounds{nodes[0], nodes[0]};
  for (const Real3& x : nodes)
    for (int k = 0; k < 3; ++k) {
      bounds[0][k] = std::min(bounds[0][k], x[k]);
      bounds[1][k] = std::max(bounds[1][k], x[k]);
    }
  return bounds;
}

}  // namespace

ValidatedCollider ResolveCollider(ColliderType type, const ShapeHandle& shape, const String& path,
                                  ValidationReport& report) {
  ValidatedCollider collider;
  if (type == ColliderType::None || !shape) return collider;
  const ModelData& model = shape->GetModel();
  const bool hasSurface = !shape->GetTriangles().empty();
  if (type == ColliderType::Auto)
    type = model.plane    ? ColliderType::Plane
           : model.sphere ? ColliderType::Sphere
           : model.box    ? ColliderType::Box
                          : ColliderType::Mesh;
  if (type == ColliderType::Sdf) type = ColliderType::Mesh;  // the surface itself, not a grid of distances
  collider.type = type;
  const auto needs = [&](const char* what) {
    report.Problem(Under(path, "colliderType"),
                   fmt::format("{} needs {}, and the shape is {}", EnumName(type), what, shape->KindName()));
  };
  const bool hasNodes = !shape->GetNodes().empty();
  const std::array<Real3, 2> bounds = hasNodes ? Bounds(shape->GetNodes()) : std::array<Real3, 2>{};
  const Real3 center = 0.5 * (bounds[0] + bounds[1]);
  switch (type) {
    case ColliderType::Plane:
      if (model.plane)
        collider.plane = *model.plane;
      else
        needs("a plane");
      break;
    case ColliderType::Sphere:
      if (model.sphere)
        collider.sphere = *model.sphere;
      else if (hasNodes) {
        collider.sphere.center = center;
        for (const Real3& x : shape->GetNodes())
          collider.sphere.radius = std::max(collider.sphere.radius, Norm(x - center));
      } else
        needs("a sphere or a mesh");
      break;
    case ColliderType::Box:
      if (model.box)
        collider.box = *model.box;
      else if (hasNodes)
        collider.box = {center, 0.5 * (bounds[1] - bounds[0]), {}};
      else
        needs("a box or a mesh");
      break;
    case ColliderType::Mesh:
      if (!hasSurface) needs("a surface mesh");
      break;
    default:
      report.Problem(Under(path, "colliderType"), fmt::format("{} is not supported yet; use Auto", EnumName(type)));
  }
  return collider;
}

ValidatedRigid ResolveRigid(const RigidActorParams& params, const String& path, ValidationReport& report) {
  ValidatedRigid rigid;
  const size_t before = report.problems.size();
  CheckRanges(params, path, report, [&](const PathNode&) { return params.name; });
  rigid.isStatic = params.isStatic;
  rigid.worldFromLocal = {Normalized(params.worldFromLocal.rotation), params.worldFromLocal.translation};
  rigid.linearVelocity = params.linearVelocity.value_or(Real3{});
  rigid.angularVelocity = params.angularVelocity.value_or(Real3{});
  rigid.body = {.name = params.name,
                .layer = params.layer,
                .hasGravity = params.hasGravity,
                .mass = {},
                .shape = params.shape,
                .collider = {},
                .contact = params.contact};
  if (!params.shape) return report.Problem(Under(path, "shape"), "is missing; give a surface mesh"), rigid;
  rigid.body.collider = ResolveCollider(params.colliderType, params.shape, path, report);
  for (const String& warning : params.shape->GetWarnings()) report.Note(Under(path, "shape"), warning);
  if (params.isStatic) {
    if (params.linearVelocity || params.angularVelocity) report.Note(path, "is static; its velocity is ignored");
    return rigid;
  }
  if (params.shape->GetTriangles().empty())
    return report.Problem(Under(path, "shape"), fmt::format("{} cannot move; give a surface mesh, or set isStatic",
                                                            params.shape->KindName())),
           rigid;
  if (report.problems.size() > before) return rigid;
  rigid.body.mass = ResolveMass(params.shape, params.density, params.mass, params.centerOfMass, params.momentOfInertia,
                                path, report.problems);
  for (size_t i = before; i < report.problems.size(); ++i)
    if (!params.name.empty()) report.problems[i] += fmt::format(" (of \"{}\")", params.name);
  return rigid;
}

}  // namespace dermis
