// Runs the built program and collects what it says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dermis {

struct Outcome {
  int code = -1;  // exit code, or 128 + signal
  std::string out, err;
};

// Starts the program with these arguments.
class Program {
 public:
  explicit Program(std::vector<std::string> arguments);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  bool IsRunning();
  void Signal(int signal);
  Outcome Wait();

 private:
  int pid_ = 0;
  int status_ = 0;
  bool isDone_ = false;
  std::filesystem::path folder_;  // its output
};

Outcome RunProgram(std::vector<std::string> arguments);

// A new empty folder, removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& Path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string ReadText(const std::string& path);
// The scene of the pendulum alone.
std::string PendulumFile();

}  // namespace dermis
