// What each type of parameter does: how it is read from a file, written, checked and described. One specialisation a
// type; the tables do the rest.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "host/params/enum.h"
#include "host/params/field.h"
#include "host/params/read_context.h"

namespace dermis {

// Takes the problems of a check: where, and what is wrong.
using ProblemSink = std::function<void(const PathNode&, const String&)>;

// The interval as text, as in "(-1, 0.5)"; nothing when unbounded.
String RangeText(const Range& range);
// What is wrong with a number, or "".
String NumberProblem(Real value, const Range& range);
// The type's own name, as in NeoHookeanParams.
template <class T> String StructName() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const size_t start = text.find("T = ") + 4;
  const std::string_view name = text.substr(start, text.find_first_of(";]", start) - start);
  const size_t colon = name.rfind("::");
  return String(colon == std::string_view::npos ? name : name.substr(colon + 2));
}

template <class T> struct Codec;

// A struct as its initialisers make it: the defaults of its parameters.
template <class S> const S& Default() {
  static const S value{};
  return value;
}

template <class T>
bool ReadValue(ReadContext& context, const JsonValue& json, const Range& range, const PathNode& path, T& value) {
  if (!Codec<T>::Read(context, json, range, path, value)) return false;
  if constexpr (Codec<T>::kIsLeaf)
    Codec<T>::Check(value, range, path,
                    [&](const PathNode& at, const String& text) { context.Problem(at, json.Offset(), text); });
  return true;
}

// Numbers.
template <class T>
requires std::is_same_v<T, Real> || std::is_same_v<T, int>
struct Codec<T> {
  static constexpr bool kIsLeaf = true;
  static String TypeName() { return std::is_same_v<T, int> ? "integer" : "number"; }
  static bool Read(ReadContext& context, const JsonValue& json, const Range& range, const PathNode& path, T& value) {
    if constexpr (std::is_same_v<T, int>) {
      const int64_t* number = json.Integer();
      if (number && *number == static_cast<int>(*number)) return value = static_cast<int>(*number), true;
      if (const auto real = json.Number(); real && *real == std::floor(*real) && std::abs(*real) < 2e9)
        return value = static_cast<int>(*real), true;
      if (json.Number()) return context.Problem(path, json.Offset(), "expected an integer of 32 bits"), false;
      return context.WrongType(path, json, "an integer"), false;
    } else {
      if (const auto number = json.Number()) return value = *number, true;
      // Infinity has no number in JSON.
      if (const String* text = json.Text(); text && range.infinite) {
        if (*text == "inf" || *text == "Infinity") return value = kInfinity, true;
        if (*text == "-inf" || *text == "-Infinity") return value = -kInfinity, true;
      }
      return context.WrongType(path, json, range.infinite ? "a number, \"inf\" or \"-inf\"" : "a number"), false;
    }
  }
  static JsonValue Write(const T& value) { return JsonValue(value); }
  static void Check(const T& value, const Range& range, const PathNode& path, const ProblemSink& sink) {
    if (const String problem = NumberProblem(static_cast<Real>(value), range); !problem.empty()) sink(path, problem);
  }
};

template <> struct Codec<bool> {
  static constexpr bool kIsLeaf = true;
  static String TypeName() { return "boolean"; }
  static bool Read(ReadContext& context, const JsonValue& json, const Range&, const PathNode& path, bool& value) {
    if (const bool* flag = json.Bool()) return value = *flag, true;
    return context.WrongType(path, json, "true or false"), false;
  }
  static JsonValue Write(bool value) { return JsonValue(value); }
  static void Check(bool, const Range&, const PathNode&, const ProblemSink&) {}
};

template <> struct Codec<String> {
  static constexpr bool kIsLeaf = true;
  static String TypeName() { return "text"; }
  static bool Read(ReadContext& context, const JsonValue& json, const Range&, const PathNode& path, String& value) {
    if (const String* text = json.Text()) return value = *text, true;
    return context.WrongType(path, json, "a text"), false;
  }
  static JsonValue Write(const String& value) { return JsonValue(value); }
  static void Check(const String&, const Range&, const PathNode&, const ProblemSink&) {}
};

