#include "host/io/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace dermis {

Optional<double> JsonValue::Number() const {
  if (const int64_t* i = Integer()) return static_cast<double>(*i);
  if (const double* d = Float()) return *d;
  return {};
}

const JsonValue* JsonValue::Find(const String& key) const {
  if (const Object* members = Members())
    for (const JsonMember& member : *members)
      if (member.key == key) return &member.value;
  return nullptr;
}

void JsonValue::Append(JsonValue value) { Items()->push_back(std::move(value)); }

void JsonValue::Set(const String& key, JsonValue value) {
  for (JsonMember& member : *Members())
    if (member.key == key) {
      member.value = std::move(value);
      return;
    }
  Members()->push_back({key, std::move(value)});
}

const char* JsonValue::KindName() const {
  constexpr const char* kNames[] = {"null", "a boolean", "a number", "a number", "a text", "an array", "an object"};
  return kNames[data_.index()];
}

String JsonDocument::Where(size_t offset) const {
  offset = std::min(offset, text.size());
  const auto begin = text.begin(), end = text.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto line = 1 + std::count(begin, end, '\n');
  const size_t lineStart = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
  return fmt::format("{}:{}:{}", file, line, offset - lineStart + 1);
}

namespace {

void AppendText(const String& text, String& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  out += '"';
}

// The shortest digits that read back as the same number; always with a point or an exponent, so that it stays a Float.
void AppendNumber(double number, String& out) {
  if (!std::isfinite(number)) {
    out += std::isnan(number) ? "\"nan\"" : number > 0 ? "\"inf\"" : "\"-inf\"";
    return;
  }
  const String digits = fmt::format("{}", number);
  out += digits;
  if (digits.find_first_of(".e") == String::npos) out += ".0";
}

bool IsScalar(const JsonValue& value) { return !value.Items() && !value.Members(); }

void AppendValue(const JsonValue& value, size_t depth, String& out) {
  const auto newLine = [&](size_t d) { (out += '\n').append(d, ' '); };
  if (const auto* items = value.Items()) {
    // Numbers of one vector stand on one line.
    const bool flat = std::all_of(items->begin(), items->end(), IsScalar);
    out += '[';
    for (size_t i = 0; i < items->size(); ++i) {
      if (i > 0) out += flat ? ", " : ",";
      if (!flat) newLine(depth + 1);
      AppendValue((*items)[i], depth + 1, out);
    }
    if (!flat) newLine(depth);
    out += ']';
  } else if (const auto* members = value.Members()) {
    out += '{';
    for (size_t i = 0; i < members->size(); ++i) {
      if (i > 0) out += ',';
      newLine(depth + 1);
      AppendText((*members)[i].key, out);
      out += ": ";
      AppendValue((*members)[i].value, depth + 1, out);
    }
    if (!members->empty()) newLine(depth);
    out += '}';
  } else if (const String* text = value.Text()) {
    AppendText(*text, out);
  } else if (const int64_t* integer = value.Integer()) {
    out += std::to_string(*integer);
  } else if (const double* number = value.Float()) {
    AppendNumber(*number, out);
  } else if (const bool* flag = value.Bool()) {
    out += *flag ? "true" : "false";
  } else {
    out += "null";
  }
}

}  // namespace

String WriteJson(const JsonValue& value) {
  String out;
  AppendValue(value, 0, out);
  return out;
}

}  // namespace dermis
