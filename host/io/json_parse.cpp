// Parsing of JSON with positions. The parser's event interface is used because its tree takes duplicate keys silently
// and knows no positions.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "host/io/json.h"

namespace dermis {

namespace {

constexpr size_t kDeepestNesting = 100;

// Iterates over a text and tells how many characters the lexer has taken.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  const char& operator*() const { return *at_; }
  CountingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// Builds the tree from the parser's events, and words its errors.
class TreeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  TreeBuilder(JsonDocument& document, const char** reached) : document_(document), reached_(reached) {}
  const String& GetProblem() const { return problem_; }

  bool null() { return Add(JsonValue(), WordStart()); }
  bool boolean(bool value) { return Add(JsonValue(value), WordStart()); }
  bool number_integer(number_integer_t value) { return Add(JsonValue(static_cast<int64_t>(value)), NumberStart()); }
  bool number_unsigned(number_unsigned_t value) {
    const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<int64_t>::max());
    return Add(fits ? JsonValue(static_cast<int64_t>(value)) : JsonValue(static_cast<double>(value)), NumberStart());
  }
  bool number_float(number_float_t value, const string_t&) { return Add(JsonValue(value), NumberStart()); }
  bool string(string_t& value) { return Add(JsonValue(std::move(value)), TextStart()); }
  bool binary(binary_t&) { return Fail(Reached(), "binary data are not JSON"); }
  bool start_object(std::size_t) { return Open(JsonValue::MakeObject()); }
  bool start_array(std::size_t) { return Open(JsonValue::MakeArray()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool key(string_t& name) {
    const size_t offset = TextStart();
    const auto& members = *open_.back()->Members();
    for (const JsonMember& member : members)
      if (member.key == name)
        return Fail(offset, fmt::format("the key \"{}\" appears twice in this object; first in line {}", name,
                                        LineOf(member.keyOffset)));
    open_.back()->Members()->push_back({std::move(name), JsonValue(), offset});
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) {
    const String& text = document_.text;
    const size_t at = position > 0 ? position - 1 : 0;  // of the character that the lexer could not use
    if (position > text.size() || text.find_first_not_of(" \t\r\n", at) == String::npos) return FailAtEnd();
    size_t start = at;
    while (start > 0 && std::isalnum(static_cast<unsigned char>(text[start - 1]))) --start;
    const String word = text.substr(start, 8);
    const size_t before = start == 0 ? String::npos : text.find_last_not_of(" \t\r\n", start - 1);
    const char previous = before == String::npos ? '\0' : text[before];
    if ((text[at] == '}' || text[at] == ']') && previous == ',')
      return Fail(before, "a comma before the closing bracket; remove it");
    for (const char* name : {"NaN", "nan", "Infinity", "inf"})
      if (word.rfind(name, 0) == 0)
        return Fail(
            start,
            fmt::format("{} is not JSON; give a finite number, or \"inf\" in quotes where a limit may be infinite",
                        name));
    if (text[at] == '/' && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*'))
      return Fail(at, "comments are not JSON; use a \"_comment\" key");
    if (error.id == 406) return Fail(NumberStart(), fmt::format("the number {} is too large", token));
    return Fail(at, fmt::format("not JSON: {}", Reason(error.what(), token)));
  }

 private:
  size_t Reached() const { return static_cast<size_t>(*reached_ - document_.text.data()); }

  // The lexer has just passed the closing quote; quotes inside a text are escaped.
  size_t TextStart() const {
    const String& text = document_.text;
    size_t at = Reached() - 1;
    while (at > 0) {
      --at;
      if (text[at] != '"') continue;
      size_t slashes = 0;
      while (slashes < at && text[at - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 == 0) break;
    }
    return at;
  }
  // The lexer has read one character more than the number, unless the text ends with it.
  size_t NumberStart() const {
    const String& text = document_.text;
    const auto isPart = [&](size_t i) { return std::strchr("0123456789+-.eE", text[i]) != nullptr && text[i] != '\0'; };
    size_t at = std::min(Reached(), text.size());
    while (at > 0 && !isPart(at - 1)) --at;
    while (at > 0 && isPart(at - 1)) --at;
    return at;
  }
  size_t WordStart() const {
    size_t at = Reached();
    while (at > 0 && std::isalpha(static_cast<unsigned char>(document_.text[at - 1]))) --at;
    return at;
  }
  std::ptrdiff_t LineOf(size_t offset) const {
    return 1 + std::count(document_.text.begin(), document_.text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  }

  JsonValue* Place(JsonValue value, size_t offset) {
    value.SetOffset(offset);
    JsonValue* target = &document_.root;
    if (!open_.empty()) {
      if (auto* items = open_.back()->Items())
        target = &items->emplace_back();
      else
        target = &open_.back()->Members()->back().value;
    }
    *target = std::move(value);
    return target;
  }
  bool Add(JsonValue value, size_t offset) {
    Place(std::move(value), offset);
    return true;
  }
  bool Open(JsonValue value) {
    if (open_.size() >= kDeepestNesting)
      return Fail(Reached() - 1, fmt::format("nested deeper than {} levels", kDeepestNesting));
    open_.push_back(Place(std::move(value), Reached() - 1));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  bool Fail(size_t offset, const String& what) {
    problem_ = document_.Where(offset) + ": " + what;
    return false;
  }
  bool FailAtEnd() {
    const size_t end = document_.text.size();
    if (open_.empty()) return Fail(end, "the file ends before its value is complete");
    return Fail(end, fmt::format("the file ends inside the {} that starts in line {}; is it complete?",
                                 open_.back()->Items() ? "array" : "object", LineOf(open_.back()->Offset())));
  }
  // The parser's own words, without its prefix.
  static String Reason(const String& what, const String& token) {
    const size_t colon = what.find(": ");
    const size_t dash = what.find(" - ");
    if (dash != String::npos) return what.substr(dash + 3);
    return colon != String::npos ? what.substr(colon + 2) : "near '" + token + "'";
  }

  JsonDocument& document_;
  const char** reached_;
  DynamicArray<JsonValue*> open_;  // objects and arrays being read; a parent does not grow while its child is open
  String problem_;
};

String ByteOrderMark(const String& text) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) return "UTF-8";
  if (text.rfind("\xFE\xFF", 0) == 0 || text.rfind("\xFF\xFE", 0) == 0) return "UTF-16";
  return "";
}

}  // namespace

JsonDocument ParseJson(String text, const String& file, Error& error) {
  JsonDocument document;
  if (!error.IsOK()) return document;
  document.file = file;
  document.text = std::move(text);
  const auto fail = [&](const String& problem) { error.Set(problem); };
  if (const String mark = ByteOrderMark(document.text); !mark.empty()) {
    fail(fmt::format("{}:1:1: the file starts with a {} byte order mark; save it as UTF-8 without one", file, mark));
    return document;
  }
  if (const size_t at = document.text.find('\0'); at != String::npos) {
    fail(document.Where(at) + ": a NUL byte, which JSON does not have; remove it, or save the file as UTF-8");
    return document;
  }
  if (document.text.find_first_not_of(" \t\r\n") == String::npos) {
    fail(fmt::format("{}: the file is empty", file));
    return document;
  }
  const char* reached = document.text.data();
  TreeBuilder builder(document, &reached);
  try {
    const char* begin = document.text.data();
    const bool ok = nlohmann::json::sax_parse(CountingIterator(begin, &reached),
                                              CountingIterator(begin + document.text.size(), &reached), &builder);
    if (!ok) fail(builder.GetProblem());
  } catch (const std::exception& exception) {
    fail(fmt::format("{}: {}", file, exception.what()));
  }
  return document;
}

JsonDocument ReadJsonFile(const String& path, Error& error) {
  if (!error.IsOK()) return {};
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    error.Set(fmt::format("{}: {}", path, errno == ENOENT ? "no such file" : std::strerror(errno)));
    return {};
  }
  if (!S_ISREG(status.st_mode)) {
    error.Set(
        fmt::format("{}: {}", path, S_ISDIR(status.st_mode) ? "is a folder, not a file" : "is not a regular file"));
    return {};
  }
  std::ifstream stream(path, std::ios::binary);
  String text(std::istreambuf_iterator<char>(stream), {});
  if (!stream.good() && !stream.eof()) {
    error.Set(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    return {};
  }
  return ParseJson(std::move(text), path, error);
}

}  // namespace dermis
