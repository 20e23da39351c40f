// Enumerations whose names are written once: the declaration also gives the text used in files, messages and docs.
#pragma once

#include "host/params/types.h"

// Declares enum class Name { ... } and its list of names. Values count from 0; no initialisers. A macro that expands to
// values, each followed by a comma, may stand among them.
#define DERMIS_ENUM(Name, ...) DERMIS_ENUM_OF(Name, __VA_ARGS__)
#define DERMIS_ENUM_OF(Name, ...)                                    \
  enum class Name { __VA_ARGS__ };                                   \
  constexpr const char* EnumTypeName(Name) { return #Name; }         \
  constexpr const char* EnumValueList(Name) { return #__VA_ARGS__; } \
  static_assert(true)

namespace dermis {

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
  EnumValueList(e);
};

// The names of all values, in order.
template <NamedEnum E> const DynamicArray<String>& EnumNames() {
  static const DynamicArray<String> names = [] {
    DynamicArray<String> list(1);
    for (const char* c = EnumValueList(E{}); *c; ++c) {
      if (*c == ',')
        list.emplace_back();
      else if (*c != ' ')
        list.back() += *c;
    }
    return list;
  }();
  return names;
}

template <NamedEnum E> const String& EnumName(E value) { return EnumNames<E>()[static_cast<size_t>(value)]; }

// The value with this name, or nothing.
template <NamedEnum E> Optional<E> EnumFromName(const String& name) {
  const auto& names = EnumNames<E>();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<E>(i);
  return {};
}

// Whether messages offer a value; an enumeration may overload it for values that no file can use.
template <NamedEnum E> constexpr bool IsOffered(E) { return true; }

// The offered names, with commas.
template <NamedEnum E> String OfferedValues() {
  String list;
  for (size_t i = 0; i < EnumNames<E>().size(); ++i)
    if (IsOffered(static_cast<E>(i))) list += (list.empty() ? "" : ", ") + EnumNames<E>()[i];
  return list;
}

}  // namespace dermis
