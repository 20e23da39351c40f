#include "host/params/path.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace dermis {

namespace {

String Lower(String text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Levenshtein's distance: the least number of insertions, deletions and replacements.
size_t EditDistance(const String& a, const String& b) {
  DynamicArray<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

String ClosestName(const String& word, const DynamicArray<String>& candidates) {
  String best;
  size_t bestDistance = std::max<size_t>(1, word.size() / 3) + 1;
  if (word.size() > 100) return best;
  for (const String& candidate : candidates) {
    const size_t distance = EditDistance(Lower(word), Lower(candidate));
    if (distance < bestDistance && distance < candidate.size()) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

String DidYouMean(const String& word, const DynamicArray<String>& candidates) {
  const String closest = ClosestName(word, candidates);
  return closest.empty() ? "" : "; did you mean \"" + closest + "\"?";
}

}  // namespace dermis