template <NamedEnum E> struct Codec<E> {
  static constexpr bool kIsLeaf = true;
  static String TypeName() { return EnumTypeName(E{}); }
  static bool Read(ReadContext& context, const JsonValue& json, const Range&, const PathNode& path, E& value) {
    const String* text = json.Text();
    if (!text) return context.WrongType(path, json, fmt::format("a name of {}", EnumTypeName(E{}))), false;
    if (const auto found = EnumFromName<E>(CurrentSpelling(*text))) return value = *found, true;
    const String guess = DidYouMean(*text, EnumNames<E>());
    context.Problem(path, json.Offset(),
                    fmt::format("\"{}\" is not a {}{}", *text, EnumTypeName(E{}),
                                guess.empty() ? fmt::format("; it is one of {}", OfferedValues<E>()) : guess));
    return false;
  }
  static JsonValue Write(E value) { return JsonValue(EnumName(value)); }
  static void Check(E, const Range&, const PathNode&, const ProblemSink&) {}
};

// An array of numbers or texts of fixed length, and the vectors that are one.
template <class T, class Entry, size_t kSize> struct FixedCodec {
  static constexpr bool kIsLeaf = true;
  static String TypeName() { return fmt::format("{}[{}]", Codec<Entry>::TypeName(), kSize); }
  static bool Read(ReadContext& context, const JsonValue& json, const Range& range, const PathNode& path, T& value) {
    const auto* items = json.Items();
    const String expected = fmt::format("an array of {} {}s", kSize, Codec<Entry>::TypeName());
    if (!items) return context.WrongType(path, json, expected), false;
    if (items->size() != kSize)
      return context.Problem(path, json.Offset(), fmt::format("expected {}, found {}", expected, items->size())), false;
    bool ok = true;
    for (size_t i = 0; i < kSize; ++i)
      ok &= Codec<Entry>::Read(context, (*items)[i], range, path / static_cast<int>(i), At(value, i));
    return ok;
  }
  static JsonValue Write(const T& value) {
    JsonValue json = JsonValue::MakeArray();
    for (size_t i = 0; i < kSize; ++i) json.Append(Codec<Entry>::Write(At(value, i)));
    return json;
  }
  static void Check(const T& value, const Range& range, const PathNode& path, const ProblemSink& sink) {
    bool isZero = true;
    for (size_t i = 0; i < kSize; ++i) {
      Codec<Entry>::Check(At(value, i), range, path / static_cast<int>(i), sink);
      isZero &= At(value, i) == Entry{};
    }
    if (range.nonZero && isZero) sink(path, fmt::format("must not be zero{}{}", *range.hint ? "; " : "", range.hint));
  }

 private:
  static decltype(auto) At(auto& value, size_t i) {
    if constexpr (requires { value.w; })
      return (i == 0 ? value.x : i == 1 ? value.y : i == 2 ? value.z : value.w);
    else if constexpr (requires { value.x; })
      return (i == 0 ? value.x : i == 1 ? value.y : value.z);
    else
      return (value[i]);
  }
};
template <class T, size_t kSize> struct Codec<std::array<T, kSize>> : FixedCodec<std::array<T, kSize>, T, kSize> {};
template <> struct Codec<Real3> : FixedCodec<Real3, Real, 3> {};
template <> struct Codec<Quaternion> : FixedCodec<Quaternion, Real, 4> {
  static String TypeName() { return "quaternion"; }
  static void Check(const Quaternion& q, const Range& range, const PathNode& path, const ProblemSink& sink) {
    FixedCodec::Check(q, range, path, sink);
    // Files round to a few digits: anything closer is normalised, anything further is a mistake.
    constexpr Real kTolerance = 1e-3;
    // What is not finite has been reported; finite components may still have an infinite norm.
    const bool isFinite = std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
    if (const Real norm = Norm(q); isFinite && !(std::abs(norm - 1) <= kTolerance))
      sink(path, fmt::format("the quaternion's length is {:.6g}; give a unit quaternion x, y, z, w", norm));
  }
};

template <class T> struct Codec<Optional<T>> {
  static constexpr bool kIsLeaf = false;
  static String TypeName() { return Codec<T>::TypeName() + ", optional"; }
  static bool Read(ReadContext& context, const JsonValue& json, const Range& range, const PathNode& path,
                   Optional<T>& value) {
    if (json.IsNull()) return value.reset(), true;
    return ReadValue(context, json, range, path, value.emplace());
  }
  static JsonValue Write(const Optional<T>& value) { return value ? Codec<T>::Write(*value) : JsonValue(); }
  static void Check(const Optional<T>& value, const Range& range, const PathNode& path, const ProblemSink& sink) {
    if (value) Codec<T>::Check(*value, range, path, sink);
  }
};

