#include "host/io/model_file.h"

#include <fmt/format.h>

#include "host/params/codec.h"
#include "host/shape.h"

namespace dermis {

ModelData ReadModelJson(const String& path, Error& error) {
  ModelData model;
  const JsonDocument document = ReadJsonFile(path, error);
  if (!error.IsOK()) return model;
  ReadContext context{document};
  ReadValue(context, document.root, {}, {}, model);
  error.Set(std::move(context.problems));
  return model;
}

ModelData ReadModelFile(const String& path, Error& error) {
  if (!error.IsOK()) return {};
  if (path.ends_with(".json")) return ReadModelJson(path, error);
  if (path.ends_with(".h5")) return ReadModelH5(path, error);
  error.Set(fmt::format("{}: is not a model file; use .mochi.json or .mochi.h5", path));
  return {};
}

ShapeHandle LoadShapeFromFile(const String& path, const Real3& scale, const TransformRT& transform, Error& error) {
  ModelData model = ReadModelFile(path, error);
  if (!error.IsOK()) return {};
  Error shapeError;
  ShapeHandle shape =
      CreateModelShape(std::move(model), {path, scale, transform.rotation, transform.translation}, shapeError);
  DynamicArray<String> problems;
  for (const String& problem : shapeError.GetProblems()) problems.push_back(path + ": " + problem);
  error.Set(std::move(problems));
  return shape;
}
ShapeHandle LoadShapeFromFile(const String& path, const Real3& scale, Error& error) {
  return LoadShapeFromFile(path, scale, {}, error);
}
ShapeHandle LoadShapeFromFile(const String& path, Error& error) {
  return LoadShapeFromFile(path, {1, 1, 1}, {}, error);
}

}  // namespace dermis
