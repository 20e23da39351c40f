// Model files: .mochi.json and .mochi.h5.
#pragma once

#include "host/error.h"
#include "host/shape_model.h"

namespace dermis {

// Reads a model of either format, chosen by the ending of its name. Errors name the file, and for JSON line, column and
// pointer. HDF5 files are read in a child process, so that a damaged file that crashes the library is an error as well.
ModelData ReadModelFile(const String& path, Error& error);
ModelData ReadModelJson(const String& path, Error& error);
ModelData ReadModelH5(const String& path, Error& error);

}  // namespace dermis
