#include "host/params/codec.h"
#include "host/params/docs.h"
#include "host/params/list.h"
#include "tests/host/sample_scenes.h"

using namespace dermis;

namespace {

template <class T> constexpr bool kIsArray = false;
template <class T, size_t kSize> constexpr bool kIsArray<std::array<T, kSize>> = true;

// Gives a value that is in range and differs from the default. Shapes stay: they come from files.
template <class T> void Change(T& value, const Range& range) {
  if constexpr (std::is_same_v<T, Real> || std::is_same_v<T, int>) {
    for (const double candidate : {3.0, 2.0, 0.3, 0.7, -0.2, 17.0}) {
      if (!range.Contains(candidate) || candidate == value || candidate != static_cast<T>(candidate)) continue;
      value = static_cast<T>(candidate);
      return;
    }
    FAIL("no candidate is in range");
  } else if constexpr (std::is_same_v<T, bool>) {
    value = !value;
  } else if constexpr (std::is_same_v<T, String>) {
    value += "name \"quoted\" \\ \n";
  } else if constexpr (std::is_same_v<T, Real3>) {
    for (int k = 0; k < 3; ++k) Change(value[k], range);
  } else if constexpr (std::is_same_v<T, Quaternion>) {
    value = {0.6, 0, 0, 0.8};
  } else if constexpr (std::is_same_v<T, JsonValue>) {
    value = JsonValue(7);
  } else if constexpr (NamedEnum<T>) {
    value = static_cast<T>(EnumNames<T>().size() - 1);
  } else if constexpr (kIsArray<T>) {
    for (auto& entry : value) Change(entry, range);
  } else if constexpr (requires { value.emplace_back(); }) {
    Change(value.emplace_back(), range);
  } else if constexpr (requires { value.emplace(); }) {
    Change(value.emplace(), range);
  } else if constexpr (HasFields<T>) {
    ForEachField<T>([&](const auto& field) { Change(value.*field.member, field.range); });
  } else {
    static_assert(std::is_same_v<T, ShapeHandle>);
  }
}

template <class S> S ReadBack(const S& value, bool hasShape, DynamicArray<String>& problems) {
  Error error;
  const JsonDocument document = ParseJson(WriteJson(Codec<S>::Write(value)), "table", error);
  REQUIRE(Problems(error) == "");
  ReadContext context{document};
  if (hasShape) context.loadShape = [](const ShapeSource&, const PathNode&, size_t) { return ShapeHandle(); };
  S result;
  ReadValue(context, document.root, {}, {}, result);
  problems = context.problems;
  return result;
}

// What a file with empty shapes complains about; the shapes themselves are tested elsewhere.
void DropMissingShapes(DynamicArray<String>& problems) {
  std::erase_if(problems, [](const String& problem) {
    return problem.find("\"shape\" is missing") != String::npos || problem.find("\"shapeScale\"") != String::npos;
  });
}

template <class S> void CheckTable(const char* name) {
  INFO(name);
  CHECK(StructName<S>() == name);
  // Names are unique, and defaults in range but where a file must give the value.
  DynamicArray<String> keys = Codec<S>::Keys();
  std::sort(keys.begin(), keys.end());
  CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
  const S standard;
  ForEachField<S>([&](const auto& field) {
    INFO(field.name);
    CHECK(String(field.sentence).ends_with("."));
    if (field.use == Use::Required) return;
    using T = std::decay_t<decltype(standard.*field.member)>;
    Codec<T>::Check(standard.*field.member, field.range, {},
                    [&](const PathNode& at, const String& text) { FAIL(at.Dotted() + " " + text); });
  });
  // Every value comes back.
  S changed;
  Change(changed, {});
  DynamicArray<String> problems;
  const S read = ReadBack(changed, true, problems);
  DropMissingShapes(problems);
  CHECK(problems == DynamicArray<String>{});
  CHECK(read == changed);
  // Each row of the docs names the field.
  static const String docs = ParameterDocs();
  const size_t section = docs.find("## " + String(name) + "\n");
  REQUIRE(section != String::npos);
  const String body = docs.substr(section, docs.find("\n## ", section + 1) - section);
  ForEachField<S>([&](const auto& field) { CHECK(body.find("`" + String(field.name) + "`") != String::npos); });
}

}  // namespace

TEST_CASE("every parameter table has unique names, defaults in range, a round trip through JSON and a docs row") {
#define DERMIS_CHECK(S) CheckTable<S>(#S);
  DERMIS_PARAMETER_STRUCTS(DERMIS_CHECK)
#undef DERMIS_CHECK
}

TEST_CASE("enumerations have one name a value") {
#define DERMIS_CHECK(E) \
  for (const String& name : EnumNames<E>()) CHECK(EnumName(*EnumFromName<E>(name)) == name);
  DERMIS_PARAMETER_ENUMS(DERMIS_CHECK)
#undef DERMIS_CHECK
  CHECK(EnumNames<SoftMaterialType>().size() == 6);
  CHECK(EnumName(SoftMaterialType::Arap) == "Arap");
  CHECK(!EnumFromName<SoftMaterialType>("Jelly"));
  // Ordered, so that the worst of several is their maximum.
  CHECK(ConvergenceStatus::Converged < ConvergenceStatus::Diverged);
}

TEST_CASE("defaults of parameters are those of the published interface") {
  // Values from the public documentation of the format.
  CHECK(SoftMaterialParams().neoHookean.youngsModulus == 1e5);
  CHECK(SoftMaterialParams().density == 1000);
  CHECK(SoftMaterialParams().activeShapeTargetingArap.psdStrategy == MaterialPsdStrategy::Projection);
  CHECK(ContactParams().coulombFrictionCoefficient == 0.5);
  CHECK(ArticulatedJointParams().limitStiffness == 100);
  CHECK(ArticulatedCycleJointParams().stiffness == 50000);
  CHECK(SoftActorParams().hasGravity);
  CHECK(!SoftSkinnedActorParams().hasGravity);
  CHECK(SceneSettings().gravity == Real3{0, -9.8, 0});
  CHECK(SolverParams().nonLinearSolver.maxIter == 4);
}

TEST_CASE("the misspelt word's closest candidate is suggested, or none") {
  CHECK(ClosestName("youngModulus", {"poissonRatio", "youngsModulus"}) == "youngsModulus");
  CHECK(ClosestName("NEOHOOKEAN", {"NeoHookean", "Arap"}) == "NeoHookean");
  CHECK(ClosestName("zzz", {"NeoHookean", "Arap"}) == "");
}
