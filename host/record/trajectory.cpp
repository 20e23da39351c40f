#include "host/record/trajectory.h"

#include <algorithm>
#include <cctype>

#include "host/io/json.h"
#include "host/record/number_text.h"
#include "host/record/replaced_file.h"

namespace dermis {

namespace {

// A quantity over the recorded steps: numbers [steps, shape...].
struct Track {
  DynamicArray<int> shape;  // of one step; {} is a single number
  DynamicArray<Real> values;
  void Add(Real value) { values.push_back(value); }
  void Add(const Real3& v) { values.insert(values.end(), {v.x, v.y, v.z}); }
  void Add(const Quaternion& q) { values.insert(values.end(), {q.x, q.y, q.z, q.w}); }
  template <class T> void Add(const DynamicArray<T>& items) {
    for (const T& item : items) Add(item);
  }
};

// Named tracks of one actor or part, in the order of the file.
struct Tracks {
  String name;
  DynamicArray<std::pair<String, Track>> tracks;
};

// Writes a file piece by piece: a trajectory may be larger than the state it comes from.
class Writer {
 public:
  Writer(const String& path, Error& error) : file_(path, error) {}
  void Text(std::string_view text) {
    buffer_.append(text.data(), text.data() + text.size());
    if (buffer_.size() > (1u << 20)) Flush();
  }
  void Quoted(const String& text) { Text(WriteJson(JsonValue(text))); }
  void Number(Real value) {
    AppendReal(buffer_, value);
    if (buffer_.size() > (1u << 20)) Flush();
  }
  // Nested lists of numbers; advances `at`.
  void Numbers(const Real*& at, const int* shape, const int* shapeEnd) {
    if (shape == shapeEnd) return Number(*at++);
    Text("[");
    for (int i = 0; i < *shape; ++i) {
      if (i > 0) Text(", ");
      Numbers(at, shape + 1, shapeEnd);
    }
    Text("]");
  }
  // A track, one line a step.
  void Series(const Track& track, int steps) {
    const Real* at = track.values.data();
    Text("[");
    for (int step = 0; step < steps; ++step) {
      Text(step > 0 ? ",\n    " : "\n    ");
      Numbers(at, track.shape.data(), track.shape.data() + track.shape.size());
    }
    Text("]");
  }
  void Members(const Tracks& tracks, int steps) {
    const char* separator = "";
    for (const auto& [name, track] : tracks.tracks) {
      Text(separator);
      Quoted(name);
      Text(": ");
      Series(track, steps);
      separator = ",\n   ";
    }
  }
  void Group(const DynamicArray<Tracks>& group, int steps) {
    Text("{");
    const char* separator = "\n  ";
    for (const Tracks& tracks : group) {
      Text(separator);
      Quoted(tracks.name);
      Text(": {");
      Members(tracks, steps);
      Text("}");
      separator = ",\n  ";
    }
    Text("}");
  }
  void Commit(Error& error) {
    Flush();
    file_.Commit(error);
  }

 private:
  void Flush() {
    file_.Write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }
  ReplacedFile file_;
  fmt::memory_buffer buffer_;
};

// BACKWARD_EULER, BDF2: the spelling of the files.
String IntegrationText(IntegrationMethod method) {
  String text;
  for (const char c : EnumName(method)) {
    if (!text.empty() && std::isupper(c) && std::islower(text.back())) text += '_';
    text += c;
  }
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return text;
}

class TrajectoryRecorder : public Recorder {
 public:
  TrajectoryRecorder(const String& folder, const RunFacts& facts) : path_(folder + "/trajectory.json"), facts_(facts) {}

  void Record(Scene& scene, const RecordedStep& step, Error&) override {
    if (steps_.empty()) MakeTracks(scene);
    steps_.push_back(step.step);
    size_t articulated = 0, soft = 0, skin = 0, rigid = 0;
    for (const ActorLayout& actor : scene.GetActors()) {
      if (actor.type == ActorType::Rigid) {
        const RigidState state = scene.GetRigidState(actor);
        auto& tracks = rigid_[rigid++].tracks;
        tracks[0].second.Add(state.centerOfMass);
        tracks[1].second.Add(state.rotation);
      } else if (actor.type != ActorType::Soft) {
        const ArticulatedState state = scene.GetArticulatedState(actor);
        auto& tracks = articulated_[articulated++].tracks;
        tracks[0].second.Add(state.q);
        tracks[1].second.Add(state.qd);
        for (const TransformRT& link : scene.GetLinkTransforms(actor)) {
          tracks[2].second.Add(link.translation);
          tracks[2].second.Add(link.rotation);
        }
      }
      for (const SoftLayout& layout : actor.softs) {
        auto& tracks = soft_[soft++].tracks;
        tracks[0].second.Add(scene.GetNodePositions(layout));
        tracks[1].second.Add(scene.GetElasticEnergy(layout));
      }
      if (actor.skinEnd > actor.skinBegin) skin_[skin++].tracks[0].second.Add(scene.GetSkinPositions(actor));
    }
  }

