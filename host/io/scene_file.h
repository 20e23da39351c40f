// Scene files (.mochi_scene, .mochi_prefab): reading and writing.
#pragma once

#include "host/params/scene.h"

namespace dermis {

// Reads a scene file and the shapes it names. Every problem is reported with file, line, column and JSON pointer; no
// exception leaves. Paths of shapes: absolute, "./..." from the file's folder, anything else from `rootPath` (the
// file's folder when empty).
SceneDescription LoadSceneFromFile(const String& path, const String& rootPath, Error& error);
SceneDescription LoadSceneFromFile(const String& path, Error& error);
// The same from a text; `folder` stands for the file's folder.
SceneDescription LoadSceneFromJsonString(const String& text, const String& folder, Error& error);

// The scene as a file's text, with its keys at default left out; reading it gives an equal description. Shapes must
// come from files. Relative paths of shapes are written as they were read.
String SaveSceneToJsonString(const SceneDescription& scene, Error& error);
void SaveSceneToFile(const SceneDescription& scene, const String& path, Error& error);

}  // namespace dermis
