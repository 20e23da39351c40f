// Names of nested actors.
#include "host/validate_steps.h"

namespace dermis {

DynamicArray<String> ResolveNames(const DynamicArray<String>& given, const String& prefix, const String& path,
                                  DynamicArray<String>& taken, ValidationReport& report) {
  const auto isTaken = [&](const String& name) { return std::find(taken.begin(), taken.end(), name) != taken.end(); };

  // The names that the user gave come first: an automatic name never takes one of them.
  for (size_t i = 0; i < given.size(); ++i) {
    const String& name = given[i];
    if (name.empty()) continue;
    const String at = fmt::format("{}[{}].name", path, i);
    if (name.find_first_of(String("/\\\0", 3)) != String::npos)
      report.Problem(at, fmt::format("\"{}\" contains a slash, a backslash or a zero; use other characters",
                                     name.substr(0, name.find('\0'))));
    if (isTaken(name))
      report.Problem(at, fmt::format("\"{}\" is the name of another nested actor; names are unique", name));
    taken.push_back(name);
  }

  DynamicArray<String> names = given;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) continue;
    names[i] = fmt::format("{}_{}", prefix, i);
    for (size_t n = 0; isTaken(names[i]); ++n) names[i] = fmt::format("{}_{}", prefix, n);
    taken.push_back(names[i]);
  }
  return names;
}

}  // namespace dermis