  void Finish(Scene& scene, Error& error) override {
    Writer out(path_, error);
    if (!error.IsOK()) return;
    const int steps = int(steps_.size());
    out.Text("{\n \"steps\": [");
    for (int i = 0; i < steps; ++i) out.Text(fmt::format("{}{}", i > 0 ? ", " : "", steps_[i]));
    out.Text("],\n \"articulated\": ");
    out.Group(articulated_, steps);
    out.Text(",\n \"soft\": ");
    out.Group(soft_, steps);
    out.Text(",\n \"rigid\": ");
    out.Group(rigid_, steps);
    if (skin_.size() == 1) {
      out.Text(",\n \"skin\": {");
      out.Members(skin_[0], steps);
      out.Text("}");
    } else if (!skin_.empty()) {
      out.Text(",\n \"skin\": ");
      out.Group(skin_, steps);
    }
    WriteFacts(scene, out);
    out.Text("\n}\n");
    out.Commit(error);
  }

 private:
  void MakeTracks(const Scene& scene) {
    for (const ActorLayout& actor : scene.GetActors()) {
      if (actor.type == ActorType::Rigid) {
        rigid_.push_back({actor.name, {{"com", {{3}, {}}}, {"quat_xyzw", {{4}, {}}}}});
      } else if (actor.type != ActorType::Soft) {
        const int dofs = actor.dofEnd - actor.dofBegin, links = actor.frameEnd - actor.frameBegin;
        articulated_.push_back({actor.name, {{"q", {{dofs}, {}}}, {"qd", {{dofs}, {}}}, {"links", {{links, 7}, {}}}}});
      }
      for (const SoftLayout& soft : actor.softs)
        soft_.push_back({soft.name, {{"x", {{soft.nodeEnd - soft.nodeBegin, 3}, {}}}, {"energy", {}}}});
      if (actor.skinEnd > actor.skinBegin)
        skin_.push_back({actor.name, {{"x", {{actor.skinEnd - actor.skinBegin, 3}, {}}}}});
    }
  }

  void WriteFacts(Scene& scene, Writer& out) const {
    const auto number = [&](const char* key, Real value) {
      out.Text(key);
      out.Number(value);
    };
    number(",\n \"dt\": ", facts_.dt);
    out.Text(fmt::format(",\n \"integration\": \"{}\",\n \"note\": ", IntegrationText(facts_.integration)));
    out.Quoted(facts_.note);
    number(",\n \"size\": ", scene.GetSize());
    out.Text(",\n \"program\": {\"name\": \"dermis\", \"version\": ");
    out.Quoted(facts_.programVersion);
    out.Text("},\n \"scene\": {\"file\": ");
    out.Quoted(facts_.sceneFile);
    out.Text(fmt::format(", \"fnv1a\": \"0x{:016x}\"}},\n \"settings\": {{\"backend\": ", facts_.sceneHash));
    out.Quoted(scene.GetBackendName());
    out.Text(fmt::format(", \"threads\": {}, \"every\": {}, \"integration\": \"{}\"", facts_.threads, facts_.every,
                         EnumName(facts_.integration)));
    number(", \"dt\": ", facts_.dt);
    out.Text(", \"tolerance\": ");
    if (facts_.tolerance)
      out.Number(*facts_.tolerance);
    else
      out.Text("null");
    // What was in force, default or not.
    out.Text(", \"actor_tolerance\": {");
    const std::vector<double> tolerance = scene.GetSimulation().GetParameter("actorTolerance", 0);
    for (const ActorLayout& actor : scene.GetActors()) {
      if (actor.actor > 0) out.Text(", ");
      out.Quoted(actor.name);
      number(": ", tolerance[size_t(actor.actor)]);
    }
    out.Text(fmt::format("}}, \"fix_constrained_nodes\": {}}}", facts_.fixConstrainedNodes));
  }

  String path_;
  RunFacts facts_;
  DynamicArray<int> steps_;
  DynamicArray<Tracks> articulated_, soft_, skin_, rigid_;
};

}  // namespace

std::unique_ptr<Recorder> CreateTrajectoryRecorder(const String& folder, const RunFacts& facts) {
  return std::make_unique<TrajectoryRecorder>(folder, facts);
}

}  // namespace dermis
