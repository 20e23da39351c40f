#include "tests/bindings/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace dermis {

namespace {

std::filesystem::path MakeFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "dermis_test_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  return name;
}

}  // namespace

Program::Program(std::vector<std::string> arguments) : folder_(MakeFolder()) {
  arguments.insert(arguments.begin(), DERMIS_PROGRAM);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string out = (folder_ / "out").string(), err = (folder_ / "err").string();
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  const int failure = posix_spawn(&pid_, DERMIS_PROGRAM, &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure) throw std::runtime_error("the program cannot be started");
}

Program::~Program() {
  if (IsRunning()) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status_, 0);
  }
  std::filesystem::remove_all(folder_);
}

bool Program::IsRunning() {
  if (!isDone_ && pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == pid_) isDone_ = true;
  return !isDone_ && pid_ > 0;
}

void Program::Signal(int signal) {
  if (IsRunning()) kill(pid_, signal);
}

Outcome Program::Wait() {
  if (IsRunning()) waitpid(pid_, &status_, 0);
  isDone_ = true;
  const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return {code, ReadText((folder_ / "out").string()), ReadText((folder_ / "err").string())};
}

Outcome RunProgram(std::vector<std::string> arguments) { return Program(std::move(arguments)).Wait(); }

TemporaryFolder::TemporaryFolder() : path_(MakeFolder()) {}

std::string ReadText(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string PendulumFile() {
  return DERMIS_SOURCE_DIR "/samples/soft_skinned_double_pendulum/pendulum_only.mochi_scene";
}

}  // namespace dermis