template <class T> struct Codec<DynamicArray<T>> {
  static constexpr bool kIsLeaf = false;
  static String TypeName() { return Codec<T>::TypeName() + "[]"; }
  static bool Read(ReadContext& context, const JsonValue& json, const Range& range, const PathNode& path,
                   DynamicArray<T>& value) {
    const auto* items = json.Items();
    if (!items) return context.WrongType(path, json, "an array"), false;
    value.assign(items->size(), T());
    bool ok = true;
    for (size_t i = 0; i < items->size(); ++i)
      ok &= ReadValue(context, (*items)[i], range, path / static_cast<int>(i), value[i]);
    return ok;
  }
  static JsonValue Write(const DynamicArray<T>& value) {
    JsonValue json = JsonValue::MakeArray();
    for (const T& entry : value) json.Append(Codec<T>::Write(entry));
    return json;
  }
  static void Check(const DynamicArray<T>& value, const Range& range, const PathNode& path, const ProblemSink& sink) {
    for (size_t i = 0; i < value.size(); ++i) Codec<T>::Check(value[i], range, path / static_cast<int>(i), sink);
  }
};

template <> struct Codec<JsonValue> {
  static constexpr bool kIsLeaf = false;
  static String TypeName() { return "JSON"; }
  static bool Read(ReadContext&, const JsonValue& json, const Range&, const PathNode&, JsonValue& value) {
    return value = json, true;
  }
  static JsonValue Write(const JsonValue& value) { return value; }
  static void Check(const JsonValue&, const Range&, const PathNode&, const ProblemSink&) {}
};

// The table whose fields are the parts of a spread value, and how they become the value.
template <class T> struct Parts {
  using Table = T;
  static T From(T value, ReadContext&, const PathNode&, size_t) { return value; }
  static T To(const T& value) { return value; }
};
template <> struct Parts<ShapeHandle> {
  using Table = ShapeSource;
  static ShapeHandle From(const ShapeSource& source, ReadContext& context, const PathNode& path, size_t offset) {
    return context.loadShape ? context.loadShape(source, path, offset) : ShapeHandle();
  }
  static ShapeSource To(const ShapeHandle& shape) { return shape ? shape->GetSource() : ShapeSource(); }
};

// A shape is a file's path and what is baked into it, always spread.
template <> struct Codec<ShapeHandle> {
  static String TypeName() { return "shape"; }
  static void Check(const ShapeHandle&, const Range&, const PathNode&, const ProblemSink&) {}
};

