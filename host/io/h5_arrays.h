// The arrays of an HDF5 file, read in a child process.
#pragma once

#include <cstdint>
#include <map>

#include "host/error.h"

namespace dermis {

// One dataset or attribute: numbers, or a text.
struct H5Array {
  enum class Kind : uint8_t { Integers, Reals, Text };
  Kind kind = Kind::Integers;
  DynamicArray<uint64_t> dims;  // empty for a scalar
  DynamicArray<int64_t> integers;
  DynamicArray<Real> reals;
  String text;
};

// By path: "/mesh/coordinates" for a dataset, "/box@center" for an attribute of a group.
using H5Arrays = std::map<String, H5Array>;

// Reads all arrays of integers, reals and texts, at most 8 groups deep. A dataset that claims more data than the file
// can hold is refused, and no more than that is ever allocated. A library that crashes or does not return within 30 s
// is an error.
H5Arrays ReadH5Arrays(const String& path, Error& error);

}  // namespace dermis
