// A JSON document that keeps the order of its keys and knows where each value stands.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "host/error.h"

namespace dermis {

struct JsonMember;

// One value. Equality ignores where it stands.
class JsonValue {
 public:
  using Array = DynamicArray<JsonValue>;
  using Object = DynamicArray<JsonMember>;

  JsonValue() = default;
  explicit JsonValue(bool v) : data_(v) {}
  explicit JsonValue(int v) : data_(static_cast<int64_t>(v)) {}
  explicit JsonValue(int64_t v) : data_(v) {}
  explicit JsonValue(double v) : data_(v) {}
  explicit JsonValue(String v) : data_(std::move(v)) {}
  static JsonValue MakeArray() { return JsonValue(Data(Array{})); }
  static JsonValue MakeObject() { return JsonValue(Data(Object{})); }

  bool IsNull() const { return data_.index() == 0; }
  // Each gives the value, or nullptr when it is of another kind. A number is an Integer or a Float.
  const bool* Bool() const { return std::get_if<bool>(&data_); }
  const int64_t* Integer() const { return std::get_if<int64_t>(&data_); }
  const double* Float() const { return std::get_if<double>(&data_); }
  const String* Text() const { return std::get_if<String>(&data_); }
  const Array* Items() const { return std::get_if<Array>(&data_); }
  const Object* Members() const { return std::get_if<Object>(&data_); }
  Array* Items() { return std::get_if<Array>(&data_); }
  Object* Members() { return std::get_if<Object>(&data_); }
  // The number, or nothing.
  Optional<double> Number() const;
  // The member of an object with this key, or nullptr.
  const JsonValue* Find(const String& key) const;
  // Appends to an array, or sets a member of an object.
  void Append(JsonValue value);
  void Set(const String& key, JsonValue value);
  // "a number", "an array", ... for messages.
  const char* KindName() const;

  size_t Offset() const { return offset_; }
  void SetOffset(size_t offset) { offset_ = offset; }
  bool operator==(const JsonValue& other) const { return data_ == other.data_; }

 private:
  using Data = std::variant<std::monostate, bool, int64_t, double, String, Array, Object>;
  explicit JsonValue(Data data) : data_(std::move(data)) {}
  Data data_;
  size_t offset_ = 0;  // of its first character in the text
};

struct JsonMember {
  String key;
  JsonValue value;
  size_t keyOffset = 0;
  bool operator==(const JsonMember& other) const { return key == other.key && value == other.value; }
};

// A file's text and the value in it.
struct JsonDocument {
  String file;  // as messages name it
  String text;
  JsonValue root;
  // "file:line:column" of a character; lines and columns count from 1.
  String Where(size_t offset) const;
};

// Reads a text. A text that is not JSON is one error with its position: duplicate keys, NaN, comments, trailing commas,
// a byte order mark and nesting deeper than 100 are refused by name.
JsonDocument ParseJson(String text, const String& file, Error& error);
// Reads a file, with the same errors, and for a file that is missing, a directory, or empty.
JsonDocument ReadJsonFile(const String& path, Error& error);
// The text of a value, indented by one blank a level; numbers are written so that reading gives the same number.
String WriteJson(const JsonValue& value);

}  // namespace dermis
