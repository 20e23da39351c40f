// Where a value stands in a tree of parameters; built on the stack, written out only for a message.
#pragma once

#include "host/params/types.h"

namespace dermis {

struct PathNode {
  const PathNode* parent = nullptr;
  const char* key = nullptr;  // the member of an object; the root has neither key nor index
  int index = -1;             // the entry of an array

  PathNode operator/(const char* name) const { return {this, name, -1}; }
  PathNode operator/(int i) const { return {this, nullptr, i}; }

  // softParams[1].material
  String Dotted() const {
    String text = parent ? parent->Dotted() : "";
    if (key) text += (text.empty() ? "" : ".") + String(key);
    if (index >= 0) text += "[" + std::to_string(index) + "]";
    return text;
  }
  // /softParams/1/material
  String Pointer() const {
    String text = parent ? parent->Pointer() : "";
    if (key) {
      text += '/';
      for (const char* c = key; *c; ++c) text += *c == '~' ? "~0" : *c == '/' ? "~1" : String(1, *c);
    }
    if (index >= 0) text += "/" + std::to_string(index);
    return text;
  }
};

// The candidate that a misspelt word most likely means, or "".
String ClosestName(const String& word, const DynamicArray<String>& candidates);
// "; did you mean "x"?" for the closest candidate, or "".
String DidYouMean(const String& word, const DynamicArray<String>& candidates);

}  // namespace dermis
