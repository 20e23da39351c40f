// How a public call reports a failure: through a trailing Error&, whose first error sticks.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <utility>

#include "host/params/types.h"

namespace dermis {

// The outcome of one or more calls. A call that is entered with an error already set returns at once and does nothing.
// One failed call may report several problems (validation collects all of them); later calls add none.
class Error {
 public:
  Error() = default;
  Error(const Error&) = delete;
  Error& operator=(const Error&) = delete;

  bool IsOK() const { return problems_.empty(); }
  // All problems of the failed call, one a line; empty when there is none.
  String GetDescription() const {
    String text;
    for (const String& problem : problems_) text += (text.empty() ? "" : "\n") + problem;
    return text;
  }
  // The problems of the failed call, one sentence each.
  const DynamicArray<String>& GetProblems() const { return problems_; }
  // The source file and line that raised the error; "" and 0 when there is none.
  const char* GetFile() const { return file_; }
  int GetLine() const { return line_; }
  // "file:line: description", or "OK".
  String ToString() const {
    return IsOK() ? String("OK") : String(file_) + ":" + std::to_string(line_) + ": " + GetDescription();
  }

  // Sets the error; does nothing when one is set already or the list is empty.
  void Set(DynamicArray<String> problems, std::source_location where = std::source_location::current()) {
    if (!IsOK() || problems.empty()) return;
    problems_ = std::move(problems);
    file_ = where.file_name();
    line_ = static_cast<int>(where.line());
  }
  void Set(String description, std::source_location where = std::source_location::current()) {
    Set(DynamicArray<String>{std::move(description)}, where);
  }

 private:
  DynamicArray<String> problems_;
  const char* file_ = "";
  int line_ = 0;
};

// A temporary for callers who treat a failure as a bug: f(x, ErrorAssert{}) prints the error and aborts.
class ErrorAssert {
 public:
  operator Error&() { return error_; }
  ~ErrorAssert() {
    if (error_.IsOK()) return;
    std::fprintf(stderr, "%s\n", error_.ToString().c_str());
    std::abort();
  }

 private:
  Error error_;
};

// A temporary for callers who go on after a failure: f(x, ErrorLog{}) prints the error to stderr.
class ErrorLog {
 public:
  operator Error&() { return error_; }
  ~ErrorLog() {
    if (!error_.IsOK()) std::fprintf(stderr, "%s\n", error_.ToString().c_str());
  }

 private:
  Error error_;
};

}  // namespace dermis
