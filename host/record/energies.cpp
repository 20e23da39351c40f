#include "host/record/energies.h"

#include <cerrno>
#include <cstring>

#include "host/record/number_text.h"

namespace dermis {

namespace {

constexpr char kHeader[] =
    "step,time,kinetic,elastic,gravitational,total,linear_momentum_x,linear_momentum_y,linear_momentum_z,"
    "angular_momentum_x,angular_momentum_y,angular_momentum_z,newton_iterations,pcg_iterations,not_converged\n";

class EnergyRecorder : public Recorder {
 public:
  EnergyRecorder(const String& folder, Error& error) : path_(folder + "/energies.csv") {
    if (!error.IsOK()) return;
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_)
      Write(kHeader, error);
    else
      error.Set(path_ + ": cannot be written: " + std::strerror(errno));
  }
  ~EnergyRecorder() override {
    if (file_) std::fclose(file_);
  }

  void Record(Scene& scene, const RecordedStep& step, Error& error) override {
    const SceneEnergies e = scene.GetEnergies();
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{}", step.step);
    for (const Real value :
         {step.time, e.kinetic, e.elastic, e.gravitational, e.Total(), e.linearMomentum.x, e.linearMomentum.y,
          e.linearMomentum.z, e.angularMomentum.x, e.angularMomentum.y, e.angularMomentum.z})
      fmt::format_to(std::back_inserter(line), ",{:.17g}", value);
    fmt::format_to(std::back_inserter(line), ",{},{},{}\n", step.newtonIterations, step.linearIterations,
                   step.notConverged);
    Write({line.data(), line.size()}, error);
  }

  void Finish(Scene&, Error&) override {}

 private:
  // One write of a whole line: an interrupted run leaves no half of one.
  void Write(std::string_view line, Error& error) {
    if (!error.IsOK() || !file_) return;
    errno = 0;
    if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
      error.Set(path_ + ": cannot be written: " + std::strerror(errno));
  }

  String path_;
  std::FILE* file_ = nullptr;
};

}  // namespace

std::unique_ptr<Recorder> CreateEnergyRecorder(const String& folder, Error& error) {
  return std::make_unique<EnergyRecorder>(folder, error);
}

}  // namespace dermis
