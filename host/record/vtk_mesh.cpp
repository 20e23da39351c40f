#include "host/record/vtk_mesh.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace dermis {

namespace {

static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");
static_assert(sizeof(Real3) == 3 * sizeof(double), "points are written as they lie in memory");

template <class T> constexpr const char* TypeText() {
  if constexpr (std::is_same_v<T, Real3>)
    return "Float64\" NumberOfComponents=\"3";
  else if constexpr (std::is_same_v<T, unsigned char>)
    return "UInt8";
  else
    return "Int32";
}

// A data array: the number of bytes (UInt64) and the bytes, as one base64 text.
template <class T> void AppendArray(String& out, const String& name, const DynamicArray<T>& values) {
  const uint64_t size = values.size() * sizeof(T);
  DynamicArray<unsigned char> bytes(sizeof size + size);
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  out += fmt::format("<DataArray type=\"{}\" Name=\"{}\" format=\"binary\">\n", TypeText<T>(), name);
  out += Base64(bytes.data(), bytes.size());
  out += "\n</DataArray>\n";
}

}  // namespace

String Base64(const void* data, size_t size) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  String out;
  out.reserve((size + 2) / 3 * 4);
  for (size_t i = 0; i < size; i += 3) {
    const size_t count = std::min<size_t>(3, size - i);
    unsigned group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

String VtuText(const VtkMesh& mesh) {
  const size_t cells = mesh.cells.size() / size_t(mesh.nodesPerCell);
  DynamicArray<int> offsets(cells);
  for (size_t c = 0; c < cells; ++c) offsets[c] = mesh.nodesPerCell * int(c + 1);
  const unsigned char type = mesh.nodesPerCell == 3 ? 5 : 10;  // VTK_TRIANGLE, VTK_TETRA

  String out =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<UnstructuredGrid>\n";
  out += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", mesh.points.size(), cells);
  AppendArray(out, "Points", mesh.points);
  out += "</Points>\n<Cells>\n";
  AppendArray(out, "connectivity", mesh.cells);
  AppendArray(out, "offsets", offsets);
  AppendArray(out, "types", DynamicArray<unsigned char>(cells, type));
  out += "</Cells>\n<PointData>\n";
  for (const auto& [name, values] : mesh.pointData) AppendArray(out, name, values);
  out += "</PointData>\n<CellData>\n";
  for (const auto& [name, values] : mesh.cellData) AppendArray(out, name, values);
  out += "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  return out;
}

}  // namespace dermis