// A struct with a table.
template <HasFields S> struct Codec<S> {
  static constexpr bool kIsLeaf = false;
  static String TypeName() { return StructName<S>(); }

  static bool Read(ReadContext& context, const JsonValue& json, const Range&, const PathNode& path, S& value) {
    const auto* members = json.Members();
    if (!members) return context.WrongType(path, json, "an object"), false;
    const size_t before = context.problems.size();
    DynamicArray<bool> used(members->size(), false);
    const auto find = [&](const char* key) -> const JsonValue* {
      for (size_t i = 0; i < members->size(); ++i)
        if (CurrentSpelling((*members)[i].key) == key) return used[i] = true, &(*members)[i].value;
      return nullptr;
    };
    ForEachField<S>([&](const auto& field) {
      const bool present = field.keys.IsSpread() ? ReadParts(context, field, find, json, path, value)
                                                 : ReadField(context, field, find, path, value);
      if (!present && field.use == Use::Required)
        context.Problem(path, json.Offset(),
                        fmt::format("\"{}\" is missing: {}", field.keys.IsSpread() ? field.keys.part[0] : field.name,
                                    field.sentence));
    });
    for (size_t i = 0; i < members->size(); ++i)
      if (!used[i]) ReadOther(context, (*members)[i], path);
    return context.problems.size() == before;
  }

  static JsonValue Write(const S& value) {
    const S& standard = Default<S>();
    JsonValue json = JsonValue::MakeObject();
    ForEachField<S>([&](const auto& field) {
      const auto& member = value.*field.member;
      if (member == standard.*field.member && field.use != Use::Required) return;
      if constexpr (kCanSpread<decltype(member)>) {
        if (field.keys.IsSpread()) return WriteParts(member, field.keys, json);
      }
      if constexpr (requires { Codec<std::decay_t<decltype(member)>>::Write(member); })
        json.Set(field.name, Codec<std::decay_t<decltype(member)>>::Write(member));
    });
    return json;
  }

  static void Check(const S& value, const Range&, const PathNode& path, const ProblemSink& sink) {
    ForEachField<S>([&](const auto& field) {
      const auto& member = value.*field.member;
      Codec<std::decay_t<decltype(member)>>::Check(member, field.range, path / field.name, sink);
    });
  }

  // The keys that a file may have here.
  static DynamicArray<String> Keys() {
    DynamicArray<String> keys;
    ForEachField<S>([&](const auto& field) {
      if (!field.keys.IsSpread()) keys.emplace_back(field.name);
      for (const char* part : field.keys.part)
        if (part) keys.emplace_back(part);
    });
    return keys;
  }

 private:
  template <class T> static constexpr bool kCanSpread = HasFields<typename Parts<std::decay_t<T>>::Table>;

  template <class F>
  static bool ReadField(ReadContext& context, const F& field, const auto& find, const PathNode& path, S& value) {
    const JsonValue* json = find(field.name);
    if (!json) return false;
    if constexpr (!std::is_same_v<typename F::Value, ShapeHandle>) {
      if (field.use == Use::Kept &&
          std::find(context.unusedKeys.begin(), context.unusedKeys.end(), field.name) == context.unusedKeys.end())
        context.unusedKeys.emplace_back(field.name);
      ReadValue(context, *json, field.range, path / field.name, value.*field.member);
    }
    return true;
  }

  template <class F>
  static bool ReadParts(ReadContext& context, const F& field, const auto& find, const JsonValue& object,
                        const PathNode& path, S& value) {
    using T = typename F::Value;
    if constexpr (kCanSpread<T>) {
      using Table = typename Parts<T>::Table;
      Table parts{};
      int index = 0;
      bool present = false, first = false;
      const size_t before = context.problems.size();
      size_t offset = object.Offset();
      ForEachField<Table>([&](const auto& part) {
        const char* key = field.keys.part[index++];
        const JsonValue* json = find(key);
        if (!json) return;
        if (index == 1) first = true, offset = json->Offset();
        present = true;
        ReadValue(context, *json, part.range, path / key, parts.*part.member);
      });
      constexpr bool kNeedsFirst = !std::is_same_v<T, Table>;
      if (present && (first || !kNeedsFirst) && context.problems.size() == before)
        value.*field.member = Parts<T>::From(parts, context, path / field.keys.part[0], offset);
      return kNeedsFirst ? first : present;
    }
    return false;
  }

  template <class T> static void WriteParts(const T& member, const FileKeys& keys, JsonValue& json) {
    using Table = typename Parts<T>::Table;
    const Table& standard = Default<Table>();
    const Table parts = Parts<T>::To(member);
    int index = 0;
    ForEachField<Table>([&](const auto& part) {
      const char* key = keys.part[index++];
      const auto& v = parts.*part.member;
      if (!(v == standard.*part.member)) json.Set(key, Codec<std::decay_t<decltype(v)>>::Write(v));
    });
  }

  // A key that no field claims: kept, or a mistake.
  static void ReadOther(ReadContext& context, const JsonMember& member, const PathNode& path) {
    const auto matches = [&](std::string_view pattern) {
      if (!pattern.ends_with('*')) return member.key == pattern;
      return std::string_view(member.key).starts_with(pattern.substr(0, pattern.size() - 1));
    };
    bool isKept = matches("_comment*");
    for (const char* pattern : KeptKeysOf(static_cast<const S*>(nullptr))) isKept |= matches(pattern);
    const PathNode at = path / member.key.c_str();
    if (isKept)
      context.kept.push_back({at.Pointer(), member.value});
    else
      context.Problem(at, member.keyOffset,
                      fmt::format("unknown key \"{}\"{}", member.key, DidYouMean(member.key, Keys())));
  }
};

}  // namespace dermis
