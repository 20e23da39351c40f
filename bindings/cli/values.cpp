#include "bindings/cli/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "host/params/path.h"

namespace dermis::cli {

namespace {

// The number that is the whole text.
template <class T> Optional<T> Number(std::string_view text, bool& outOfRange) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  outOfRange = code == std::errc::result_out_of_range;
  if (code != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

String Join(const DynamicArray<String>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

}  // namespace

Optional<int> ParseInteger(const String& option, const String& text, int min, int max, Problems& problems,
                           const String& allowed) {
  bool outOfRange = false;
  const Optional<int> value = Number<int>(text, outOfRange);
  if (value && *value >= min && *value <= max) return value;
  const String range = allowed.empty() ? fmt::format("[{}, {}]", min, max) : allowed;
  if (value || outOfRange)
    problems.push_back(fmt::format("{}: {} is outside {}", option, text, range));
  else
    problems.push_back(fmt::format("{}: \"{}\" is not a whole number in {}", option, text, range));
  return {};
}

Optional<Real> ParseReal(const String& option, const String& text, Real min, Real max, const String& unit,
                         Problems& problems) {
  bool outOfRange = false;
  const size_t slash = text.find('/');
  Optional<Real> value = Number<Real>(std::string_view(text).substr(0, slash), outOfRange);
  if (value && slash != String::npos) {
    const Optional<Real> divisor = Number<Real>(std::string_view(text).substr(slash + 1), outOfRange);
    if (divisor)
      *value /= *divisor;
    else
      value.reset();
  }
  if (value && std::isfinite(*value) && *value > min && *value <= max) return value;
  const String range = std::isfinite(max) ? fmt::format("({}, {}]", min, max) : fmt::format("({}, inf)", min);
  if (value || outOfRange)
    problems.push_back(fmt::format("{}: {} is outside {} {}", option, text, range, unit));
  else
    problems.push_back(fmt::format("{}: \"{}\" is not a number in {} {}", option, text, range, unit));
  return {};
}

Optional<String> ParseChoice(const String& option, const String& text, const DynamicArray<String>& choices,
                             Problems& problems) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  problems.push_back(
      fmt::format("{}: \"{}\" is not one of {}{}", option, text, Join(choices), DidYouMean(text, choices)));
  return {};
}

DynamicArray<String> ParseList(const String& option, const String& text, const DynamicArray<String>& choices,
                               Problems& problems) {
  DynamicArray<String> words;
  for (size_t begin = 0;;) {
    const size_t end = text.find(',', begin);
    const Optional<String> word =
        ParseChoice(option, text.substr(begin, end == String::npos ? end : end - begin), choices, problems);
    if (word && std::find(words.begin(), words.end(), *word) == words.end()) words.push_back(*word);
    if (end == String::npos) return words;
    begin = end + 1;
  }
}

int AvailableThreads() { return std::max(1, int(std::thread::hardware_concurrency())); }

}  // namespace dermis::cli
