#include "host/record/output_folder.h"

#include <filesystem>

#include "host/record/vtk_series.h"

namespace dermis {

namespace {

namespace fs = std::filesystem;

}  // namespace

void CheckOutputFolder(const String& folder, bool force, Error& error) {
  if (folder.empty()) return error.Set("the path of the folder is empty");
  std::error_code code;
  if (!fs::exists(folder, code)) return;
  if (!fs::is_directory(folder, code)) return error.Set("\"" + folder + "\" is a file, and a folder is needed");
  const bool empty = fs::is_empty(folder, code);
  if (code) return error.Set("\"" + folder + "\" cannot be read: " + code.message());
  if (!empty && !force)
    error.Set("\"" + folder + "\" is not empty; choose another folder, or replace an earlier run there with --force");
}

void PrepareOutputFolder(const String& folder, Error& error) {
  if (!error.IsOK()) return;
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return error.Set("\"" + folder + "\" cannot be created: " + code.message());
  for (const char* name : {"trajectory.json", "energies.csv"}) fs::remove(fs::path(folder) / name, code);
  RemoveVtkSeries(folder + "/vtk");
}

}  // namespace dermis
