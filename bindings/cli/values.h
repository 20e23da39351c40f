// Values of options, from text. Each problem names the option, the value and the allowed range.
#pragma once

#include "host/params/types.h"

namespace dermis::cli {

using Problems = DynamicArray<String>;

// A whole number in [min, max]; `allowed` describes the range when it is not just the two numbers.
Optional<int> ParseInteger(const String& option, const String& text, int min, int max, Problems& problems,
                           const String& allowed = "");
// A finite number in (min, max], as 0.01 or as a quotient, 1/120.
Optional<Real> ParseReal(const String& option, const String& text, Real min, Real max, const String& unit,
                         Problems& problems);
// One of `choices`, with a guess at what was meant.
Optional<String> ParseChoice(const String& option, const String& text, const DynamicArray<String>& choices,
                             Problems& problems);
// Words separated by commas, each one of `choices`, each once.
DynamicArray<String> ParseList(const String& option, const String& text, const DynamicArray<String>& choices,
                               Problems& problems);

// The processors that this process may use: the largest number of threads.
int AvailableThreads();

}  // namespace dermis::cli
