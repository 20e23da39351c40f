// An unstructured grid in ParaView's XML format (.vtu): VTK File Formats, "VTK XML formats", inline binary data.
#pragma once

#include "host/error.h"

namespace dermis {

struct VtkMesh {
  explicit VtkMesh(int nodesPerCell) : nodesPerCell(nodesPerCell) {}
  int nodesPerCell;                                                // 3: triangles, 4: tetrahedra
  DynamicArray<Real3> points;                                      // [m]
  DynamicArray<int> cells;                                         // [cells, nodesPerCell]
  DynamicArray<std::pair<String, DynamicArray<Real3>>> pointData;  // each [points]
  DynamicArray<std::pair<String, DynamicArray<int>>> cellData;     // each [cells]
};

// The text of the file.
String VtuText(const VtkMesh& mesh);
// Bytes as base64 (RFC 4648).
String Base64(const void* data, size_t size);

}  // namespace dermis
