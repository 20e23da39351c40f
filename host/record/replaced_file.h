// A file that appears complete or not at all.
#pragma once

#include <cstdio>
#include <string_view>

#include "host/error.h"

namespace dermis {

// Collects text in PATH.partial; Commit gives it the name PATH, replacing what was there. Without Commit nothing
// remains.
class ReplacedFile {
 public:
  ReplacedFile(const String& path, Error& error);
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  void Write(std::string_view text);
  // An error names the file and what the system says.
  void Commit(Error& error);

 private:
  String path_;
  std::FILE* file_ = nullptr;
  int failure_ = 0;  // errno of the first write that failed
};

}  // namespace dermis
