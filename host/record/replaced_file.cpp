#include "host/record/replaced_file.h"

#include <cerrno>
#include <cstring>

namespace dermis {

namespace {

String PartialName(const String& path) { return path + ".partial"; }

}  // namespace

ReplacedFile::ReplacedFile(const String& path, Error& error) : path_(path) {
  if (!error.IsOK()) return;
  file_ = std::fopen(PartialName(path).c_str(), "wb");
  if (!file_) error.Set(path + ": cannot be written: " + std::strerror(errno));
}

ReplacedFile::~ReplacedFile() {
  if (!file_) return;
  std::fclose(file_);
  std::remove(PartialName(path_).c_str());
}

void ReplacedFile::Write(std::string_view text) {
  if (!file_ || failure_) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failure_ = errno ? errno : EIO;
}

void ReplacedFile::Commit(Error& error) {
  if (!error.IsOK() || !file_) return;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!closed && !failure_) failure_ = errno;
  if (!failure_ && std::rename(PartialName(path_).c_str(), path_.c_str()) != 0) failure_ = errno;
  if (!failure_) return;
  std::remove(PartialName(path_).c_str());
  error.Set(path_ + ": cannot be written: " + std::strerror(failure_));
}

}  // namespace dermis
