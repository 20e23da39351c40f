// One row of a parameter table.
//
// Every parameter is declared once, in the table FieldsOf(const Struct*) beside its struct. Reading and writing files,
// validation, messages, the Python property and the row of docs/parameters.md all loop over the table, so that a new
// parameter is its member and one row:
//
//   struct Spring { Real stiffness = 100; };
//   constexpr auto FieldsOf(const Spring*) {
//     return std::tuple{Field{&Spring::stiffness, "stiffness", "N/m", Positive(), "Stiffness of the spring."}};
//   }
#pragma once

#include <limits>
#include <tuple>

#include "host/params/types.h"

namespace dermis {

inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// The allowed values of a number, of each component of a vector, or of each entry of an array.
struct Range {
  Real min = -kInfinity;
  Real max = kInfinity;
  bool minOpen = true;  // min itself is not allowed
  bool maxOpen = true;
  bool infinite = false;   // +inf and -inf are allowed; NaN never is
  bool nonZero = false;    // a vector must not be zero
  bool unchecked = false;  // anything goes: another check words the problem
  const char* hint = "";   // what to do instead, put at the end of the message

  constexpr bool Contains(Real v) const {
    if (unchecked) return true;
    if (v != v) return false;
    if (v == kInfinity || v == -kInfinity) return infinite;
    return (minOpen ? v > min : v >= min) && (maxOpen ? v < max : v <= max);
  }
  constexpr bool IsUnbounded() const { return min == -kInfinity && max == kInfinity; }
};

constexpr Range Finite(const char* hint = "") { return {.hint = hint}; }
constexpr Range Positive(const char* hint = "") { return {.min = 0, .hint = hint}; }
constexpr Range NonNegative(const char* hint = "") { return {.min = 0, .minOpen = false, .hint = hint}; }
constexpr Range Open(Real min, Real max, const char* hint = "") { return {.min = min, .max = max, .hint = hint}; }
constexpr Range Closed(Real min, Real max, const char* hint = "") {
  return {.min = min, .max = max, .minOpen = false, .maxOpen = false, .hint = hint};
}
constexpr Range AtLeast(Real min, const char* hint = "") { return {.min = min, .minOpen = false, .hint = hint}; }
constexpr Range Extended(const char* hint = "") { return {.infinite = true, .hint = hint}; }
constexpr Range Unchecked() { return {.unchecked = true}; }
constexpr Range NonZero(const char* hint = "") { return {.nonZero = true, .hint = hint}; }

// What becomes of a value.
enum class Use {
  Obeyed,    // it changes the simulation
  Kept,      // read, kept and written back for other programs; one note says so when a file sets it
  Required,  // obeyed, and a file must give it
};

// The keys of a value whose parts stand in the enclosing object of a file, in the order of the parts' table. Empty: the
// value has one key, the field's name.
struct FileKeys {
  const char* part[4] = {};
  constexpr bool IsSpread() const { return part[0] != nullptr; }
};
inline constexpr FileKeys kPlacementKeys{{"rotation", "translation"}};
inline constexpr FileKeys kShapeKeys{{"shape", "scale", "shapeRotation", "shapeTranslation"}};
inline constexpr FileKeys kLinkShapeKeys{{"shape", "shapeScale", "shapeRotation", "shapeTranslation"}};

template <class Owner, class T> struct Field {
  using Value = T;
  T Owner::*member;
  const char* name;
  const char* unit;  // SI; "" for a pure number or a value without unit
  Range range;
  const char* sentence;  // for the docs
  Use use = Use::Obeyed;
  FileKeys keys = {};
};
template <class Owner, class T, class... Rest>
Field(T Owner::*, const char*, const char*, Range, const char*, Rest...) -> Field<Owner, T>;

template <class S>
concept HasFields = requires(const S* s) {
  FieldsOf(s);
};

// Calls f(field) for each row of the table of S.
template <HasFields S, class F> void ForEachField(F&& f) {
  std::apply([&](const auto&... field) { (f(field), ...); }, FieldsOf(static_cast<const S*>(nullptr)));
}

constexpr auto FieldsOf(const TransformRT*) {
  return std::tuple{Field{&TransformRT::rotation, "rotation", "", Finite(), "Unit quaternion x, y, z, w."},
                    Field{&TransformRT::translation, "translation", "m", Finite(), "Translation, after the rotation."}};
}

}  // namespace dermis
