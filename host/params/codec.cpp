#include "host/params/codec.h"

namespace dermis {

String RangeText(const Range& range) {
  if (range.IsUnbounded()) return "";
  const auto bound = [](Real v) { return std::isinf(v) ? String(v > 0 ? "inf" : "-inf") : fmt::format("{}", v); };
  return fmt::format("{}{}, {}{}", range.minOpen ? '(' : '[', bound(range.min), bound(range.max),
                     range.maxOpen ? ')' : ']');
}

String NumberProblem(Real value, const Range& range) {
  if (range.Contains(value)) return "";
  const String hint = *range.hint ? String("; ") + range.hint : "";
  if (std::isnan(value) || range.IsUnbounded())
    return fmt::format("{} is not a {}number{}", value, range.infinite ? "" : "finite ", hint);
  return fmt::format("{} is outside {}{}", value, RangeText(range), hint);
}

}  // namespace dermis
